// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/instruction_builder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/attribute_defaults.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/shape_inference.h"

namespace ferry {
namespace {

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

absl::string_view InstructionDraft::text(HloAttributeKind kind) const {
  for (const HloAttribute& attribute : attributes) {
    if (attribute.kind == kind) return attribute.text;
  }
  return {};
}

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
  // XLA makes these two of as many operands as they take, whatever follows.
  if (draft.rules() == HloOpcode::kDot ||
      draft.rules() == HloOpcode::kRngBitGenerator) {
    draft.operands.resize(LegalOperandCount(draft.rules()).max);
  }
  OrderCallees(draft);
  if (!CheckConditional(draft) || !CheckGlobalIds(draft) ||
      !CheckLists(draft) || !CheckChannel(draft) || !InferMissingShape(draft) ||
      !CheckAsync(draft) || !RecomputeShape(draft) || !CheckShape(draft) ||
      !SpreadSharding(draft) || !CheckReplication(draft) ||
      !CheckLayoutConstraints(draft)) {
    return nullptr;
  }
  CompleteAttributes(draft);
  if (draft.sugar == InstructionDraft::Sugar::kStart && !WrapAsync(draft)) {
    return nullptr;
  }
  return Create(computation, draft);
}

// Attributes come in any order; called computations are kept in that of roles.
void InstructionBuilder::OrderCallees(InstructionDraft& draft) {
  if (draft.callees.size() > 1) {
    std::stable_sort(
        draft.callees.begin(), draft.callees.end(),
        [&](const auto& a, const auto& b) {
          const auto rank = [&](absl::string_view role) {
            if (role == "true_computation") return -1;
            if (role == "false_computation") return 0;
            const auto roles = CalledComputationRoles(draft.rules());
            return static_cast<int>(
                std::find(roles.begin(), roles.end(), role) - roles.begin());
          };
          return rank(a.first) < rank(b.first);
        });
  }
  if (draft.opcode == HloOpcode::kAsyncUpdate ||
      draft.opcode == HloOpcode::kAsyncDone) {
    if (!draft.callees.empty()) draft.restated_callee = draft.callees[0].second;
    draft.callees.clear();
  }
  if (draft.has_layout_constraints) draft.callees.clear();
  // Of both forms on a custom-call, XLA keeps the single one.
  const auto is_single = [](const auto& callee) {
    return callee.first == "to_apply";
  };
  if (draft.rules() == HloOpcode::kCustomCall &&
      std::any_of(draft.callees.begin(), draft.callees.end(), is_single)) {
    draft.callees.erase(
        std::remove_if(draft.callees.begin(), draft.callees.end(),
                       [&](const auto& callee) { return !is_single(callee); }),
        draft.callees.end());
  }
}

// Drops what goes without saying, adds what XLA writes in any case.
void InstructionBuilder::CompleteAttributes(InstructionDraft& draft) {
  const HloOpcode opcode = draft.rules();
  const Shape* first =
      draft.operands.empty() ? nullptr : &draft.operands[0]->shape();
  const auto is_left_out = [&](const HloAttribute& attribute) {
    switch (attribute.kind) {
      case HloAttributeKind::kAsyncExecutionThread:
        return IsLeftOut(draft.opcode, attribute);
      case HloAttributeKind::kType:
        return opcode == HloOpcode::kCompare &&
               IsDefaultCompareType(attribute.text, *first);
      case HloAttributeKind::kDimensions:
        // XLA's map is over all dimensions, whatever the text says.
        return opcode == HloOpcode::kMap || IsLeftOut(opcode, attribute);
      default:
        return IsLeftOut(opcode, attribute);
    }
  };
  draft.attributes.erase(std::remove_if(draft.attributes.begin(),
                                        draft.attributes.end(), is_left_out),
                         draft.attributes.end());
  AddUnwritten(
      opcode, opcode == HloOpcode::kMap ? &draft.result() : first,
      [&](absl::string_view text) { return module_.SaveText(text); },
      draft.attributes);
}

bool InstructionBuilder::InferMissingShape(InstructionDraft& draft) {
  if (draft.shape != nullptr) return true;
  HloOpcode opcode = draft.opcode;
  if (opcode == HloOpcode::kBroadcast) return InferBroadcast(draft);
  if (opcode == HloOpcode::kSort && draft.operands.empty()) {
    draft.shape = &module_.context().GetTupleShape({});
    return true;
  }
  if (!HasTrait(opcode, kInferable) && opcode != HloOpcode::kScaledDot) {
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
  const int needed = LegalOperandCount(opcode).min;
  if (operands.size() < static_cast<size_t>(needed)) {
    return reader_.errors.Add(
        DiagnosticCode::kOperandCount, draft.opcode_offset,
        {std::string(draft.opcode_text), absl::StrCat("at least ", needed),
         absl::StrCat(operands.size())});
  }
  // XLA takes its third operand for the right-hand side here, though its second
  // is.
  if (opcode == HloOpcode::kScaledDot) {
    opcode = HloOpcode::kDot;
    operands = {operands[0], operands[2]};
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
      (int64_t{1} << 18) + 16 * int64_t(reader_.lexer.text().size());
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
  const int64_t most_bytes =
      (int64_t{1} << 24) + 64 * int64_t(reader_.lexer.text().size());
  if (!draft.shape->IsTuple()) return true;
  for (HloAttribute& attribute : draft.attributes) {
    if (attribute.kind != HloAttributeKind::kSharding ||
        IsTupleSharding(attribute.text)) {
      continue;
    }
    const int64_t leaves = draft.shape->leaf_count();
    if (attribute.text != spread_ || leaves != spread_leaves_) {
      const int64_t size = attribute.text.size() + 2;
      if (leaves > (most_bytes - spread_bytes_) / size) {
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

bool InstructionBuilder::WrapAsync(InstructionDraft& draft) {
  HloComputation& wrapped =
      module_.AddComputation("async_wrapped", draft.offset);
  computation_names_.Add(wrapped);
  const absl::string_view thread =
      draft.text(HloAttributeKind::kAsyncExecutionThread);
  if (!thread.empty()) {
    module_.set_execution_thread(wrapped, module_.SaveText(ReadString(thread)));
  }
  InstructionDraft inner;
  inner.opcode = draft.wrapped_opcode;
  inner.opcode_text = HloOpcodeName(draft.wrapped_opcode);
  inner.opcode_offset = draft.opcode_offset;
  inner.offset = draft.offset;
  inner.name = module_.UniqueName(inner.opcode_text);
  inner.shape = draft.wrapped_shape;
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
    attributes.push_back(attribute);
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
    CopyToWrapped(made);
  } else if (draft.opcode == HloOpcode::kAsyncUpdate ||
             draft.opcode == HloOpcode::kAsyncDone) {
    async_starts_[&made] = async_starts_.lookup(&made.operand(0));
    CopyToWrapped(made);
  }
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
