// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Callees are looked at before callers, so what the operations of a fusion's
// body do is known when the fusion's turn comes.

#include "ferry/memory/in_place_operands.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

#include "absl/strings/match.h"
#include "ferry/hlo/call_graph.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "ferry/hlo/shape.h"

namespace ferry {
namespace {

// Where the node comes from, through tuples and their elements.
HloPosition FollowTuples(HloPosition at) {
  while (true) {
    const HloInstruction& instruction = *at.instruction;
    if (instruction.opcode() == HloOpcode::kTuple && at.ordinal > 0) {
      const int64_t element = instruction.shape().ElementHolding(at.ordinal);
      at = {&instruction.operand(element),
            at.ordinal - instruction.shape().ElementOrdinal(element)};
    } else if (instruction.opcode() == HloOpcode::kGetTupleElement) {
      const HloInstruction& tuple = instruction.operand(0);
      const int64_t element = instruction.tuple_index();
      if (element < 0 || !tuple.shape().IsTuple() ||
          element >=
              static_cast<int64_t>(tuple.shape().tuple_shapes().size())) {
        return at;
      }
      at = {&tuple, at.ordinal + tuple.shape().ElementOrdinal(element)};
    } else {
      return at;
    }
    if (at.ordinal >= at.instruction->shape().node_count()) {
      return {at.instruction, 0};
    }
  }
}

// Result i of `instruction` in operand i, for the first `count` of them.
void AddPairwise(const HloInstruction& instruction, size_t count,
                 std::vector<InPlacePair>& pairs) {
  const Shape& shape = instruction.shape();
  if (!shape.IsTuple()) {
    if (count > 0) pairs.push_back({0, 0, 0});
    return;
  }
  count = std::min(count, shape.tuple_shapes().size());
  for (size_t i = 0; i < count; ++i) {
    if (shape.tuple_shapes()[i]->IsTuple()) continue;
    pairs.push_back({shape.ElementOrdinal(i), static_cast<int32_t>(i), 0});
  }
}

// The node `ordinal` of the result, and its elements, in operand 1.
void AddPermutePairs(const HloInstruction& instruction, int32_t ordinal,
                     const Shape& result, std::vector<InPlacePair>& pairs) {
  if (instruction.operands().size() != 4) return;
  if (result.node_count() != instruction.operand(1).shape().node_count())
    return;
  for (int32_t i = result.IsTuple() ? 1 : 0; i < result.node_count(); ++i) {
    pairs.push_back({ordinal + i, 1, i});
  }
}

void AddListedPairs(const HloInstruction& instruction,
                    std::vector<InPlacePair>& pairs) {
  for (const OutputOperandAlias& alias :
       ReadOutputOperandAliasing(instruction)) {
    const std::optional<int32_t> result =
        instruction.shape().OrdinalOf(alias.output_index);
    const std::optional<int32_t> operand = instruction.operand(alias.operand)
                                               .shape()
                                               .OrdinalOf(alias.operand_index);
    if (!result.has_value() || !operand.has_value()) continue;
    pairs.push_back({*result, static_cast<int32_t>(alias.operand), *operand});
  }
}

// Those of one operation that is no fusion.
void AddPairs(const HloInstruction& instruction,
              std::vector<InPlacePair>& pairs) {
  switch (instruction.opcode()) {
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kSetDimensionSize:
      pairs.push_back({0, 0, 0});
      return;
    case HloOpcode::kScatter:
      return AddPairwise(instruction, instruction.operands().size() / 2, pairs);
    case HloOpcode::kAllReduceStart:
      // Communicates through buffers of its own.
      if (absl::StrContains(
              instruction.attribute(HloAttributeKind::kBackendConfig),
              "nvshmem")) {
        return;
      }
      return AddPairwise(instruction, instruction.operands().size(), pairs);
    case HloOpcode::kRaggedAllToAll:
      if (instruction.operands().size() > 1) pairs.push_back({0, 1, 0});
      return;
    case HloOpcode::kCollectivePermute:
      return AddPermutePairs(instruction, 0, instruction.shape(), pairs);
    case HloOpcode::kCollectivePermuteStart:
      if (!instruction.shape().IsTuple() ||
          instruction.shape().tuple_shapes().size() < 2) {
        return;
      }
      return AddPermutePairs(instruction, instruction.shape().ElementOrdinal(1),
                             *instruction.shape().tuple_shapes()[1], pairs);
    case HloOpcode::kCustomCall:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kFusion:
      return AddListedPairs(instruction, pairs);
    default:
      return;
  }
}

}  // namespace

InPlaceOperands InPlaceOperands::Find(const HloModule& module) {
  InPlaceOperands result;
  result.starts_.assign(module.id_limit(), 0);
  result.counts_.assign(module.id_limit(), 0);
  std::vector<InPlacePair> pairs;
  const CallGraph graph = CallGraph::Build(module);
  for (const HloComputation* computation : graph.post_order()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      pairs.clear();
      AddPairs(instruction, pairs);
      if (instruction.opcode() == HloOpcode::kFusion) {
        result.AddFusionPairs(instruction, pairs);
      }
      if (pairs.empty()) continue;
      std::sort(pairs.begin(), pairs.end(),
                [](const InPlacePair& a, const InPlacePair& b) {
                  return std::tie(a.result_ordinal, a.operand_number,
                                  a.operand_ordinal) <
                         std::tie(b.result_ordinal, b.operand_number,
                                  b.operand_ordinal);
                });
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
      result.starts_[instruction.id()] = result.pairs_.size();
      result.counts_[instruction.id()] = pairs.size();
      result.pairs_.insert(result.pairs_.end(), pairs.begin(), pairs.end());
    }
  }
  return result;
}

void InPlaceOperands::AddFusionPairs(const HloInstruction& fusion,
                                     std::vector<InPlacePair>& pairs) const {
  if (fusion.called_computations().empty()) return;
  const HloInstruction& root = fusion.called_computations()[0]->root();
  // Where the node that `at` writes in place comes from; null if it does not.
  const auto written_by = [this](HloPosition at) -> HloPosition {
    const absl::Span<const InPlacePair> candidates = PairsOf(*at.instruction);
    const auto it =
        std::lower_bound(candidates.begin(), candidates.end(), at.ordinal,
                         [](const InPlacePair& pair, int32_t o) {
                           return pair.result_ordinal < o;
                         });
    if (it == candidates.end() || it->result_ordinal != at.ordinal) return {};
    return FollowTuples(
        {&at.instruction->operand(it->operand_number), it->operand_ordinal});
  };
  const int32_t count =
      std::min(fusion.shape().node_count(), root.shape().node_count());
  for (int32_t ordinal = 0; ordinal < count; ++ordinal) {
    HloPosition source = written_by(FollowTuples({&root, ordinal}));
    if (source.instruction == nullptr) continue;
    if (source.instruction->opcode() == HloOpcode::kFusion) {
      const HloPosition inner = written_by(source);
      if (inner.instruction != nullptr) source = inner;
    }
    if (source.instruction->opcode() == HloOpcode::kBitcast) {
      source = {&source.instruction->operand(0), 0};
    }
    if (source.instruction->opcode() != HloOpcode::kParameter) continue;
    const int64_t number = source.instruction->parameter_number();
    if (number >= static_cast<int64_t>(fusion.operands().size())) continue;
    pairs.push_back({ordinal, static_cast<int32_t>(number), source.ordinal});
  }
}

}  // namespace ferry
