// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BYTE_COUNT_H_
#define FERRY_MEMORY_BYTE_COUNT_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/numeric/int128.h"

namespace ferry {

// How many bytes or elements, exact up to 2^128 - 2. Text may ask for an array
// of any size: its size is reported, not wrapped, and what does not even fit
// 128 bits stays at kTooMany through every sum and product.
// Tested by byte_count_test.cc.
class ByteCount {
 public:
  constexpr ByteCount() = default;
  // `value` is not negative.
  constexpr ByteCount(int64_t value)  // NOLINT: a count is a number
      : value_(static_cast<uint64_t>(value)) {}
  static constexpr ByteCount TooMany() {
    ByteCount result;
    result.value_ = std::numeric_limits<absl::uint128>::max();
    return result;
  }

  constexpr bool IsTooMany() const { return *this == TooMany(); }
  constexpr absl::uint128 value() const { return value_; }
  constexpr bool FitsInt64() const {
    return value_ <= static_cast<absl::uint128>(INT64_MAX);
  }
  // INT64_MAX if it does not fit.
  constexpr int64_t ToInt64() const {
    return FitsInt64() ? static_cast<int64_t>(value_) : INT64_MAX;
  }
  double ToDouble() const { return static_cast<double>(value_); }
  // All digits; "2^128 or more" for TooMany().
  std::string ToString() const;

  friend constexpr ByteCount operator+(ByteCount a, ByteCount b) {
    const absl::uint128 room = TooMany().value_ - a.value_;
    if (b.value_ >= room) return TooMany();
    a.value_ += b.value_;
    return a;
  }
  friend constexpr ByteCount operator*(ByteCount a, ByteCount b) {
    if (a.value_ == 0 || b.value_ == 0) return ByteCount();
    if (a.IsTooMany() || b.IsTooMany()) return TooMany();
    if (b.value_ >= TooMany().value_ / a.value_) return TooMany();
    a.value_ *= b.value_;
    return a;
  }
  // `a` less `b`, which is not more; TooMany() stays.
  static constexpr ByteCount Difference(ByteCount a, ByteCount b) {
    if (!a.IsTooMany()) a.value_ -= b.value_;
    return a;
  }
  // Up to a whole number; TooMany() stays. `divisor` is positive.
  friend constexpr ByteCount DivideRoundingUp(ByteCount a, int64_t divisor) {
    if (a.IsTooMany()) return a;
    const absl::uint128 d = static_cast<uint64_t>(divisor);
    a.value_ = a.value_ / d + (a.value_ % d == 0 ? 0 : 1);
    return a;
  }
  friend constexpr bool operator==(ByteCount a, ByteCount b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator<(ByteCount a, ByteCount b) {
    return a.value_ < b.value_;
  }
  friend constexpr bool operator>(ByteCount a, ByteCount b) { return b < a; }
  friend constexpr bool operator<=(ByteCount a, ByteCount b) {
    return !(b < a);
  }

 private:
  absl::uint128 value_ = 0;
};

// The next multiple of `alignment`, which is positive.
constexpr ByteCount RoundUp(ByteCount a, int64_t alignment) {
  return DivideRoundingUp(a, alignment) * ByteCount(alignment);
}

}  // namespace ferry

#endif  // FERRY_MEMORY_BYTE_COUNT_H_
