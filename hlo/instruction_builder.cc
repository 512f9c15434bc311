// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/instruction_builder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/shape_inference.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/string_ref.h"

namespace ferry {
namespace {

bool IsAsync(HloOpcode opcode) {
  return opcode == HloOpcode::kAsyncStart ||
         opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone;
}

absl::string_view TextOf(const InstructionDraft& draft, HloAttributeKind kind) {
  for (const HloAttribute& attribute : draft.attributes) {
    if (attribute.kind == kind) return attribute.text;
  }
  return {};
}

bool Has(const InstructionDraft& draft, HloAttributeKind kind) {
  return std::any_of(
      draft.attributes.begin(), draft.attributes.end(),
      [&](const HloAttribute& attribute) { return attribute.kind == kind; });
}

// ((operands...), result, ...)
bool IsAsyncStartShape(const Shape* shape) {
  return shape != nullptr && shape->IsTuple() &&
         shape->tuple_shapes().size() >= 2 &&
         shape->tuple_shapes()[0]->IsTuple();
}

// Attributes that stay on the async-start itself; all others are those of the
// wrapped operation.
bool StaysOnStart(HloAttributeKind kind, HloOpcode wrapped) {
  switch (kind) {
    case HloAttributeKind::kAsyncExecutionThread:
      return true;
    case HloAttributeKind::kOutputToOperandAliasing:
      return !IsAllowedAttribute(wrapped, kind);
    case HloAttributeKind::kResultAccuracy:
      return false;
    default:
      return kind >= HloAttributeKind::kSharding;
  }
}

// What each async operation, down to the async-done, gives the wrapped
// operation a copy of, in place of what it has.
bool IsCopiedToWrapped(HloAttributeKind kind) {
  return kind == HloAttributeKind::kMetadata ||
         kind == HloAttributeKind::kBackendConfig ||
         kind == HloAttributeKind::kFrontendAttributes ||
         kind == HloAttributeKind::kStatistics ||
         kind == HloAttributeKind::kOrigin;
}

}  // namespace

void ComputationNames::Add(HloComputation& computation) {
  const std::string name = uniquer_.GetUniqueName(
      computation.name(),
      [this](absl::string_view name) { return taken_.contains(name); });
  if (name != computation.name()) module_.set_name(computation, name);
  taken_.insert(computation.name());
}

HloInstruction* InstructionBuilder::Build(HloComputation& computation,
                                          InstructionDraft& draft) {
  if (!CheckOperandCount(draft) || !CheckCallees(draft) ||
      !CheckAttributes(draft)) {
    return nullptr;
  }
  OrderCallees(draft);
  if (!CheckConditional(draft) || !CheckGlobalIds(draft) ||
      !InferMissingShape(draft) || !SpreadSharding(draft) ||
      !CheckLeaves(draft) || !CheckLayoutConstraints(draft) ||
      !CheckAsync(draft)) {
    return nullptr;
  }
  if (draft.sugar == InstructionDraft::Sugar::kStart && !WrapAsync(draft)) {
    return nullptr;
  }
  return Create(computation, draft);
}

bool InstructionBuilder::CheckOperandCount(const InstructionDraft& draft) {
  const HloOpcode opcode = draft.rules();
  const auto [min, max] = LegalOperandCount(opcode);
  const int64_t count = draft.operands.size();
  std::string needed;
  if (min == max && count != min) {
    needed = absl::StrCat(min);
  } else if (count < min) {
    needed = absl::StrCat("at least ", min);
  } else if (max >= 0 && count > max) {
    needed = absl::StrCat("at most ", max);
  } else if ((opcode == HloOpcode::kReduce ||
              opcode == HloOpcode::kReduceWindow) &&
             count % 2 != 0) {
    needed = "an even number of";
  } else if (opcode == HloOpcode::kScatter && count % 2 == 0) {
    needed = "an odd number of";
  }
  if (needed.empty()) return true;
  return reader_.errors.Add(
      DiagnosticCode::kOperandCount, draft.opcode_offset,
      {std::string(draft.opcode_text), needed, absl::StrCat(count)});
}

bool InstructionBuilder::CheckAttributes(const InstructionDraft& draft) {
  for (HloAttributeKind kind : RequiredAttributes(draft.rules())) {
    if (Has(draft, kind)) continue;
    return reader_.errors.Add(
        DiagnosticCode::kMissingAttribute, draft.opcode_offset,
        {std::string(draft.opcode_text), std::string(HloAttributeName(kind))});
  }
  if (draft.rules() == HloOpcode::kGetTupleElement && draft.number < 0) {
    return reader_.errors.Add(DiagnosticCode::kMissingAttribute,
                              draft.opcode_offset,
                              {std::string(draft.opcode_text), "index"});
  }
  return true;
}

// Each role of the opcode must be filled, apart from those that are lists or
// optional.
bool InstructionBuilder::CheckCallees(const InstructionDraft& draft) {
  const HloOpcode opcode = draft.rules();
  if (opcode == HloOpcode::kCustomCall || opcode == HloOpcode::kConditional ||
      opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone) {
    return true;
  }
  for (absl::string_view role : CalledComputationRoles(opcode)) {
    const bool given =
        std::any_of(draft.callees.begin(), draft.callees.end(),
                    [&](const auto& callee) { return callee.first == role; });
    if (given) continue;
    return reader_.errors.Add(
        DiagnosticCode::kMissingAttribute, draft.opcode_offset,
        {std::string(draft.opcode_text), std::string(role)});
  }
  return true;
}

// Attributes come in any order; called computations are kept in that of roles.
void InstructionBuilder::OrderCallees(InstructionDraft& draft) {
  std::stable_sort(
      draft.callees.begin(), draft.callees.end(),
      [&](const auto& a, const auto& b) {
        const auto rank = [&](absl::string_view role) {
          if (role == "true_computation") return -1;
          if (role == "false_computation") return 0;
          const auto roles = CalledComputationRoles(draft.rules());
          return static_cast<int>(std::find(roles.begin(), roles.end(), role) -
                                  roles.begin());
        };
        return rank(a.first) < rank(b.first);
      });
  if (draft.opcode == HloOpcode::kAsyncUpdate ||
      draft.opcode == HloOpcode::kAsyncDone) {
    draft.callees.clear();
  }
}

bool InstructionBuilder::CheckConditional(const InstructionDraft& draft) {
  if (draft.rules() != HloOpcode::kConditional) return true;
  const Shape& selector = draft.operands[0]->shape();
  const PrimitiveType type = selector.element_type();
  const bool is_pred = type == PrimitiveType::kPred;
  if (!selector.dimensions().empty() ||
      (!is_pred && type != PrimitiveType::kS32)) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("the first operand of a conditional must be a scalar of "
                     "PRED or S32, but is ",
                     selector.ToString()));
  }
  bool has_true = false;
  bool has_false = false;
  bool has_branches = false;
  for (const auto& [role, computation] : draft.callees) {
    has_true |= role == "true_computation";
    has_false |= role == "false_computation";
    has_branches |= role == "branch_computations";
  }
  const std::string opcode(draft.opcode_text);
  if (is_pred ? has_branches : has_true || has_false) {
    return reader_.errors.Add(
        DiagnosticCode::kUnexpectedAttribute, draft.opcode_offset,
        {absl::StrCat(opcode, "` with a selector of ", selector.ToString(),
                      "`"),
         is_pred ? "branch_computations" : "true_computation"});
  }
  if (is_pred ? !has_true || !has_false : !has_branches) {
    return reader_.errors.Add(DiagnosticCode::kMissingAttribute,
                              draft.opcode_offset,
                              {opcode, !is_pred   ? "branch_computations"
                                       : has_true ? "false_computation"
                                                  : "true_computation"});
  }
  if (draft.operands.size() == draft.callees.size() + 1) return true;
  return reader_.errors.Add(DiagnosticCode::kOperandCount, draft.opcode_offset,
                            {opcode, absl::StrCat(draft.callees.size() + 1),
                             absl::StrCat(draft.operands.size())});
}

