// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on each element: one row for each opcode says which types it
// takes; a few need more than that.

#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"

namespace ferry {
namespace {

struct Row {
  HloOpcode opcode;
  TypeSet types;
};

constexpr TypeSet kSignedNumbers = kSignedTypes | kFloatTypes | kComplexTypes;
constexpr TypeSet kRealOrComplex = kFloatTypes | kComplexTypes;

constexpr Row kUnary[] = {
    {HloOpcode::kAbs, kSignedNumbers},
    {HloOpcode::kAcos, kRealOrComplex},
    {HloOpcode::kAcosh, kRealOrComplex},
    {HloOpcode::kAsin, kRealOrComplex},
    {HloOpcode::kAsinh, kRealOrComplex},
    {HloOpcode::kAtanh, kRealOrComplex},
    {HloOpcode::kCbrt, kFloatTypes},
    {HloOpcode::kCeil, kFloatTypes},
    {HloOpcode::kCopy, kAllTypes},
    {HloOpcode::kCosh, kRealOrComplex},
    {HloOpcode::kCosine, kRealOrComplex},
    {HloOpcode::kCountLeadingZeros, kIntegerTypes},
    {HloOpcode::kErf, kFloatTypes},
    {HloOpcode::kExponential, kRealOrComplex},
    {HloOpcode::kExponentialMinusOne, kRealOrComplex},
    {HloOpcode::kFloor, kFloatTypes},
    {HloOpcode::kImag, kRealOrComplex},
    {HloOpcode::kIsFinite, kFloatTypes},
    {HloOpcode::kLog, kRealOrComplex},
    {HloOpcode::kLogPlusOne, kRealOrComplex},
    {HloOpcode::kLogistic, kRealOrComplex},
    {HloOpcode::kNegate, kNumberTypes},
    {HloOpcode::kNot, kIntegerTypes | kPredType},
    {HloOpcode::kPopcnt, kIntegerTypes},
    {HloOpcode::kReal, kRealOrComplex},
    {HloOpcode::kRoundNearestAfz, kFloatTypes},
    {HloOpcode::kRoundNearestEven, kFloatTypes},
    {HloOpcode::kRsqrt, kRealOrComplex},
    {HloOpcode::kSign, kSignedNumbers},
    {HloOpcode::kSine, kRealOrComplex},
    {HloOpcode::kSinh, kRealOrComplex},
    {HloOpcode::kSqrt, kRealOrComplex},
    {HloOpcode::kTan, kRealOrComplex},
    {HloOpcode::kTanh, kRealOrComplex},
};

constexpr Row kBinary[] = {
    {HloOpcode::kAdd, kAllTypes},
    {HloOpcode::kAnd, kIntegerTypes | kPredType},
    {HloOpcode::kAtan2, kRealOrComplex},
    {HloOpcode::kDivide, kNumberTypes},
    {HloOpcode::kMaximum, kIntegerTypes | kFloatTypes | kPredType},
    {HloOpcode::kMinimum, kIntegerTypes | kFloatTypes | kPredType},
    {HloOpcode::kMulhi, kIntegerTypes},
    {HloOpcode::kMultiply, kAllTypes},
    {HloOpcode::kOr, kIntegerTypes | kPredType},
    {HloOpcode::kPower, kNumberTypes},
    {HloOpcode::kRemainder, kIntegerTypes | kFloatTypes},
    {HloOpcode::kShiftLeft, kIntegerTypes},
    {HloOpcode::kShiftRightArithmetic, kIntegerTypes},
    {HloOpcode::kShiftRightLogical, kIntegerTypes},
    {HloOpcode::kSubtract, kNumberTypes},
    {HloOpcode::kXor, kIntegerTypes | kPredType},
};

template <size_t size>
TypeSet TypesOf(const Row (&rows)[size], HloOpcode opcode) {
  for (const Row& row : rows) {
    if (row.opcode == opcode) return row.types;
  }
  FERRY_CHECK(false);
}

PrimitiveType RealPart(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return type;
}

Dims DimsOf(const Shape& shape) {
  return Dims(shape.dimensions().begin(), shape.dimensions().end());
}

// Another value that fits `x`.
HloInstruction& Match(RandomHloBuilder& b, HloInstruction& x,
                      PrimitiveType type) {
  if (type == x.shape().element_type() && b.random().Chance(20)) return x;
  if (x.shape().is_dynamic()) return b.Value(b.Like(x.shape(), type));
  return b.ArrayValue(type, DimsOf(x.shape()));
}

void EmitUnary(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(TypesOf(kUnary, opcode), 0, 9, true);
  PrimitiveType type = x.shape().element_type();
  if (opcode == HloOpcode::kIsFinite) type = PrimitiveType::kPred;
  if (opcode == HloOpcode::kAbs || opcode == HloOpcode::kReal ||
      opcode == HloOpcode::kImag) {
    type = RealPart(type);
  }
  Details details;
  if (b.options().annotations && b.random().Chance(10) &&
      IsAllowedAttribute(opcode, HloAttributeKind::kResultAccuracy)) {
    details.attributes.push_back(
        {HloAttributeKind::kResultAccuracy, RandomResultAccuracy(b.random())});
  }
  // A copy out of host memory keeps the order of dimensions.
  const Shape& shape = opcode == HloOpcode::kCopy && x.shape().IsHostArray()
                           ? x.shape()
                           : b.Like(x.shape(), type);
  b.Add(opcode, shape, {&x}, std::move(details));
}

void EmitBinary(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(TypesOf(kBinary, opcode), 0, 9, true);
  HloInstruction& y = Match(b, x, x.shape().element_type());
  b.Add(opcode, b.Like(x.shape(), x.shape().element_type()), {&x, &y});
}

void EmitComplex(RandomHloBuilder& b, HloOpcode opcode) {
  const bool wide = b.random().Chance(50);
  const PrimitiveType part = wide ? PrimitiveType::kF64 : PrimitiveType::kF32;
  HloInstruction& x = b.ArrayValue(part, b.SomeDims(0, 3));
  HloInstruction& y = Match(b, x, part);
  b.Add(opcode,
        b.Like(x.shape(), wide ? PrimitiveType::kC128 : PrimitiveType::kC64),
        {&x, &y});
}

void EmitCompare(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 0, 9, true);
  const TypeSet set = TypeSetOf(x.shape().element_type());
  HloInstruction& y = Match(b, x, x.shape().element_type());
  static constexpr absl::string_view kAny[] = {"EQ", "NE", "GE",
                                               "GT", "LE", "LT"};
  const int64_t count = set == kComplexTypes ? 2 : 6;
  Details details{.attributes = {{HloAttributeKind::kDirection,
                                  std::string(kAny[b.random().Below(count)])}}};
  if (set == kFloatTypes && b.random().Chance(20)) {
    details.attributes.push_back({HloAttributeKind::kType, "TOTALORDER"});
  }
  b.Add(opcode, b.Like(x.shape(), PrimitiveType::kPred), {&x, &y},
        std::move(details));
}

void EmitSelect(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  HloInstruction& y = Match(b, x, x.shape().element_type());
  HloInstruction& choice = b.random().Chance(30)
                               ? b.ScalarValue(PrimitiveType::kPred)
                               : Match(b, x, PrimitiveType::kPred);
  b.Add(opcode, b.Like(x.shape(), x.shape().element_type()), {&choice, &x, &y});
}

void EmitClamp(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kIntegerTypes | kFloatTypes);
  const PrimitiveType type = x.shape().element_type();
  const bool scalars = b.random().Chance(50);
  HloInstruction& low = scalars ? b.ScalarValue(type) : Match(b, x, type);
  HloInstruction& high = scalars ? b.ScalarValue(type) : Match(b, x, type);
  b.Add(opcode, b.Like(x.shape(), type), {&low, &x, &high});
}

