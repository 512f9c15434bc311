// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_TYPE_SET_H_
#define FERRY_TESTS_RANDOM_HLO_TYPE_SET_H_

#include <cstdint>

#include "ferry/hlo/primitive_type.h"

namespace ferry {

// Element types by what may be done with them; a TypeSet is the sum of some.
enum TypeSets : uint8_t {
  kPredType = 1,
  kSignedTypes = 2,
  kUnsignedTypes = 4,
  kFloatTypes = 8,
  kComplexTypes = 16,
  kIntegerTypes = kSignedTypes | kUnsignedTypes,
  kNumberTypes = kIntegerTypes | kFloatTypes | kComplexTypes,
  kAllTypes = kPredType | kNumberTypes,
};
using TypeSet = uint8_t;

// The one of the five that an element type belongs to.
inline TypeSet TypeSetOf(PrimitiveType type) {
  if (type == PrimitiveType::kPred) return kPredType;
  if (type >= PrimitiveType::kS1 && type <= PrimitiveType::kS64) {
    return kSignedTypes;
  }
  if (type >= PrimitiveType::kU1 && type <= PrimitiveType::kU64) {
    return kUnsignedTypes;
  }
  if (type == PrimitiveType::kC64 || type == PrimitiveType::kC128) {
    return kComplexTypes;
  }
  return kFloatTypes;
}

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_TYPE_SET_H_
