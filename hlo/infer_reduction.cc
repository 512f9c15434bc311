// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Many elements are combined into one by a computation on scalars.

#include <algorithm>
#include <vector>

#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/window.h"

namespace ferry::shape_inference {
namespace {

// `shape` against a scalar of `type`, two float types being equal.
bool IsScalarOf(const Shape& shape, PrimitiveType type) {
  return IsScalar(shape) &&
         IsSameTypeIgnoringPrecision(shape.element_type(), type);
}

std::string ScalarName(PrimitiveType type) {
  return absl::StrCat(PrimitiveTypeName(type), "[]");
}

absl::Status ExpectSameSizes(absl::Span<const Shape* const> arrays) {
  const Shape& first = *arrays[0];
  for (size_t i = 0; i < arrays.size(); ++i) {
    FERRY_RETURN_IF_ERROR(ExpectArray(*arrays[i], "operand of a reduction"));
    if (std::equal(first.dimensions().begin(), first.dimensions().end(),
                   arrays[i]->dimensions().begin(),
                   arrays[i]->dimensions().end(), CompatibleSizes)) {
      continue;
    }
    return Error(
        "All reduced tensors must have compatible dimension. Tensor "
        "at index 0 has shape ",
        Human(first), ", and tensor at index ", i, " has shape ",
        Human(*arrays[i]), ".");
  }
  return absl::OkStatus();
}

// The reducer of `arrays`, whose initial values follow them.
absl::Status CheckReducerOf(const ShapeInferenceInput& input,
                            absl::Span<const Shape* const> arrays) {
  absl::InlinedVector<PrimitiveType, 2> types;
  for (const Shape* array : arrays) types.push_back(array->element_type());
  return CheckReducer(*input.called_computations[0],
                      input.operands.subspan(arrays.size()), types);
}

// The places that the window takes on `base`.
absl::StatusOr<Dimensions> WindowedDimensions(const ShapeInferenceInput& input,
                                              const Shape& base) {
  const absl::string_view text = input.attribute(HloAttributeKind::kWindow);
  const auto window = ReadWindow(text);
  const int64_t count = window.has_value() ? window->size() : 0;
  if (count != RankOf(base)) {
    return Error("Window has dimension ", count,
                 " but base shape has dimension ", RankOf(base), ".");
  }
  Dimensions dimensions;
  for (int64_t i = 0; i < count; ++i) {
    FERRY_RETURN_IF_ERROR(CheckWindowDimension((*window)[i], text));
    const auto size = WindowedSize(base.dimensions()[i], (*window)[i]);
    if (!size.has_value()) {
      return Error("Window ", text, " does not fit dimension ", i, " of ",
                   Human(base));
    }
    dimensions.Add(*size, base.is_dynamic_dimension(i));
  }
  return dimensions;
}

}  // namespace

absl::InlinedVector<const Shape*, 2> AccumulatorsOf(
    const HloComputation& reducer) {
  const Shape& result = reducer.root().shape();
  if (!result.IsTuple()) return {&result};
  return {result.tuple_shapes().begin(), result.tuple_shapes().end()};
}

absl::Status CheckReducer(const HloComputation& reducer,
                          absl::Span<const Shape* const> initial,
                          absl::Span<const PrimitiveType> inputs) {
  const size_t count = inputs.size();
  const auto parameters = reducer.parameters();
  if (parameters.size() != 2 * count) {
    return Error("Reduction function must take ", 2 * count,
                 " parameters, but takes ", parameters.size(),
                 " parameter(s).");
  }
  const auto accumulators = AccumulatorsOf(reducer);
  if (accumulators.size() != count) {
    return Error("Reduction function must produce a tuple with ", count,
                 " elements, but produces ", accumulators.size(),
                 " elements: ", Human(reducer.root().shape()));
  }
  for (const Shape* accumulator : accumulators) {
    if (IsScalar(*accumulator)) continue;
    return Error(
        "Reduction function must return a scalar or tuple of scalars "
        "but returns shape: ",
        Human(reducer.root().shape()));
  }
  for (size_t i = 0; i < count; ++i) {
    const Shape& accumulator = *accumulators[i];
    const Shape& left = parameters[i]->shape();
    const Shape& right = parameters[count + i]->shape();
    if (!accumulator.IsCompatible(left)) {
      return Error("Reduction function's ", i,
                   "-th parameter shape differs from the result shape: ",
                   Human(left), " vs ", Human(accumulator));
    }
    if (!accumulator.IsCompatibleIgnoringPrecision(*initial[i])) {
      return Error("Reduction function's accumulator shape at index ", i,
                   " differs from the init_value shape: ", Human(accumulator),
                   " vs ", Human(*initial[i]));
    }
    if (!IsScalarOf(right, inputs[i])) {
      return Error("Reduction function's ", count + i,
                   "-th parameter shape differs from the input type element "
                   "type: ",
                   Human(right), " vs ", ScalarName(inputs[i]));
    }
    if (!accumulator.IsCompatibleIgnoringPrecision(right)) {
      return Error("Reduction function's ", count + i,
                   "-th parameter shape must match the result shape, but got ",
                   Human(right), " vs ", Human(accumulator), ".");
    }
  }
  return absl::OkStatus();
}

Result InferReduce(const ShapeInferenceInput& input) {
  const auto arrays = input.operands.first(input.operands.size() / 2);
  if (arrays.empty()) return Error("reduce needs an array and a scalar");
  FERRY_RETURN_IF_ERROR(ExpectSameSizes(arrays));
  const Shape& x = *arrays[0];
  FERRY_ASSIGN_OR_RETURN(const Sizes reduced,
                         Integers(input, HloAttributeKind::kDimensions));
  for (int64_t number : reduced) {
    if (number >= 0 && number < RankOf(x)) continue;
    return Error("Reducing out-of-bounds dimension ", number, " in shape ",
                 Human(x), ".");
  }
  FERRY_RETURN_IF_ERROR(CheckReducerOf(input, arrays));
  for (size_t i = 1; i < reduced.size(); ++i) {
    if (Contains(absl::MakeConstSpan(reduced).first(i), reduced[i])) {
      return Error("Duplicate reduction dimension: ", reduced[i]);
    }
  }
  Dimensions kept;
  for (int64_t i = 0; i < RankOf(x); ++i) {
    if (!Contains(reduced, i)) kept.AddFrom(x, i);
  }
  std::vector<const Shape*> results;
  for (const Shape* accumulator :
       AccumulatorsOf(*input.called_computations[0])) {
    results.push_back(MakeArray(input, accumulator->element_type(), kept));
  }
  if (input.called_computations[0]->root().shape().IsTuple()) {
    return MakeTuple(input, results);
  }
  return results[0];
}

Result InferReduceWindow(const ShapeInferenceInput& input) {
  // XLA's reader infers as if there were one array.
  const bool is_reading = input.declared == nullptr;
  const auto arrays =
      input.operands.first(is_reading ? 1 : input.operands.size() / 2);
  if (arrays.empty()) return Error("reduce-window needs an array and a scalar");
  FERRY_RETURN_IF_ERROR(ExpectSameSizes(arrays));
  FERRY_RETURN_IF_ERROR(CheckReducerOf(input, arrays));
  std::vector<const Shape*> results;
  for (size_t i = 0; i < arrays.size(); ++i) {
    FERRY_ASSIGN_OR_RETURN(const Dimensions dimensions,
                           WindowedDimensions(input, *arrays[i]));
    results.push_back(MakeArray(
        input, Operand(input, arrays.size() + i).element_type(), dimensions));
  }
  if (!is_reading && input.called_computations[0]->root().shape().IsTuple()) {
    return MakeTuple(input, results);
  }
  return MakeResult(input, results);
}

Result InferSelectAndScatter(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const Shape& source = Operand(input, 1);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of select-and-scatter"));
  const HloComputation& select = *input.called_computations[0];
  const auto parameters = select.parameters();
  if (parameters.size() != 2) {
    return Error("Select function must take 2 parameters, but takes ",
                 parameters.size(), " parameter(s).");
  }
  const Shape& choice = select.root().shape();
  if (!IsScalar(choice) || choice.element_type() != PrimitiveType::kPred) {
    return Error("Select function must have rank-0 PRED result.");
  }
  for (int i = 0; i < 2; ++i) {
    if (IsScalarOf(parameters[i]->shape(), x.element_type())) continue;
    return Error("Select function's ", i == 0 ? "first" : "second",
                 " parameter shape currently must match the operand element "
                 "shape, but got ",
                 Human(parameters[i]->shape()), " vs ",
                 ScalarName(x.element_type()), ".");
  }
  FERRY_RETURN_IF_ERROR(CheckReducer(*input.called_computations[1],
                                     {&Operand(input, 2)},
                                     {source.element_type()}));
  FERRY_ASSIGN_OR_RETURN(const Dimensions dimensions,
                         WindowedDimensions(input, x));
  const Shape& windowed = *MakeArray(input, x.element_type(), dimensions);
  if (!source.IsCompatibleIgnoringPrecision(windowed)) {
    return Error(
        "Source shape does not match the shape of window-reduced "
        "operand: source(",
        Human(source), "), window-reduced operand(", Human(windowed), ").");
  }
  return &x;
}

}  // namespace ferry::shape_inference
