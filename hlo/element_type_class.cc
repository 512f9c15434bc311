// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/element_type_class.h"

#include <cstdint>
#include <tuple>

#include "absl/strings/ascii.h"

namespace ferry {
namespace {

// The largest binary exponent and the bits of the significand, hidden one
// included; {-1, -1} for what is no floating-point type.
struct FloatTraits {
  int max_exponent = -1;
  int significand_bits = -1;
};

FloatTraits FloatTraitsOf(PrimitiveType type) {
  switch (type) {
    case PrimitiveType::kF16:
      return {16, 11};
    case PrimitiveType::kF32:
      return {128, 24};
    case PrimitiveType::kF64:
      return {1024, 53};
    case PrimitiveType::kBF16:
      return {128, 8};
    case PrimitiveType::kF8E5M2:
      return {16, 3};
    case PrimitiveType::kF8E4M3:
      return {8, 4};
    case PrimitiveType::kF8E4M3FN:
      return {9, 4};
    case PrimitiveType::kF8E4M3B11FNUZ:
      return {5, 4};
    case PrimitiveType::kF8E3M4:
      return {4, 5};
    case PrimitiveType::kF8E5M2FNUZ:
      return {16, 3};
    case PrimitiveType::kF8E4M3FNUZ:
      return {8, 4};
    case PrimitiveType::kF4E2M1FN:
      return {3, 2};
    case PrimitiveType::kF8E8M0FNU:
      return {128, 1};
    case PrimitiveType::kF6E3M2FN:
      return {5, 3};
    case PrimitiveType::kF6E2M3FN:
      return {3, 4};
    default:
      return {};
  }
}

auto Rank(PrimitiveType type) {
  const PrimitiveType part = ComplexPart(type).value_or(type);
  const FloatTraits traits = FloatTraitsOf(part);
  const int64_t bits = part == PrimitiveType::kPred ? 1 : BitWidth(part);
  return std::tuple(IsComplex(type), traits.max_exponent,
                    traits.significand_bits, bits, IsSignedInteger(part));
}

}  // namespace

bool IsFloatingPoint(PrimitiveType type) {
  return FloatTraitsOf(type).max_exponent >= 0;
}

bool IsComplex(PrimitiveType type) {
  return type == PrimitiveType::kC64 || type == PrimitiveType::kC128;
}

bool IsSignedInteger(PrimitiveType type) {
  return type >= PrimitiveType::kS1 && type <= PrimitiveType::kS64;
}

bool IsUnsignedInteger(PrimitiveType type) {
  return type >= PrimitiveType::kU1 && type <= PrimitiveType::kU64;
}

std::optional<PrimitiveType> ComplexPart(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return std::nullopt;
}

PrimitiveType HigherPrecision(PrimitiveType a, PrimitiveType b) {
  return Rank(b) > Rank(a) ? b : a;
}

std::string PrimitiveTypeMessageName(PrimitiveType type) {
  if (type == PrimitiveType::kOpaque) return "OPAQUE_TYPE";
  return absl::AsciiStrToUpper(PrimitiveTypeName(type));
}

}  // namespace ferry
