// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// One element of each operand makes one element of the result. Nearly every
// instruction is one of these, and nearly always all its shapes are the same
// object: that case makes no shape.

#include "absl/strings/str_cat.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/shape_inference_rules.h"
#include "ferry/hlo/status_macros.h"

namespace ferry::shape_inference {
namespace {

absl::Status BadType(absl::string_view expected, absl::string_view operation,
                     PrimitiveType type) {
  return Error("Expected element type in shape to be ", expected, " for ",
               operation, " operation; got ", PrimitiveTypeMessageName(type),
               ".");
}

Result RealPartOf(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  return WithType(input, x,
                  ComplexPart(x.element_type()).value_or(x.element_type()));
}

absl::Status ExpectInteger(PrimitiveType type, absl::string_view operation) {
  if (IsInteger(type)) return absl::OkStatus();
  return Error("Expected an integral element type in argument to ", operation,
               " operation; got ", PrimitiveTypeMessageName(type), ".");
}

// Whether both shapes have the same sizes, flags apart.
bool SameSizes(const Shape& a, const Shape& b) {
  return a.dimensions() == b.dimensions();
}

// A size of one stretches, and so does an unbounded one.
absl::Status JoinSize(const Shape& a, const Shape& b, int64_t i,
                      Dimensions& joined) {
  const int64_t x = a.dimensions()[i];
  const int64_t y = b.dimensions()[i];
  const bool x_dynamic = a.is_dynamic_dimension(i);
  const bool y_dynamic = b.is_dynamic_dimension(i);
  if (x == 1 || y == 1) {
    joined.Add(x == 1 ? y : x, x == 1 ? y_dynamic : x_dynamic);
  } else if (x == y) {
    joined.Add(x, x_dynamic || y_dynamic);
  } else if (x == kUnboundedDimension || y == kUnboundedDimension) {
    joined.Add(x == kUnboundedDimension ? y : x,
               x == kUnboundedDimension ? y_dynamic : x_dynamic);
  } else {
    return Error("Binary op with incompatible shapes: ", Human(a), " and ",
                 Human(b), ".");
  }
  return absl::OkStatus();
}

// The shape of a binary operation with elements of `type`.
Result JoinTwo(const ShapeInferenceInput& input, PrimitiveType type) {
  const Shape& a = Operand(input, 0);
  const Shape& b = Operand(input, 1);
  if (&a == &b) return WithType(input, a, type);
  if (SameSizes(a, b)) {
    // The layout is that of the first.
    Dimensions dimensions = DimensionsOf(a);
    for (int64_t i = 0; i < RankOf(a); ++i) {
      dimensions.dynamic[i] |= b.is_dynamic_dimension(i);
    }
    return WithType(
        input,
        input.context.GetArrayShape(a.element_type(), dimensions.sizes,
                                    a.layout(), dimensions.dynamic),
        type);
  }
  if (RankOf(a) == RankOf(b)) {
    Dimensions joined;
    for (int64_t i = 0; i < RankOf(a); ++i) {
      FERRY_RETURN_IF_ERROR(JoinSize(a, b, i, joined));
    }
    return MakeArray(input, type, joined);
  }
  if (IsScalar(a) || IsScalar(b)) {
    return MakeArray(input, type, DimensionsOf(IsScalar(a) ? b : a));
  }
  const bool a_first = RankOf(a) < RankOf(b);
  return Error("Shapes must be equal rank, but are ", Human(a_first ? a : b),
               " and ", Human(a_first ? b : a));
}

// What the operands of a binary operation may be.
absl::Status CheckBinaryTypes(const ShapeInferenceInput& input) {
  const absl::string_view name = HloOpcodeName(input.opcode);
  const Shape& a = Operand(input, 0);
  const Shape& b = Operand(input, 1);
  const PrimitiveType x = a.element_type();
  FERRY_RETURN_IF_ERROR(
      ExpectArray(a, absl::StrCat("lhs of binary operation ", name)));
  FERRY_RETURN_IF_ERROR(
      ExpectArray(b, absl::StrCat("rhs of binary operation ", name)));
  switch (input.opcode) {
    case HloOpcode::kSubtract:
    case HloOpcode::kAtan2:
    case HloOpcode::kPower:
    case HloOpcode::kDivide:
    case HloOpcode::kRemainder:
    case HloOpcode::kShiftLeft:
    case HloOpcode::kShiftRightArithmetic:
    case HloOpcode::kShiftRightLogical:
      if (x == PrimitiveType::kPred ||
          b.element_type() == PrimitiveType::kPred) {
        return Error(
            "Expected element type in shape to be arithmetic type for "
            "operation ",
            name, "; got PRED.");
      }
      break;
    case HloOpcode::kComplex:
      if (!IsFloatingPoint(x)) {
        return BadType("floating", "complex compose", x);
      }
      break;
    case HloOpcode::kAnd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      if (x != PrimitiveType::kPred && !IsInteger(x)) {
        return Error(
            "Expected pred or integral type in argument to and/or operation; "
            "got ",
            PrimitiveTypeMessageName(x), ".");
      }
      break;
    default:
      break;
  }
  if (!IsSameTypeIgnoringPrecision(x, b.element_type())) {
    return Error("Binary op ", name,
                 " with different element types: ", Human(a), " and ", Human(b),
                 ".");
  }
  if (input.opcode == HloOpcode::kAtan2 && !IsFloatingPoint(x) &&
      !IsComplex(x)) {
    return Error(
        "Expected input element type to be floating or complex for atan2 "
        "operation; got ",
        PrimitiveTypeMessageName(x), ".");
  }
  return absl::OkStatus();
}

// The widths differ by a factor that is the size of the last dimension, which
// one of the shapes has and the other has not.
Result SplitOrJoinElements(const ShapeInferenceInput& input, const Shape& from,
                           PrimitiveType to) {
  const int64_t from_bits = BitWidth(from.element_type());
  const int64_t to_bits = BitWidth(to);
  Dimensions dimensions = DimensionsOf(from);
  if (from_bits < to_bits) {
    const int64_t ratio = to_bits / from_bits;
    if (dimensions.sizes.empty() ||
        !CompatibleSizes(dimensions.sizes.back(), ratio)) {
      return Error("Last dimension of input shape=",
                   dimensions.sizes.empty() ? 0 : dimensions.sizes.back(),
                   " is not equal to ratio of bit-widths=", ratio,
                   " for bitcast-convert from ", Human(from), " to ",
                   PrimitiveTypeMessageName(to));
    }
    dimensions.sizes.pop_back();
    dimensions.dynamic.pop_back();
  } else if (from_bits > to_bits) {
    dimensions.Add(from_bits / to_bits, false);
  }
  return MakeArray(input, to, dimensions);
}

}  // namespace

Result InferUnary(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const PrimitiveType type = x.element_type();
  const absl::string_view name = HloOpcodeName(input.opcode);
  if (input.opcode == HloOpcode::kCopy) return &x;
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "operand of unary operation"));
  switch (input.opcode) {
    case HloOpcode::kCeil:
    case HloOpcode::kFloor:
    case HloOpcode::kRoundNearestAfz:
    case HloOpcode::kRoundNearestEven:
    case HloOpcode::kCbrt:
    case HloOpcode::kErf:
      if (!IsFloatingPoint(type)) return BadType("floating", name, type);
      return &x;
    case HloOpcode::kReal:
    case HloOpcode::kImag:
      if (!IsFloatingPoint(type) && !IsComplex(type)) {
        return BadType("floating or complex", name, type);
      }
      return IsComplex(type) ? RealPartOf(input) : &x;
    case HloOpcode::kAbs:
      if (!IsFloatingPoint(type) && !IsComplex(type) &&
          !IsSignedInteger(type)) {
        return BadType("floating or complex", name, type);
      }
      return IsComplex(type) ? RealPartOf(input) : &x;
    case HloOpcode::kNegate:
      if (type == PrimitiveType::kPred) {
        return BadType("integral, floating or complex", name, type);
      }
      return &x;
    case HloOpcode::kSign:
      if (type == PrimitiveType::kPred || IsUnsignedInteger(type)) {
        return BadType("signed or complex", name, type);
      }
      return &x;
    case HloOpcode::kNot:
      if (type != PrimitiveType::kPred && !IsInteger(type)) {
        return Error(
            "Expected pred or an integral element type in argument to Not "
            "operation; got ",
            PrimitiveTypeMessageName(type), ".");
      }
      return &x;
    case HloOpcode::kPopcnt:
      FERRY_RETURN_IF_ERROR(ExpectInteger(type, "PopulationCount"));
      return &x;
    case HloOpcode::kCountLeadingZeros:
      FERRY_RETURN_IF_ERROR(ExpectInteger(type, "Clz"));
      return &x;
    case HloOpcode::kIsFinite:
      if (!IsFloatingPoint(type)) {
        return BadType("floating point", "IsFinite", type);
      }
      return WithType(input, x, PrimitiveType::kPred);
    default:  // acos, cosine, exponential, ...
      if (!IsFloatingPoint(type) && !IsComplex(type)) {
        return BadType("floating or complex", name, type);
      }
      return &x;
  }
}

