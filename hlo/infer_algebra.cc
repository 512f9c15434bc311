// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Dots, convolutions, Fourier transforms and gathers: rules whose results take
// some of their dimensions from each operand, as dimension numbers say.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/window.h"

namespace ferry::shape_inference {
namespace {

absl::Status AppendFreeDimensions(const Shape& x,
                                  absl::Span<const int64_t> batch,
                                  absl::Span<const int64_t> contracted,
                                  Sizes& sizes, Flags& flags) {
  for (size_t i = 0; i < x.dimensions().size(); ++i) {
    if (Contains(batch, i) || Contains(contracted, i)) continue;
    sizes.push_back(x.dimensions()[i]);
    flags.push_back(x.is_dynamic_dimension(i));
  }
  return absl::OkStatus();
}

struct DotNumbers {
  Sizes lhs_batch, lhs_contracting, rhs_batch, rhs_contracting;
};

absl::StatusOr<DotNumbers> ReadDotNumbers(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const int64_t lhs = Operand(input, 0).dimensions().size();
  const int64_t rhs = Operand(input, 1).dimensions().size();
  DotNumbers numbers;
  FERRY_ASSIGN_OR_RETURN(
      numbers.lhs_batch,
      DimensionNumbers(input, HloAttributeKind::kLhsBatchDims, lhs));
  FERRY_ASSIGN_OR_RETURN(
      numbers.lhs_contracting,
      DimensionNumbers(input, HloAttributeKind::kLhsContractingDims, lhs));
  FERRY_ASSIGN_OR_RETURN(
      numbers.rhs_batch,
      DimensionNumbers(input, HloAttributeKind::kRhsBatchDims, rhs));
  FERRY_ASSIGN_OR_RETURN(
      numbers.rhs_contracting,
      DimensionNumbers(input, HloAttributeKind::kRhsContractingDims, rhs));
  return numbers;
}

}  // namespace

Result InferDot(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const DotNumbers n, ReadDotNumbers(input));
  const Shape& lhs = Operand(input, 0);
  const Shape& rhs = Operand(input, 1);
  if (n.lhs_contracting.size() != n.rhs_contracting.size() ||
      n.lhs_batch.size() != n.rhs_batch.size()) {
    return Error(
        "Must specify the same number of contracting and batch "
        "dimensions for lhs and rhs.");
  }
  for (size_t i = 0; i < n.lhs_contracting.size(); ++i) {
    const int64_t a = lhs.dimensions()[n.lhs_contracting[i]];
    const int64_t b = rhs.dimensions()[n.rhs_contracting[i]];
    if (a != b && a != kUnboundedDimension && b != kUnboundedDimension) {
      return Error("Cannot infer shape for dot operation: ", lhs.ToString(),
                   " <dot> ", rhs.ToString(),
                   ". Contracting dimension sizes are not compatible.");
    }
  }
  Sizes sizes;
  Flags flags;
  for (int64_t dimension : n.lhs_batch) {
    sizes.push_back(lhs.dimensions()[dimension]);
    flags.push_back(lhs.is_dynamic_dimension(dimension));
  }
  FERRY_RETURN_IF_ERROR(
      AppendFreeDimensions(lhs, n.lhs_batch, n.lhs_contracting, sizes, flags));
  FERRY_RETURN_IF_ERROR(
      AppendFreeDimensions(rhs, n.rhs_batch, n.rhs_contracting, sizes, flags));
  return MakeArray(input, MorePrecise(lhs.element_type(), rhs.element_type()),
                   sizes, flags);
}

// The ragged dimension may be free ([b,m,n]), contracted ([g,b,m,n]) or batch.
Result InferRaggedDot(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const DotNumbers n, ReadDotNumbers(input));
  const Shape& lhs = Operand(input, 0);
  const Shape& rhs = Operand(input, 1);
  FERRY_ASSIGN_OR_RETURN(
      const Sizes ragged,
      DimensionNumbers(input, HloAttributeKind::kLhsRaggedDims,
                       lhs.dimensions().size()));
  FERRY_ASSIGN_OR_RETURN(
      Sizes group, DimensionNumbers(input, HloAttributeKind::kRhsGroupDims,
                                    rhs.dimensions().size()));
  if (ragged.size() != 1) return Error("ragged-dot needs one ragged dimension");
  const Shape& group_sizes = Operand(input, 2);
  Sizes sizes;
  Flags flags;
  if (Contains(n.lhs_contracting, ragged[0])) {
    if (group_sizes.dimensions().empty()) return Error("no group sizes");
    sizes.push_back(group_sizes.dimensions().back());
    flags.push_back(false);
  }
  for (int64_t dimension : n.lhs_batch) {
    sizes.push_back(lhs.dimensions()[dimension]);
    flags.push_back(lhs.is_dynamic_dimension(dimension));
  }
  FERRY_RETURN_IF_ERROR(
      AppendFreeDimensions(lhs, n.lhs_batch, n.lhs_contracting, sizes, flags));
  Sizes not_free = n.rhs_contracting;
  not_free.insert(not_free.end(), group.begin(), group.end());
  FERRY_RETURN_IF_ERROR(
      AppendFreeDimensions(rhs, n.rhs_batch, not_free, sizes, flags));
  return MakeArray(input, MorePrecise(lhs.element_type(), rhs.element_type()),
                   sizes, flags);
}

