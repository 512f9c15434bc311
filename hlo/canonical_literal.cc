// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A decimal of at most digits10 digits is told apart by its type, so if it has
// the form of %g it is what its value prints as. A longer one of f32 and all of
// the narrower types are compared in double arithmetic, which has digits to
// spare: a number prints as the text if it is nearer to it than half a unit of
// the last digit. Doubtful cases, and long ones of f64, are converted and
// printed one by one.

#include "ferry/hlo/canonical_literal.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/float_format.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/literal_number.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr absl::string_view kElided = "{...}";

// Powers of ten that a double and a long double hold exactly.
constexpr long double kPowersOfTen[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
    1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
    1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
template <typename Wide>
constexpr int kLargestPower = std::numeric_limits<Wide>::digits >= 64 ? 27 : 22;

// Whether Scale rounds only once.
template <typename Wide>
bool IsExactPower(int power) {
  return power >= -kLargestPower<Wide> && power <= kLargestPower<Wide>;
}

// mantissa * 10^power.
template <typename Wide>
Wide Scale(Wide mantissa, int power) {
  return power < 0 ? mantissa / static_cast<Wide>(kPowersOfTen[-power])
                   : mantissa * static_cast<Wide>(kPowersOfTen[power]);
}

// A decimal as %g writes it: mantissa * 10^(exponent - digits + 1).
struct Decimal {
  uint64_t mantissa = 0;
  int digits = 0;    // of the mantissa, which has no trailing zeros
  int exponent = 0;  // of the first digit
  bool is_scientific = false;
  bool is_zero = false;
};

// Reads a decimal without sign and returns what is behind it; null for what %g
// would never write, and for more than 18 digits.
const char* ReadDecimal(const char* at, const char* end, Decimal& decimal) {
  int digits = 0;
  int zeros = 0;  // behind the latest digit that is none
  const auto read_digits = [&] {
    for (; at != end && HloLexer::IsDigit(*at); ++at) {
      ++digits;
      if (*at == '0') {
        ++zeros;
        continue;
      }
      for (; zeros > 0; --zeros) decimal.mantissa *= 10;
      decimal.mantissa = decimal.mantissa * 10 + (*at - '0');
    }
  };
  if (at == end || !HloLexer::IsDigit(*at)) return nullptr;
  if (*at == '0') {
    decimal.is_zero = ++at == end || *at != '.';
    if (decimal.is_zero) return at;
    decimal.exponent = -1;
    while (++at != end && *at == '0') --decimal.exponent;
    read_digits();
    if (digits == 0 || zeros > 0) return nullptr;
  } else {
    read_digits();
    decimal.exponent = digits - 1;
    if (at != end && *at == '.') {
      const char* fraction = ++at;
      read_digits();
      if (at == fraction || zeros > 0) return nullptr;
    }
  }
  decimal.digits = digits - zeros;
  if (digits > 18) return nullptr;
  if (at == end || *at != 'e') return at;
  if (decimal.exponent != 0 || ++at == end) return nullptr;
  decimal.is_scientific = true;
  const bool negative = *at == '-';
  if (!negative && *at != '+') return nullptr;
  const char* exponent = ++at;
  int value = 0;
  for (; at != end && HloLexer::IsDigit(*at) && at - exponent < 4; ++at) {
    value = value * 10 + (*at - '0');
  }
  const int64_t length = at - exponent;
  if (length < 2 || length > 3 || (length == 3 && *exponent == '0')) {
    return nullptr;
  }
  decimal.exponent = negative ? -value : value;
  return at;
}

// Whether %.{precision}g chooses this form for this exponent.
bool HasGeneralForm(const Decimal& decimal, int precision) {
  const bool is_scientific =
      decimal.exponent < -4 || decimal.exponent >= precision;
  return decimal.digits <= precision && is_scientific == decimal.is_scientific;
}

// Whether `value` surely prints as the decimal with `precision` digits. A value
// below the decimal's first digit would have a digit more to show.
template <typename Wide>
bool PrintsAs(Wide value, Wide decimal_value, int exponent, int precision) {
  const int unit = exponent - precision + 1;
  return IsExactPower<Wide>(unit) && IsExactPower<Wide>(exponent) &&
         value >= Scale<Wide>(1, exponent) &&
         std::abs(value - decimal_value) < Scale<Wide>(0.499, unit);
}

// Half of what the last bit of a normal number is worth.
template <typename Float>
Float HalfOfLastBit(Float value) {
  return std::ldexp(Float{1},
                    std::ilogb(value) - std::numeric_limits<Float>::digits);
}

// More than digits10 digits: all must be the value's own, and digits10 of them
// must not do. Wide has at least 11 bits more than Float.
template <typename Float, typename Wide>
bool IsLong(const Decimal& decimal) {
  using Limits = std::numeric_limits<Float>;
  if (std::numeric_limits<Wide>::digits < Limits::digits + 11) return false;
  const int unit = decimal.exponent - Limits::max_digits10 + 1;
  if (!IsExactPower<Wide>(unit)) return false;
  uint64_t all = decimal.mantissa;
  for (int i = decimal.digits; i < Limits::max_digits10; ++i) all *= 10;
  const Wide exact = Scale<Wide>(all, unit);
  const Float value = static_cast<Float>(exact);
  if (!PrintsAs<Wide>(value, exact, decimal.exponent, Limits::max_digits10)) {
    return false;
  }
  constexpr int kDropped = Limits::max_digits10 - Limits::digits10;
  constexpr uint64_t kStep = kDropped == 3 ? 1000 : 100;
  const uint64_t dropped = all % kStep;
  if (dropped + 1 >= kStep / 2 && dropped <= kStep / 2 + 1) return false;
  const uint64_t shorter = all / kStep + (dropped > kStep / 2 ? 1 : 0);
  const Wide gap =
      std::abs(Scale<Wide>(shorter, unit + kDropped) - Wide{value});
  return gap > Wide{1.01} * HalfOfLastBit(value);
}

// What the elements of one array are, and how one is proven canonical.
class ElementProof {
 public:
  ElementProof(PrimitiveType type, bool is_scalar)
      : type_(type),
        format_(FloatFormat::Find(PartType(type))),
        is_complex_(PartType(type) != type),
        is_word_(type == PrimitiveType::kPred && is_scalar) {
    const int64_t bits = BitWidth(type);
    if (type == PrimitiveType::kPred) {
      largest_ = 1;
    } else if (PrimitiveTypeName(type).front() == 'u') {
      largest_ = bits == 64 ? INT64_MAX : (int64_t{1} << bits) - 1;
    } else if (format_ == nullptr) {
      smallest_ = bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
      largest_ = -(smallest_ + 1);
    }
  }

  // Behind the element at `at`; null if it is not proven.
  const char* After(const char* at, const char* end) const {
    if (is_word_) {
      const absl::string_view text(at, end - at);
      if (absl::StartsWith(text, "true")) return at + 4;
      return absl::StartsWith(text, "false") ? at + 5 : nullptr;
    }
    return is_complex_ ? AfterComplex(at, end) : AfterNumber(at, end);
  }

 private:
  const char* AfterNumber(const char* at, const char* end) const {
    const char* after =
        format_ == nullptr ? AfterInteger(at, end) : AfterFloat(at, end);
    return after != nullptr ? after : AfterConverted(at, end);
  }

  // (re, im) with numbers that are no NaNs, which are kept in a way of their
  // own.
  const char* AfterComplex(const char* at, const char* end) const {
    if (at == end || *at != '(') return nullptr;
    ++at;
    for (absl::string_view behind : {", ", ")"}) {
      const char* after = AfterNumber(at, end);
      if (after == nullptr ||
          absl::StrContains(absl::string_view(at, after - at), "nan") ||
          !absl::StartsWith(absl::string_view(after, end - after), behind)) {
        return nullptr;
      }
      at = after + behind.size();
    }
    return at;
  }

  const char* AfterInteger(const char* at, const char* end) const {
    const bool negative = at != end && *at == '-';
    if (negative) ++at;
    const char* digits = at;
    int64_t value = 0;
    for (; at != end && HloLexer::IsDigit(*at); ++at) {
      if (at - digits == 18) return nullptr;
      value = value * 10 + (*at - '0');
    }
    if (negative) value = -value;
    if (at == digits || value < smallest_ || value > largest_) return nullptr;
    // No zero in front, and no sign in front of a zero.
    const bool is_plain = *digits != '0' || (at - digits == 1 && !negative);
    return is_plain ? at : nullptr;
  }

  const char* AfterFloat(const char* at, const char* end) const {
    const bool negative = at != end && *at == '-';
    Decimal decimal;
    const char* after = ReadDecimal(negative ? at + 1 : at, end, decimal);
    return after != nullptr && IsProven(decimal, negative) ? after : nullptr;
  }

  bool IsProven(const Decimal& decimal, bool negative) const {
    if (format_->kind == FloatFormat::Kind::kScale) return false;
    if (decimal.is_zero) return !negative;
    switch (format_->type) {
      case PrimitiveType::kF64:
        return decimal.digits <= 15 ? HasGeneralForm(decimal, 15) &&
                                          std::abs(decimal.exponent) < 300
                                    : HasGeneralForm(decimal, 17) &&
                                          IsLong<double, long double>(decimal);
      case PrimitiveType::kF32:
        return decimal.digits <= 6 ? HasGeneralForm(decimal, 6) &&
                                         std::abs(decimal.exponent) < 37
                                   : HasGeneralForm(decimal, 9) &&
                                         IsLong<float, double>(decimal);
      default:
        return HasGeneralForm(decimal, format_->max_digits10) &&
               IsNarrow(decimal);
    }
  }

  bool IsNarrow(const Decimal& decimal) const {
    const int power = decimal.exponent - decimal.digits + 1;
    if (!IsExactPower<double>(power)) return false;
    const double value = Scale<double>(decimal.mantissa, power);
    const double rounded = format_->ToDouble(format_->FromDouble(value));
    return PrintsAs(rounded, value, decimal.exponent, format_->max_digits10);
  }

  // By converting and printing the number.
  const char* AfterConverted(const char* at, const char* end) const {
    HloLexer lexer(absl::string_view(at, end - at));
    const absl::string_view number = lexer.ScanNumber();
    if (number.data() != at || number.empty()) return nullptr;
    const PrimitiveType part = PartType(type_);
    const absl::StatusOr<uint64_t> bits =
        BitsOfNumber(part, number, LiteralDialect::kText);
    if (!bits.ok()) return nullptr;
    std::string printed;
    if (format_ != nullptr) {
      format_->AppendTo(*bits, printed);
    } else if (part == PrimitiveType::kU64) {
      printed = absl::StrCat(*bits);
    } else {
      printed = absl::StrCat(static_cast<int64_t>(*bits));
    }
    return printed == number ? at + number.size() : nullptr;
  }

  const PrimitiveType type_;
  const FloatFormat* format_;
  const bool is_complex_;
  const bool is_word_;
  int64_t smallest_ = 0;
  int64_t largest_ = 0;
};

// Reads the braces of an array of at least one element.
class ArrayScan {
 public:
  ArrayScan(const Shape& shape, absl::string_view text)
      : sizes_(shape.dimensions()),
        rank_(sizes_.size()),
        begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        proof_(shape.element_type(), sizes_.empty()),
        index_(rank_, 0) {}

  size_t Length() {
    if (rank_ == 0) {
      const char* after = proof_.After(at_, end_);
      // What ends the argument; `1x1` would be another token.
      const bool is_end = after != nullptr && after != end_ &&
                          (*after == ')' || *after == ',' || *after == ' ');
      return is_end ? after - begin_ : 0;
    }
    if (!Open(0)) return 0;
    for (int64_t level = 0; level >= 0;) {
      if (level == rank_ - 1) {
        if (!Row(sizes_[level])) return 0;
        index_[level] = sizes_[level];
      }
      if (index_[level] == sizes_[level]) {
        if (!Consume(IsTight(level) ? "}" : " }")) return 0;
        if (--level >= 0) ++index_[level];
        continue;
      }
      if (index_[level] > 0 && !Consume(", ")) return 0;
      if (!Open(++level)) return 0;
    }
    return at_ - begin_;
  }

 private:
  bool IsTight(int64_t level) const {
    return level == rank_ - 1 && (rank_ == 1 || sizes_[level] <= 1);
  }

  bool Consume(absl::string_view bytes) {
    if (!absl::StartsWith(absl::string_view(at_, end_ - at_), bytes)) {
      return false;
    }
    at_ += bytes.size();
    return true;
  }

  bool Open(int64_t level) {
    index_[level] = 0;
    if (IsTight(level)) return Consume("{");
    if (!Consume("{ ")) return false;
    if (rank_ <= 3 || level == 0 || level == rank_ - 1) return true;
    return Consume("/*i") && Consume(absl::StrCat(level - 1)) && Consume("=") &&
           Consume(absl::StrCat(index_[level - 1])) && Consume("*/ ");
  }

  bool Row(int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0 && !Consume(", ")) return false;
      at_ = proof_.After(at_, end_);
      if (at_ == nullptr) return false;
    }
    return true;
  }

  const absl::Span<const int64_t> sizes_;
  const int64_t rank_;
  const char* const begin_;
  const char* at_;
  const char* const end_;
  const ElementProof proof_;
  absl::InlinedVector<int64_t, 6> index_;
};

