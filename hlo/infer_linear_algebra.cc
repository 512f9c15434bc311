// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Fourier transforms, decompositions, and normalization over a batch.

#include <algorithm>

#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"

namespace ferry::shape_inference {
namespace {

// The last dimension of `x` gets `size`; it stays dynamic if it was.
const Shape* WithLastSize(const ShapeInferenceInput& input, const Shape& x,
                          int64_t size, PrimitiveType type) {
  Dimensions dimensions = DimensionsOf(x);
  const bool unbounded = dimensions.sizes.back() == kUnboundedDimension;
  dimensions.sizes.back() = size;
  if (unbounded) dimensions.dynamic.back() = false;
  return WithType(
      input,
      input.context.GetArrayShape(x.element_type(), dimensions.sizes,
                                  x.layout(), dimensions.dynamic),
      type);
}

Result InferRfft(const ShapeInferenceInput& input, const Sizes& length) {
  const Shape& x = Operand(input, 0);
  const PrimitiveType type = x.element_type();
  if (type != PrimitiveType::kF32 && type != PrimitiveType::kF64) {
    return Error("RFFT requires F32 or F64 input type, found ",
                 PrimitiveTypeMessageName(type), ".");
  }
  for (size_t i = 0; i < length.size(); ++i) {
    const int64_t at = RankOf(x) - length.size() + i;
    if (CompatibleSizes(x.dimensions()[at], length[i])) continue;
    return Error(
        "RFFT requires innermost dimensions match fft_length but "
        "dimension ",
        at, " is ", x.dimensions()[at], " and should be ", length[i], ".");
  }
  const PrimitiveType complex =
      type == PrimitiveType::kF32 ? PrimitiveType::kC64 : PrimitiveType::kC128;
  // Half of the result mirrors the other half and is left out.
  const int64_t last = x.dimensions().back();
  const int64_t size = last == 0 ? 0 : length.back() / 2 + 1;
  return WithLastSize(input, x, size, complex);
}

Result InferIrfft(const ShapeInferenceInput& input, const Sizes& length) {
  const Shape& x = Operand(input, 0);
  const std::optional<PrimitiveType> real = ComplexPart(x.element_type());
  for (size_t i = 0; i + 1 < length.size(); ++i) {
    const int64_t at = RankOf(x) - length.size() + i;
    if (CompatibleSizes(x.dimensions()[at], length[i])) continue;
    return Error(
        "IRFFT requires all but one innermost dimensions match "
        "fft_length, but dimension ",
        at, " is ", x.dimensions()[at], " and should be ", length[i], ".");
  }
  const int64_t last = x.dimensions().back();
  const int64_t expected = length.back() / 2 + 1;
  if (last != 0 && !CompatibleSizes(last, expected)) {
    return Error(
        "IRFFT requires innermost dimension matches fft_length/2+1, "
        "but dimension ",
        RankOf(x) - 1, " is ", last, " and should be ", expected, ".");
  }
  if (length.back() < 0) {
    return Error("fft_length ", length.back(), " is negative.");
  }
  return WithLastSize(input, x, last == 0 ? 0 : length.back(), *real);
}

// Of `what`, an operand of a batch-norm: one number for each feature.
absl::Status ExpectPerFeature(const ShapeInferenceInput& input, size_t number,
                              absl::string_view title, absl::string_view what,
                              bool check_rank) {
  const absl::string_view name = HloOpcodeName(input.opcode);
  const Shape& x = Operand(input, 0);
  const Shape& factor = Operand(input, number);
  FERRY_RETURN_IF_ERROR(ExpectArray(factor, absl::StrCat(what, " of ", name)));
  if (check_rank && RankOf(factor) != 1) {
    return Error(title, " input of ", name, " must have rank 1, but has rank ",
                 RankOf(factor), ".");
  }
  if (!IsSameTypeIgnoringPrecision(factor.element_type(), x.element_type())) {
    return Error("The inputs should have the same element type for ", name,
                 ", but the shape of ", what, " is ",
                 PrimitiveTypeMessageName(factor.element_type()),
                 " and the shape of operand is ",
                 PrimitiveTypeMessageName(x.element_type()), ".");
  }
  return absl::OkStatus();
}

absl::Status ExpectFeatureCount(const ShapeInferenceInput& input, size_t number,
                                int64_t features, absl::string_view what) {
  const Shape& factor = Operand(input, number);
  if (RankOf(factor) > 0 && CompatibleSizes(factor.dimensions()[0], features)) {
    return absl::OkStatus();
  }
  return Error("The size of ", what,
               " should be compatible with feature count, but the size of ",
               what, " is ", RankOf(factor) > 0 ? factor.dimensions()[0] : 0,
               " and the feature count is ", features, ".");
}

// One operand of a batch-norm, for checks and messages.
struct Factor {
  size_t number;
  absl::string_view title;
  absl::string_view what;
  bool check_rank;
};

absl::InlinedVector<Factor, 4> FactorsOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kBatchNormTraining:
      return {{2, "Offset", "offset factor", true},
              {1, "Scale", "scale factor", true}};
    case HloOpcode::kBatchNormInference:
      return {{2, "Offset", "offset factor", true},
              {1, "Scale", "scale factor", true},
              {3, "Mean", "mean", false},
              {4, "Variance", "variance", false}};
    default:
      return {{2, "Mean", "mean", true},
              {1, "Scale", "scale factor", true},
              {3, "Variance", "variance", true}};
  }
}

