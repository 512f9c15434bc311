// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The index of an update in a loop is evaluated once per iteration, so that any
// arithmetic that frameworks wrap around the counter (wrapping of negative
// indices, reversal, strides) is understood without recognising it.
#include "ferry/passes/update_coverage.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ferry/hlo/induction_analysis.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

constexpr int64_t kMaxIterations = 4096;
constexpr int kMaxExpressionSize = 64;

// The loop around a context and the value of its counter.
struct Iteration {
  const HloInstruction* body_parameter = nullptr;
  int32_t counter_ordinal = 0;
  int64_t counter = 0;
};

std::optional<int64_t> Compute(const HloInstruction& instruction,
                               absl::Span<const int64_t> operands) {
  int64_t result = 0;
  switch (instruction.opcode()) {
    case HloOpcode::kAdd:
      if (llvm::AddOverflow(operands[0], operands[1], result)) break;
      return result;
    case HloOpcode::kSubtract:
      if (llvm::SubOverflow(operands[0], operands[1], result)) break;
      return result;
    case HloOpcode::kMultiply:
      if (llvm::MulOverflow(operands[0], operands[1], result)) break;
      return result;
    case HloOpcode::kMaximum:
      return std::max(operands[0], operands[1]);
    case HloOpcode::kMinimum:
      return std::min(operands[0], operands[1]);
    case HloOpcode::kClamp:
      return std::min(std::max(operands[0], operands[1]), operands[2]);
    case HloOpcode::kSelect:
      return operands[0] != 0 ? operands[1] : operands[2];
    case HloOpcode::kCompare: {
      const absl::string_view direction =
          instruction.attribute(HloAttributeKind::kDirection);
      if (direction == "LT") return operands[0] < operands[1];
      if (direction == "LE") return operands[0] <= operands[1];
      if (direction == "GT") return operands[0] > operands[1];
      if (direction == "GE") return operands[0] >= operands[1];
      if (direction == "EQ") return operands[0] == operands[1];
      if (direction == "NE") return operands[0] != operands[1];
      break;
    }
    case HloOpcode::kCopy:
    case HloOpcode::kConvert:
    case HloOpcode::kBitcast:
    case HloOpcode::kReshape:
      return operands[0];
    default:
      break;
  }
  return std::nullopt;
}

// The value of an integer scalar in one iteration.
class Evaluator {
 public:
  explicit Evaluator(const Iteration& iteration) : iteration_(iteration) {}

  std::optional<int64_t> ValueOf(const HloInstruction& root) {
    std::vector<const HloInstruction*> stack = {&root};
    while (!stack.empty()) {
      const HloInstruction& instruction = *stack.back();
      if (values_.count(&instruction) != 0) {
        stack.pop_back();
        continue;
      }
      if (const auto leaf = Leaf(instruction)) {
        values_[&instruction] = *leaf;
        stack.pop_back();
        continue;
      }
      if (instruction.operands().empty() || ++size_ > kMaxExpressionSize) {
        return std::nullopt;
      }
      std::vector<int64_t> operands;
      for (const HloInstruction* operand : instruction.operands()) {
        const auto known = values_.find(operand);
        if (known == values_.end()) {
          stack.push_back(operand);
        } else {
          operands.push_back(known->second);
        }
      }
      if (operands.size() < instruction.operands().size()) continue;
      const auto value = Compute(instruction, operands);
      if (!value.has_value()) return std::nullopt;
      values_[&instruction] = *value;
      stack.pop_back();
    }
    return values_[&root];
  }

 private:
  std::optional<int64_t> Leaf(const HloInstruction& instruction) const {
    if (instruction.opcode() == HloOpcode::kConstant &&
        instruction.shape().dimensions().empty()) {
      const absl::string_view text =
          instruction.attribute(HloAttributeKind::kLiteral);
      if (text == "true") return 1;
      if (text == "false") return 0;
      return ReadInteger(text);
    }
    if (instruction.opcode() != HloOpcode::kGetTupleElement ||
        &instruction.operand(0) != iteration_.body_parameter ||
        instruction.operand(0).shape().ElementOrdinal(
            instruction.tuple_index()) != iteration_.counter_ordinal) {
      return std::nullopt;
    }
    return iteration_.counter;
  }

  const Iteration& iteration_;
  llvm::DenseMap<const HloInstruction*, int64_t> values_;
  int size_ = 0;
};

