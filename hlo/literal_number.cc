// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal_number.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/float_format.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

constexpr uint64_t kMantissaOfDouble = (uint64_t{1} << 52) - 1;
constexpr uint64_t kQuietNanOfDouble = uint64_t{1} << 51;

bool IsWhole(absl::string_view number) {
  return number.find_first_not_of("-0123456789") == absl::string_view::npos;
}

absl::Status OutOfRange(PrimitiveType type, absl::string_view value) {
  return absl::InvalidArgumentError(absl::StrCat(
      "value ", value.substr(0, 40),
      " is out of range for literal's primitive type ",
      absl::AsciiStrToUpper(std::string(PrimitiveTypeName(type)))));
}

// The payload of a NaN goes into the mantissa of the double as it is.
absl::StatusOr<double> DoubleOfNumber(absl::string_view number,
                                      LiteralDialect dialect) {
  const bool negative = number.front() == '-';
  const absl::string_view word = negative ? number.substr(1) : number;
  if (word == "inf") {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (word.substr(0, 3) == "nan") {
    uint64_t payload = kQuietNanOfDouble;
    if (word.size() > 6) {  // nan(0x..)
      const absl::string_view digits = word.substr(6, word.size() - 7);
      if (!absl::SimpleHexAtoi(digits, &payload) || payload == 0 ||
          payload > kMantissaOfDouble) {
        return absl::InvalidArgumentError(
            absl::StrCat("NaN payload out of range: ", number.substr(0, 40)));
      }
    }
    return absl::bit_cast<double>(uint64_t{negative} << 63 |
                                  uint64_t{0x7ff} << 52 | payload);
  }
  if (IsWhole(number)) {
    if (dialect == LiteralDialect::kCanonical && number == "-0") return -0.0;
    const std::optional<int64_t> value = IntegerValue(number);
    if (!value.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "integer ", number.substr(0, 40), " does not fit in 64 bits"));
    }
    return static_cast<double>(*value);
  }
  double value = 0;
  if (!absl::SimpleAtod(number, &value) || std::isinf(value)) {
    return absl::InvalidArgumentError(
        "Constant is out of range for double (+/-1.79769e+308) and so is "
        "unparsable.");
  }
  return value;
}

// Keeps the payload, as far as the type has room for it.
absl::StatusOr<uint64_t> BitsOfNan(const FloatFormat& format, double nan) {
  const uint64_t payload = absl::bit_cast<uint64_t>(nan) & kMantissaOfDouble;
  if (payload == kQuietNanOfDouble) {
    return format.MakeNan(std::signbit(nan), 0);
  }
  if (payload > format.MaxNanPayload()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tries to set NaN payload 0x", absl::Hex(payload), " to a literal of ",
        PrimitiveTypeName(format.type),
        format.MaxNanPayload() == 0 ? ", which does not support payloads"
                                    : ", but the NaN payload is out of range"));
  }
  return format.MakeNan(std::signbit(nan), payload);
}

absl::StatusOr<uint64_t> BitsOfInteger(PrimitiveType type,
                                       absl::string_view number) {
  const std::optional<int64_t> value =
      IsWhole(number) ? IntegerValue(number) : std::nullopt;
  if (!value.has_value()) {
    if (IsWhole(number)) return OutOfRange(type, number);
    return absl::InvalidArgumentError("expects integer");
  }
  if (type == PrimitiveType::kPred) return *value != 0;
  const int64_t bits = BitWidth(type);
  if (bits < 64) {
    const bool is_unsigned = PrimitiveTypeName(type).front() == 'u';
    const int64_t limit = int64_t{1} << (is_unsigned ? bits : bits - 1);
    if (*value >= limit || *value < (is_unsigned ? 0 : -limit)) {
      return OutOfRange(type, absl::StrCat(*value));
    }
  }
  return *value;
}

}  // namespace

PrimitiveType PartType(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return type;
}

absl::StatusOr<uint64_t> BitsOfNumber(PrimitiveType type,
                                      absl::string_view number,
                                      LiteralDialect dialect) {
  const FloatFormat* format = FloatFormat::Find(type);
  if (format == nullptr) return BitsOfInteger(type, number);
  // 2^-127 in two digits, which is more than 2^-127 and would go up.
  if (dialect == LiteralDialect::kCanonical &&
      type == PrimitiveType::kF8E8M0FNU && number == "5.9e-39") {
    return 0;
  }
  FERRY_ASSIGN_OR_RETURN(const double value, DoubleOfNumber(number, dialect));
  if (std::isnan(value)) return BitsOfNan(*format, value);
  const uint64_t bits = format->FromDouble(value);
  if (std::isfinite(value) && !std::isfinite(format->ToDouble(bits))) {
    return OutOfRange(type, number);
  }
  return bits;
}

absl::StatusOr<std::array<uint64_t, 2>> BitsOfComplex(
    PrimitiveType part, absl::string_view real, absl::string_view imaginary,
    LiteralDialect dialect) {
  const FloatFormat& format = *FloatFormat::Find(part);
  std::array<uint64_t, 2> bits;
  FERRY_ASSIGN_OR_RETURN(bits[0], BitsOfNumber(part, real, dialect));
  if (dialect == LiteralDialect::kCanonical) {
    FERRY_ASSIGN_OR_RETURN(bits[1], BitsOfNumber(part, imaginary, dialect));
    return bits;
  }
  FERRY_ASSIGN_OR_RETURN(const double value,
                         DoubleOfNumber(imaginary, dialect));
  if (format.Overflows(value)) return OutOfRange(part, imaginary);
  // A NaN in front is the NaN of both, and a NaN behind is converted.
  bits[1] =
      std::isnan(format.ToDouble(bits[0])) ? bits[0] : format.FromDouble(value);
  return bits;
}

}  // namespace ferry
