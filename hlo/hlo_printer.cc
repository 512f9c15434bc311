// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/module_header_attributes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/stack_frame_parser.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

// Attributes from here on stand behind the called computations.
constexpr HloAttributeKind kFirstBehindCallees = HloAttributeKind::kIsComposite;
// Control predecessors stand between these two.
constexpr HloAttributeKind kFirstBehindControl = HloAttributeKind::kStatistics;

bool IsAsyncSugared(const HloComputation& computation);

// The operation that an async-start wraps, if its short form says all: the
// computation is parameters and one operation on all of them, in order.
const HloInstruction* SugaredOperation(const HloInstruction& start) {
  if (start.opcode() != HloOpcode::kAsyncStart ||
      start.called_computations().size() != 1) {
    return nullptr;
  }
  const HloComputation& wrapped = *start.called_computations()[0];
  return IsAsyncSugared(wrapped) ? &wrapped.root() : nullptr;
}

bool IsAsyncSugared(const HloComputation& computation) {
  const HloInstruction& root = computation.root();
  const auto parameters = computation.parameters();
  if (!HasAsyncSugar(root.opcode()) ||
      root.operands().size() != parameters.size() ||
      !std::equal(parameters.begin(), parameters.end(),
                  root.operands().begin())) {
    return false;
  }
  // All else in the list would be lost.
  size_t count = 0;
  for (const HloInstruction& instruction : computation.instructions()) {
    (void)instruction;
    if (++count > parameters.size() + 1) return false;
  }
  const auto callers = computation.callers();
  return callers.size() == 1 && callers[0]->opcode() == HloOpcode::kAsyncStart;
}

class Printer {
 public:
  Printer(llvm::raw_ostream& out, const HloPrintOptions& options)
      : out_(out), options_(options) {}

  void Print(const HloModule& module);
  void Print(const HloComputation& computation);
  void Print(const HloInstruction& instruction);

 private:
  const HloInstruction* AsyncStart(const HloInstruction& instruction);
  void PrintHeader(const HloModule& module);
  void PrintAliases(const HloModule& module);
  void PrintEntryLayout(const HloModule& module);
  void PrintSignature(const HloComputation& computation);
  void PrintOpcode(const HloInstruction& instruction,
                   const HloInstruction* sugared);
  void PrintOperands(const HloInstruction& instruction);
  void PrintLiteral(const HloInstruction& instruction);
  void PrintAttributes(const HloInstruction& instruction,
                       HloAttributeKind first, HloAttributeKind limit);
  void PrintCallees(const HloInstruction& instruction);
  void PrintRole(absl::string_view role,
                 absl::Span<HloComputation* const> callees);
  void PrintControlPredecessors(const HloInstruction& instruction);
  bool IsShown(HloAttributeKind kind) const;
  void PrintName(absl::string_view name) {
    if (options_.percent) out_ << '%';
    out_ << ToStringRef(name);
  }
  llvm::StringRef ShapeText(const Shape& shape, bool with_layout);

  llvm::raw_ostream& out_;
  const HloPrintOptions& options_;
  // What each async operation's chain begins with.
  llvm::DenseMap<const HloInstruction*, const HloInstruction*> async_starts_;
  // Shapes repeat: each is written out once.
  llvm::DenseMap<const Shape*, std::string> shape_texts_[2];
};

llvm::StringRef Printer::ShapeText(const Shape& shape, bool with_layout) {
  std::string& text = shape_texts_[with_layout][&shape];
  if (text.empty()) text = shape.ToString(with_layout);
  return text;
}

// Operands are printed first, so each step but the first of a chain is known.
const HloInstruction* Printer::AsyncStart(const HloInstruction& instruction) {
  const HloInstruction* at = &instruction;
  while (at->opcode() == HloOpcode::kAsyncUpdate ||
         at->opcode() == HloOpcode::kAsyncDone) {
    const auto known = async_starts_.find(at);
    if (known != async_starts_.end()) return known->second;
    if (at->operands().empty()) return nullptr;
    at = &at->operand(0);
  }
  if (at->opcode() != HloOpcode::kAsyncStart) return nullptr;
  if (at != &instruction) async_starts_[&instruction] = at;
  return at;
}

void Printer::Print(const HloModule& module) {
  PrintHeader(module);
  for (const HloComputation* computation : module.computations()) {
    if (options_.async_sugar && IsAsyncSugared(*computation)) continue;
    Print(*computation);
    out_ << "\n";
  }
}