void EmitConvert(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x =
      b.SomeArray(kPredType | kIntegerTypes | kFloatTypes, 0, 9, true);
  b.Add(opcode, b.Like(x.shape(), b.SomeType(kAllTypes)), {&x});
}

// To equal width, or to a quarter with one more dimension, and back.
void EmitBitcastConvert(RandomHloBuilder& b, HloOpcode opcode) {
  struct Pair {
    PrimitiveType from, to;
    int64_t ratio;
  };
  static constexpr Pair kPairs[] = {
      {PrimitiveType::kF32, PrimitiveType::kS32, 1},
      {PrimitiveType::kBF16, PrimitiveType::kU16, 1},
      {PrimitiveType::kS8, PrimitiveType::kU8, 1},
      {PrimitiveType::kF32, PrimitiveType::kU8, 4},
      {PrimitiveType::kU64, PrimitiveType::kF16, 4}};
  const Pair pair = b.random().Pick(kPairs);
  const Dims whole = b.SomeDims(0, 3);
  Dims parts = whole;
  if (pair.ratio > 1) parts.push_back(pair.ratio);
  if (b.random().Chance(50)) {
    HloInstruction& x = b.ArrayValue(pair.from, whole);
    b.Add(opcode, b.Array(pair.to, parts), {&x});
  } else {
    HloInstruction& x = b.ArrayValue(pair.to, parts);
    b.Add(opcode, b.Array(pair.from, whole), {&x});
  }
}

void EmitStochasticConvert(RandomHloBuilder& b, HloOpcode opcode) {
  static constexpr PrimitiveType kFrom[] = {
      PrimitiveType::kF32, PrimitiveType::kBF16, PrimitiveType::kF64};
  static constexpr PrimitiveType kRandom[] = {
      PrimitiveType::kU32, PrimitiveType::kU16, PrimitiveType::kU64};
  const int64_t i = b.random().Below(3);
  HloInstruction& x = b.ArrayValue(kFrom[i], b.SomeDims(0, 4));
  HloInstruction& bits = Match(b, x, kRandom[i]);
  b.Add(opcode,
        b.Like(x.shape(), b.random().Chance(50) ? PrimitiveType::kS8
                                                : PrimitiveType::kBF16),
        {&x, &bits});
}

void EmitReducePrecision(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kFloatTypes);
  b.Add(opcode, b.Like(x.shape(), x.shape().element_type()), {&x},
        {.attributes = {{HloAttributeKind::kExponentBits,
                         absl::StrCat(b.random().Between(1, 8))},
                        {HloAttributeKind::kMantissaBits,
                         absl::StrCat(b.random().Between(0, 12))}}});
}

std::vector<Emitter> MakeEmitters() {
  std::vector<Emitter> emitters = {
      {HloOpcode::kComplex, EmitComplex},
      {HloOpcode::kCompare, EmitCompare},
      {HloOpcode::kSelect, EmitSelect},
      {HloOpcode::kClamp, EmitClamp},
      {HloOpcode::kConvert, EmitConvert},
      {HloOpcode::kBitcastConvert, EmitBitcastConvert},
      {HloOpcode::kStochasticConvert, EmitStochasticConvert},
      {HloOpcode::kReducePrecision, EmitReducePrecision}};
  for (const Row& row : kUnary) emitters.push_back({row.opcode, EmitUnary});
  for (const Row& row : kBinary) emitters.push_back({row.opcode, EmitBinary});
  return emitters;
}

}  // namespace

absl::Span<const Emitter> ElementwiseEmitters() {
  static const auto* const emitters = new std::vector<Emitter>(MakeEmitters());
  return *emitters;
}

}  // namespace ferry
