// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Finite values of all types are integers times a power of two, and the codes
// of a type grow with the value: rounding to such an integer and adding it to
// the exponent's code lets a carry flow into the next exponent, or beyond the
// last number, where the kind of type says what that means.

#include "ferry/hlo/float_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "absl/base/casts.h"
#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

using Kind = FloatFormat::Kind;

constexpr FloatFormat kFormats[] = {
    {PrimitiveType::kF16, Kind::kIeee, 5, 10, 15, 5},
    {PrimitiveType::kBF16, Kind::kIeee, 8, 7, 127, 4},
    {PrimitiveType::kF32, Kind::kIeee, 8, 23, 127, 9},
    {PrimitiveType::kF64, Kind::kIeee, 11, 52, 1023, 17},
    {PrimitiveType::kF8E5M2, Kind::kIeee, 5, 2, 15, 2},
    {PrimitiveType::kF8E4M3, Kind::kIeee, 4, 3, 7, 3},
    {PrimitiveType::kF8E3M4, Kind::kIeee, 3, 4, 3, 3},
    {PrimitiveType::kF8E4M3FN, Kind::kFinite, 4, 3, 7, 3},
    {PrimitiveType::kF8E4M3B11FNUZ, Kind::kUnsigned, 4, 3, 11, 3},
    {PrimitiveType::kF8E5M2FNUZ, Kind::kUnsigned, 5, 2, 16, 2},
    {PrimitiveType::kF8E4M3FNUZ, Kind::kUnsigned, 4, 3, 8, 3},
    {PrimitiveType::kF4E2M1FN, Kind::kNumbers, 2, 1, 1, 2},
    {PrimitiveType::kF6E2M3FN, Kind::kNumbers, 2, 3, 1, 3},
    {PrimitiveType::kF6E3M2FN, Kind::kNumbers, 3, 2, 3, 2},
    {PrimitiveType::kF8E8M0FNU, Kind::kScale, 8, 0, 127, 2},
};

uint64_t ScaleFromDouble(double value) {
  constexpr uint64_t kNan = 0xff;
  if (!(value > 0) || std::isinf(value)) return kNan;
  int exponent = 0;  // value = fraction * 2^exponent, fraction in [1/2, 1)
  const double fraction = std::frexp(value, &exponent);
  // Halfway goes up; and so does all that is above the smallest, 2^-127, as
  // XLA's conversion has it.
  if (exponent == -126 && fraction > 0.5) return 1;
  const int code = exponent - 1 + (fraction >= 0.75 ? 1 : 0) + 127;
  return std::clamp<int>(code, 0, kNan);
}

constexpr int kBiasOfDouble = 1023;
constexpr int kMantissaOfDouble = 52;

// 2^exponent, which is a normal number.
double PowerOfTwo(int exponent) {
  return absl::bit_cast<double>(static_cast<uint64_t>(exponent + kBiasOfDouble)
                                << kMantissaOfDouble);
}

// Appends `value` with `digits` digits as %g does.
template <typename Float>
void AppendGeneral(Float value, int digits, std::string& out) {
  char buffer[40];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value,
                                 std::chars_format::general, digits);
  out.append(buffer, end.ptr - buffer);
}

// The shorter of two lengths that reads back. Decimals of digits10 digits are
// told apart by the type, so it is the shorter one exactly if the shortest
// text that reads back has no more digits.
template <typename Float>
void AppendRoundTrip(Float value, std::string& out) {
  using Limits = std::numeric_limits<Float>;
  char buffer[40];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value,
                                 std::chars_format::scientific);
  int digits = 0;
  for (const char* at = buffer; at != end.ptr && *at != 'e'; ++at) {
    digits += *at >= '0' && *at <= '9';
  }
  AppendGeneral(
      value,
      digits <= Limits::digits10 ? Limits::digits10 : Limits::max_digits10,
      out);
}

}  // namespace

const FloatFormat* FloatFormat::Find(PrimitiveType type) {
  for (const FloatFormat& format : kFormats) {
    if (format.type == type) return &format;
  }
  return nullptr;
}

uint64_t FloatFormat::RoundedCode(double value) const {
  const uint64_t bits = absl::bit_cast<uint64_t>(std::abs(value));
  const int exponent =
      static_cast<int>(bits >> kMantissaOfDouble) - kBiasOfDouble;
  // What is denormal as double is zero in all narrower types.
  if (exponent == -kBiasOfDouble) return 0;
  const uint64_t hidden = uint64_t{1} << kMantissaOfDouble;
  const uint64_t mantissa = (bits & (hidden - 1)) | hidden;
  const int smallest = 1 - bias;  // exponent of the denormal numbers
  const int dropped =
      kMantissaOfDouble - mantissa_bits + std::max(0, smallest - exponent);
  if (dropped > kMantissaOfDouble + 1) return 0;
  const uint64_t half = uint64_t{1} << (dropped - 1);
  uint64_t rounded = mantissa >> dropped;
  const uint64_t rest = mantissa & (2 * half - 1);
  if (rest > half || (rest == half && rounded % 2 == 1)) ++rounded;
  const int steps = std::max(exponent, smallest) - smallest;
  return (static_cast<uint64_t>(steps) << mantissa_bits) + rounded;
}

