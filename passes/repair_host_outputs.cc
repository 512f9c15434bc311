// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/repair_host_outputs.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/string_ref.h"
#include "ferry/passes/host_offload_analysis.h"
#include "llvm/ADT/StringMap.h"

// The tracker says which outputs are wrong. Returning them on host only edits
// the header. Bringing them back walks from the root to each output, tuple by
// tuple; a tuple that cannot be edited, because it is no `tuple` instruction or
// somebody else uses it, is taken apart and put together again:
//
//   ROOT %w = (f32[8], f32[8]) while(..)
//   =>
//   %w = (f32[8], f32[8]) while(..)
//   %g0 = f32[8] get-tuple-element(%w), index=0
//   %g1 = f32[8] get-tuple-element(%w), index=1
//   %back = f32[8] custom-call(%g1), custom_call_target="MoveToDevice"
//   ROOT %t = (f32[8], f32[8]) tuple(%g0, %back)

namespace ferry {
namespace {

using Kind = RepairHostOutputsOptions::Kind;

constexpr absl::string_view kPassName = "repair-host-outputs";

// An output in the wrong memory, and the annotation that put it there.
struct WrongOutput {
  ShapeIndex index;
  std::string annotation;
  friend bool operator<(const WrongOutput& a, const WrongOutput& b) {
    return a.index < b.index;
  }
  friend bool operator==(const WrongOutput& a, const WrongOutput& b) {
    return a.index == b.index;
  }
};

// Whether the finding offers what this pass does.
bool HasRepair(const Diagnostic& diagnostic) {
  return absl::c_any_of(diagnostic.fixes, [](const DiagnosticFix& fix) {
    return RepairHostOutputsOptions::IsKindName(fix.kind);
  });
}

// Ordered by index, each once.
std::vector<WrongOutput> FindWrongOutputs(
    absl::Span<const Diagnostic> diagnostics) {
  std::vector<WrongOutput> wrong;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.output_index.has_value() || !HasRepair(diagnostic)) {
      continue;
    }
    wrong.push_back(
        {*diagnostic.output_index, diagnostic.annotation.has_value()
                                       ? diagnostic.annotation->instruction
                                       : ""});
  }
  std::stable_sort(wrong.begin(), wrong.end());
  wrong.erase(std::unique(wrong.begin(), wrong.end()), wrong.end());
  return wrong;
}

// --- return_on_host

// The header's, or what the entry's own shapes say.
EntryLayout EntryLayoutOf(const HloModule& module) {
  EntryLayout layout = module.entry_layout();
  if (layout.result != nullptr) return layout;
  layout.result = &module.entry().root().shape();
  layout.parameters.clear();
  for (const HloInstruction* parameter : module.entry().parameters()) {
    layout.parameters.push_back(&parameter->shape());
  }
  return layout;
}

// Whether the parameter's side of the pair is in host memory.
bool ParameterIsOnHost(const InputOutputAlias& alias,
                       const EntryLayout& layout) {
  const auto number = static_cast<uint64_t>(alias.parameter_number);
  if (number >= layout.parameters.size()) return false;
  const Shape& shape = *layout.parameters[number];
  const std::optional<int32_t> ordinal = shape.OrdinalOf(alias.parameter_index);
  return ordinal.has_value() &&
         shape.NodeAt(*ordinal).memory_space() == MemorySpace::kHost;
}

// Donations of device buffers to (tuples with) outputs that are on host now.
// `on_host` has the outputs' ordinals in ascending order.
void DropAliasesAcrossMemories(HloModule& module,
                               absl::Span<const int32_t> on_host,
                               const EntryLayout& layout,
                               PassContext& context) {
  const auto holds_one = [&](const InputOutputAlias& alias) {
    const auto first = layout.result->OrdinalOf(alias.output_index);
    if (!first.has_value()) return false;
    const auto output =
        std::lower_bound(on_host.begin(), on_host.end(), *first);
    return output != on_host.end() &&
           *output < *first + layout.result->NodeAt(*first).node_count();
  };
  std::vector<InputOutputAlias> kept;
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    if (!holds_one(alias) || ParameterIsOnHost(alias, layout)) {
      kept.push_back(alias);
      continue;
    }
    context.remarks.push_back(absl::StrCat(
        kPassName, ": output ", ShapeIndexToString(alias.output_index),
        " no longer shares the buffer of parameter ", alias.parameter_number,
        ", which is in device memory"));
  }
  module.set_input_output_aliases(std::move(kept));
}

