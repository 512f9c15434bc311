// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ELEMENT_TYPE_CLASS_H_
#define FERRY_HLO_ELEMENT_TYPE_CLASS_H_

#include <optional>
#include <string>

#include "ferry/hlo/primitive_type.h"

namespace ferry {

// What kind of number an element is. Each array type is in exactly one of:
//
//   pred | signed integer | unsigned integer | floating point | complex
//
// Tested by element_type_class_test.cc.
bool IsFloatingPoint(PrimitiveType type);
bool IsComplex(PrimitiveType type);
bool IsSignedInteger(PrimitiveType type);
bool IsUnsignedInteger(PrimitiveType type);

inline bool IsInteger(PrimitiveType type) {
  return IsSignedInteger(type) || IsUnsignedInteger(type);
}

// The same type, or two floating-point types.
inline bool IsSameTypeIgnoringPrecision(PrimitiveType a, PrimitiveType b) {
  return a == b || (IsFloatingPoint(a) && IsFloatingPoint(b));
}

// f32 for c64, f64 for c128; nullopt for all others.
std::optional<PrimitiveType> ComplexPart(PrimitiveType type);

// Which of the two the result of a binary operation has: complex before float,
// then more range, then more precision, then more bits, then signed.
PrimitiveType HigherPrecision(PrimitiveType a, PrimitiveType b);

// The upper-case name that XLA's messages use: "BF16", "TUPLE".
std::string PrimitiveTypeMessageName(PrimitiveType type);

}  // namespace ferry

#endif  // FERRY_HLO_ELEMENT_TYPE_CLASS_H_