bool InstructionBuilder::CheckGlobalIds(const InstructionDraft& draft) {
  if (TextOf(draft, HloAttributeKind::kUseGlobalDeviceIds) != "true" ||
      Has(draft, HloAttributeKind::kChannelId)) {
    return true;
  }
  return reader_.BadValue(
      draft.opcode_offset,
      "Cannot have use_global_device_ids=true without channel_id");
}

bool InstructionBuilder::InferMissingShape(InstructionDraft& draft) {
  if (draft.shape != nullptr) return true;
  const HloOpcode opcode = draft.opcode;
  if (!HasTrait(opcode, kInferable)) {
    return reader_.Fail(
        DiagnosticCode::kSyntaxError, draft.opcode_offset,
        absl::StrCat("expected a shape in front of `", draft.opcode_text,
                     "`, which does not follow from the "
                     "operands"));
  }
  llvm::SmallVector<const Shape*, 8> operands;
  for (const HloInstruction* operand : draft.operands) {
    operands.push_back(&operand->shape());
  }
  llvm::SmallVector<const HloComputation*, 2> callees;
  for (const auto& [role, computation] : draft.callees) {
    callees.push_back(computation);
  }
  const absl::StatusOr<const Shape*> shape =
      InferShape({.context = module_.context(),
                  .opcode = opcode,
                  .operands = operands,
                  .called_computations = callees,
                  .attributes = draft.attributes,
                  .number = draft.number});
  if (shape.ok()) {
    draft.shape = *shape;
    return CountInferredNodes(draft);
  }
  const bool too_large =
      shape.status().code() == absl::StatusCode::kResourceExhausted;
  return reader_.Fail(
      too_large ? DiagnosticCode::kTooLarge
                : DiagnosticCode::kShapeMismatchInText,
      draft.opcode_offset,
      absl::StrCat("failed to infer shape for opcode: ", draft.opcode_text,
                   ", error: ", absl::string_view(shape.status().message())));
}