void Printer::PrintHeader(const HloModule& module) {
  out_ << "HloModule " << ToStringRef(module.name());
  if (module.is_scheduled()) out_ << ", is_scheduled=true";
  PrintAliases(module);
  auto attributes = std::vector(module.header_attributes().begin(),
                                module.header_attributes().end());
  const auto rank = [](absl::string_view name) {
    // What the list does not know comes behind.
    return std::find(std::begin(kModuleHeaderAttributes),
                     std::end(kModuleHeaderAttributes), name) -
           std::begin(kModuleHeaderAttributes);
  };
  std::stable_sort(attributes.begin(), attributes.end(),
                   [&](const auto& a, const auto& b) {
                     return rank(a.first) < rank(b.first);
                   });
  bool layout_printed = false;
  const auto layout_rank = rank("entry_computation_layout");
  for (const auto& [name, value] : attributes) {
    if (!layout_printed && rank(name) > layout_rank) {
      PrintEntryLayout(module);
      layout_printed = true;
    }
    out_ << ", " << ToStringRef(name) << "=" << ToStringRef(value);
  }
  if (!layout_printed) PrintEntryLayout(module);
  out_ << "\n";
  if (options_.metadata) PrintStackFrames(module.stack_frames(), out_);
  out_ << "\n";
}

void Printer::PrintAliases(const HloModule& module) {
  if (module.input_output_aliases().empty()) return;
  out_ << ", input_output_alias={ ";
  bool first = true;
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    out_ << (first ? "" : ", ") << ShapeIndexToString(alias.output_index)
         << ": (" << alias.parameter_number << ", "
         << ShapeIndexToString(alias.parameter_index) << ", "
         << (alias.must_alias ? "must-alias" : "may-alias") << ")";
    first = false;
  }
  out_ << " }";
}

void Printer::PrintEntryLayout(const HloModule& module) {
  const EntryLayout& layout = module.entry_layout();
  if (layout.result == nullptr) return;
  out_ << ", entry_computation_layout={(";
  for (size_t i = 0; i < layout.parameters.size(); ++i) {
    if (i > 0) out_ << ", ";
    if (i > 0 && i % 5 == 0) out_ << "/*index=" << i << "*/";
    out_ << ShapeText(*layout.parameters[i], /*with_layout=*/true);
  }
  out_ << ")->" << ShapeText(*layout.result, /*with_layout=*/true) << "}";
}

void Printer::Print(const HloComputation& computation) {
  if (computation.IsEntry()) out_ << "ENTRY ";
  PrintName(computation.name());
  if (options_.signatures) PrintSignature(computation);
  out_ << " {\n";
  for (const HloInstruction& instruction : computation.instructions()) {
    out_ << "  ";
    Print(instruction);
    out_ << "\n";
  }
  out_ << "}";
  if (computation.execution_thread() != "main") {
    out_ << ", execution_thread=\"";
    out_.write_escaped(ToStringRef(computation.execution_thread())) << "\"";
  }
  out_ << "\n";
}

void Printer::PrintSignature(const HloComputation& computation) {
  out_ << " (";
  bool first = true;
  for (const HloInstruction* parameter : computation.parameters()) {
    out_ << (first ? "" : ", ") << ToStringRef(parameter->name()) << ": "
         << ShapeText(parameter->shape(), /*with_layout=*/false);
    first = false;
  }
  out_ << ") -> "
       << ShapeText(computation.root().shape(), /*with_layout=*/false);
}

void Printer::Print(const HloInstruction& instruction) {
  const HloInstruction* start = AsyncStart(instruction);
  const HloInstruction* sugared = options_.async_sugar && start != nullptr
                                      ? SugaredOperation(*start)
                                      : nullptr;
  if (instruction.IsRoot()) out_ << "ROOT ";
  PrintName(instruction.name());
  out_ << " = " << ShapeText(instruction.shape(), /*with_layout=*/true) << " ";
  PrintOpcode(instruction, sugared);
  PrintOperands(instruction);
  const auto own_end = kFirstBehindCallees;
  const auto first = static_cast<HloAttributeKind>(0);
  PrintAttributes(instruction, first, own_end);
  if (sugared == nullptr) {
    PrintCallees(instruction);
  } else if (instruction.opcode() == HloOpcode::kAsyncStart) {
    if (sugared->opcode() == HloOpcode::kGetTupleElement) {
      out_ << ", index=" << sugared->tuple_index();
    }
    PrintAttributes(*sugared, first, own_end);
    PrintCallees(*sugared);
    PrintAttributes(*sugared, kFirstBehindCallees, HloAttributeKind::kSharding);
  }
  PrintAttributes(instruction, kFirstBehindCallees, kFirstBehindControl);
  if (options_.control_predecessors) PrintControlPredecessors(instruction);
  PrintAttributes(instruction, kFirstBehindControl,
                  HloAttributeKind::kUnknownAttribute);
  for (const HloAttribute& attribute : instruction.attributes()) {
    if (attribute.kind != HloAttributeKind::kUnknownAttribute) continue;
    out_ << ", " << ToStringRef(attribute.text);
  }
}

