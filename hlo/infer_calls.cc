// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Results that the roots of called computations decide.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"

namespace ferry::shape_inference {
namespace {

// "(a: f32[2], b: s32[]) -> f32[2]".
std::string SignatureOf(const HloComputation& computation) {
  const auto parameter = [](std::string* out, const HloInstruction* parameter) {
    absl::StrAppend(out, parameter->name(), ": ", Human(parameter->shape()));
  };
  return absl::StrCat("(",
                      absl::StrJoin(computation.parameters(), ", ", parameter),
                      ") -> ", Human(computation.root().shape()));
}

std::string ShapesOf(const ShapeInferenceInput& input) {
  const auto append = [](std::string* out, const Shape* shape) {
    absl::StrAppend(out, Human(*shape));
  };
  return absl::StrJoin(input.operands, ", ", append);
}

// The shape that all operands of a map have; a scalar goes with any of them.
Result MappedShape(const ShapeInferenceInput& input) {
  const Shape* mapped = input.operands[0];
  for (const Shape* operand : input.operands) {
    FERRY_RETURN_IF_ERROR(ExpectArray(*operand, "operand of map operation"));
    const bool same_sizes =
        std::equal(operand->dimensions().begin(), operand->dimensions().end(),
                   mapped->dimensions().begin(), mapped->dimensions().end(),
                   CompatibleSizes);
    if (same_sizes) continue;
    const bool same_type = IsSameTypeIgnoringPrecision(operand->element_type(),
                                                       mapped->element_type());
    if (same_type && IsScalar(*operand)) continue;
    if (same_type && IsScalar(*mapped)) {
      mapped = operand;
      continue;
    }
    return Error(
        "Map operation requires all operands to have the same shape; "
        "got: ",
        ShapesOf(input), ".");
  }
  return mapped;
}

absl::Status CheckMapped(const HloComputation& callee, const Shape& mapped,
                         absl::Span<const Shape* const> operands) {
  const auto parameters = callee.parameters();
  if (parameters.size() != operands.size()) {
    return Error(
        "Map applied function arity must match number of arguments; "
        "got: arity: ",
        parameters.size(), ", arguments: ", operands.size(), ".");
  }
  if (!IsScalar(callee.root().shape())) {
    return Error("Mapped computation's result has to be a scalar; got: ",
                 Human(callee.root().shape()), ".");
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& parameter = parameters[i]->shape();
    if (!IsScalar(parameter)) {
      return Error(
          "Mapped computation's parameter has to be a scalar; got "
          "parameter ",
          i, " shape: ", Human(parameter), ".");
    }
    if (!IsSameTypeIgnoringPrecision(parameter.element_type(),
                                     operands[i]->element_type())) {
      return Error(
          "Mapped computation's parameter type has to match argument "
          "element type; got parameter ",
          i, " shape: ", Human(parameter), ", argument shape: ", Human(mapped),
          ".");
    }
  }
  return absl::OkStatus();
}

// The first branch's result; at each array, what some branch makes dynamic is.
Result JoinDynamicSizes(const ShapeInferenceInput& input) {
  const Shape& first = input.called_computations[0]->root().shape();
  bool all_equal = true;
  for (const HloComputation* branch : input.called_computations) {
    all_equal &= &branch->root().shape() == &first;
  }
  if (all_equal) return &first;
  return &input.context.MapLeaves(
      first, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
        if (!leaf.IsArray()) return leaf;
        Dimensions dimensions = DimensionsOf(leaf);
        for (const HloComputation* branch : input.called_computations) {
          const Shape& other = branch->root().shape().NodeAt(ordinal);
          for (int64_t i = 0; i < RankOf(leaf); ++i) {
            dimensions.dynamic[i] |= other.is_dynamic_dimension(i);
          }
        }
        return input.context.GetArrayShape(leaf.element_type(),
                                           dimensions.sizes, leaf.layout(),
                                           dimensions.dynamic);
      });
}

}  // namespace

Result InferCall(const ShapeInferenceInput& input) {
  const HloComputation& callee = *input.called_computations[0];
  const auto parameters = callee.parameters();
  if (parameters.size() != input.operands.size()) {
    return Error(
        "Call applied function arity must match number of arguments; "
        "got: arity: ",
        parameters.size(), ", arguments: ", input.operands.size(),
        "; computation signature: ", SignatureOf(callee),
        "; argument shapes: [", ShapesOf(input), "].");
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->shape().IsCompatible(Operand(input, i))) continue;
    return Error("Call parameter must match argument; got parameter ", i,
                 " shape: ", Human(parameters[i]->shape()),
                 ", argument shape: ", Human(Operand(input, i)), ".");
  }
  return &callee.root().shape();
}

