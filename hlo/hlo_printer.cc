// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// An instruction is printed in parts: its head, what XLA calls its extra
// attributes, and its tail. The extra attributes may hold those of a wrapped
// operation (in the short form of asynchronous operations) and the bodies of
// called computations (in the canonical form), to any depth: what is left to
// do is then a stack of steps. All others take the straight way.

#include "ferry/hlo/hlo_printer.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/async_sugar.h"
#include "ferry/hlo/callee_attributes.h"
#include "ferry/hlo/essential_constant.h"
#include "ferry/hlo/large_pages.h"
#include "ferry/hlo/module_header_printer.h"
#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/post_order.h"
#include "ferry/hlo/printed_lines.h"
#include "ferry/hlo/printed_stack_frames.h"
#include "ferry/hlo/replica_groups_parser.h"
#include "ferry/hlo/sharding_parser.h"
#include "ferry/hlo/stack_frame_tables.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {
namespace {

// Attributes from here on stand behind the called computations.
constexpr HloAttributeKind kFirstBehindCallees = HloAttributeKind::kIsComposite;
// Control predecessors stand in front of this one.
constexpr HloAttributeKind kFirstBehindControl = HloAttributeKind::kStatistics;
// Those of the instruction itself, not of a wrapped one: the tail.
constexpr HloAttributeKind kFirstOfTail = HloAttributeKind::kOrigin;

class Printer {
 public:
  Printer(const HloModule& module, const HloPrintOptions& options,
          std::string& out)
      : module_(module),
        options_(options),
        out_(out),
        sugar_(options.async_sugar),
        // Bodies may be written out more than once.
        lines_(module, /*may_repeat=*/options.canonical) {}

  void PrintModule();
  // All of it, or what `part` has.
  void Print(const HloComputation& computation,
             const Neighborhood* part = nullptr);
  // With its name even where the canonical form has none.
  void PrintOne(const HloInstruction& instruction);

 private:
  using Attributes = absl::Span<const HloAttribute>;

  // What is left to do of an instruction, or of a body in one.
  struct Step {
    enum class Kind : uint8_t {
      kExtras,         // extra attributes of `instruction`
      kBehindWrapped,  // the rest of them for an async-start
      kBehindCallees,  // the rest of them, of any
      kTail,           // origin, metadata, ...
      kText,           // `text` as it stands
      kBody,           // lines of `computation` from number `next` on
    };
    Kind kind;
    const HloInstruction* instruction = nullptr;
    const HloComputation* computation = nullptr;
    absl::string_view text = {};
    size_t next = 0;
    // Whether the wrapping instruction has frontend attributes, which then
    // stand for both.
    bool skip_frontend_attributes = false;
  };

  void PrintCut(int64_t count);
  void PrintSignature(const HloComputation& computation);
  void PrintEnd(const HloComputation& computation);
  void PrintInstruction(const HloInstruction& instruction);
  void PrintHead(const HloInstruction& instruction);
  void PrintOpcode(const HloInstruction& instruction);
  void PrintOperands(const HloInstruction& instruction);
  void PrintLiteral(const HloInstruction& instruction);

  void RunSteps();
  void RunBody(Step body);
  void StartExtras(const Step& step);
  void PushCallees(const HloInstruction& instruction);
  void PushBodies(const CalleeAttribute& attribute);

  void PrintOwn(const HloInstruction& instruction, Attributes& left);
  void PrintUpTo(HloAttributeKind limit, Attributes& left);
  void PrintAttribute(const HloAttribute& attribute);
  void PrintMetadata(absl::string_view metadata);
  void PrintBehindCallees(const HloInstruction& instruction, Attributes& left,
                          bool skip_frontend_attributes);
  void PrintCallees(const HloInstruction& instruction);
  void PrintControlPredecessors(const HloInstruction& instruction);

  bool IsShown(HloAttributeKind kind) const;
  void PrintName(absl::string_view name) {
    if (options_.percent) out_ += '%';
    Put(name);
  }
  void PrintName(const HloInstruction& instruction);
  void Put(absl::string_view text) { out_.append(text.data(), text.size()); }
  void Indent(size_t steps) { out_.append(2 * (options_.indent + steps), ' '); }
  absl::string_view ShapeText(const Shape& shape, bool with_layout);