void Printer::PrintOpcode(const HloInstruction& instruction,
                          const HloInstruction* sugared) {
  if (instruction.opcode() == HloOpcode::kUnknown) {
    out_ << ToStringRef(
        instruction.attribute(HloAttributeKind::kUnknownOpcode));
    return;
  }
  if (sugared == nullptr) {
    out_ << ToStringRef(HloOpcodeName(instruction.opcode()));
    return;
  }
  out_ << ToStringRef(HloOpcodeName(sugared->opcode()))
       << (instruction.opcode() == HloOpcode::kAsyncStart    ? "-start"
           : instruction.opcode() == HloOpcode::kAsyncUpdate ? "-update"
                                                             : "-done");
}

void Printer::PrintOperands(const HloInstruction& instruction) {
  out_ << "(";
  if (instruction.opcode() == HloOpcode::kParameter) {
    out_ << instruction.parameter_number();
  } else if (instruction.opcode() == HloOpcode::kConstant) {
    PrintLiteral(instruction);
  }
  const auto operands = instruction.operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out_ << ", ";
    if (options_.index_comments && i > 0 && i % 5 == 0) {
      out_ << "/*index=" << i << "*/";
    }
    if (options_.operand_shapes) {
      out_ << ShapeText(operands[i]->shape(), /*with_layout=*/true) << " ";
    }
    PrintName(operands[i]->name());
  }
  out_ << ")";
  if (instruction.opcode() == HloOpcode::kGetTupleElement) {
    out_ << ", index=" << instruction.tuple_index();
  }
}

void Printer::PrintLiteral(const HloInstruction& instruction) {
  constexpr int64_t kSmall = 10;
  const Shape& shape = instruction.shape();
  const bool is_large =
      shape.IsTuple() || shape.ElementCount().value_or(INT64_MAX) > kSmall;
  if (is_large && !options_.large_constants) {
    out_ << "{...}";
    return;
  }
  out_ << ToStringRef(instruction.attribute(HloAttributeKind::kLiteral));
}

bool Printer::IsShown(HloAttributeKind kind) const {
  switch (kind) {
    case HloAttributeKind::kUnknownOpcode:
      return false;
    case HloAttributeKind::kMetadata:
      return options_.metadata;
    case HloAttributeKind::kBackendConfig:
      return options_.backend_config;
    default:
      return true;
  }
}

// Those in [first, limit); the list is in the order of printing.
void Printer::PrintAttributes(const HloInstruction& instruction,
                              HloAttributeKind first, HloAttributeKind limit) {
  for (const HloAttribute& attribute : instruction.attributes()) {
    if (attribute.kind < first || attribute.kind >= limit) continue;
    const bool is_argument = attribute.kind == HloAttributeKind::kLiteral &&
                             instruction.opcode() == HloOpcode::kConstant;
    if (is_argument || !IsShown(attribute.kind)) continue;
    out_ << ", " << ToStringRef(HloAttributeName(attribute.kind)) << "="
         << ToStringRef(attribute.text);
  }
}

void Printer::PrintCallees(const HloInstruction& instruction) {
  const auto callees = instruction.called_computations();
  if (callees.empty()) return;
  if (instruction.opcode() == HloOpcode::kConditional &&
      instruction.operand(0).shape().element_type() == PrimitiveType::kPred) {
    PrintRole("true_computation", callees.first(1));
    PrintRole("false_computation", callees.subspan(1));
    return;
  }
  const auto roles = CalledComputationRoles(instruction.opcode());
  for (size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] == "branch_computations" ||
        roles[i] == "called_computations") {
      PrintRole(roles[i], callees);
    } else if (i < callees.size()) {
      PrintRole(roles[i], callees.subspan(i, 1));
    }
  }
}

void Printer::PrintRole(absl::string_view role,
                        absl::Span<HloComputation* const> callees) {
  const bool is_list =
      role == "branch_computations" || role == "called_computations";
  out_ << ", " << ToStringRef(role) << "=" << (is_list ? "{" : "");
  for (size_t i = 0; i < callees.size(); ++i) {
    if (i > 0) out_ << ", ";
    PrintName(callees[i]->name());
  }
  if (is_list) out_ << "}";
}

void Printer::PrintControlPredecessors(const HloInstruction& instruction) {
  const auto predecessors = instruction.control_predecessors();
  if (predecessors.empty()) return;
  out_ << ", control-predecessors={";
  for (size_t i = 0; i < predecessors.size(); ++i) {
    if (i > 0) out_ << ", ";
    PrintName(predecessors[i]->name());
  }
  out_ << "}";
}

}  // namespace

std::string HloToString(const HloModule& module,
                        const HloPrintOptions& options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Printer(out, options).Print(module);
  return text;
}

std::string HloToString(const HloInstruction& instruction,
                        const HloPrintOptions& options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Printer(out, options).Print(instruction);
  return text;
}

}  // namespace ferry
