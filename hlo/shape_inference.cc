// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// One function per family of opcodes; the switch of RuleOf says which. Operand
// counts and needed attributes were checked before; shapes are not trusted.

#include "ferry/hlo/shape_inference.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/window.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace shape_inference {

const Shape& Operand(const ShapeInferenceInput& input, size_t i) {
  return *input.operands[i];
}

absl::Status ExpectArray(const Shape& shape, absl::string_view what) {
  if (shape.IsArray()) return absl::OkStatus();
  return Error("Expected array argument for ", what, ", but got ",
               shape.ToString(), ".");
}

absl::Status ExpectArrays(const ShapeInferenceInput& input) {
  for (const Shape* operand : input.operands) {
    FERRY_RETURN_IF_ERROR(ExpectArray(*operand, HloOpcodeName(input.opcode)));
  }
  return absl::OkStatus();
}

Flags DynamicFlags(const Shape& shape) {
  Flags flags;
  if (!shape.is_dynamic()) return flags;
  for (size_t i = 0; i < shape.dimensions().size(); ++i) {
    flags.push_back(shape.is_dynamic_dimension(i));
  }
  return flags;
}

const Shape* MakeArray(const ShapeInferenceInput& input, PrimitiveType type,
                       absl::Span<const int64_t> sizes, Flags flags) {
  // Sizes made by arithmetic may be unbounded although no flag says so.
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != kUnboundedDimension) continue;
    flags.resize(sizes.size(), false);
    flags[i] = true;
  }
  return &input.context.GetArrayShape(
      type, sizes, &input.context.GetDefaultLayout(sizes.size()), flags);
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
  return MakeArray(input, type, shape.dimensions(), DynamicFlags(shape));
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

absl::StatusOr<Sizes> DimensionNumbers(const ShapeInferenceInput& input,
                                       HloAttributeKind kind, int64_t rank) {
  FERRY_ASSIGN_OR_RETURN(Sizes numbers, Integers(input, kind));
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0 || numbers[i] >= rank) {
      return Error("dimension number ", numbers[i], " of `",
                   HloAttributeName(kind), "` is out of range for rank ", rank);
    }
    if (std::find(numbers.begin(), numbers.begin() + i, numbers[i]) !=
        numbers.begin() + i) {
      return Error("`", HloAttributeName(kind), "` has ", numbers[i], " twice");
    }
  }
  return numbers;
}

bool Contains(absl::Span<const int64_t> numbers, int64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

PrimitiveType MorePrecise(PrimitiveType a, PrimitiveType b) {
  if (BitWidth(a) != BitWidth(b)) return BitWidth(a) > BitWidth(b) ? a : b;
  return a;
}

std::optional<PrimitiveType> RealPart(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return std::nullopt;
}

}  // namespace shape_inference