  using Lines = absl::Span<const HloInstruction* const>;
  void NumberLines(Lines lines);

  const HloModule& module_;
  const HloPrintOptions& options_;
  std::string& out_;
  AsyncSugar sugar_;
  PrintedLines lines_;
  std::vector<Step> steps_;
  size_t depth_ = 0;  // of bodies in bodies
  // Shapes repeat: each is written out once.
  llvm::DenseMap<const Shape*, absl::string_view> shape_texts_[2];
  std::deque<std::string> shape_storage_;
  // For the canonical form: the number of each instruction in what is being
  // printed, by its id.
  std::vector<uint32_t> numbers_;
  // Where they are numbered anew.
  std::optional<StackFrameTables> frames_;
};

absl::string_view Printer::ShapeText(const Shape& shape, bool with_layout) {
  const auto [found, is_new] = shape_texts_[with_layout].try_emplace(&shape);
  if (is_new) {
    found->second = shape_storage_.emplace_back(shape.ToString(with_layout));
  }
  return found->second;
}

void Printer::PrintModule() {
  const auto stored = module_.computations();
  const std::vector<HloComputation*> order =
      options_.computations_in_post_order
          ? MakeComputationPostOrder(module_)
          : std::vector<HloComputation*>(stored.begin(), stored.end());
  if (options_.metadata && options_.frames_as_read_again &&
      !module_.stack_frames().empty()) {
    frames_.emplace(NumberStackFramesAsPrinted(module_, order, sugar_));
  }
  PrintModuleHeader(
      module_, frames_.has_value() ? frames_->made() : module_.stack_frames(),
      options_, out_);
  for (const HloComputation* computation : order) {
    if (sugar_.OperationOf(*computation) != nullptr) continue;
    Print(*computation);
    out_ += '\n';
  }
}

// Metadata with the number that its frame has in the tables of this print.
void Printer::PrintMetadata(absl::string_view metadata) {
  const auto field = FindStackFrameId(metadata);
  if (!field.has_value()) return Put(metadata);
  const int32_t id = frames_->Enter(field->id);
  if (id == 0) return Put(metadata);
  Put(metadata.substr(0, field->begin));
  absl::StrAppend(&out_, id);
  Put(metadata.substr(field->end));
}

void Printer::NumberLines(Lines lines) {
  if (numbers_.empty()) numbers_.resize(module_.id_limit());
  for (size_t i = 0; i < lines.size(); ++i) numbers_[lines[i]->id()] = i;
}

void Printer::Print(const HloComputation& computation,
                    const Neighborhood* part) {
  Indent(0);
  if (computation.IsEntry()) Put("ENTRY ");
  if (options_.module_and_computation_names) {
    PrintName(computation.name());
    if (options_.signatures) PrintSignature(computation);
    out_ += ' ';
  }
  Put("{\n");
  const Lines lines = lines_.Of(computation);
  if (options_.canonical) NumberLines(lines);
  int64_t cut = 0;
  for (const HloInstruction* instruction : lines) {
    if (part != nullptr && !part->Contains(*instruction)) {
      ++cut;
      continue;
    }
    PrintCut(std::exchange(cut, 0));
    Indent(1);
    PrintInstruction(*instruction);
    out_ += '\n';
  }
  PrintCut(cut);
  Indent(0);
  PrintEnd(computation);
  out_ += '\n';
}

void Printer::PrintCut(int64_t count) {
  if (count == 0) return;
  Indent(1);
  absl::StrAppend(&out_, "// ", count,
                  count == 1 ? " instruction\n" : " instructions\n");
}

void Printer::PrintEnd(const HloComputation& computation) {
  out_ += '}';
  // A thread counts as a name.
  if (computation.execution_thread() == "main" ||
      !options_.module_and_computation_names) {
    return;
  }
  absl::StrAppend(&out_, ", execution_thread=\"",
                  absl::CEscape(computation.execution_thread()), "\"");
}

void Printer::PrintSignature(const HloComputation& computation) {
  Put(" (");
  absl::string_view separator;
  for (const HloInstruction* parameter : computation.parameters()) {
    Put(separator);
    separator = ", ";
    Put(parameter->name());
    Put(": ");
    Put(ShapeText(parameter->shape(), /*with_layout=*/false));
  }
  Put(") -> ");
  Put(ShapeText(computation.root().shape(), /*with_layout=*/false));
}

void Printer::PrintInstruction(const HloInstruction& instruction) {
  PrintHead(instruction);
  const bool is_straight =
      !options_.canonical && instruction.opcode() != HloOpcode::kAsyncStart;
  if (!is_straight) {
    steps_.push_back({Step::Kind::kTail, &instruction});
    steps_.push_back({Step::Kind::kExtras, &instruction});
    RunSteps();
    return;
  }
  Attributes left = instruction.attributes();
  PrintOwn(instruction, left);
  PrintCallees(instruction);
  PrintBehindCallees(instruction, left, /*skip_frontend_attributes=*/false);
  for (const HloAttribute& attribute : left) PrintAttribute(attribute);
}

void Printer::PrintHead(const HloInstruction& instruction) {
  if (instruction.IsRoot()) Put("ROOT ");
  PrintName(instruction);
  Put(" = ");
  Put(ShapeText(instruction.shape(), /*with_layout=*/true));
  out_ += ' ';
  PrintOpcode(instruction);
  out_ += '(';
  PrintOperands(instruction);
  out_ += ')';
}

void Printer::PrintName(const HloInstruction& instruction) {
  if (options_.canonical) {
    absl::StrAppend(&out_, "tmp_", numbers_[instruction.id()]);
  } else {
    PrintName(instruction.name());
  }
}

void Printer::PrintOpcode(const HloInstruction& instruction) {
  const HloOpcode opcode = instruction.opcode();
  if (opcode == HloOpcode::kUnknown) {
    Put(instruction.attribute(HloAttributeKind::kUnknownOpcode));
    return;
  }
  const bool is_async = opcode == HloOpcode::kAsyncStart ||
                        opcode == HloOpcode::kAsyncUpdate ||
                        opcode == HloOpcode::kAsyncDone;
  const HloInstruction* wrapped =
      is_async ? sugar_.OperationOf(instruction) : nullptr;
  if (wrapped == nullptr) {
    Put(HloOpcodeName(opcode));
    return;
  }
  Put(HloOpcodeName(wrapped->opcode()));
  Put(opcode == HloOpcode::kAsyncStart    ? "-start"
      : opcode == HloOpcode::kAsyncUpdate ? "-update"
                                          : "-done");
}

void Printer::PrintOperands(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kParameter) {
    absl::StrAppend(&out_, instruction.parameter_number());
  } else if (instruction.opcode() == HloOpcode::kConstant) {
    PrintLiteral(instruction);
  }
  const auto operands = instruction.operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) Put(", ");
    if (options_.index_comments && i > 0 && i % 5 == 0) {
      absl::StrAppend(&out_, "/*index=", i, "*/");
    }
    if (options_.operand_shapes) {
      Put(ShapeText(operands[i]->shape(), /*with_layout=*/true));
      out_ += ' ';
    }
    PrintName(*operands[i]);
  }
}

