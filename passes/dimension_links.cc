// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/dimension_links.h"

#include <algorithm>

#include "absl/numeric/int128.h"
#include "absl/strings/string_view.h"

namespace ferry {
namespace {

using Numbers = std::vector<int64_t>;

Numbers ReadList(const HloInstruction& instruction, HloAttributeKind kind) {
  const auto numbers = ReadIntegers(instruction.attribute(kind));
  if (!numbers.has_value()) return {};
  return Numbers(numbers->begin(), numbers->end());
}

bool Contains(const Numbers& numbers, int64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// 0, 1, .. without those in `left_out`.
Numbers Others(int64_t rank, const Numbers& left_out) {
  Numbers others;
  for (int64_t i = 0; i < rank; ++i) {
    if (!Contains(left_out, i)) others.push_back(i);
  }
  return others;
}

class LinkFinder {
 public:
  explicit LinkFinder(const HloInstruction& instruction)
      : instruction_(instruction), result_(instruction.shape()) {
    if (result_.IsTuple() && !result_.tuple_shapes().empty()) {
      element_ = result_.tuple_shapes()[0];
    } else {
      element_ = &result_;
    }
  }

  std::vector<DimensionLink> Run() {
    if (!element_->IsArray()) return {};
    switch (instruction_.opcode()) {
      case HloOpcode::kBroadcast: {
        const Numbers to = List(HloAttributeKind::kDimensions);
        for (size_t i = 0; i < to.size(); ++i) Add(0, i, to[i]);
        break;
      }
      case HloOpcode::kTranspose: {
        const Numbers from = List(HloAttributeKind::kDimensions);
        for (size_t i = 0; i < from.size(); ++i) Add(0, from[i], i);
        break;
      }
      case HloOpcode::kReshape:
        Reshape();
        break;
      case HloOpcode::kReduce:
        Reduce();
        break;
      case HloOpcode::kDot:
        Dot();
        break;
      case HloOpcode::kConvolution:
        Convolution();
        break;
      case HloOpcode::kConcatenate:
      case HloOpcode::kSort:
      case HloOpcode::kReverse:
        AllOperandsBut(List(HloAttributeKind::kDimensions));
        break;
      case HloOpcode::kSlice:
      case HloOpcode::kPad:
      case HloOpcode::kDynamicSlice:
      case HloOpcode::kReduceWindow:
        EqualSizes(0);
        break;
      case HloOpcode::kDynamicUpdateSlice:
      case HloOpcode::kSelectAndScatter:
        EqualSizes(0);
        EqualSizes(1);
        break;
      case HloOpcode::kGather:
        Gather();
        break;
      case HloOpcode::kScatter:
        Scatter();
        break;
      default:
        if (HasTrait(instruction_.opcode(), kElementwise)) AllOperandsBut({});
    }
    return std::move(links_);
  }

 private:
  Numbers List(HloAttributeKind kind) const {
    return ReadList(instruction_, kind);
  }

  const Shape& OperandShape(int64_t operand) const {
    return instruction_.operand(operand).shape();
  }

  void Add(int64_t operand, int64_t from, int64_t to) {
    const int64_t from_rank = OperandShape(operand).dimensions().size();
    const int64_t to_rank = element_->dimensions().size();
    if (from < 0 || to < 0 || from >= from_rank || to >= to_rank) return;
    links_.push_back({operand, from, to});
  }

  // Operands of the result's rank, but for these dimensions.
  void AllOperandsBut(const Numbers& left_out) {
    for (size_t i = 0; i < instruction_.operands().size(); ++i) {
      const Shape& operand = OperandShape(i);
      if (!operand.IsArray() ||
          operand.dimensions().size() != element_->dimensions().size()) {
        continue;
      }
      for (int64_t dimension :
           Others(element_->dimensions().size(), left_out)) {
        Add(i, dimension, dimension);
      }
    }
  }

  // Dimensions that go through whole.
  void EqualSizes(int64_t operand) {
    const auto from = OperandShape(operand).dimensions();
    const auto to = element_->dimensions();
    for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
      if (from[i] == to[i]) Add(operand, i, i);
    }
  }

  // Dimensions that are merged or split stand in groups of equal products; the
  // major one of each goes through.
  void Reshape() {
    const auto from = OperandShape(0).dimensions();
    const auto to = element_->dimensions();
    size_t i = 0;
    size_t k = 0;
    while (i < from.size() && k < to.size()) {
      if (from[i] == 1 && to[k] != 1) {
        ++i;
        continue;
      }
      if (to[k] == 1 && from[i] != 1) {
        ++k;
        continue;
      }
      Add(0, i, k);
      absl::uint128 a = static_cast<uint64_t>(from[i++]);
      absl::uint128 b = static_cast<uint64_t>(to[k++]);
      while (a != b) {
        if (a < b) {
          if (i == from.size()) return;
          a *= static_cast<uint64_t>(from[i++]);
        } else {
          if (k == to.size()) return;
          b *= static_cast<uint64_t>(to[k++]);
        }
        if (a == 0 || b == 0) return;
      }
    }
  }

  void Reduce() {
    const Numbers reduced = List(HloAttributeKind::kDimensions);
    const int64_t inputs = instruction_.operands().size() / 2;
    for (int64_t operand = 0; operand < inputs; ++operand) {
      int64_t to = 0;
      for (int64_t from :
           Others(OperandShape(operand).dimensions().size(), reduced)) {
        Add(operand, from, to++);
      }
    }
  }

  void Dot() {
    const Numbers lhs_batch = List(HloAttributeKind::kLhsBatchDims);
    const Numbers rhs_batch = List(HloAttributeKind::kRhsBatchDims);
    int64_t to = 0;
    for (size_t i = 0; i < lhs_batch.size() && i < rhs_batch.size(); ++i) {
      Add(0, lhs_batch[i], to);
      Add(1, rhs_batch[i], to++);
    }
    for (int64_t operand : {0, 1}) {
      Numbers used = operand == 0 ? lhs_batch : rhs_batch;
      const Numbers contracting =
          List(operand == 0 ? HloAttributeKind::kLhsContractingDims
                            : HloAttributeKind::kRhsContractingDims);
      used.insert(used.end(), contracting.begin(), contracting.end());
      for (int64_t from :
           Others(OperandShape(operand).dimensions().size(), used)) {
        Add(operand, from, to++);
      }
    }
  }

  // Labels such as b01f_01io->b01f.
  void Convolution() {
    const auto is_grouped = [&](HloAttributeKind kind) {
      const absl::string_view count = instruction_.attribute(kind);
      return !count.empty() && count != "1";
    };
    if (is_grouped(HloAttributeKind::kFeatureGroupCount) ||
        is_grouped(HloAttributeKind::kBatchGroupCount)) {
      return;
    }
    const absl::string_view labels =
        instruction_.attribute(HloAttributeKind::kDimLabels);
    const size_t first = labels.find('_');
    const size_t second = labels.find("->");
    if (first == absl::string_view::npos || second == absl::string_view::npos ||
        second < first) {
      return;
    }
    const absl::string_view input = labels.substr(0, first);
    const absl::string_view kernel =
        labels.substr(first + 1, second - first - 1);
    const absl::string_view output = labels.substr(second + 2);
    Add(0, input.find('b'), output.find('b'));
    Add(1, kernel.find('o'), output.find('f'));
  }

  void Gather() {
    const Numbers offset = List(HloAttributeKind::kOffsetDims);
    Numbers left_out = List(HloAttributeKind::kCollapsedSliceDims);
    const Numbers batching = List(HloAttributeKind::kOperandBatchingDims);
    left_out.insert(left_out.end(), batching.begin(), batching.end());
    const Numbers window =
        Others(OperandShape(0).dimensions().size(), left_out);
    for (size_t i = 0; i < window.size() && i < offset.size(); ++i) {
      if (offset[i] < 0 ||
          offset[i] >= static_cast<int64_t>(element_->dimensions().size())) {
        return;
      }
      if (OperandShape(0).dimensions()[window[i]] ==
          element_->dimensions()[offset[i]]) {
        Add(0, window[i], offset[i]);
      }
    }
    const auto vector =
        ReadInteger(instruction_.attribute(HloAttributeKind::kIndexVectorDim));
    const Numbers from =
        Others(OperandShape(1).dimensions().size(), {vector.value_or(-1)});
    const Numbers to = Others(element_->dimensions().size(), offset);
    for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
      Add(1, from[i], to[i]);
    }
  }