// `copy(x)` says in a few characters what takes as many to print as `x` has
// elements. No program leaves out so much; only text made to hurt does.
bool InstructionBuilder::CountInferredNodes(const InstructionDraft& draft) {
  inferred_nodes_ += draft.shape->node_count();
  const int64_t limit =
      (int64_t{1} << 22) + 4 * int64_t(reader_.lexer.text().size());
  if (inferred_nodes_ <= limit) return true;
  return reader_.Fail(
      DiagnosticCode::kTooLarge, draft.opcode_offset,
      absl::StrCat("the shapes that the text leaves out have ", inferred_nodes_,
                   " nodes up to here; at most ", limit,
                   " are inferred: give the shape"));
}

// One sharding on a tuple is that of each leaf. Dumps repeat them, so the one
// spread last is kept; and few characters may ask for many, so there is a limit.
bool InstructionBuilder::SpreadSharding(InstructionDraft& draft) {
  constexpr int64_t kMostSpreadBytes = int64_t{1} << 28;
  if (!draft.shape->IsTuple()) return true;
  for (HloAttribute& attribute : draft.attributes) {
    if (attribute.kind != HloAttributeKind::kSharding ||
        IsTupleSharding(attribute.text)) {
      continue;
    }
    const int64_t leaves = draft.shape->leaf_count();
    if (attribute.text != spread_ || leaves != spread_leaves_) {
      const int64_t size = attribute.text.size() + 2;
      if (leaves > (kMostSpreadBytes - spread_bytes_) / size) {
        return reader_.Fail(
            DiagnosticCode::kTooLarge, draft.opcode_offset,
            absl::StrCat("one sharding for each of ", leaves, " leaves"));
      }
      std::string text;
      AppendSpreadSharding(attribute.text, leaves, text);
      spread_ = attribute.text;
      spread_leaves_ = leaves;
      spread_text_ = module_.SaveText(text);
      spread_bytes_ += text.size();
    }
    attribute.text = spread_text_;
  }
  return true;
}