size_t ArrayLength(const Shape& shape, absl::string_view text) {
  const int64_t count = shape.ElementCount().value_or(0);
  if (count == 0 || !shape.LogicalBytes().has_value()) return 0;
  if (!shape.dimensions().empty() && absl::StartsWith(text, kElided)) {
    return kElided.size();
  }
  if (count > static_cast<int64_t>(text.size())) return 0;
  return ArrayScan(shape, text).Length();
}

}  // namespace

size_t CanonicalLiteralLength(const Shape& shape, absl::string_view text) {
  if (shape.IsArray()) return ArrayLength(shape, text);
  if (!shape.IsTuple()) return 0;
  absl::string_view rest = text;
  const auto consume = [&](absl::string_view bytes) {
    if (!absl::StartsWith(rest, bytes)) return false;
    rest.remove_prefix(bytes.size());
    return true;
  };
  // A stack of (tuple, next element).
  llvm::SmallVector<std::pair<const Shape*, size_t>, 8> open;
  const Shape* next = &shape;
  while (true) {
    if (next->IsTuple()) {
      if (!consume("( ")) return 0;
      open.push_back({next, 0});
    } else {
      const size_t length = next->IsArray() ? ArrayLength(*next, rest) : 0;
      if (length == 0) return 0;
      rest.remove_prefix(length);
    }
    while (open.back().second == open.back().first->tuple_shapes().size()) {
      if (!consume(" )")) return 0;
      open.pop_back();
      if (open.empty()) return text.size() - rest.size();
    }
    auto& [tuple, element] = open.back();
    if (element > 0 && !consume(", ")) return 0;
    next = tuple->tuple_shapes()[element++];
  }
}

}  // namespace ferry
