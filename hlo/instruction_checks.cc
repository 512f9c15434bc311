// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The part of InstructionBuilder that refuses: what XLA's reader, or the making
// of an instruction in it, does not accept. All else is left to the verifier.

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/instruction_builder.h"
#include "ferry/hlo/integer_list.h"

namespace ferry {
namespace {

bool IsAsync(HloOpcode opcode) {
  return opcode == HloOpcode::kAsyncStart ||
         opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone;
}

// ((operands...), result, ...)
bool IsAsyncStartShape(const Shape* shape) {
  return shape != nullptr && shape->IsTuple() &&
         shape->tuple_shapes().size() >= 2 &&
         shape->tuple_shapes()[0]->IsTuple();
}

}  // namespace

bool InstructionBuilder::CheckOperandCount(const InstructionDraft& draft) {
  const HloOpcode opcode = draft.rules();
  const auto [min, max] = ReadableOperandCount(opcode);
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
    if (draft.Has(kind)) continue;
    return reader_.errors.Add(
        DiagnosticCode::kMissingAttribute, draft.opcode_offset,
        {std::string(draft.opcode_text), std::string(HloAttributeName(kind))});
  }
  if (draft.rules() == HloOpcode::kGetTupleElement && !draft.has_index) {
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

// XLA does not look at all-gather.
bool InstructionBuilder::CheckGlobalIds(const InstructionDraft& draft) {
  const HloOpcode opcode = draft.rules();
  if (opcode == HloOpcode::kAllGather || opcode == HloOpcode::kAllGatherStart ||
      draft.text(HloAttributeKind::kUseGlobalDeviceIds) != "true" ||
      draft.Has(HloAttributeKind::kChannelId)) {
    return true;
  }
  return reader_.BadValue(
      draft.opcode_offset,
      "Cannot have use_global_device_ids=true without channel_id");
}

// Values that must fit the operands for XLA to make anything of them.
bool InstructionBuilder::CheckLists(const InstructionDraft& draft) {
  const auto refuse = [&](absl::string_view message) {
    return reader_.BadValue(draft.opcode_offset, std::string(message));
  };
  const auto numbers = [&](HloAttributeKind kind) {
    return ReadIntegers(draft.text(kind)).value_or(IntegerList().values);
  };
  switch (draft.rules()) {
    case HloOpcode::kConcatenate:
    case HloOpcode::kSort:
    case HloOpcode::kScan:
      if (numbers(HloAttributeKind::kDimensions).size() != 1) {
        return refuse("expects exactly one dimension in `dimensions`");
      }
      return draft.rules() != HloOpcode::kScan || CheckScan(draft);
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kSetDimensionSize:
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kReduceScatter:
      return !numbers(HloAttributeKind::kDimensions).empty() ||
             refuse("expects a dimension in `dimensions`");
    case HloOpcode::kBroadcast:
      return draft.Has(HloAttributeKind::kDimensions) ||
             (draft.operands[0]->shape().IsArray() &&
              draft.operands[0]->shape().dimensions().empty()) ||
             reader_.errors.Add(DiagnosticCode::kMissingAttribute,
                                draft.opcode_offset,
                                {std::string(draft.opcode_text), "dimensions"});
    case HloOpcode::kAllToAll:
    case HloOpcode::kRaggedAllToAll:
      return draft.text(HloAttributeKind::kDimensions).empty() ||
             numbers(HloAttributeKind::kDimensions).size() == 1 ||
             refuse("expects exactly one dimension in `dimensions`");
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return CheckPermute(draft);
    default:
      return true;
  }
}

bool InstructionBuilder::CheckScan(const InstructionDraft& draft) {
  const int64_t carries =
      ReadInteger(draft.text(HloAttributeKind::kNumCarries)).value_or(-1);
  const int64_t count = draft.operands.size();
  if (carries < 0 || carries > count) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("expects at least ", carries,
                     " operands to match the number of carries, but has ",
                     count, " operands"));
  }
  const int64_t parameters = draft.callees[0].second->parameters().size();
  return parameters == count ||
         reader_.BadValue(
             draft.opcode_offset,
             absl::StrCat("expects ", count,
                          " operands to match the number of parameters of "
                          "to_apply, but to_apply has ",
                          parameters, " parameters"));
}