// The one dimension that the update does not span; nullopt if it spans all or
// leaves more than one open.
struct OpenDimension {
  bool spans_all = false;
  std::optional<int64_t> dimension;
};
OpenDimension FindOpenDimension(const HloInstruction& update) {
  const auto whole = update.shape().dimensions();
  const auto part = update.operand(1).shape().dimensions();
  OpenDimension open = {.spans_all = true, .dimension = std::nullopt};
  for (size_t d = 0; d < whole.size() && d < part.size(); ++d) {
    if (part[d] == whole[d]) continue;  // starts are clamped to 0 here
    open.dimension = open.spans_all ? std::optional<int64_t>(d) : std::nullopt;
    open.spans_all = false;
  }
  return open;
}

bool LoopWritesAll(const OffloadGraph& graph, const OffloadNode& node) {
  const HloInstruction& update = *node.instruction;
  const OpenDimension open = FindOpenDimension(update);
  if (open.spans_all) return true;
  const size_t index_operand = 2 + open.dimension.value_or(0);
  const auto callers = graph.contexts()[node.context].callers;
  if (!open.dimension.has_value() || callers.size() != 1 ||
      index_operand >= update.operands().size() ||
      callers[0].instruction->opcode() != HloOpcode::kWhile) {
    return false;
  }
  const HloInstruction& loop = *callers[0].instruction;
  const auto counter = FindInductionVariable(loop);
  const auto trips = FindTripCount(loop);
  if (!counter || !trips || *trips > kMaxIterations) return false;

  const int64_t whole = update.shape().dimensions()[*open.dimension];
  const int64_t part = update.operand(1).shape().dimensions()[*open.dimension];
  // Rows are counted in units of the update.
  if (part == 0 || whole % part != 0 || whole / part > kMaxIterations) {
    return false;
  }
  llvm::BitVector written(whole / part);
  Iteration iteration = {.body_parameter = update.parent().parameters()[0],
                         .counter_ordinal = counter->ordinal};
  for (int64_t k = 0; k < *trips; ++k) {
    iteration.counter = counter->start + k * counter->step;
    const auto index =
        Evaluator(iteration).ValueOf(update.operand(index_operand));
    if (!index.has_value()) return false;
    const int64_t start = std::clamp<int64_t>(*index, 0, whole - part);
    if (start % part != 0) return false;
    written.set(start / part);
  }
  return written.all();
}

// Whether `slice` reads a part of what `update` wrote: the same starts, and
// sizes that are not larger.
bool ReadsWhatWasWritten(const HloInstruction& slice,
                         const HloInstruction& update) {
  if (slice.opcode() != HloOpcode::kDynamicSlice ||
      slice.operands().size() + 1 != update.operands().size()) {
    return false;
  }
  const auto read = slice.shape().dimensions();
  const auto written = update.operand(1).shape().dimensions();
  for (size_t d = 0; d + 1 < slice.operands().size(); ++d) {
    if (&slice.operand(1 + d) != &update.operand(2 + d) ||
        read[d] > written[d]) {
      return false;
    }
  }
  return true;
}

bool ReadersReadWhatWasWritten(const OffloadGraph& graph,
                               const OffloadNode& update) {
  std::vector<OffloadNode> work = {update};
  llvm::DenseSet<NodeId> seen;
  bool all = true;
  while (!work.empty() && all) {
    const OffloadNode node = work.back();
    work.pop_back();
    if (!seen.insert(graph.IdOf(node)).second) continue;
    if (node.context != update.context || node.instruction->IsRoot()) {
      return false;
    }
    graph.ForEachFlow(node, [&](const OffloadFlow& flow) {
      const HloInstruction& to = *flow.to.instruction;
      if (flow.kind == FlowKind::kSlice) {
        all &= ReadsWhatWasWritten(to, *update.instruction);
      } else if (flow.kind == FlowKind::kPass &&
                 to.opcode() != HloOpcode::kDynamicUpdateSlice) {
        work.push_back(flow.to);
      } else if (flow.kind == FlowKind::kCopy) {
        work.push_back(flow.to);
      } else {
        all = false;
      }
    });
  }
  return all;
}

}  // namespace

bool HidesInitialContents(const OffloadGraph& graph,
                          const OffloadNode& update) {
  return LoopWritesAll(graph, update) ||
         ReadersReadWhatWasWritten(graph, update);
}

}  // namespace ferry