Result InferBinary(const ShapeInferenceInput& input) {
  FERRY_RETURN_IF_ERROR(CheckBinaryTypes(input));
  const PrimitiveType type = HigherPrecision(Operand(input, 0).element_type(),
                                             Operand(input, 1).element_type());
  if (input.opcode == HloOpcode::kCompare) {
    return JoinTwo(input, PrimitiveType::kPred);
  }
  if (input.opcode != HloOpcode::kComplex) return JoinTwo(input, type);
  if (Operand(input, 0).element_type() == Operand(input, 1).element_type()) {
    if (type == PrimitiveType::kF32) return JoinTwo(input, PrimitiveType::kC64);
    if (type == PrimitiveType::kF64) {
      return JoinTwo(input, PrimitiveType::kC128);
    }
  }
  FERRY_RETURN_IF_ERROR(JoinTwo(input, type).status());
  return Error("Complex component type is not implemented.");
}

Result InferSelect(const ShapeInferenceInput& input) {
  const Shape& predicate = Operand(input, 0);
  const Shape& on_true = Operand(input, 1);
  const Shape& on_false = Operand(input, 2);
  FERRY_RETURN_IF_ERROR(ExpectArray(predicate, "select pred"));
  FERRY_RETURN_IF_ERROR(ExpectArray(on_true, "select on-true"));
  FERRY_RETURN_IF_ERROR(ExpectArray(on_false, "select on-false"));
  if (!on_true.IsCompatibleIgnoringPrecision(on_false)) {
    return Error("Operands to select must be the same shape; got ",
                 Human(on_true), " and ", Human(on_false), ".");
  }
  if (predicate.element_type() != PrimitiveType::kPred) {
    return Error("Select's pred operand must have PRED element type; got ",
                 Human(predicate), ".");
  }
  const bool is_scalar = IsScalar(predicate);
  bool fits = is_scalar || RankOf(predicate) == RankOf(on_true);
  for (int64_t i = 0; fits && !is_scalar && i < RankOf(on_true); ++i) {
    fits =
        CompatibleSizes(predicate.dimensions()[i], on_true.dimensions()[i]) &&
        CompatibleSizes(predicate.dimensions()[i], on_false.dimensions()[i]);
  }
  if (!fits) {
    return Error(
        "Operands to select and predicate must be the same shape; got ",
        Human(on_true), " and ", Human(on_false), " and ", Human(predicate),
        ".");
  }
  if (&on_true == &on_false && is_scalar) return &on_true;
  // Sizes and layout are those of an array of predicates, if it is one.
  const Shape& full = is_scalar ? on_true : predicate;
  Dimensions dimensions = DimensionsOf(full);
  for (int64_t i = 0; i < RankOf(full); ++i) {
    const bool unbounded_true = on_true.dimensions()[i] == kUnboundedDimension;
    const bool unbounded_false =
        on_false.dimensions()[i] == kUnboundedDimension;
    if (unbounded_true && unbounded_false) {
      dimensions.sizes[i] = kUnboundedDimension;
      dimensions.dynamic[i] = true;
      continue;
    }
    if (unbounded_true || unbounded_false) {
      const Shape& bounded = unbounded_true ? on_false : on_true;
      const bool was_unbounded = dimensions.sizes[i] == kUnboundedDimension;
      dimensions.dynamic[i] = bounded.is_dynamic_dimension(i) ||
                              (dimensions.dynamic[i] && !was_unbounded);
      dimensions.sizes[i] = bounded.dimensions()[i];
      continue;
    }
    dimensions.dynamic[i] |=
        (!unbounded_true && on_true.is_dynamic_dimension(i)) ||
        (!unbounded_false && on_false.is_dynamic_dimension(i));
  }
  return WithType(
      input,
      input.context.GetArrayShape(full.element_type(), dimensions.sizes,
                                  full.layout(), dimensions.dynamic),
      HigherPrecision(on_true.element_type(), on_false.element_type()));
}

