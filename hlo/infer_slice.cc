// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Parts of an array that are taken out or written.

#include <optional>

#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/slice_ranges.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/value_reader.h"

namespace ferry::shape_inference {
namespace {

// Where the part starts: one integer scalar for each dimension, all of one
// type, or all of them in one vector. They are the operands from `first` on.
absl::Status CheckStartIndices(const ShapeInferenceInput& input, size_t first,
                               absl::string_view what) {
  const Shape& x = Operand(input, 0);
  const size_t count = input.operands.size() - first;
  if (count == 0) {
    return RankOf(x) == 0
               ? absl::OkStatus()
               : Error(what, " start number of indices 0 must match rank ",
                       RankOf(x), " of slice input.");
  }
  const Shape& start = Operand(input, first);
  FERRY_RETURN_IF_ERROR(ExpectArray(start, what));
  if (!IsInteger(start.element_type())) {
    return Error(what, " start indices must be of integral type.");
  }
  if (RankOf(start) == 1 && count > 1) {
    return Error(what, " should have exactly 1 index operand, has ", count,
                 ".");
  }
  if (RankOf(start) == 1) {
    if (CompatibleSizes(start.dimensions()[0], RankOf(x))) {
      return absl::OkStatus();
    }
    return Error(what, " start number of dimensions ", start.dimensions()[0],
                 " (", Human(start), ") must match rank ", RankOf(x),
                 " of slice input (", Human(x), ").");
  }
  if (static_cast<int64_t>(count) != RankOf(x)) {
    return Error(what, " start number of indices ", count, " must match rank ",
                 RankOf(x), " of slice input (", Human(x), ").");
  }
  for (size_t i = first; i < input.operands.size(); ++i) {
    if (!IsScalar(Operand(input, i))) {
      return Error(what, " indices must be scalar, got ",
                   Human(Operand(input, i)));
    }
    if (Operand(input, i).element_type() != start.element_type()) {
      return Error(what,
                   " start indices must all have the same shape, got "
                   "mismatching indices with shapes ",
                   Human(start), " and ", Human(Operand(input, i)), ".");
    }
  }
  return absl::OkStatus();
}

}  // namespace

Result InferSlice(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of slice"));
  SliceRanges slice;
  const bool is_read =
      ReadWhole(input.attribute(HloAttributeKind::kSlice), slice).ok();
  const int64_t count = is_read ? slice.dimensions.size() : 0;
  if (!is_read || count != RankOf(x)) {
    return Error("Slice index count does not match argument rank: ", count,
                 " vs ", RankOf(x), ".");
  }
  Dimensions dimensions;
  for (int64_t i = 0; i < RankOf(x); ++i) {
    const SliceRange& bound = slice.dimensions[i];
    const int64_t size = x.dimensions()[i];
    if (bound.start < 0) {
      return Error("Negative start index to slice: ", bound.start, ".");
    }
    if (size != kUnboundedDimension && bound.limit > size) {
      return Error("limit index (", bound.limit,
                   ") must be less than or equal to dimension size (", size,
                   ") in slice operation; argument shape: ", Human(x), ".");
    }
    if (bound.start > bound.limit) {
      return Error("limit index (", bound.limit,
                   ") must be greater or equal to start index (", bound.start,
                   ") in slice with positive stride in slice operation; "
                   "argument shape: ",
                   Human(x), ".");
    }
    if (bound.stride <= 0) {
      return Error("Stride (", bound.stride, ") must be positive.");
    }
    const int64_t length = bound.limit - bound.start;
    // Whole dimensions stay dynamic, parts of them too.
    dimensions.Add(length / bound.stride + (length % bound.stride != 0),
                   size != kUnboundedDimension && x.is_dynamic_dimension(i) &&
                       length == size);
  }
  return MakeArray(input, x.element_type(), dimensions);
}

Result InferDynamicSlice(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of dynamic slice"));
  FERRY_RETURN_IF_ERROR(CheckStartIndices(input, 1, "Dynamic slice"));
  FERRY_ASSIGN_OR_RETURN(const Sizes sizes,
                         Integers(input, HloAttributeKind::kDynamicSliceSizes));
  if (static_cast<int64_t>(sizes.size()) != RankOf(x)) {
    return Error("Dynamic slice index count does not match argument rank: ",
                 sizes.size(), " vs ", RankOf(x), ".");
  }
  Dimensions dimensions;
  for (int64_t i = 0; i < RankOf(x); ++i) {
    const int64_t size = x.dimensions()[i];
    if (sizes[i] < 0) {
      return Error("Negative size index to dynamic slice: ", sizes[i], ".");
    }
    if (size != kUnboundedDimension && sizes[i] > size) {
      return Error("Slice dim size ", sizes[i],
                   " greater than dynamic slice dimension: ", size, ".");
    }
    dimensions.Add(sizes[i], size == sizes[i] && x.is_dynamic_dimension(i));
  }
  return MakeArray(input, x.element_type(), dimensions);
}

Result InferDynamicUpdateSlice(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const Shape& update = Operand(input, 1);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of dynamic update slice"));
  FERRY_RETURN_IF_ERROR(ExpectArray(update, "update of dynamic update slice"));
  FERRY_RETURN_IF_ERROR(CheckStartIndices(input, 2, "Dynamic update slice"));
  if (RankOf(x) != RankOf(update)) {
    return Error(
        "Dynamic update slice update rank does not match argument "
        "rank: ",
        RankOf(update), " vs ", RankOf(x), ".");
  }
  if (!IsSameTypeIgnoringPrecision(x.element_type(), update.element_type())) {
    return Error(
        "Dynamic update slice update element type does not match "
        "argument. operand.element_type: ",
        PrimitiveTypeMessageName(x.element_type()), " vs update.element_type: ",
        PrimitiveTypeMessageName(update.element_type()), ".");
  }
  for (int64_t i = 0; i < RankOf(x); ++i) {
    const int64_t size = x.dimensions()[i];
    const int64_t part = update.dimensions()[i];
    if (size == kUnboundedDimension || part == kUnboundedDimension ||
        part <= size) {
      continue;
    }
    return Error("Update dim size ", part,
                 " greater than dynamic slice dimension: ", size, ".");
  }
  return &x;
}

}  // namespace ferry::shape_inference