Result InferWhile(const ShapeInferenceInput& input) {
  const HloComputation& condition = *input.called_computations[0];
  const HloComputation& body = *input.called_computations[1];
  const Shape& init = Operand(input, 0);
  if (condition.parameters().size() != 1) {
    return Error("Condition must take 1 arguments; got ",
                 condition.parameters().size(), ".");
  }
  if (body.parameters().size() != 1) {
    return Error("Body must take 1 arguments; got ", body.parameters().size(),
                 ".");
  }
  const auto got = [&] {
    return absl::StrCat("got Condition: ", SignatureOf(condition),
                        "; body: ", SignatureOf(body), "; init: ", Human(init),
                        "..");
  };
  const Shape& result = condition.root().shape();
  if (!IsScalar(result) || result.element_type() != PrimitiveType::kPred) {
    return Error("Condition must return a boolean; ", got());
  }
  if (!body.root().shape().IsCompatible(condition.parameters()[0]->shape()) ||
      !body.root().shape().IsCompatible(body.parameters()[0]->shape()) ||
      !body.root().shape().IsCompatible(init)) {
    return Error(
        "The parameter of condition and body, the result of the body, "
        "and init must all have the same shape; ",
        got());
  }
  return &init;
}

Result InferConditional(const ShapeInferenceInput& input) {
  const auto branches = input.called_computations;
  const Shape& first = branches[0]->root().shape();
  for (size_t i = 0; i < branches.size(); ++i) {
    const HloComputation& branch = *branches[i];
    if (branch.parameters().size() != 1) {
      return Error("branch computation ", i, " must take 1 argument; got ",
                   branch.parameters().size(), ".");
    }
    const Shape& operand = Operand(input, i + 1);
    if (!operand.IsCompatible(branch.parameters()[0]->shape())) {
      return Error("branch operand ", i,
                   " must match the shape of the only parameter of branch "
                   "computation ",
                   i, ": got operand: ", Human(operand),
                   "; computation: ", SignatureOf(branch), ".");
    }
    if (!first.IsCompatible(branch.root().shape())) {
      return Error("the result of branch 0 computation and branch ", i,
                   " computation must have the same shape: got branch 0 "
                   "computation result: ",
                   Human(first), "; branch ", i,
                   " computation result: ", Human(branch.root().shape()), ".");
    }
  }
  // Where a branch gives a dynamic size, so does the whole.
  return JoinDynamicSizes(input);
}

Result InferMap(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const Shape* mapped, MappedShape(input));
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  // XLA takes a missing list for garbage, so it does not fit a scalar either.
  const bool is_missing =
      input.attribute(HloAttributeKind::kDimensions).empty();
  if (is_missing || static_cast<int64_t>(numbers.size()) != RankOf(*mapped)) {
    return Error(
        "Map applied to a subset of dimensions currently not "
        "supported: arg_dimension_size: ",
        RankOf(*mapped), ", requested_map_dimensions_size: ", numbers.size(),
        ".");
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == static_cast<int64_t>(i)) continue;
    return Error(
        "Map requires monotonically increasing dimension numbers; "
        "got: ",
        Joined(numbers), ".");
  }
  const HloComputation& callee = *input.called_computations[0];
  FERRY_RETURN_IF_ERROR(CheckMapped(callee, *mapped, input.operands));
  return MakeArray(input, callee.root().shape().element_type(),
                   DimensionsOf(*mapped));
}

// (outputs stacked along the dimension, final carries).
Result InferScan(const ShapeInferenceInput& input) {
  const HloComputation& callee = *input.called_computations[0];
  const Shape& root = callee.root().shape();
  if (callee.parameters().size() != input.operands.size()) {
    return Error("expects ", input.operands.size(),
                 " operands to match the number of parameters of to_apply, but "
                 "to_apply has ",
                 callee.parameters().size(), " parameters");
  }
  const int64_t carries = Integer(input, HloAttributeKind::kNumCarries, 0);
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  const int64_t operands = input.operands.size();
  if (carries < 0 || carries > operands) {
    return Error("expects at least ", carries,
                 " operands to match the number of carries, but has ", operands,
                 " operands");
  }
  if (carries == operands) {
    return Error("Cannot infer shape for scan with no inputs");
  }
  if (numbers.size() != 1) return Error("expects exactly one dimension");
  const Shape& x = Operand(input, 0);
  const auto roots = AccumulatorsOf(callee);
  const int64_t results_count = roots.size();
  if (carries > results_count) {
    return Error("scan has ", carries, " carries, but its computation gives ",
                 results_count, " results");
  }
  const bool in_range =
      x.IsArray() && numbers[0] >= 0 && numbers[0] < RankOf(x);
  if (carries < results_count && !in_range) {
    return Error("scan dimension ", numbers[0], " is out of bounds in ",
                 Human(x));
  }
  std::vector<const Shape*> results;
  for (int64_t i = 0; i < results_count; ++i) {
    const Shape& element = *roots[i];
    if (i >= results_count - carries) {
      results.push_back(&element);
      continue;
    }
    FERRY_RETURN_IF_ERROR(ExpectArray(element, "a scan's output"));
    if (numbers[0] > RankOf(element)) {
      return Error("a scan's output has too few dimensions");
    }
    Dimensions dimensions = DimensionsOf(element);
    dimensions.sizes.insert(dimensions.sizes.begin() + numbers[0],
                            x.dimensions()[numbers[0]]);
    dimensions.dynamic.insert(dimensions.dynamic.begin() + numbers[0], false);
    results.push_back(MakeArray(input, element.element_type(), dimensions));
  }
  return root.IsTuple() ? MakeTuple(input, results) : Result(results[0]);
}

}  // namespace ferry::shape_inference