void ReturnOnHost(HloModule& module, absl::Span<const WrongOutput> outputs,
                  PassContext& context) {
  EntryLayout layout = EntryLayoutOf(module);
  HloContext& shapes = module.context();
  std::vector<int32_t> on_host;
  for (const WrongOutput& output : outputs) {
    on_host.push_back(*layout.result->OrdinalOf(output.index));
    context.remarks.push_back(absl::StrCat(kPassName, ": output ",
                                           ShapeIndexToString(output.index),
                                           " is returned in host memory"));
  }
  layout.result = &shapes.MapLeaves(
      *layout.result, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
        const bool moves =
            std::binary_search(on_host.begin(), on_host.end(), ordinal);
        return moves ? shapes.WithMemorySpace(leaf, MemorySpace::kHost) : leaf;
      });
  DropAliasesAcrossMemories(module, on_host, layout, context);
  module.set_entry_layout(std::move(layout));
}

// --- bring_back

// Where a value is used on the way from the root: an operand of a tuple, or,
// without tuple, as the root itself.
struct Use {
  HloInstruction* tuple = nullptr;
  int64_t operand = 0;
};

class OutputFetcher {
 public:
  explicit OutputFetcher(HloModule& module)
      : module_(module), entry_(module.entry()) {}

  // The name of the new move to device.
  absl::string_view BringBack(const WrongOutput& output) {
    Use use;
    HloInstruction* value = &entry_.root();
    for (int64_t element : output.index) {
      HloInstruction& tuple = EditableTuple(*value, use);
      use = {&tuple, element};
      value = &tuple.operand(element);
    }
    HloInstruction& moved = AddMoveToDevice(*value, output, use);
    Replace(use, moved);
    return moved.name();
  }

 private:
  void Replace(const Use& use, HloInstruction& replacement) {
    if (use.tuple == nullptr) {
      module_.set_root(entry_, replacement);
    } else {
      module_.ReplaceOperand(*use.tuple, use.operand, replacement);
    }
  }

  // `value`, used at `use`, as a tuple instruction that nobody else sees.
  HloInstruction& EditableTuple(HloInstruction& value, const Use& use) {
    const bool is_tuple = value.opcode() == HloOpcode::kTuple;
    if (is_tuple && UseCount(value) == (use.tuple == nullptr ? 0 : 1)) {
      return value;
    }
    std::vector<HloInstruction*> elements(value.operands().begin(),
                                          value.operands().end());
    if (!is_tuple) elements = TakeApart(value, use);
    std::vector<const Shape*> shapes;
    for (HloInstruction* element : elements) {
      shapes.push_back(&element->shape());
    }
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kTuple;
    spec.name = module_.UniqueName("tuple");
    spec.shape = &module_.context().GetTupleShape(shapes);
    spec.operands = elements;
    const std::vector<HloAttribute> attributes = Attributes(
        value, {HloAttributeKind::kSharding, HloAttributeKind::kMetadata});
    spec.attributes = attributes;
    HloInstruction& tuple = module_.AddInstruction(entry_, spec, use.tuple);
    Replace(use, tuple);
    return tuple;
  }

  // An instruction that uses `value` twice counts twice.
  static int64_t UseCount(const HloInstruction& value) {
    int64_t uses = 0;
    for (const HloInstruction* user : value.users()) {
      uses +=
          std::count(user->operands().begin(), user->operands().end(), &value);
    }
    return uses;
  }

  std::vector<HloInstruction*> TakeApart(HloInstruction& value,
                                         const Use& use) {
    HloInstruction* operands[] = {&value};
    std::vector<HloInstruction*> elements;
    const std::vector<HloAttribute> attributes =
        Attributes(value, {HloAttributeKind::kMetadata});
    for (const Shape* shape : value.shape().tuple_shapes()) {
      HloModule::InstructionSpec spec = {};
      spec.opcode = HloOpcode::kGetTupleElement;
      spec.name = module_.UniqueName("get-tuple-element");
      spec.shape = shape;
      spec.operands = operands;
      spec.attributes = attributes;
      spec.number = static_cast<int64_t>(elements.size());
      elements.push_back(&module_.AddInstruction(entry_, spec, use.tuple));
    }
    return elements;
  }

