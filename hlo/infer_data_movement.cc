// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Elements go to other places, or their order changes; none is computed.

#include <algorithm>
#include <optional>

#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/padding_config.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace ferry::shape_inference {
namespace {

// The sum of two sizes, `?` if one of them is; nullopt beyond 2^63.
std::optional<int64_t> AddSizes(int64_t a, int64_t b) {
  if (a == kUnboundedDimension || b == kUnboundedDimension) {
    return kUnboundedDimension;
  }
  int64_t sum = 0;
  if (llvm::AddOverflow(a, b, sum)) return std::nullopt;
  return sum;
}

// Adds `next` to the concatenation `sum`, which is `first` so far.
absl::Status Concatenate(const Shape& first, const Shape& next, int64_t along,
                         Dimensions& sum) {
  if (RankOf(first) != RankOf(next)) {
    return Error(
        "Cannot concatenate arrays with different ranks: ", RankOf(first), " (",
        Human(first), ") vs ", RankOf(next), " (", Human(next), ").");
  }
  if (!IsSameTypeIgnoringPrecision(first.element_type(), next.element_type())) {
    return Error("Cannot concatenate arrays with different element types: ",
                 PrimitiveTypeMessageName(first.element_type()), " vs ",
                 PrimitiveTypeMessageName(next.element_type()), ".");
  }
  for (int64_t i = 0; i < RankOf(first); ++i) {
    const int64_t size = next.dimensions()[i];
    if (i == along) {
      const std::optional<int64_t> longer = AddSizes(sum.sizes[i], size);
      if (!longer.has_value() ||
          (*longer < 0 && *longer != kUnboundedDimension)) {
        return Error("the concatenated dimension passes 2^63");
      }
      sum.sizes[i] = *longer;
      sum.dynamic[i] |= next.is_dynamic_dimension(i);
      continue;
    }
    if (!CompatibleSizes(first.dimensions()[i], size)) {
      return Error(
          "Cannot concatenate arrays that differ in dimensions other than the "
          "one being concatenated. Dimension ",
          i, " in both shapes must be equal (or compatible): ", Human(first),
          " vs ", Human(next), ".");
    }
    if (sum.sizes[i] == kUnboundedDimension) {
      sum.sizes[i] = size;
      sum.dynamic[i] = next.is_dynamic_dimension(i);
    } else if (size != kUnboundedDimension) {
      sum.dynamic[i] |= next.is_dynamic_dimension(i);
    }
  }
  return absl::OkStatus();
}

// The first of `dimensions`, which is what opcodes of one dimension look at.
absl::StatusOr<int64_t> OneDimension(const ShapeInferenceInput& input,
                                     absl::string_view what) {
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  const Shape& x = Operand(input, 0);
  if (!x.IsArray()) return Error(what, " needs an array, got ", Human(x));
  if (numbers.empty()) return Error(what, " needs a dimension");
  if (numbers[0] < 0 || numbers[0] >= RankOf(x)) {
    return Error(what, " dimension out of bounds: ", numbers[0], ".");
  }
  return numbers[0];
}

}  // namespace

// The layout is permuted too, so that no byte moves.
Result InferTranspose(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "transpose"));
  FERRY_ASSIGN_OR_RETURN(const Sizes from,
                         Integers(input, HloAttributeKind::kDimensions));
  const int64_t rank = RankOf(x);
  bool permutes = static_cast<int64_t>(from.size()) == rank;
  for (size_t i = 0; permutes && i < from.size(); ++i) {
    permutes =
        from[i] >= 0 && from[i] < rank &&
        std::find(from.begin(), from.begin() + i, from[i]) == from.begin() + i;
  }
  if (!permutes) {
    return Error("Transpose dimensions [", absl::StrJoin(from, ","),
                 "] are not a permutation of the operand dimensions (operand "
                 "shape is ",
                 Human(x), ").");
  }
  Dimensions dimensions;
  Sizes to(rank);
  for (int64_t i = 0; i < rank; ++i) {
    dimensions.AddFrom(x, from[i]);
    to[from[i]] = i;
  }
  if (x.layout() == nullptr) {
    return MakeArray(input, x.element_type(), dimensions);
  }
  LayoutFields fields = x.layout()->fields();
  for (int64_t& dimension : fields.minor_to_major) {
    if (dimension < 0 || dimension >= rank) {
      return Error("the operand's layout is no permutation");
    }
    dimension = to[dimension];
  }
  return &input.context.GetArrayShape(x.element_type(), dimensions.sizes,
                                      &input.context.GetLayout(fields),
                                      dimensions.dynamic);
}