void Printer::PrintLiteral(const HloInstruction& instruction) {
  constexpr int64_t kSmall = 10;
  const Shape& shape = instruction.shape();
  const absl::string_view text =
      instruction.attribute(HloAttributeKind::kLiteral);
  switch (options_.constants) {
    case HloPrintOptions::Constants::kAll:
      return Put(text);
    case HloPrintOptions::Constants::kEssential:
      return Put(EssentialConstant(shape, text));
    case HloPrintOptions::Constants::kSmall: {
      const bool is_small =
          shape.IsArray() && shape.ElementCount().value_or(INT64_MAX) <= kSmall;
      return Put(is_small ? text : "{...}");
    }
  }
}

// --- Extra attributes.

void Printer::RunSteps() {
  while (!steps_.empty()) {
    const Step step = steps_.back();
    steps_.pop_back();
    Attributes left;
    if (step.instruction != nullptr) left = step.instruction->attributes();
    switch (step.kind) {
      case Step::Kind::kExtras:
        StartExtras(step);
        break;
      case Step::Kind::kBehindWrapped:
        // All its own but the thread, which stands in front.
        if (!left.empty() &&
            left[0].kind == HloAttributeKind::kAsyncExecutionThread) {
          left.remove_prefix(1);
        }
        PrintUpTo(kFirstBehindCallees, left);
        PushCallees(*step.instruction);
        break;
      case Step::Kind::kBehindCallees:
        while (!left.empty() && left[0].kind < kFirstBehindCallees) {
          left.remove_prefix(1);
        }
        PrintBehindCallees(*step.instruction, left,
                           step.skip_frontend_attributes);
        break;
      case Step::Kind::kTail:
        for (const HloAttribute& attribute : left) {
          if (attribute.kind >= kFirstOfTail) PrintAttribute(attribute);
        }
        break;
      case Step::Kind::kText:
        Put(step.text);
        break;
      case Step::Kind::kBody:
        RunBody(step);
        break;
    }
  }
}

