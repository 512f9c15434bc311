// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/control_facts.h"

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/induction_analysis.h"

namespace ferry {
namespace {

LoopRuns CountRuns(const HloInstruction& loop) {
  const std::optional<int64_t> trips = FindTripCount(loop);
  if (trips == 0) return LoopRuns::kNever;
  return trips == 1 ? LoopRuns::kOnce : LoopRuns::kOften;
}

// Through get-tuple-elements of tuples to what stands in the tuple.
const HloInstruction& LookThroughTuples(const HloInstruction& value) {
  const HloInstruction* at = &value;
  while (at->opcode() == HloOpcode::kGetTupleElement &&
         at->operand(0).opcode() == HloOpcode::kTuple) {
    at = &at->operand(0).operand(at->tuple_index());
  }
  return *at;
}

std::optional<int32_t> FindOnlyBranch(const HloInstruction& conditional) {
  const int64_t branches = conditional.called_computations().size();
  if (branches == 1) return 0;
  const HloInstruction& selector = LookThroughTuples(conditional.operand(0));
  if (selector.opcode() != HloOpcode::kConstant) return std::nullopt;
  const absl::string_view text = selector.attribute(HloAttributeKind::kLiteral);
  if (text == "true") return 0;
  if (text == "false") return 1;
  const std::optional<int64_t> index = ReadInteger(text);
  if (!index.has_value()) return std::nullopt;
  if (selector.shape().element_type() == PrimitiveType::kPred) {
    return *index != 0 ? 0 : 1;
  }
  // An index out of range takes the last branch.
  return *index < 0 || *index >= branches ? branches - 1 : *index;
}

}  // namespace

ControlFacts::ControlFacts(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (instruction.opcode() == HloOpcode::kWhile) {
        loops_.insert({&instruction, CountRuns(instruction)});
      } else if (instruction.opcode() == HloOpcode::kConditional) {
        if (const auto only = FindOnlyBranch(instruction)) {
          only_branches_.insert({&instruction, *only});
        }
      }
    }
  }
}

std::optional<int32_t> ControlFacts::OnlyBranchOf(
    const HloInstruction& conditional) const {
  const auto found = only_branches_.find(&conditional);
  if (found == only_branches_.end()) return std::nullopt;
  return found->second;
}

bool ControlFacts::MayRun(const HloInstruction& caller, int32_t role) const {
  switch (caller.opcode()) {
    case HloOpcode::kWhile: {
      const LoopRuns runs = RunsOf(caller);
      return runs == LoopRuns::kOften || (runs == LoopRuns::kOnce && role == 1);
    }
    case HloOpcode::kConditional:
      return OnlyBranchOf(caller).value_or(role) == role;
    default:
      return true;
  }
}

bool ControlFacts::IsInlined(const HloInstruction& caller) const {
  switch (caller.opcode()) {
    case HloOpcode::kCall:
      return true;
    case HloOpcode::kWhile:
      return RunsOf(caller) == LoopRuns::kOnce;
    case HloOpcode::kConditional:
      return OnlyBranchOf(caller).has_value();
    default:
      return false;
  }
}

std::optional<int64_t> CarriedInPlace(const HloInstruction& move) {
  const HloComputation& body = move.parent();
  const HloInstruction& root = body.root();
  const HloInstruction& state = move.operand(0);
  if (root.opcode() != HloOpcode::kTuple ||
      state.opcode() != HloOpcode::kGetTupleElement ||
      body.parameters().size() != 1 ||
      &state.operand(0) != body.parameters()[0]) {
    return std::nullopt;
  }
  const int64_t element = state.tuple_index();
  if (element >= static_cast<int64_t>(root.operands().size())) {
    return std::nullopt;
  }
  const HloInstruction* next = &root.operand(element);
  if (next->opcode() == HloOpcode::kCopy) next = &next->operand(0);
  if (next != &move) return std::nullopt;
  return element;
}

}  // namespace ferry