  // What is updated, and of the updates the dimensions of whole windows.
  void Scatter() {
    const Numbers update = List(HloAttributeKind::kUpdateWindowDims);
    Numbers left_out = List(HloAttributeKind::kInsertedWindowDims);
    const Numbers batching = List(HloAttributeKind::kInputBatchingDims);
    left_out.insert(left_out.end(), batching.begin(), batching.end());
    const int64_t rank = element_->dimensions().size();
    const Numbers window = Others(rank, left_out);
    const int64_t inputs = instruction_.operands().size() / 2;
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t dimension : window) Add(i, dimension, dimension);
      const auto sizes = OperandShape(inputs + 1 + i).dimensions();
      for (size_t k = 0; k < window.size() && k < update.size(); ++k) {
        if (update[k] < 0 || update[k] >= static_cast<int64_t>(sizes.size()) ||
            sizes[update[k]] != element_->dimensions()[window[k]]) {
          continue;
        }
        Add(inputs + 1 + i, update[k], window[k]);
      }
    }
  }

  const HloInstruction& instruction_;
  const Shape& result_;
  const Shape* element_;
  std::vector<DimensionLink> links_;
};

}  // namespace

std::vector<DimensionLink> FindDimensionLinks(
    const HloInstruction& instruction) {
  return LinkFinder(instruction).Run();
}

}  // namespace ferry
