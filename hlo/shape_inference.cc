// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The table of rules, and what they share. A rule checks that the operands fit
// and makes the result; the files infer_*.cc have one family of opcodes each.
// Operand counts and needed attributes were checked before; shapes are not
// trusted.

#include "ferry/hlo/shape_inference.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace shape_inference {

Dimensions DimensionsOf(const Shape& shape) {
  Dimensions dimensions;
  for (int64_t i = 0; i < RankOf(shape); ++i) dimensions.AddFrom(shape, i);
  return dimensions;
}

absl::Status ExpectArray(const Shape& shape, absl::string_view what) {
  if (shape.IsArray()) return absl::OkStatus();
  return Error("Expected array argument for ", what, ", but got ", Human(shape),
               ".");
}

const Shape* MakeArray(const ShapeInferenceInput& input, PrimitiveType type,
                       const Dimensions& dimensions) {
  return &input.context.GetArrayShape(
      type, dimensions.sizes,
      &input.context.GetDefaultLayout(dimensions.sizes.size()),
      dimensions.dynamic);
}

Result MakeTuple(const ShapeInferenceInput& input,
                 absl::Span<const Shape* const> elements) {
  int64_t nodes = 1;
  for (const Shape* element : elements) nodes += element->node_count();
  if (nodes > ShapeParser::kMaxNodes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the tuple shape has ", nodes, " nodes; at most ",
                     ShapeParser::kMaxNodes, " are supported"));
  }
  return &input.context.GetTupleShape(elements);
}

Result MakeResult(const ShapeInferenceInput& input,
                  absl::Span<const Shape* const> elements) {
  if (elements.size() == 1) return elements[0];
  return MakeTuple(input, elements);
}

const Shape* WithType(const ShapeInferenceInput& input, const Shape& shape,
                      PrimitiveType type) {
  const bool has_width = shape.layout() != nullptr &&
                         shape.layout()->fields().element_size_in_bits != 0;
  if (type == shape.element_type() && !has_width) return &shape;
  const Dimensions dimensions = DimensionsOf(shape);
  const Layout* layout = shape.layout();
  if (has_width) {
    LayoutFields fields = layout->fields();
    fields.element_size_in_bits = 0;
    layout = &input.context.GetLayout(fields);
  }
  return &input.context.GetArrayShape(type, dimensions.sizes, layout,
                                      dimensions.dynamic);
}

absl::Status CheckWindowDimension(const WindowDimension& dimension,
                                  absl::string_view window) {
  absl::string_view what;
  if (dimension.size <= 0) {
    what = "dimension";
  } else if (dimension.stride <= 0) {
    what = "stride";
  } else if (dimension.base_dilation < 1) {
    what = "base area dilation factor";
  } else if (dimension.window_dilation < 1) {
    what = "window dilation factor";
  } else {
    return absl::OkStatus();
  }
  return Error("Window ", window, " has a non-positive ", what, ".");
}

absl::StatusOr<Sizes> Integers(const ShapeInferenceInput& input,
                               HloAttributeKind kind) {
  const absl::string_view text = input.attribute(kind);
  if (text.empty()) return Sizes();
  std::optional<Sizes> integers = ReadIntegers(text);
  if (!integers.has_value()) {
    return Error("`", HloAttributeName(kind), "` is no list of integers");
  }
  return *std::move(integers);
}

int64_t Integer(const ShapeInferenceInput& input, HloAttributeKind kind,
                int64_t otherwise) {
  return ReadInteger(input.attribute(kind)).value_or(otherwise);
}