absl::Status CheckFeatureIndex(const ShapeInferenceInput& input,
                               int64_t feature) {
  const absl::string_view name = HloOpcodeName(input.opcode);
  const Shape& x = Operand(input, 0);
  if (feature >= RankOf(x)) {
    return Error("Expected feature_index of ", name,
                 " to be smaller than the rank of operand_shape; got "
                 "feature_index ",
                 feature, ", and rank ", RankOf(x), ".");
  }
  if (feature < 0) {
    return Error("Expected feature_index of ", name,
                 " to be a non-negative number, got ", feature, ".");
  }
  return absl::OkStatus();
}

// The gradient that comes in has the shape of the operand.
absl::Status CheckOutputGradient(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const Shape& gradient = Operand(input, 4);
  FERRY_RETURN_IF_ERROR(
      ExpectArray(gradient, "output_grad of batch-norm-grad"));
  if (RankOf(gradient) != RankOf(x)) {
    return Error(
        "Expected operand_shape of batch-norm-grad to have the same "
        "rank as output_grad_shape; got rank(oprand_shape) ",
        RankOf(x), ", and rank(output_grad_shape) ", RankOf(gradient), ".");
  }
  if (!IsSameTypeIgnoringPrecision(gradient.element_type(), x.element_type())) {
    return Error(
        "The inputs should have the same element type for "
        "batch-norm-grad, but the element type of output_grad is ",
        PrimitiveTypeMessageName(gradient.element_type()),
        " and the element type of operand is ",
        PrimitiveTypeMessageName(x.element_type()), ".");
  }
  for (int64_t i = 0; i < RankOf(x); ++i) {
    if (CompatibleSizes(x.dimensions()[i], gradient.dimensions()[i])) continue;
    return Error(
        "The bounds of operand shape should be the same as "
        "output_grad's, but the bound of operand_shape at dimension ",
        i, " is ", x.dimensions()[i], " and the bound of output_grad_shape is ",
        gradient.dimensions()[i], ".");
  }
  return absl::OkStatus();
}

}  // namespace

Result InferFft(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const absl::string_view type = input.attribute(HloAttributeKind::kFftType);
  FERRY_ASSIGN_OR_RETURN(const Sizes length,
                         Integers(input, HloAttributeKind::kFftLength));
  const int64_t rank = length.size();
  if (rank < 1 || rank > 3) {
    return Error("FFT only supports ranks 1-3; got ", rank, ".");
  }
  if (x.IsArray() && RankOf(x) < rank) {
    return Error("FFT of rank ", rank,
                 " requires input of at least same rank; got input of rank ",
                 RankOf(x));
  }
  if (type == "RFFT") return InferRfft(input, length);
  if (!IsComplex(x.element_type())) {
    return Error(type, " requires complex input type, found ",
                 PrimitiveTypeMessageName(x.element_type()), ".");
  }
  if (type == "IRFFT") return InferIrfft(input, length);
  return &x;
}