bool InstructionBuilder::CheckPermute(const InstructionDraft& draft) {
  constexpr size_t kInPlaceOperands = 4;
  return !draft.Has(HloAttributeKind::kSliceSizes) ||
         draft.operands.size() == kInPlaceOperands ||
         reader_.BadValue(draft.opcode_offset,
                          "CollectivePermute and CollectivePermuteStart must "
                          "have exactly four operands for dynamic-slice and "
                          "in-place update.");
}

// The end of a transfer belongs to the channel of its start.
bool InstructionBuilder::CheckChannel(const InstructionDraft& draft) {
  if (draft.opcode != HloOpcode::kSendDone &&
      draft.opcode != HloOpcode::kRecvDone) {
    return true;
  }
  const HloInstruction& start = *draft.operands[0];
  if (start.opcode() != HloOpcode::kSend &&
      start.opcode() != HloOpcode::kRecv) {
    return true;
  }
  const absl::string_view wanted =
      start.attribute(HloAttributeKind::kChannelId);
  const absl::string_view given = draft.text(HloAttributeKind::kChannelId);
  return given == wanted ||
         reader_.BadValue(
             draft.opcode_offset,
             absl::StrCat("channel_id must be that of `", start.name(), "`, ",
                          wanted.empty() ? "which has none" : wanted,
                          ", but is ", given.empty() ? "missing" : given));
}

bool InstructionBuilder::CheckReplication(const InstructionDraft& draft) {
  if (draft.replication_leaves < 0) return true;
  if (draft.opcode != HloOpcode::kParameter) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("`", draft.opcode_text,
                     "` must not have parameter_replication: it is no "
                     "parameter"));
  }
  const int64_t leaves = draft.shape->leaf_count();
  return draft.replication_leaves == leaves ||
         reader_.BadValue(
             draft.opcode_offset,
             absl::StrCat("parameter has ", leaves,
                          " leaf buffers, but parameter_replication has ",
                          draft.replication_leaves, " elements."));
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
      *draft.shape != operand.shape()) {
    return reader_.BadValue(draft.opcode_offset,
                            "AsyncUpdate expects the op shape to be the same "
                            "as the operand shape.");
  }
  const HloInstruction* start = async_starts_.lookup(&operand);
  if (!CheckRestatement(draft, *start)) return false;
  if (draft.sugar == InstructionDraft::Sugar::kNone) return true;
  const HloOpcode wrapped = start->called_computations()[0]->root().opcode();
  if (wrapped == draft.wrapped_opcode) return true;
  return reader_.BadValue(
      draft.opcode_offset,
      absl::StrCat("Expect async wrapped opcode to be ", HloOpcodeName(wrapped),
                   ", but got ", HloOpcodeName(draft.wrapped_opcode)));
}

// An async-update or async-done may say again what its start said.
bool InstructionBuilder::CheckRestatement(const InstructionDraft& draft,
                                          const HloInstruction& start) {
  const HloComputation& wrapped = *start.called_computations()[0];
  if (draft.restated_callee != nullptr && draft.restated_callee != &wrapped) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat("Expect async_wrapped_computation to be ", wrapped.name(),
                     ", but got ", draft.restated_callee->name()));
  }
  constexpr absl::string_view kMain = "\"main\"";
  const auto kind = HloAttributeKind::kAsyncExecutionThread;
  const absl::string_view given = draft.text(kind);
  const absl::string_view wanted =
      start.HasAttribute(kind) ? start.attribute(kind) : kMain;
  return given.empty() || given == wanted ||
         reader_.BadValue(draft.opcode_offset,
                          absl::StrCat("Expect async_execution_thread to be ",
                                       wanted, ", but got ", given));
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

}  // namespace ferry