uint64_t FloatFormat::FromDouble(double value) const {
  if (type == PrimitiveType::kF64) return absl::bit_cast<uint64_t>(value);
  const float single = static_cast<float>(value);
  if (type == PrimitiveType::kF32) return absl::bit_cast<uint32_t>(single);
  if (kind == Kind::kScale) return ScaleFromDouble(value);
  if (kind == Kind::kIeee && exponent_bits + mantissa_bits == 15) {
    value = single;
  }
  const bool negative = std::signbit(value);
  const uint64_t sign = uint64_t{negative} << (exponent_bits + mantissa_bits);
  const uint64_t sign_bit = uint64_t{1} << (exponent_bits + mantissa_bits);
  if (std::isnan(value)) {
    // Types of numbers alone give a zero of the other sign.
    return kind == Kind::kNumbers ? sign_bit - sign : MakeNan(negative, 0);
  }
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1)
                            << mantissa_bits;
  // One beyond the largest number: what all that is larger becomes.
  const uint64_t beyond = kind == Kind::kIeee     ? infinity
                          : kind == Kind::kFinite ? sign_bit - 1
                                                  : sign_bit;
  uint64_t code = std::isinf(value) ? beyond : RoundedCode(value);
  code = std::min(code, beyond);
  if (kind == Kind::kUnsigned) {
    // The NaN and what rounds to zero have no second sign.
    return code == beyond ? sign_bit : code == 0 ? 0 : sign | code;
  }
  if (kind == Kind::kNumbers) code = std::min(code, sign_bit - 1);
  return sign | code;
}

double FloatFormat::ToDouble(uint64_t bits) const {
  if (type == PrimitiveType::kF64) return absl::bit_cast<double>(bits);
  if (kind == Kind::kScale) {
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, static_cast<int>(bits) - bias);
  }
  const uint64_t sign_bit = uint64_t{1} << (exponent_bits + mantissa_bits);
  const bool negative = (bits & sign_bit) != 0;
  const uint64_t code = bits & (sign_bit - 1);
  const uint64_t mantissa = code & ((uint64_t{1} << mantissa_bits) - 1);
  const uint64_t exponent = code >> mantissa_bits;
  const bool is_top = exponent == (uint64_t{1} << exponent_bits) - 1;
  const bool is_nan = (kind == Kind::kIeee && is_top && mantissa != 0) ||
                      (kind == Kind::kFinite && code == sign_bit - 1) ||
                      (kind == Kind::kUnsigned && bits == sign_bit);
  if (is_nan) {
    const uint64_t payload = kind == Kind::kIeee
                                 ? mantissa << (52 - mantissa_bits)
                                 : uint64_t{1} << 51;
    return absl::bit_cast<double>(uint64_t{negative} << 63 |
                                  uint64_t{0x7ff} << 52 | payload);
  }
  double value = 0;
  if (kind == Kind::kIeee && is_top) {
    value = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = mantissa * PowerOfTwo(1 - bias - mantissa_bits);
  } else {
    value = (mantissa + (uint64_t{1} << mantissa_bits)) *
            PowerOfTwo(static_cast<int>(exponent) - bias - mantissa_bits);
  }
  return negative ? -value : value;
}

bool FloatFormat::Overflows(double value) const {
  return std::isfinite(value) && !std::isfinite(ToDouble(FromDouble(value)));
}

uint64_t FloatFormat::MaxNanPayload() const {
  return kind == Kind::kIeee ? (uint64_t{1} << mantissa_bits) - 1 : 0;
}

uint64_t FloatFormat::MakeNan(bool negative, uint64_t payload) const {
  const uint64_t sign_bit = uint64_t{1} << (exponent_bits + mantissa_bits);
  const uint64_t sign = negative ? sign_bit : 0;
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1)
                            << mantissa_bits;
  switch (kind) {
    case Kind::kIeee:
      if (payload == 0) payload = uint64_t{1} << (mantissa_bits - 1);
      return sign | infinity | payload;
    case Kind::kFinite:
      return sign | (sign_bit - 1);
    case Kind::kUnsigned:
      return sign_bit;
    case Kind::kNumbers:
      return sign_bit - sign;
    case Kind::kScale:
      return infinity;
  }
  return 0;
}

void FloatFormat::AppendTo(uint64_t bits, std::string& out) const {
  const double value = ToDouble(bits);
  if (std::isnan(value)) {
    out += std::signbit(value) ? "-nan" : "nan";
    const uint64_t payload = bits & MaxNanPayload();
    if (kind == Kind::kIeee && payload != uint64_t{1} << (mantissa_bits - 1)) {
      absl::StrAppend(&out, "(0x", absl::Hex(payload), ")");
    }
  } else if (std::isinf(value)) {
    out += value < 0 ? "-inf" : "inf";
  } else if (type == PrimitiveType::kF64) {
    AppendRoundTrip(value, out);
  } else if (type == PrimitiveType::kF32) {
    AppendRoundTrip(static_cast<float>(value), out);
  } else {
    AppendGeneral(value, max_digits10, out);
  }
}

}  // namespace ferry