// Prints up to the place where the called computations stand, and leaves the
// rest as steps.
void Printer::StartExtras(const Step& step) {
  const HloInstruction& instruction = *step.instruction;
  Attributes left = instruction.attributes();
  steps_.push_back({.kind = Step::Kind::kBehindCallees,
                    .instruction = &instruction,
                    .skip_frontend_attributes = step.skip_frontend_attributes});
  if (instruction.opcode() != HloOpcode::kAsyncStart) {
    PrintOwn(instruction, left);
    PushCallees(instruction);
    return;
  }
  if (!left.empty() &&
      left[0].kind == HloAttributeKind::kAsyncExecutionThread) {
    PrintAttribute(left[0]);
  }
  steps_.push_back({Step::Kind::kBehindWrapped, &instruction});
  if (const HloInstruction* wrapped = sugar_.OperationOf(instruction)) {
    steps_.push_back({.kind = Step::Kind::kExtras,
                      .instruction = wrapped,
                      .skip_frontend_attributes = instruction.HasAttribute(
                          HloAttributeKind::kFrontendAttributes)});
  }
}

void Printer::PrintOwn(const HloInstruction& instruction, Attributes& left) {
  if (instruction.opcode() == HloOpcode::kGetTupleElement) {
    absl::StrAppend(&out_, ", index=", instruction.tuple_index());
  }
  const bool is_constant = instruction.opcode() == HloOpcode::kConstant;
  while (!left.empty() && left[0].kind < kFirstBehindCallees) {
    const bool is_argument =
        is_constant && left[0].kind == HloAttributeKind::kLiteral;
    if (!is_argument) PrintAttribute(left[0]);
    left.remove_prefix(1);
  }
}

void Printer::PrintUpTo(HloAttributeKind limit, Attributes& left) {
  while (!left.empty() && left[0].kind < limit) {
    PrintAttribute(left[0]);
    left.remove_prefix(1);
  }
}

void Printer::PrintBehindCallees(const HloInstruction& instruction,
                                 Attributes& left,
                                 bool skip_frontend_attributes) {
  PrintUpTo(HloAttributeKind::kFrontendAttributes, left);
  if (skip_frontend_attributes && !left.empty() &&
      left[0].kind == HloAttributeKind::kFrontendAttributes) {
    left.remove_prefix(1);
  }
  PrintUpTo(kFirstBehindControl, left);
  if (options_.control_predecessors) PrintControlPredecessors(instruction);
  PrintUpTo(kFirstOfTail, left);
}

void Printer::PrintAttribute(const HloAttribute& attribute) {
  if (!IsShown(attribute.kind)) return;
  Put(", ");
  if (attribute.kind != HloAttributeKind::kUnknownAttribute) {
    Put(HloAttributeName(attribute.kind));
    out_ += '=';
  }
  const bool is_expanded = !options_.compact_replica_groups &&
                           attribute.kind == HloAttributeKind::kReplicaGroups;
  if (is_expanded) {
    Put(ExpandedReplicaGroups(attribute.text));
  } else if (!options_.metadata &&
             attribute.kind == HloAttributeKind::kSharding) {
    Put(ShardingWithoutMetadata(attribute.text));
  } else if (frames_.has_value() &&
             attribute.kind == HloAttributeKind::kMetadata) {
    PrintMetadata(attribute.text);
  } else {
    Put(attribute.text);
  }
}

bool Printer::IsShown(HloAttributeKind kind) const {
  switch (kind) {
    case HloAttributeKind::kUnknownOpcode:
      return false;
    case HloAttributeKind::kMetadata:
      return options_.metadata;
    case HloAttributeKind::kBackendConfig:
      return options_.backend_config;
    case HloAttributeKind::kInfeedConfig:
    case HloAttributeKind::kOutfeedConfig:
      return options_.feed_configs;
    case HloAttributeKind::kParameterReplication:
      return options_.parameter_replication;
    default:
      return true;
  }
}