Result InferClamp(const ShapeInferenceInput& input) {
  const Shape& low = Operand(input, 0);
  const Shape& x = Operand(input, 1);
  const Shape& high = Operand(input, 2);
  FERRY_RETURN_IF_ERROR(ExpectArray(low, "clamp min"));
  FERRY_RETURN_IF_ERROR(ExpectArray(x, "clamp operand"));
  FERRY_RETURN_IF_ERROR(ExpectArray(high, "clamp max"));
  const auto fits = [&](const Shape& bound) {
    return IsScalar(bound) ||
           (RankOf(bound) == RankOf(x) &&
            WithType(input, bound, x.element_type())->IsCompatible(x));
  };
  const auto has_type = [&](const Shape& bound) {
    return IsSameTypeIgnoringPrecision(bound.element_type(), x.element_type());
  };
  if (!has_type(low) || !has_type(high)) {
    return Error("Clamp with incompatible element types: ", Human(low), ", ",
                 Human(x), ", ", Human(high), ".");
  }
  const bool bounds_fit = IsScalar(low) || IsScalar(high) ||
                          low.IsCompatibleIgnoringPrecision(high);
  if (!fits(low) || !fits(high) || !bounds_fit) {
    return Error("Clamp with incompatible shapes: ", Human(low), ", ", Human(x),
                 ", ", Human(high), ".");
  }
  return &x;
}