  HloInstruction& AddMoveToDevice(HloInstruction& value,
                                  const WrongOutput& output, const Use& use) {
    std::vector<HloAttribute> attributes =
        Attributes(value, {HloAttributeKind::kSharding});
    attributes.insert(attributes.begin(), {HloAttributeKind::kCustomCallTarget,
                                           "\"MoveToDevice\""});
    absl::string_view metadata = value.attribute(HloAttributeKind::kMetadata);
    if (metadata.empty()) metadata = MetadataOf(output.annotation);
    if (!metadata.empty()) {
      attributes.push_back({HloAttributeKind::kMetadata, metadata});
    }
    HloInstruction* operands[] = {&value};
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kCustomCall;
    spec.name = module_.UniqueName("move-to-device");
    spec.shape = &module_.context().WithMemorySpace(value.shape(),
                                                    MemorySpace::kDefault);
    spec.operands = operands;
    spec.attributes = attributes;
    return module_.AddInstruction(entry_, spec, use.tuple);
  }

  // Of the instruction with that name; empty if there is none.
  absl::string_view MetadataOf(absl::string_view name) {
    if (metadata_.empty()) {
      for (InstructionId id = 0; id < module_.id_limit(); ++id) {
        const HloInstruction* instruction = module_.instruction(id);
        if (instruction == nullptr) continue;
        metadata_[ToStringRef(instruction->name())] =
            instruction->attribute(HloAttributeKind::kMetadata);
      }
    }
    return metadata_.lookup(ToStringRef(name));
  }

  // Those of `kinds` that `instruction` has.
  static std::vector<HloAttribute> Attributes(
      const HloInstruction& instruction,
      absl::Span<const HloAttributeKind> kinds) {
    std::vector<HloAttribute> attributes;
    for (HloAttributeKind kind : kinds) {
      if (instruction.HasAttribute(kind)) {
        attributes.push_back({kind, instruction.attribute(kind)});
      }
    }
    return attributes;
  }

  HloModule& module_;
  HloComputation& entry_;
  llvm::StringMap<absl::string_view> metadata_;  // by name, filled when needed
};

absl::StatusOr<Kind> ParseKind(absl::string_view text) {
  if (text == "return_on_host") return Kind::kReturnOnHost;
  if (text == "bring_back") return Kind::kBringBack;
  return absl::InvalidArgumentError(absl::StrCat(
      "option `kind` is `", text, "`, not return_on_host or bring_back"));
}

}  // namespace

bool RepairHostOutputsOptions::IsKindName(absl::string_view name) {
  return absl::c_linear_search(kKindNames, name);
}

absl::StatusOr<std::unique_ptr<HloPass>> RepairHostOutputs::Create(
    const PassOptions& options) {
  FERRY_RETURN_IF_ERROR(options.ExpectOnly({"kind"}));
  RepairHostOutputsOptions read;
  if (const auto kind = options.Find("kind"); kind.has_value()) {
    FERRY_ASSIGN_OR_RETURN(read.kind, ParseKind(*kind));
  }
  return std::make_unique<RepairHostOutputs>(read);
}

absl::StatusOr<bool> RepairHostOutputs::Run(HloModule& module,
                                            PassContext& context) {
  // Whoever checks the result will log; the same lines twice help nobody.
  PassContext quiet;
  quiet.judge = context.judge;
  quiet.xla_flags = context.xla_flags;
  FERRY_ASSIGN_OR_RETURN(const HostOffloadAnalysis analysis,
                         HostOffloadAnalysis::Run(module, quiet));
  const std::vector<WrongOutput> outputs =
      FindWrongOutputs(analysis.diagnostics());
  const Shape& result = module.entry().root().shape();
  const Shape& declared = *EntryLayoutOf(module).result;
  for (const WrongOutput& output : outputs) {
    if (result.OrdinalOf(output.index).has_value() &&
        declared.OrdinalOf(output.index).has_value()) {
      continue;
    }
    return absl::InternalError(
        absl::StrCat("there is no output ", ShapeIndexToString(output.index)));
  }
  if (outputs.empty()) return false;
  if (options_.kind == Kind::kReturnOnHost) {
    ReturnOnHost(module, outputs, context);
    return true;
  }
  OutputFetcher fetcher(module);
  for (const WrongOutput& output : outputs) {
    const absl::string_view name = fetcher.BringBack(output);
    context.remarks.push_back(
        absl::StrCat(kPassName, ": output ", ShapeIndexToString(output.index),
                     " is brought back to the device by `", name, "`"));
  }
  return true;
}

}  // namespace ferry