// --- Called computations.

void Printer::PrintCallees(const HloInstruction& instruction) {
  for (const CalleeAttribute& attribute : CalleeAttributes(instruction)) {
    absl::StrAppend(&out_, ", ", attribute.name,
                    attribute.is_list ? "={" : "=");
    for (size_t i = 0; i < attribute.callees.size(); ++i) {
      if (i > 0) Put(", ");
      PrintName(attribute.callees[i]->name());
    }
    if (attribute.is_list) out_ += '}';
  }
}

// Prints names at once; bodies become steps.
void Printer::PushCallees(const HloInstruction& instruction) {
  if (!options_.canonical) {
    const bool is_short = instruction.opcode() == HloOpcode::kAsyncStart &&
                          sugar_.OperationOf(instruction) != nullptr;
    if (!is_short) PrintCallees(instruction);
    return;
  }
  const CalleeAttributeList attributes = CanonicalCalleeAttributes(instruction);
  for (size_t i = attributes.size(); i > 0; --i) PushBodies(attributes[i - 1]);
}

void Printer::PushBodies(const CalleeAttribute& attribute) {
  const auto push_text = [&](absl::string_view text) {
    steps_.push_back({.kind = Step::Kind::kText, .text = text});
  };
  if (attribute.is_list) push_text("\n}");
  for (size_t i = attribute.callees.size(); i > 0; --i) {
    steps_.push_back(
        {.kind = Step::Kind::kBody, .computation = attribute.callees[i - 1]});
    if (attribute.is_list && i > 1) push_text(",\n");
  }
  push_text(attribute.is_list ? "={\n" : "=\n");
  push_text(attribute.name);
  push_text(", ");
}

// One line of a body, and what its instruction leaves to do; or its end.
void Printer::RunBody(Step body) {
  const Lines lines = lines_.InPostOrder(*body.computation);
  if (body.next == 0) {
    NumberLines(lines);
    ++depth_;
    Indent(depth_);
    Put("{\n");
  } else {
    out_ += '\n';
  }
  if (body.next == lines.size()) {
    Indent(depth_);
    PrintEnd(*body.computation);
    --depth_;
    return;
  }
  const HloInstruction& instruction = *lines[body.next++];
  Indent(depth_ + 1);
  steps_.push_back(body);
  PrintHead(instruction);
  steps_.push_back({Step::Kind::kTail, &instruction});
  steps_.push_back({Step::Kind::kExtras, &instruction});
}

void Printer::PrintControlPredecessors(const HloInstruction& instruction) {
  const auto predecessors = instruction.control_predecessors();
  if (predecessors.empty()) return;
  Put(", control-predecessors={");
  for (size_t i = 0; i < predecessors.size(); ++i) {
    if (i > 0) Put(", ");
    PrintName(predecessors[i]->name());
  }
  out_ += '}';
}

void Printer::PrintOne(const HloInstruction& instruction) {
  if (options_.canonical) NumberLines(lines_.InPostOrder(instruction.parent()));
  PrintInstruction(instruction);
}

}  // namespace

std::string HloToString(const HloModule& module,
                        const HloPrintOptions& options) {
  std::string text;
  // A print is about as long as what was read.
  text.reserve(module.source().text().size() + 1024);
  UseLargePages(text);
  Printer(module, options, text).PrintModule();
  return text;
}

std::string HloToString(const HloComputation& computation,
                        const HloPrintOptions& options) {
  std::string text;
  Printer(computation.module(), options, text).Print(computation);
  return text;
}

std::string HloToString(const Neighborhood& part,
                        const HloPrintOptions& options) {
  std::string text = absl::StrCat(
      "// ", part.center().name(), " and what is within ", part.depth(),
      part.depth() == 1 ? " step" : " steps", " of it\n");
  Printer(part.computation().module(), options, text)
      .Print(part.computation(), &part);
  return text;
}

std::string HloToString(const HloInstruction& instruction,
                        const HloPrintOptions& options) {
  std::string text;
  Printer(instruction.parent().module(), options, text).PrintOne(instruction);
  return text;
}

}  // namespace ferry