Result InferCholesky(const ShapeInferenceInput& input) {
  const Shape& a = Operand(input, 0);
  if (!IsFloatingPoint(a.element_type()) && !IsComplex(a.element_type())) {
    return Error(
        "Expected element type in shape to be floating or complex for "
        "Cholesky; got ",
        PrimitiveTypeMessageName(a.element_type()), ".");
  }
  if (RankOf(a) < 2) {
    return Error("The 'a' argument to Cholesky must have rank >= 2, got shape ",
                 Human(a));
  }
  const auto last = a.dimensions().last(2);
  if (!CompatibleSizes(last[0], last[1])) {
    return Error(
        "The two minor dimensions of 'a' must have compatible size, "
        "got ",
        Human(a), ".");
  }
  return &a;
}

Result InferTriangularSolve(const ShapeInferenceInput& input) {
  const Shape& a = Operand(input, 0);
  const Shape& b = Operand(input, 1);
  const PrimitiveType type = a.element_type();
  if ((!IsFloatingPoint(type) && !IsComplex(type)) ||
      type != b.element_type()) {
    return Error(
        "Expected element types in shape to be floating or complex "
        "and identical for TriangularSolve; got ",
        PrimitiveTypeMessageName(type), " and ",
        PrimitiveTypeMessageName(b.element_type()), ".");
  }
  if (RankOf(a) < 2) {
    return Error(
        "The 'a' argument to TriangularSolve must have rank >= 2, got "
        "shape ",
        Human(a));
  }
  if (RankOf(b) != RankOf(a)) {
    return Error("Arguments to triangular solve must have equal rank; got ",
                 Human(b), " and ", Human(a), ".");
  }
  const auto last = a.dimensions().last(2);
  if (!CompatibleSizes(last[0], last[1])) {
    return Error("The two minor dimensions of 'a' must have equal size, got ",
                 Human(a), ".");
  }
  const bool left = input.attribute(HloAttributeKind::kLeftSide) == "true";
  const int64_t rank = RankOf(b);
  if (!CompatibleSizes(last[1], b.dimensions()[rank - (left ? 2 : 1)])) {
    return Error(
        "The shared dimension of 'a' and 'b' does not match, got "
        "shapes ",
        Human(a), " and ", Human(b));
  }
  if (!std::equal(a.dimensions().begin(), a.dimensions().end() - 2,
                  b.dimensions().begin(), CompatibleSizes)) {
    return Error(
        "The leading batch dimensions of the arguments to triangular "
        "solve must be equal; got ",
        Human(b), " and ", Human(a), ".");
  }
  const absl::string_view transpose =
      input.attribute(HloAttributeKind::kTransposeA);
  if (transpose.empty() || transpose == "TRANSPOSE_INVALID") {
    return Error("Invalid transpose option value for triangular solve (0).");
  }
  return &b;
}

// Training and gradient give (array, per feature, per feature); inference the
// array.
Result InferBatchNorm(const ShapeInferenceInput& input) {
  const absl::string_view name = HloOpcodeName(input.opcode);
  const Shape& x = Operand(input, 0);
  const bool is_gradient = input.opcode == HloOpcode::kBatchNormGrad;
  FERRY_RETURN_IF_ERROR(ExpectArray(x, absl::StrCat("operand of ", name)));
  const int64_t feature = Integer(input, HloAttributeKind::kFeatureIndex, 0);
  FERRY_RETURN_IF_ERROR(CheckFeatureIndex(input, feature));
  if (!IsFloatingPoint(x.element_type())) {
    return Error("The operand to ", name,
                 " must have a floating point element type, but the shape is ",
                 PrimitiveTypeMessageName(x.element_type()), ".");
  }
  if (is_gradient) FERRY_RETURN_IF_ERROR(CheckOutputGradient(input));
  const auto factors = FactorsOf(input.opcode);
  for (const Factor& factor : factors) {
    FERRY_RETURN_IF_ERROR(ExpectPerFeature(input, factor.number, factor.title,
                                           factor.what, factor.check_rank));
  }
  const int64_t features = x.dimensions()[feature];
  for (const Factor& factor : factors) {
    FERRY_RETURN_IF_ERROR(
        ExpectFeatureCount(input, factor.number, features, factor.what));
  }
  if (input.opcode == HloOpcode::kBatchNormInference) return &x;
  Dimensions per_feature;
  per_feature.AddFrom(x, feature);
  const Shape* numbers = MakeArray(input, x.element_type(), per_feature);
  return MakeTuple(input, {&x, numbers, numbers});
}

}  // namespace ferry::shape_inference
