// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_ALIGNMENT_H_
#define FERRY_MEMORY_ALIGNMENT_H_

#include <cstdint>

namespace ferry {

// The sum of two numbers that are not negative; INT64_MAX if it is more.
inline int64_t SaturatedAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

// The least multiple of `alignment`, which is positive, that is not below
// `value`, which is not negative; INT64_MAX if that is beyond 63 bits.
// Tested by alignment_test.cc.
inline int64_t AlignUp(int64_t value, int64_t alignment) {
  if (alignment == 1) return value;
  const int64_t rest = value % alignment;
  return rest == 0 ? value : SaturatedAdd(value, alignment - rest);
}

}  // namespace ferry

#endif  // FERRY_MEMORY_ALIGNMENT_H_
