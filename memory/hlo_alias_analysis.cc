// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_alias_analysis.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/donations.h"

namespace ferry {
namespace {

// Joins values into sets; the one with the least id stands for its set.
class ValueSets {
 public:
  explicit ValueSets(size_t count) : parents_(count) {
    for (size_t i = 0; i < count; ++i) parents_[i] = static_cast<ValueId>(i);
  }
  ValueId Find(ValueId value) {
    while (parents_[value] != value) {
      parents_[value] = parents_[parents_[value]];
      value = parents_[value];
    }
    return value;
  }
  void Join(ValueId a, ValueId b) {
    a = Find(a);
    b = Find(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<ValueId> parents_;
};

class Merger {
 public:
  Merger(const HloDataflowAnalysis& dataflow, const InPlaceOperands& in_place)
      : dataflow_(dataflow),
        in_place_(in_place),
        sets_(dataflow.value_count()) {}

  ValueSets Run() {
    const HloModule& module = dataflow_.module();
    for (const HloComputation* computation : module.computations()) {
      if (!dataflow_.IsAnalyzed(computation->root())) continue;
      for (const HloInstruction& instruction : computation->instructions()) {
        JoinInPlace(instruction);
        if (HasTrait(instruction.opcode(), kRunsCallee)) JoinCall(instruction);
      }
    }
    JoinDonated(module);
    return std::move(sets_);
  }

 private:
  // All nodes of the two, if their trees are the same.
  void JoinAll(const HloInstruction& a, const HloInstruction& b) {
    const absl::Span<const ValueId> of_a = dataflow_.ValuesOf(a);
    const absl::Span<const ValueId> of_b = dataflow_.ValuesOf(b);
    if (of_a.size() != of_b.size()) return;
    for (size_t i = 0; i < of_a.size(); ++i) sets_.Join(of_a[i], of_b[i]);
  }

  void JoinParameter(const HloInstruction& operand,
                     const HloComputation& callee, size_t number) {
    if (number >= callee.parameters().size()) return;
    if (dataflow_.StorageOf(callee) != ComputationStorage::kGlobal) return;
    JoinAll(operand, *callee.parameters()[number]);
  }

  void JoinCall(const HloInstruction& caller) {
    const auto callees = caller.called_computations();
    for (size_t i = 0; i < callees.size(); ++i) {
      const HloComputation& callee = *callees[i];
      switch (caller.opcode()) {
        case HloOpcode::kWhile:
          JoinParameter(caller.operand(0), callee, 0);
          break;
        case HloOpcode::kConditional:
          if (i + 1 < caller.operands().size()) {
            JoinParameter(caller.operand(i + 1), callee, 0);
          }
          JoinAll(caller, callee.root());
          break;
        default:
          for (size_t p = 0; p < caller.operands().size(); ++p) {
            JoinParameter(caller.operand(p), callee, p);
          }
      }
    }
    if (caller.opcode() == HloOpcode::kWhile && !callees.empty()) {
      JoinAll(caller, caller.operand(0));
      JoinAll(caller, callees.back()->root());
    }
  }

  void JoinInPlace(const HloInstruction& instruction) {
    for (const InPlacePair& pair : in_place_.PairsOf(instruction)) {
      sets_.Join(dataflow_.ValueAt(instruction, pair.result_ordinal),
                 dataflow_.ValueAt(instruction.operand(pair.operand_number),
                                   pair.operand_ordinal));
    }
  }

  void JoinDonated(const HloModule& module) {
    for (const auto& [parameter, result] : FindDonations(module)) {
      if (!result.has_value()) continue;
      sets_.Join(dataflow_.ValueAt(*result->instruction, result->ordinal),
                 dataflow_.ValueAt(*parameter.instruction, parameter.ordinal));
    }
  }

  const HloDataflowAnalysis& dataflow_;
  const InPlaceOperands& in_place_;
  ValueSets sets_;
};

}  // namespace

HloAliasAnalysis HloAliasAnalysis::Run(const HloDataflowAnalysis& dataflow,
                                       const InPlaceOperands& in_place) {
  ValueSets sets = Merger(dataflow, in_place).Run();
  HloAliasAnalysis result;
  const size_t count = dataflow.value_count();
  result.buffers_.resize(count);
  // The one that stands for its set comes first.
  BufferId buffers = 0;
  for (ValueId value = 0; value < count; ++value) {
    const ValueId first = sets.Find(value);
    result.buffers_[value] =
        first == value ? buffers++ : result.buffers_[first];
  }
  result.starts_.assign(buffers + 1, 0);
  for (const BufferId buffer : result.buffers_) ++result.starts_[buffer + 1];
  for (BufferId b = 0; b < buffers; ++b) {
    result.starts_[b + 1] += result.starts_[b];
  }
  result.values_.resize(count);
  std::vector<uint32_t> next(result.starts_.begin(), result.starts_.end() - 1);
  for (ValueId value = 0; value < count; ++value) {
    result.values_[next[result.buffers_[value]]++] = value;
  }
  return result;
}

}  // namespace ferry
