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

// The loop around an update, and the value of its counter.
struct Iteration {
  OffloadNode counter_slot;  // in the parameter of the loop's body
  int64_t counter = 0;
};

// Whether integers of the type hold `value`. Arithmetic that would leave the
// range wraps on a device, and nothing is said about it here.
bool Holds(PrimitiveType type, int64_t value) {
  if (type == PrimitiveType::kPred) return value == 0 || value == 1;
  const char kind = PrimitiveTypeName(type).front();
  const int64_t bits = BitWidth(type);
  if (kind == 's') return bits == 64 || llvm::isIntN(bits, value);
  return kind == 'u' && value >= 0 &&
         (bits == 64 || llvm::isUIntN(bits, value));
}

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
    case HloOpcode::kBitcast:
      if (instruction.shape().element_type() !=
          instruction.operand(0).shape().element_type()) {
        break;
      }
      return operands[0];
    case HloOpcode::kCopy:
    case HloOpcode::kConvert:
    case HloOpcode::kReshape:
      return operands[0];
    default:
      break;
  }
  return std::nullopt;
}

// Integer scalars in one iteration of a loop.
class Evaluator {
 public:
  Evaluator(const OffloadGraph& graph, const Iteration& iteration)
      : graph_(graph), iteration_(iteration) {}

  std::optional<int64_t> ValueOf(const OffloadNode& wanted) {
    const OffloadNode root = Resolve(wanted);
    std::vector<OffloadNode> stack = {root};
    while (!stack.empty()) {
      const OffloadNode node = stack.back();
      const HloInstruction& instruction = *node.instruction;
      if (values_.count(graph_.IdOf(node)) != 0) {
        stack.pop_back();
        continue;
      }
      if (const auto leaf = Leaf(node)) {
        values_[graph_.IdOf(node)] = *leaf;
        stack.pop_back();
        continue;
      }
      if (instruction.operands().empty() || ++size_ > kMaxExpressionSize) {
        return std::nullopt;
      }
      std::vector<int64_t> operands;
      for (const HloInstruction* operand : instruction.operands()) {
        const OffloadNode source = Resolve({node.context, operand, 0});
        const auto known = values_.find(graph_.IdOf(source));
        if (known == values_.end()) {
          stack.push_back(source);
        } else {
          operands.push_back(known->second);
        }
      }
      if (operands.size() < instruction.operands().size()) continue;
      const auto value = Compute(instruction, operands);
      if (!value.has_value() ||
          !Holds(instruction.shape().element_type(), *value)) {
        return std::nullopt;
      }
      values_[graph_.IdOf(node)] = *value;
      stack.pop_back();
    }
    return values_[graph_.IdOf(root)];
  }

 private:
  // Through calls and tuples to where the value is made, or to a loop's slot.
  OffloadNode Resolve(OffloadNode node) const {
    while (node != iteration_.counter_slot) {
      const auto sources = graph_.SourcesOf(node);
      if (sources.size() != 1) break;
      node = sources[0];
    }
    return node;
  }

  std::optional<int64_t> Leaf(const OffloadNode& node) const {
    if (node == iteration_.counter_slot) return iteration_.counter;
    const HloInstruction& instruction = *node.instruction;
    if (instruction.opcode() != HloOpcode::kConstant ||
        !instruction.shape().dimensions().empty()) {
      return std::nullopt;
    }
    const absl::string_view text =
        instruction.attribute(HloAttributeKind::kLiteral);
    if (text == "true") return 1;
    if (text == "false") return 0;
    return ReadInteger(text);
  }

  const OffloadGraph& graph_;
  const Iteration& iteration_;
  llvm::DenseMap<NodeId, int64_t> values_;
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

// The context of the loop body in which `context` runs, once an iteration.
std::optional<ContextId> LoopBodyAround(const OffloadGraph& graph,
                                        ContextId context) {
  while (context != 0) {
    const auto& callers = graph.contexts()[context].callers;
    if (callers.size() != 1) return std::nullopt;
    if (callers[0].instruction->opcode() == HloOpcode::kWhile) {
      if (callers[0].role == 1) return context;
      return std::nullopt;
    }
    if (callers[0].instruction->opcode() != HloOpcode::kCall) {
      return std::nullopt;
    }
    context = callers[0].context;
  }
  return std::nullopt;
}

bool LoopWritesAll(const OffloadGraph& graph, const OffloadNode& node) {
  const HloInstruction& update = *node.instruction;
  const OpenDimension open = FindOpenDimension(update);
  if (open.spans_all) return true;
  const size_t index_operand = 2 + open.dimension.value_or(0);
  const auto body = LoopBodyAround(graph, node.context);
  if (!open.dimension.has_value() || !body.has_value() ||
      index_operand >= update.operands().size()) {
    return false;
  }
  const HloInstruction& loop = *graph.contexts()[*body].callers[0].instruction;
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
  Iteration iteration = {
      .counter_slot = {*body,
                       graph.contexts()[*body].computation->parameters()[0],
                       counter->ordinal}};
  for (int64_t k = 0; k < *trips; ++k) {
    iteration.counter = counter->start + k * counter->step;
    const auto index =
        Evaluator(graph, iteration)
            .ValueOf({node.context, &update.operand(index_operand), 0});
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