bool InstructionBuilder::CheckLeaves(const InstructionDraft& draft) {
  const int64_t leaves = draft.shape->leaf_count();
  if (draft.replication_leaves >= 0 && draft.replication_leaves != leaves) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("parameter has ", leaves,
                     " leaf buffers, but parameter_replication has ",
                     draft.replication_leaves, " elements."));
  }
  if (draft.origin_leaves >= 0 && draft.origin_leaves != leaves) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("the shape has ", leaves, " leaves, but origin has ",
                     draft.origin_leaves));
  }
  if (draft.rules() == HloOpcode::kInfeed &&
      (!draft.shape->IsTuple() || draft.shape->tuple_shapes().empty())) {
    return reader_.BadValue(draft.opcode_offset,
                            "infeed must have a non-empty tuple shape");
  }
  return true;
}

bool InstructionBuilder::CheckLayoutConstraints(const InstructionDraft& draft) {
  if (!draft.has_layout_constraints) return true;
  const size_t count = draft.layout_constraints.size();
  if (count != draft.operands.size()) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("Expected ", draft.operands.size(),
                     " operand layout constraints, ", count, " given"));
  }
  for (size_t i = 0; i < count; ++i) {
    const Shape& operand = draft.operands[i]->shape();
    if (draft.layout_constraints[i]->IsCompatible(operand)) continue;
    return reader_.Fail(DiagnosticCode::kShapeMismatchInText,
                        draft.opcode_offset,
                        absl::StrCat("Operand layout constraint shape ",
                                     draft.layout_constraints[i]->ToString(),
                                     " is not compatible with operand shape ",
                                     operand.ToString()));
  }
  return true;
}

bool InstructionBuilder::CheckAsync(const InstructionDraft& draft) {
  if (draft.opcode == HloOpcode::kAsyncStart) return CheckAsyncStart(draft);
  if (!IsAsync(draft.opcode)) return true;
  // Chains were checked link by link, so one step decides.
  const HloInstruction& operand = *draft.operands[0];
  if (!IsAsync(operand.opcode()) || operand.opcode() == HloOpcode::kAsyncDone) {
    return reader_.BadValue(draft.opcode_offset,
                            "AsyncUpdate and AsyncDone expect a single async "
                            "op as their operand.");
  }
  if (draft.opcode == HloOpcode::kAsyncUpdate &&
      !draft.shape->IsCompatible(operand.shape())) {
    return reader_.BadValue(draft.opcode_offset,
                            "AsyncUpdate expects the op shape to be the same "
                            "as the operand shape.");
  }
  if (draft.sugar == InstructionDraft::Sugar::kNone) return true;
  const HloInstruction* start = async_starts_.lookup(&operand);
  const HloOpcode wrapped = start->called_computations()[0]->root().opcode();
  if (wrapped == draft.wrapped_opcode) return true;
  return reader_.BadValue(
      draft.opcode_offset,
      absl::StrCat("Expect async wrapped opcode to be ", HloOpcodeName(wrapped),
                   ", but got ", HloOpcodeName(draft.wrapped_opcode)));
}

bool InstructionBuilder::CheckAsyncStart(const InstructionDraft& draft) {
  if (!IsAsyncStartShape(draft.shape)) {
    return reader_.BadValue(draft.opcode_offset,
                            "AsyncStart expects the op shape to be in the form "
                            "of ((async-operands), async-outputs, state).");
  }
  if (draft.sugar == InstructionDraft::Sugar::kStart) return true;
  const HloComputation& callee = *draft.callees[0].second;
  for (const HloInstruction* caller : callee.callers()) {
    if (caller->opcode() != HloOpcode::kAsyncStart) continue;
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("Computation ", callee.name(),
                     " is called by more than one async op."));
  }
  return true;
}