Result InferConvolution(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& lhs = Operand(input, 0);
  const Shape& rhs = Operand(input, 1);
  const absl::string_view labels =
      input.attribute(HloAttributeKind::kDimLabels);
  const size_t kernel_at = labels.find('_');
  const size_t out_at = labels.find("->");
  if (kernel_at == absl::string_view::npos ||
      out_at == absl::string_view::npos || out_at < kernel_at) {
    return Error("bad dimension labels");
  }
  const absl::string_view base = labels.substr(0, kernel_at);
  const absl::string_view kernel =
      labels.substr(kernel_at + 1, out_at - kernel_at - 1);
  const absl::string_view out = labels.substr(out_at + 2);
  if (base.size() != lhs.dimensions().size() ||
      kernel.size() != rhs.dimensions().size()) {
    return Error("the dimension labels do not fit the ranks of ",
                 lhs.ToString(), " and ", rhs.ToString());
  }
  const auto window = ReadWindow(input.attribute(HloAttributeKind::kWindow));
  const int64_t groups = std::max<int64_t>(
      1, Integer(input, HloAttributeKind::kBatchGroupCount, 1));
  Sizes sizes;
  for (char label : out) {
    const size_t in_base = base.find(label);
    const size_t in_kernel = kernel.find('o');
    std::optional<int64_t> size;
    if (label == 'b' && in_base != absl::string_view::npos) {
      size = lhs.dimensions()[in_base] / groups;
    } else if (label == 'f' && in_kernel != absl::string_view::npos) {
      size = rhs.dimensions()[in_kernel];
    } else if (label == '?') {
      size = 1;
    } else if (in_base != absl::string_view::npos) {
      const size_t spatial = label - '0';
      WindowDimension dimension;
      if (window.has_value() && spatial < window->size()) {
        dimension = (*window)[spatial];
      }
      size = WindowedSize(lhs.dimensions()[in_base], dimension);
    }
    if (!size.has_value()) return Error("bad convolution dimensions");
    sizes.push_back(*size);
  }
  return MakeArray(input, MorePrecise(lhs.element_type(), rhs.element_type()),
                   sizes);
}

Result InferFft(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const absl::string_view type = input.attribute(HloAttributeKind::kFftType);
  FERRY_ASSIGN_OR_RETURN(const Sizes length,
                         Integers(input, HloAttributeKind::kFftLength));
  if (type == "FFT" || type == "IFFT") return &x;
  if (length.empty() || x.dimensions().size() < length.size()) {
    return Error("fft_length does not fit the rank of ", x.ToString());
  }
  Sizes sizes(x.dimensions().begin(), x.dimensions().end());
  if (type == "RFFT") {
    sizes.back() = length.back() / 2 + 1;
    return MakeArray(input,
                     x.element_type() == PrimitiveType::kF64
                         ? PrimitiveType::kC128
                         : PrimitiveType::kC64,
                     sizes);
  }
  sizes.back() = length.back();
  return MakeArray(input, RealPart(x.element_type()).value_or(x.element_type()),
                   sizes);
}

Result InferGather(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& indices = Operand(input, 1);
  FERRY_ASSIGN_OR_RETURN(const Sizes slices,
                         Integers(input, HloAttributeKind::kSliceSizes));
  FERRY_ASSIGN_OR_RETURN(const Sizes offsets,
                         Integers(input, HloAttributeKind::kOffsetDims));
  FERRY_ASSIGN_OR_RETURN(
      const Sizes collapsed,
      Integers(input, HloAttributeKind::kCollapsedSliceDims));
  FERRY_ASSIGN_OR_RETURN(
      const Sizes batching,
      Integers(input, HloAttributeKind::kOperandBatchingDims));
  const int64_t vector_dimension =
      Integer(input, HloAttributeKind::kIndexVectorDim, 0);
  Sizes window;
  for (size_t i = 0; i < slices.size(); ++i) {
    if (!Contains(collapsed, i) && !Contains(batching, i)) {
      window.push_back(slices[i]);
    }
  }
  Sizes batch;
  for (size_t i = 0; i < indices.dimensions().size(); ++i) {
    if (static_cast<int64_t>(i) != vector_dimension) {
      batch.push_back(indices.dimensions()[i]);
    }
  }
  if (offsets.size() != window.size()) {
    return Error(
        "All components of the offset index in a gather op must "
        "either be a offset dimension or explicitly collapsed");
  }
  Sizes sizes;
  auto next_window = window.begin();
  auto next_batch = batch.begin();
  for (size_t i = 0; i < window.size() + batch.size(); ++i) {
    const bool is_offset = Contains(offsets, i);
    auto& next = is_offset ? next_window : next_batch;
    if (next == (is_offset ? window.end() : batch.end())) {
      return Error("offset_dims are out of range");
    }
    sizes.push_back(*next++);
  }
  return MakeArray(input, Operand(input, 0).element_type(), sizes);
}

}  // namespace ferry::shape_inference