bool Contains(absl::Span<const int64_t> numbers, int64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

bool HasDuplicates(absl::Span<const int64_t> numbers) {
  Sizes sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

std::string Joined(absl::Span<const int64_t> numbers) {
  return absl::StrJoin(numbers, ", ");
}

}  // namespace shape_inference

namespace {

using namespace shape_inference;

Result InferFirst(const ShapeInferenceInput& input) {
  return &Operand(input, 0);
}

Result InferTuple(const ShapeInferenceInput& input) {
  return MakeTuple(input, input.operands);
}

Result InferGetTupleElement(const ShapeInferenceInput& input) {
  const Shape& tuple = Operand(input, 0);
  if (!tuple.IsTuple()) {
    return Error("Cannot infer shape: attempting to index into non-tuple: ",
                 tuple.ToString(), ".");
  }
  const int64_t count = tuple.tuple_shapes().size();
  if (input.number < 0 || input.number >= count) {
    return Error("Cannot infer shape: attempt to index out of tuple bounds: ",
                 input.number, " >= ", count, " in shape ", tuple.ToString(),
                 ".");
  }
  return tuple.tuple_shapes()[input.number];
}

Result InferToken(const ShapeInferenceInput& input) {
  return &input.context.GetShapeWithoutElements(PrimitiveType::kToken);
}

Result InferDeviceId(const ShapeInferenceInput& input) {
  return MakeArray(input, PrimitiveType::kU32, {});
}

using Rule = Result (*)(const ShapeInferenceInput&);

// The rules of opcodes that are not elementwise.
Rule RuleOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kTuple:
      return InferTuple;
    case HloOpcode::kGetTupleElement:
      return InferGetTupleElement;
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
      return InferFirst;
    case HloOpcode::kAfterAll:
      return InferToken;
    case HloOpcode::kPartitionId:
    case HloOpcode::kReplicaId:
      return InferDeviceId;
    case HloOpcode::kTranspose:
      return InferTranspose;
    case HloOpcode::kConcatenate:
      return InferConcatenate;
    case HloOpcode::kPad:
      return InferPad;
    case HloOpcode::kReverse:
      return InferReverse;
    case HloOpcode::kGetDimensionSize:
      return InferGetDimensionSize;
    case HloOpcode::kSetDimensionSize:
      return InferSetDimensionSize;
    case HloOpcode::kTopk:
      return InferTopk;
    case HloOpcode::kSort:
      return InferSort;
    case HloOpcode::kSlice:
      return InferSlice;
    case HloOpcode::kDynamicSlice:
      return InferDynamicSlice;
    case HloOpcode::kDynamicUpdateSlice:
      return InferDynamicUpdateSlice;
    case HloOpcode::kCall:
      return InferCall;
    case HloOpcode::kWhile:
      return InferWhile;
    case HloOpcode::kConditional:
      return InferConditional;
    case HloOpcode::kMap:
      return InferMap;
    case HloOpcode::kScan:
      return InferScan;
    case HloOpcode::kReduce:
      return InferReduce;
    case HloOpcode::kReduceWindow:
      return InferReduceWindow;
    case HloOpcode::kSelectAndScatter:
      return InferSelectAndScatter;
    case HloOpcode::kDot:
      return InferDot;
    case HloOpcode::kRaggedDot:
      return InferRaggedDot;
    case HloOpcode::kScaledDot:
      return InferScaledDot;
    case HloOpcode::kConvolution:
      return InferConvolution;
    case HloOpcode::kFft:
      return InferFft;
    case HloOpcode::kCholesky:
      return InferCholesky;
    case HloOpcode::kTriangularSolve:
      return InferTriangularSolve;
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormGrad:
      return InferBatchNorm;
    case HloOpcode::kGather:
      return InferGather;
    case HloOpcode::kScatter:
      return InferScatter;
    default:
      return nullptr;
  }
}

Rule ElementwiseRuleOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kSelect:
      return InferSelect;
    case HloOpcode::kClamp:
      return InferClamp;
    case HloOpcode::kConvert:
      return InferConvert;
    case HloOpcode::kBitcastConvert:
      return InferBitcastConvert;
    case HloOpcode::kStochasticConvert:
      return InferStochasticConvert;
    case HloOpcode::kReducePrecision:
      return InferReducePrecision;
    default:
      return LegalOperandCount(opcode).max == 2 ? InferBinary : InferUnary;
  }
}

Rule AnyRuleOf(HloOpcode opcode) {
  return HasTrait(opcode, kElementwise) ? ElementwiseRuleOf(opcode)
                                        : RuleOf(opcode);
}

}  // namespace

absl::string_view ShapeInferenceInput::attribute(HloAttributeKind kind) const {
  for (const HloAttribute& attribute : attributes) {
    if (attribute.kind == kind) return attribute.text;
  }
  return {};
}

bool HasInferenceRule(HloOpcode opcode) { return AnyRuleOf(opcode) != nullptr; }

absl::StatusOr<const Shape*> InferShape(const ShapeInferenceInput& input) {
  const Rule rule = AnyRuleOf(input.opcode);
  if (rule == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "cannot infer shape for opcode: ", HloOpcodeName(input.opcode)));
  }
  return rule(input);
}

}  // namespace ferry
