// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_INFERENCE_RULES_H_
#define FERRY_HLO_SHAPE_INFERENCE_RULES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/shape_inference.h"

// What the parts of InferShape share; not for use by others.
// Tested by shape_inference_test.cc.
namespace ferry::shape_inference {

using Result = absl::StatusOr<const Shape*>;
using Sizes = absl::InlinedVector<int64_t, 6>;
using Flags = absl::InlinedVector<bool, 6>;

template <typename... Parts>
absl::Status Error(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

const Shape& Operand(const ShapeInferenceInput& input, size_t i);
absl::Status ExpectArray(const Shape& shape, absl::string_view what);
absl::Status ExpectArrays(const ShapeInferenceInput& input);

// Empty if no dimension is dynamic.
Flags DynamicFlags(const Shape& shape);
const Shape* MakeArray(const ShapeInferenceInput& input, PrimitiveType type,
                       absl::Span<const int64_t> sizes, Flags flags = {});
Result MakeTuple(const ShapeInferenceInput& input,
                 absl::Span<const Shape* const> elements);
// One result, or a tuple of several.
Result MakeResult(const ShapeInferenceInput& input,
                  absl::Span<const Shape* const> elements);
const Shape* WithType(const ShapeInferenceInput& input, const Shape& shape,
                      PrimitiveType type);

// The attribute's value; empty, or `otherwise`, if there is none.
absl::StatusOr<Sizes> Integers(const ShapeInferenceInput& input,
                               HloAttributeKind kind);
int64_t Integer(const ShapeInferenceInput& input, HloAttributeKind kind,
                int64_t otherwise);
// Dimensions, each in range for `rank`, none twice.
absl::StatusOr<Sizes> DimensionNumbers(const ShapeInferenceInput& input,
                                       HloAttributeKind kind, int64_t rank);
bool Contains(absl::Span<const int64_t> numbers, int64_t number);

// Of two float types the one with more exponent and mantissa bits, roughly the
// wider one, as XLA's HigherPrecisionElementType.
PrimitiveType MorePrecise(PrimitiveType a, PrimitiveType b);
// Of a complex type; nullopt for all others.
std::optional<PrimitiveType> RealPart(PrimitiveType type);

// Rules (infer_algebra.cc).
Result InferDot(const ShapeInferenceInput& input);
Result InferRaggedDot(const ShapeInferenceInput& input);
Result InferConvolution(const ShapeInferenceInput& input);
Result InferFft(const ShapeInferenceInput& input);
Result InferGather(const ShapeInferenceInput& input);

}  // namespace ferry::shape_inference

#endif  // FERRY_HLO_SHAPE_INFERENCE_RULES_H_