namespace {

using namespace shape_inference;

// --- Elementwise.

Result InferSame(const ShapeInferenceInput& input) {
  return &Operand(input, 0);
}

Result InferUnary(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  return &Operand(input, 0);
}

Result InferReal(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const auto part = RealPart(x.element_type());
  return part.has_value() ? WithType(input, x, *part) : &x;
}

Result InferIsFinite(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  return WithType(input, Operand(input, 0), PrimitiveType::kPred);
}

// Equal sizes; XLA's inference still lets a size of 1 stretch.
Result BroadcastTwo(const ShapeInferenceInput& input, PrimitiveType type) {
  const Shape& a = Operand(input, 0);
  const Shape& b = Operand(input, 1);
  const auto mismatch = [&] {
    return Error("Binary op with incompatible shapes: ",
                 a.ToString(/*with_layout=*/false), " and ",
                 b.ToString(/*with_layout=*/false), ".");
  };
  if (a.dimensions().size() != b.dimensions().size()) return mismatch();
  Sizes sizes;
  Flags flags;
  for (size_t i = 0; i < a.dimensions().size(); ++i) {
    const int64_t x = a.dimensions()[i];
    const int64_t y = b.dimensions()[i];
    const bool unbounded = x == kUnboundedDimension || y == kUnboundedDimension;
    if (x != y && x != 1 && y != 1 && !unbounded) return mismatch();
    const bool take_b = x == 1 || x == kUnboundedDimension;
    sizes.push_back(take_b ? y : x);
    flags.push_back(a.is_dynamic_dimension(i) || b.is_dynamic_dimension(i));
  }
  return MakeArray(input, type, sizes, flags);
}

Result InferBinary(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const PrimitiveType a = Operand(input, 0).element_type();
  const PrimitiveType b = Operand(input, 1).element_type();
  if (a != b &&
      !Operand(input, 0).IsCompatibleIgnoringPrecision(Operand(input, 1))) {
    return Error("Binary op with incompatible shapes: ",
                 Operand(input, 0).ToString(false), " and ",
                 Operand(input, 1).ToString(false), ".");
  }
  return BroadcastTwo(input, MorePrecise(a, b));
}

Result InferCompare(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  return BroadcastTwo(input, PrimitiveType::kPred);
}

Result InferComplex(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const PrimitiveType part = Operand(input, 0).element_type();
  if (part != PrimitiveType::kF32 && part != PrimitiveType::kF64) {
    return Error("complex needs f32 or f64 parts, but got ",
                 PrimitiveTypeName(part));
  }
  return BroadcastTwo(input, part == PrimitiveType::kF32
                                 ? PrimitiveType::kC64
                                 : PrimitiveType::kC128);
}

Result InferSelect(const ShapeInferenceInput& input) {
  const Shape& on_true = Operand(input, 1);
  if (Operand(input, 0).element_type() != PrimitiveType::kPred) {
    return Error("Select's pred operand must have PRED element type; got ",
                 Operand(input, 0).ToString(), ".");
  }
  if (!on_true.IsCompatibleIgnoringPrecision(Operand(input, 2))) {
    return Error("Operands to select must be the same shape; got ",
                 on_true.ToString(), " and ", Operand(input, 2).ToString(),
                 ".");
  }
  return &on_true;
}

Result InferSecond(const ShapeInferenceInput& input) {
  return &Operand(input, 1);
}

// --- Data movement.

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

// The layout is permuted too, so that no byte moves.
Result InferTranspose(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const int64_t rank = x.dimensions().size();
  FERRY_ASSIGN_OR_RETURN(
      const Sizes from,
      DimensionNumbers(input, HloAttributeKind::kDimensions, rank));
  if (static_cast<int64_t>(from.size()) != rank) {
    return Error("Transpose dimensions not a permutation of the operand's.");
  }
  Sizes sizes;
  Flags flags;
  Sizes to(rank);
  for (int64_t i = 0; i < rank; ++i) {
    sizes.push_back(x.dimensions()[from[i]]);
    flags.push_back(x.is_dynamic_dimension(from[i]));
    to[from[i]] = i;
  }
  if (x.layout() == nullptr) {
    return MakeArray(input, x.element_type(), sizes, flags);
  }
  LayoutFields fields = x.layout()->fields();
  for (int64_t& dimension : fields.minor_to_major) {
    if (dimension < 0 || dimension >= rank) {
      return Error("the operand's layout is no permutation");
    }
    dimension = to[dimension];
  }
  return &input.context.GetArrayShape(x.element_type(), sizes,
                                      &input.context.GetLayout(fields), flags);
}

Result InferConcatenate(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& first = Operand(input, 0);
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         DimensionNumbers(input, HloAttributeKind::kDimensions,
                                          first.dimensions().size()));
  if (numbers.size() != 1) return Error("concatenate needs one dimension");
  Sizes sizes(first.dimensions().begin(), first.dimensions().end());
  for (size_t i = 1; i < input.operands.size(); ++i) {
    const Shape& next = Operand(input, i);
    if (next.dimensions().size() != sizes.size()) {
      return Error(
          "Cannot concatenate arrays with different numbers of "
          "dimensions: ",
          sizes.size(), " (", first.ToString(), ") vs ",
          next.dimensions().size(), " (", next.ToString(), ").");
    }
    int64_t& sum = sizes[numbers[0]];
    const int64_t more = next.dimensions()[numbers[0]];
    if (sum == kUnboundedDimension || more == kUnboundedDimension) {
      sum = kUnboundedDimension;
    } else if (llvm::AddOverflow(sum, more, sum)) {
      return Error("the concatenated dimension passes 2^63");
    }
  }
  return MakeArray(input, first.element_type(), sizes, DynamicFlags(first));
}

Result InferPad(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const auto padding = ReadPadding(input.attribute(HloAttributeKind::kPadding));
  if (!padding.has_value() || padding->size() != x.dimensions().size()) {
    return Error("the padding does not fit the rank of ", x.ToString());
  }
  Sizes sizes;
  for (size_t i = 0; i < padding->size(); ++i) {
    const auto size = PaddedSize(x.dimensions()[i], (*padding)[i]);
    if (!size.has_value()) return Error("the padded size passes 2^63");
    if (*size < 0) {
      return Error("Padding result in negative size for dimension ", i);
    }
    sizes.push_back(*size);
  }
  return MakeArray(input, x.element_type(), sizes, DynamicFlags(x));
}