Result InferConvert(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const PrimitiveType to = input.declared->element_type();
  if (!x.IsArray() || !IsArrayType(to)) {
    return Error("Convert does not allow non-arrays, so cannot convert from ",
                 Human(x), " to ", PrimitiveTypeMessageName(to), ".");
  }
  return WithType(input, x, to);
}

Result InferBitcastConvert(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const PrimitiveType from = x.element_type();
  const PrimitiveType to = input.declared->element_type();
  if (!x.IsArray() || !IsArrayType(to)) {
    return Error("Cannot convert from or to tuple type; requested conversion: ",
                 Human(x), " => ", PrimitiveTypeMessageName(to), ".");
  }
  if (IsComplex(from) != IsComplex(to)) {
    return Error("Conversion between complex and real type ", Human(x), " => ",
                 PrimitiveTypeMessageName(to), ".");
  }
  return SplitOrJoinElements(input, x, to);
}

Result InferStochasticConvert(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  const Shape& random = Operand(input, 1);
  const PrimitiveType to = input.declared->element_type();
  if (!x.IsArray() || !random.IsArray() || !IsArrayType(to)) {
    return Error("stochastic-convert takes arrays, but got ", Human(x), " and ",
                 Human(random));
  }
  if (!IsUnsignedInteger(random.element_type())) {
    return Error(
        "Random numbers for stochastic convert must be unsigned "
        "integers, but got: ",
        Human(random));
  }
  if (!IsFloatingPoint(x.element_type())) {
    return Error(
        "Stochastic convert supports only floating point operand "
        "conversion, but got: ",
        PrimitiveTypeMessageName(x.element_type()));
  }
  if (BitWidth(x.element_type()) != BitWidth(random.element_type())) {
    return Error(
        "The random number is required to have same bits as the "
        "operand. But got random bits: ",
        BitWidth(random.element_type()),
        ", operand bits: ", BitWidth(x.element_type()));
  }
  if (x.dimensions() != random.dimensions()) {
    return Error(
        "Stochastic convert operand shape does not match random "
        "tensor shape: ",
        Human(x), " vs ", Human(random), ".");
  }
  return WithType(input, x, to);
}

Result InferReducePrecision(const ShapeInferenceInput& input) {
  const Shape& x = Operand(input, 0);
  if (!x.IsArray() || !IsFloatingPoint(x.element_type())) {
    return Error(
        "Expected element type in shape to be floating point for "
        "ReducePrecision operation; got ",
        PrimitiveTypeMessageName(x.element_type()), ".");
  }
  const int64_t exponent = Integer(input, HloAttributeKind::kExponentBits, 0);
  if (exponent < 1) {
    // With none, zero and infinity would be the same bits.
    return Error("Expected exponent_bits >= 1; got ", exponent, ".");
  }
  const int64_t mantissa = Integer(input, HloAttributeKind::kMantissaBits, 0);
  if (mantissa < 0) {
    return Error("Expected non-negative mantissa_bits; got ", mantissa, ".");
  }
  return &x;
}

}  // namespace ferry::shape_inference