Result InferConcatenate(const ShapeInferenceInput& input) {
  const Shape& first = Operand(input, 0);
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  FERRY_RETURN_IF_ERROR(ExpectArray(first, "operand of concatenation"));
  if (numbers.size() != 1) return Error("concatenate needs one dimension");
  if (numbers[0] < 0 || numbers[0] >= RankOf(first)) {
    return Error("Concatenate dimension out of bounds: ", numbers[0], ".");
  }
  for (const Shape* operand : input.operands) {
    FERRY_RETURN_IF_ERROR(ExpectArray(*operand, "operand of concatenation"));
  }
  Dimensions sum = DimensionsOf(first);
  PrimitiveType type = first.element_type();
  for (size_t i = 1; i < input.operands.size(); ++i) {
    const Shape& next = Operand(input, i);
    FERRY_RETURN_IF_ERROR(Concatenate(first, next, numbers[0], sum));
    type = HigherPrecision(type, next.element_type());
  }
  return MakeArray(input, type, sum);
}

Result InferPad(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const Shape& value = Operand(input, 1);
  if (!x.IsArray() || !value.IsArray()) {
    return Error("Pad operation does not support tuple-shape operands.");
  }
  if (!IsScalar(value)) {
    return Error("Pad operation does not support non-scalar padding values.");
  }
  const absl::string_view text = input.attribute(HloAttributeKind::kPadding);
  const auto padding = ReadPadding(text);
  if (!padding.has_value() ||
      static_cast<int64_t>(padding->size()) != RankOf(x)) {
    return Error(
        "The rank of the operand and the padding configuration do not match: ",
        Human(x), " vs ", text, ".");
  }
  if (!IsSameTypeIgnoringPrecision(x.element_type(), value.element_type())) {
    return Error("The element types of the operands to Pad do not match.");
  }
  Dimensions dimensions;
  for (size_t i = 0; i < padding->size(); ++i) {
    if ((*padding)[i].interior < 0) {
      return Error("Interior padding cannot be negative: ", text, ".");
    }
    const auto size = PaddedSize(x.dimensions()[i], (*padding)[i]);
    if (!size.has_value()) return Error("the padded size passes 2^63");
    if (*size < 0 && *size != kUnboundedDimension) {
      return Error("Padding result in negative size for dimension ", i);
    }
    dimensions.Add(*size, x.is_dynamic_dimension(i));
  }
  return MakeArray(input,
                   HigherPrecision(x.element_type(), value.element_type()),
                   dimensions);
}

Result InferReverse(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of reverse"));
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  if (HasDuplicates(numbers)) {
    return Error("a dimension number is duplicated in reverse");
  }
  for (int64_t number : numbers) {
    if (number >= 0 && number < RankOf(x)) continue;
    return Error("One of the reverse dimensions (", number,
                 ") is out-of-bounds in shape ", Human(x), ".");
  }
  return &x;
}

Result InferGetDimensionSize(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(OneDimension(input, "GetDimensionSize").status());
  return MakeArray(input, PrimitiveType::kS32, {});
}

Result InferSetDimensionSize(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const int64_t number,
                         OneDimension(input, "SetDimensionSize"));
  const Shape& x = Operand(input, 0);
  const Shape& value = Operand(input, 1);
  if (!IsScalar(value) || value.element_type() != PrimitiveType::kS32) {
    return Error("SetDimensionSize's value has to be S32 scalar, got ",
                 Human(value));
  }
  Dimensions dimensions = DimensionsOf(x);
  dimensions.dynamic[number] = true;
  return &input.context.GetArrayShape(x.element_type(), dimensions.sizes,
                                      x.layout(), dimensions.dynamic);
}

Result InferTopk(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of top-k operation"));
  const int64_t k = Integer(input, HloAttributeKind::kK, 0);
  Dimensions dimensions = DimensionsOf(x);
  if (dimensions.sizes.empty()) {
    if (k > 0) return Error("k=", k, " is larger than the one element");
  } else {
    const int64_t last = dimensions.sizes.back();
    if (last != kUnboundedDimension && last < k) {
      return Error("k=", k,
                   " is larger than the last dimension of size=", last);
    }
    if (k < 0) return Error("Invalid dimension size ", k);
    dimensions.sizes.back() = k;
    dimensions.dynamic.back() = false;
  }
  return MakeTuple(input, {MakeArray(input, x.element_type(), dimensions),
                           MakeArray(input, PrimitiveType::kS32, dimensions)});
}

Result InferSort(const ShapeInferenceInput& input) {
  FERRY_ASSIGN_OR_RETURN(const Sizes numbers,
                         Integers(input, HloAttributeKind::kDimensions));
  if (numbers.size() != 1) return Error("sort needs one dimension");
  const Shape& keys = Operand(input, 0);
  for (size_t i = 1; i < input.operands.size(); ++i) {
    const Shape& values = Operand(input, i);
    if (values.IsArray() && keys.IsArray() &&
        std::equal(keys.dimensions().begin(), keys.dimensions().end(),
                   values.dimensions().begin(), values.dimensions().end(),
                   CompatibleSizes)) {
      continue;
    }
    return Error("Sort keys and values dimensions must match. Keys shape is: ",
                 Human(keys), ", values shape (operand index ", i,
                 ") is: ", Human(values));
  }
  return MakeResult(input, input.operands);
}

}  // namespace ferry::shape_inference