bool InstructionBuilder::WrapAsync(InstructionDraft& draft) {
  HloComputation& wrapped =
      module_.AddComputation("async_wrapped", draft.offset);
  computation_names_.Add(wrapped);
  const absl::string_view thread =
      TextOf(draft, HloAttributeKind::kAsyncExecutionThread);
  if (!thread.empty()) {
    module_.set_execution_thread(wrapped, module_.SaveText(ReadString(thread)));
  }
  InstructionDraft inner;
  inner.opcode = draft.wrapped_opcode;
  inner.opcode_text = HloOpcodeName(draft.wrapped_opcode);
  inner.opcode_offset = draft.opcode_offset;
  inner.offset = draft.offset;
  inner.name = module_.UniqueName(inner.opcode_text);
  inner.shape = draft.shape->tuple_shapes()[1];
  inner.number = draft.number;
  inner.callees = draft.callees;
  for (size_t i = 0; i < draft.operands.size(); ++i) {
    InstructionDraft parameter;
    parameter.opcode = HloOpcode::kParameter;
    parameter.name = module_.UniqueName("async_param");
    parameter.shape = &draft.operands[i]->shape();
    parameter.number = i;
    parameter.offset = draft.offset;
    inner.operands.push_back(Create(wrapped, parameter));
  }
  llvm::SmallVector<HloAttribute, 8> own;
  for (const HloAttribute& attribute : draft.attributes) {
    (StaysOnStart(attribute.kind, inner.opcode) ? own : inner.attributes)
        .push_back(attribute);
  }
  HloInstruction* root = Create(wrapped, inner);
  module_.set_root(wrapped, *root);
  draft.attributes = std::move(own);
  draft.callees.assign(1, {"calls", &wrapped});
  draft.number = -1;
  return true;
}

HloInstruction* InstructionBuilder::Create(HloComputation& computation,
                                           const InstructionDraft& draft) {
  llvm::SmallVector<HloComputation*, 2> callees;
  for (const auto& [role, callee] : draft.callees) callees.push_back(callee);
  llvm::SmallVector<HloAttribute, 8> attributes;
  for (const HloAttribute& attribute : draft.attributes) {
    const bool is_default =
        attribute.kind == HloAttributeKind::kAsyncExecutionThread &&
        (attribute.text == "\"main\"" ||
         draft.opcode != HloOpcode::kAsyncStart);
    if (!is_default) attributes.push_back(attribute);
  }
  HloModule::InstructionSpec spec;
  spec.opcode = draft.opcode;
  spec.name = draft.name;
  spec.shape = draft.shape;
  spec.operands = draft.operands;
  spec.called_computations = callees;
  spec.control_predecessors = draft.control_predecessors;
  spec.attributes = attributes;
  spec.number = draft.number;
  spec.source_offset = draft.offset;
  HloInstruction& made = module_.AddInstruction(computation, spec);
  if (draft.opcode == HloOpcode::kAsyncStart) {
    async_starts_[&made] = &made;
  } else if (IsAsync(draft.opcode)) {
    async_starts_[&made] = async_starts_.lookup(&made.operand(0));
  }
  if (IsAsync(draft.opcode)) CopyToWrapped(made);
  return &made;
}

void InstructionBuilder::CopyToWrapped(const HloInstruction& instruction) {
  const HloInstruction* start = async_starts_.lookup(&instruction);
  HloInstruction& wrapped = start->called_computations()[0]->root();
  for (const HloAttribute& attribute : instruction.attributes()) {
    if (IsCopiedToWrapped(attribute.kind)) {
      module_.SetAttribute(wrapped, attribute.kind, attribute.text);
    }
  }
}

}  // namespace ferry