Result InferToken(const ShapeInferenceInput& input) {
  return &input.context.GetShapeWithoutElements(PrimitiveType::kToken);
}

Result InferDimensionSize(const ShapeInferenceInput& input) {
  return MakeArray(input, PrimitiveType::kS32, {});
}

Result InferDeviceId(const ShapeInferenceInput& input) {
  return MakeArray(input, PrimitiveType::kU32, {});
}

Result InferSetDimensionSize(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         DimensionNumbers(input, HloAttributeKind::kDimensions,
                                          x.dimensions().size()));
  if (numbers.size() != 1) return Error("needs one dimension");
  Flags flags = DynamicFlags(x);
  flags.resize(x.dimensions().size(), false);
  flags[numbers[0]] = true;
  return &input.context.GetArrayShape(x.element_type(), x.dimensions(),
                                      x.layout(), flags);
}

Result InferTopk(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  if (x.dimensions().empty()) return Error("topk needs an array of rank >= 1");
  Sizes sizes(x.dimensions().begin(), x.dimensions().end());
  sizes.back() = Integer(input, HloAttributeKind::kK, 0);
  if (sizes.back() < 0) return Error("k is negative");
  return MakeTuple(input, {MakeArray(input, x.element_type(), sizes),
                           MakeArray(input, PrimitiveType::kS32, sizes)});
}

// --- Calls.

Result InferCall(const ShapeInferenceInput& input) {
  return &input.called_computations[0]->root().shape();
}

Result InferMap(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& scalar = input.called_computations[0]->root().shape();
  return WithType(input, Operand(input, 0), scalar.element_type());
}

// The element shapes of n parallel results of one reducer.
Result PerReduced(const ShapeInferenceInput& input,
                  absl::Span<const int64_t> sizes, const Flags& flags) {
  const Shape& reduced = input.called_computations[0]->root().shape();
  const size_t count = std::max<size_t>(1, input.operands.size() / 2);
  std::vector<const Shape*> results;
  for (size_t i = 0; i < count; ++i) {
    const bool from_tuple =
        reduced.IsTuple() && i < reduced.tuple_shapes().size();
    const Shape& element = from_tuple ? *reduced.tuple_shapes()[i] : reduced;
    FERRY_RETURN_IF_ERROR(ExpectArray(element, "a reducer's result"));
    results.push_back(MakeArray(input, element.element_type(), sizes, flags));
  }
  return MakeResult(input, results);
}

Result InferReduce(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const int64_t rank = x.dimensions().size();
  FERRY_ASSIGN_OR_RETURN(
      const Sizes reduced,
      DimensionNumbers(input, HloAttributeKind::kDimensions, rank));
  Sizes sizes;
  Flags flags;
  for (int64_t i = 0; i < rank; ++i) {
    if (Contains(reduced, i)) continue;
    sizes.push_back(x.dimensions()[i]);
    flags.push_back(x.is_dynamic_dimension(i));
  }
  return PerReduced(input, sizes, flags);
}

Result InferReduceWindow(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(ExpectArrays(input));
  const Shape& x = Operand(input, 0);
  const auto window = ReadWindow(input.attribute(HloAttributeKind::kWindow));
  if (!window.has_value() || window->size() != x.dimensions().size()) {
    return Error("Window has dimension ",
                 window.has_value() ? window->size() : 0,
                 " but base shape has dimension ", x.dimensions().size());
  }
  Sizes sizes;
  for (size_t i = 0; i < window->size(); ++i) {
    const auto size = WindowedSize(x.dimensions()[i], (*window)[i]);
    if (!size.has_value()) return Error("the window passes 2^63");
    sizes.push_back(*size);
  }
  return PerReduced(input, sizes, DynamicFlags(x));
}

Result InferSort(const ShapeInferenceInput& input) {
  return MakeResult(input, input.operands);
}

Result InferScatter(const ShapeInferenceInput& input) {
  return MakeResult(input, input.operands.first(input.operands.size() / 2));
}

