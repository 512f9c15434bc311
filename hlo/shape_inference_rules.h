// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_INFERENCE_RULES_H_
#define FERRY_HLO_SHAPE_INFERENCE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/shape_inference.h"
#include "ferry/hlo/window.h"

// What the parts of InferShape share; not for use by others.
// Tested by shape_inference_test.cc.
namespace ferry::shape_inference {

using Result = absl::StatusOr<const Shape*>;
using Sizes = absl::InlinedVector<int64_t, 6>;

// The dimensions of a shape that is being made.
struct Dimensions {
  Sizes sizes;
  absl::InlinedVector<bool, 6> dynamic;  // as long as `sizes`

  void Add(int64_t size, bool is_dynamic) {
    sizes.push_back(size);
    dynamic.push_back(is_dynamic);
  }
  // Dimension `dimension` of `shape`.
  void AddFrom(const Shape& shape, int64_t dimension) {
    Add(shape.dimensions()[dimension], shape.is_dynamic_dimension(dimension));
  }
};
Dimensions DimensionsOf(const Shape& shape);

template <typename... Parts>
absl::Status Error(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// A shape for a message: without layout.
inline std::string Human(const Shape& shape) {
  return shape.ToString(/*with_layout=*/false);
}

inline const Shape& Operand(const ShapeInferenceInput& input, size_t i) {
  return *input.operands[i];
}
inline int64_t RankOf(const Shape& shape) { return shape.dimensions().size(); }
inline bool IsScalar(const Shape& shape) {
  return shape.IsArray() && shape.dimensions().empty();
}
// Equal, or one of them unbounded.
inline bool CompatibleSizes(int64_t a, int64_t b) {
  return a == b || a == kUnboundedDimension || b == kUnboundedDimension;
}

absl::Status ExpectArray(const Shape& shape, absl::string_view what);

// With the default layout.
const Shape* MakeArray(const ShapeInferenceInput& input, PrimitiveType type,
                       const Dimensions& dimensions);
Result MakeTuple(const ShapeInferenceInput& input,
                 absl::Span<const Shape* const> elements);
// One result, or a tuple of several.
Result MakeResult(const ShapeInferenceInput& input,
                  absl::Span<const Shape* const> elements);
// `shape` with another type and the same layout; a width in the layout that
// the type does not need (`E(4)` of an f32) falls away.
const Shape* WithType(const ShapeInferenceInput& input, const Shape& shape,
                      PrimitiveType type);

// Whether a window can slide: sizes, strides and dilations are positive.
absl::Status CheckWindowDimension(const WindowDimension& dimension,
                                  absl::string_view window);

// The attribute's value; empty, or `otherwise`, if there is none.
absl::StatusOr<Sizes> Integers(const ShapeInferenceInput& input,
                               HloAttributeKind kind);
int64_t Integer(const ShapeInferenceInput& input, HloAttributeKind kind,
                int64_t otherwise);
bool Contains(absl::Span<const int64_t> numbers, int64_t number);
bool HasDuplicates(absl::Span<const int64_t> numbers);
// "1, 2".
std::string Joined(absl::Span<const int64_t> numbers);

// Rules, by file.
//
// infer_elementwise.cc
Result InferUnary(const ShapeInferenceInput& input);
Result InferBinary(const ShapeInferenceInput& input);
Result InferSelect(const ShapeInferenceInput& input);
Result InferClamp(const ShapeInferenceInput& input);
Result InferConvert(const ShapeInferenceInput& input);
Result InferBitcastConvert(const ShapeInferenceInput& input);
Result InferStochasticConvert(const ShapeInferenceInput& input);
Result InferReducePrecision(const ShapeInferenceInput& input);
// infer_data_movement.cc
Result InferTranspose(const ShapeInferenceInput& input);
Result InferConcatenate(const ShapeInferenceInput& input);
Result InferPad(const ShapeInferenceInput& input);
Result InferReverse(const ShapeInferenceInput& input);
Result InferGetDimensionSize(const ShapeInferenceInput& input);
Result InferSetDimensionSize(const ShapeInferenceInput& input);
Result InferTopk(const ShapeInferenceInput& input);
Result InferSort(const ShapeInferenceInput& input);
// infer_slice.cc
Result InferSlice(const ShapeInferenceInput& input);
Result InferDynamicSlice(const ShapeInferenceInput& input);
Result InferDynamicUpdateSlice(const ShapeInferenceInput& input);
// infer_calls.cc
Result InferCall(const ShapeInferenceInput& input);
Result InferWhile(const ShapeInferenceInput& input);
Result InferConditional(const ShapeInferenceInput& input);
Result InferMap(const ShapeInferenceInput& input);
Result InferScan(const ShapeInferenceInput& input);
// infer_reduction.cc
// How a computation that combines scalars must look: it takes an accumulator
// and an element of each of `inputs`, and gives an accumulator; accumulators
// have the shapes `initial`.
absl::Status CheckReducer(const HloComputation& reducer,
                          absl::Span<const Shape* const> initial,
                          absl::Span<const PrimitiveType> inputs);
// The scalars, or the elements of a tuple of them, that `reducer` gives.
absl::InlinedVector<const Shape*, 2> AccumulatorsOf(
    const HloComputation& reducer);
Result InferReduce(const ShapeInferenceInput& input);
Result InferReduceWindow(const ShapeInferenceInput& input);
Result InferSelectAndScatter(const ShapeInferenceInput& input);
// infer_dot.cc
Result InferDot(const ShapeInferenceInput& input);
Result InferRaggedDot(const ShapeInferenceInput& input);
Result InferScaledDot(const ShapeInferenceInput& input);
// infer_convolution.cc
Result InferConvolution(const ShapeInferenceInput& input);
// infer_linear_algebra.cc
Result InferFft(const ShapeInferenceInput& input);
Result InferCholesky(const ShapeInferenceInput& input);
Result InferTriangularSolve(const ShapeInferenceInput& input);
Result InferBatchNorm(const ShapeInferenceInput& input);
// infer_gather_scatter.cc
Result InferGather(const ShapeInferenceInput& input);
Result InferScatter(const ShapeInferenceInput& input);

}  // namespace ferry::shape_inference

#endif  // FERRY_HLO_SHAPE_INFERENCE_RULES_H_