// (outputs stacked along the dimension, final carries).
Result InferScan(const ShapeInferenceInput& input) {
  const Shape& root = input.called_computations[0]->root().shape();
  const int64_t carries = Integer(input, HloAttributeKind::kNumCarries, 0);
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  const Shape& x = Operand(input, 0);
  if (numbers.size() != 1 || !x.IsArray() || numbers[0] < 0 ||
      numbers[0] >= static_cast<int64_t>(x.dimensions().size())) {
    return Error("scan needs one dimension of its first input");
  }
  if (!root.IsTuple()) return &root;
  const int64_t outputs = root.tuple_shapes().size() - carries;
  if (outputs < 0) return Error("scan has more carries than results");
  std::vector<const Shape*> results;
  for (int64_t i = 0; i < static_cast<int64_t>(root.tuple_shapes().size());
       ++i) {
    const Shape& element = *root.tuple_shapes()[i];
    if (i >= outputs) {
      results.push_back(&element);
      continue;
    }
    FERRY_RETURN_IF_ERROR(ExpectArray(element, "a scan's output"));
    Sizes sizes(element.dimensions().begin(), element.dimensions().end());
    if (numbers[0] > static_cast<int64_t>(sizes.size())) {
      return Error("a scan's output has too few dimensions");
    }
    sizes.insert(sizes.begin() + numbers[0], x.dimensions()[numbers[0]]);
    results.push_back(MakeArray(input, element.element_type(), sizes));
  }
  return MakeTuple(input, results);
}

// (x, scale, scale).
Result InferBatchNorm(const ShapeInferenceInput& input) {
  const Shape* scale = &Operand(input, 1);
  return MakeTuple(input, {&Operand(input, 0), scale, scale});
}

// --- Which rule.

using Rule = Result (*)(const ShapeInferenceInput&);

Rule RuleOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kTuple:
      return InferTuple;
    case HloOpcode::kGetTupleElement:
      return InferGetTupleElement;
    case HloOpcode::kCopy:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
    case HloOpcode::kWhile:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kReverse:
    case HloOpcode::kCholesky:
    case HloOpcode::kBatchNormInference:
      return InferSame;
    case HloOpcode::kTriangularSolve:
    case HloOpcode::kClamp:
      return InferSecond;
    case HloOpcode::kAbs:
    case HloOpcode::kReal:
    case HloOpcode::kImag:
      return InferReal;
    case HloOpcode::kIsFinite:
      return InferIsFinite;
    case HloOpcode::kCompare:
      return InferCompare;
    case HloOpcode::kComplex:
      return InferComplex;
    case HloOpcode::kSelect:
      return InferSelect;
    case HloOpcode::kTranspose:
      return InferTranspose;
    case HloOpcode::kConcatenate:
      return InferConcatenate;
    case HloOpcode::kPad:
      return InferPad;
    case HloOpcode::kAfterAll:
      return InferToken;
    case HloOpcode::kGetDimensionSize:
      return InferDimensionSize;
    case HloOpcode::kSetDimensionSize:
      return InferSetDimensionSize;
    case HloOpcode::kPartitionId:
    case HloOpcode::kReplicaId:
      return InferDeviceId;
    case HloOpcode::kTopk:
      return InferTopk;
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
      return InferCall;
    case HloOpcode::kMap:
      return InferMap;
    case HloOpcode::kReduce:
      return InferReduce;
    case HloOpcode::kReduceWindow:
      return InferReduceWindow;
    case HloOpcode::kSort:
      return InferSort;
    case HloOpcode::kScatter:
      return InferScatter;
    case HloOpcode::kScan:
      return InferScan;
    case HloOpcode::kDot:
      return InferDot;
    case HloOpcode::kRaggedDot:
      return InferRaggedDot;
    case HloOpcode::kConvolution:
      return InferConvolution;
    case HloOpcode::kFft:
      return InferFft;
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kBatchNormGrad:
      return InferBatchNorm;
    case HloOpcode::kGather:
      return InferGather;
    default:
      break;
  }
  if (!HasTrait(opcode, kElementwise) || !HasTrait(opcode, kInferable)) {
    return nullptr;
  }
  return LegalOperandCount(opcode).max == 2 ? InferBinary : InferUnary;
}

}  // namespace

absl::string_view ShapeInferenceInput::attribute(HloAttributeKind kind) const {
  for (const HloAttribute& attribute : attributes) {
    if (attribute.kind == kind) return attribute.text;
  }
  return {};
}

absl::StatusOr<const Shape*> InferShape(const ShapeInferenceInput& input) {
  const Rule rule = RuleOf(input.opcode);
  if (rule == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        "cannot infer shape for opcode: ", HloOpcodeName(input.opcode)));
  }
  return rule(input);
}

}  // namespace ferry
