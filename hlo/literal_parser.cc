// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal_parser.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// Limits of a floating-point type as literals see them. A value rounds to the
// nearest; from `overflow` on (half a step beyond the largest) that is infinite
// and refused. Types that saturate take any value.
struct FloatFacts {
  PrimitiveType type;
  double overflow;
  uint64_t max_nan_payload;  // 0: the type's NaN has no payload
};
constexpr double kAnyValue = std::numeric_limits<double>::infinity();
constexpr FloatFacts kFloats[] = {
    {PrimitiveType::kF16, 65520, 0x3ff},
    {PrimitiveType::kBF16, 0x1.ffp127, 0x7f},
    {PrimitiveType::kF32, 0x1.ffffffp127, 0x7fffff},
    {PrimitiveType::kF64, kAnyValue, 0xfffffffffffff},
    {PrimitiveType::kF8E5M2, 61440, 0x3},
    {PrimitiveType::kF8E4M3, 248, 0x7},
    {PrimitiveType::kF8E4M3FN, 464, 0},
    {PrimitiveType::kF8E4M3B11FNUZ, 31, 0},
    {PrimitiveType::kF8E3M4, 15.75, 0xf},
    {PrimitiveType::kF8E5M2FNUZ, 61440, 0},
    {PrimitiveType::kF8E4M3FNUZ, 248, 0},
    {PrimitiveType::kF4E2M1FN, kAnyValue, 0},
    {PrimitiveType::kF8E8M0FNU, kAnyValue, 0},
    {PrimitiveType::kF6E3M2FN, kAnyValue, 0},
    {PrimitiveType::kF6E2M3FN, kAnyValue, 0},
};

const FloatFacts* FindFloat(PrimitiveType type) {
  for (const FloatFacts& facts : kFloats) {
    if (facts.type == type) return &facts;
  }
  return nullptr;
}

// The type of the two parts of a complex type.
std::optional<PrimitiveType> PartOfComplex(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return std::nullopt;
}

bool IsWhole(absl::string_view number) {
  return number.find_first_not_of("-0123456789") == absl::string_view::npos;
}

std::string UpperName(PrimitiveType type) {
  std::string name(PrimitiveTypeName(type));
  for (char& c : name) c = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
  return name;
}

}  // namespace

bool LiteralParser::Parse(const Shape& shape) {
  if (shape.IsTuple()) return ParseTuple(shape);
  if (shape.IsArray()) return ParseArray(shape);
  return reader_.BadValue(
      lexer_.TokenOffset(),
      absl::StrCat("there are no literals of shape ", shape.ToString()));
}

// Descends with a stack of (tuple, next element): depth is input.
bool LiteralParser::ParseTuple(const Shape& shape) {
  llvm::SmallVector<std::pair<const Shape*, size_t>, 4> open;
  if (!reader_.Expect('(', "at the start of a tuple literal")) return false;
  open.push_back({&shape, 0});
  while (!open.empty()) {
    auto& [tuple, element] = open.back();
    if (element == tuple->tuple_shapes().size()) {
      if (!reader_.Expect(')', "at the end of a tuple literal")) return false;
      open.pop_back();
      continue;
    }
    if (element > 0 && !reader_.Expect(',', "between tuple elements")) {
      return false;
    }
    const Shape& next = *tuple->tuple_shapes()[element++];
    if (next.IsTuple()) {
      if (!reader_.Expect('(', "at the start of a tuple literal")) return false;
      open.push_back({&next, 0});
    } else if (!Parse(next)) {
      return false;
    }
  }
  return true;
}

bool LiteralParser::ParseWithShapes() {
  int64_t depth = 0;
  // A parenthesis opens either a tuple literal or, nowhere here, a tuple
  // shape: leaves have array shapes.
  while (true) {
    if (lexer_.Consume('(')) {
      ++depth;
      if (lexer_.Peek() != ')') continue;
    } else {
      const Shape* shape = shapes_.Parse();
      if (shape == nullptr || !Parse(*shape)) return false;
    }
    while (depth > 0 && lexer_.Consume(')')) --depth;
    if (depth == 0) return true;
    if (!reader_.Expect(',', "between tuple elements")) return false;
  }
}

// `seen[k]` counts the elements of the innermost open braces at level k.
bool LiteralParser::ParseArray(const Shape& shape) {
  const absl::Span<const int64_t> sizes = shape.dimensions();
  const int64_t rank = sizes.size();
  absl::InlinedVector<int64_t, 8> seen(rank, 0);
  int64_t level = 0;  // open braces
  const auto count = [&](int64_t dimension, uint64_t offset) {
    if (++seen[dimension] <= sizes[dimension]) return true;
    return reader_.BadValue(
        offset,
        absl::StrCat("expected ", sizes[dimension], " elements in dimension ",
                     dimension, " of the literal, but saw more"));
  };
  do {
    const uint64_t offset = lexer_.TokenOffset();
    const char next = lexer_.Peek();
    if (next == '{') {
      if (level == rank) {
        return reader_.BadValue(
            offset, absl::StrCat("expected a literal nested ", rank,
                                 " deep, but saw it nested deeper"));
      }
      if (level > 0 && !count(level - 1, offset)) return false;
      lexer_.Consume('{');
      ++level;
    } else if (next == '}' && level > 0) {
      if (seen[level - 1] != sizes[level - 1]) {
        return reader_.BadValue(
            offset, absl::StrCat("expected ", sizes[level - 1],
                                 " elements in dimension ", level - 1,
                                 " of the literal, but saw ", seen[level - 1]));
      }
      lexer_.Consume('}');
      seen[--level] = 0;
    } else if (next == ',' && level > 0) {
      lexer_.Consume(',');
    } else if (level > 0 && lexer_.Consume("...")) {
      if (level != 1) {
        return reader_.BadValue(
            offset, absl::StrCat("expected `...` at nest level 1 of the "
                                 "literal, but saw it at level ",
                                 level));
      }
      seen[0] = sizes[0];
    } else {
      if (level > 0 && level != rank) {
        return reader_.BadValue(
            offset, absl::StrCat("expected a literal nested ", rank,
                                 " deep, but saw a value at level ", level));
      }
      if (level > 0 && !count(rank - 1, offset)) return false;
      if (!ParseScalar(shape.element_type())) return false;
    }
  } while (level > 0);
  return true;
}

bool LiteralParser::ParseScalar(PrimitiveType type) {
  const uint64_t offset = lexer_.TokenOffset();
  if (const auto part = PartOfComplex(type)) return ParseComplex(*part);
  if (lexer_.Peek() == '(') {
    return reader_.BadValue(offset,
                            "parentheses in a literal are only for "
                            "complex numbers and tuples");
  }
  if (type == PrimitiveType::kPred &&
      (lexer_.ConsumeWord("true") || lexer_.ConsumeWord("false"))) {
    return true;
  }
  const absl::string_view number = lexer_.ScanNumber();
  if (number.empty()) return reader_.errors.Expected(lexer_, "a value");
  if (FindFloat(type) != nullptr) return CheckFloat(type, number, offset);
  if (!IsWhole(number)) {
    lexer_.set_offset(offset);
    return reader_.errors.Expected(lexer_, "an integer");
  }
  return CheckInteger(type, number, offset);
}

bool LiteralParser::ParseComplex(PrimitiveType part) {
  if (!reader_.Expect('(', "at the start of a complex number")) return false;
  for (bool second : {false, true}) {
    if (second && !reader_.Expect(',', "in a complex number")) return false;
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view number = lexer_.ScanNumber();
    if (number.empty()) return reader_.errors.Expected(lexer_, "a value");
    if (!CheckFloat(part, number, offset)) return false;
  }
  return reader_.Expect(')', "at the end of a complex number");
}

bool LiteralParser::CheckInteger(PrimitiveType type, absl::string_view digits,
                                 uint64_t offset) {
  const bool negative = digits.front() == '-';
  const std::optional<int64_t> value = IntegerValue(digits);
  const int64_t bits = BitWidth(type);
  if (!value.has_value()) return OutOfRange(type, digits, offset);
  if (type == PrimitiveType::kPred || type == PrimitiveType::kU64) return true;
  if (PrimitiveTypeName(type).front() == 'u') {
    const uint64_t limit = uint64_t{1} << bits;
    const bool fits = !negative && static_cast<uint64_t>(*value) < limit;
    return (fits || *value == 0) || OutOfRange(type, digits, offset);
  }
  // The 64 bits of a number of 2^63 and more read as negative.
  if (!negative && *value < 0) return OutOfRange(type, digits, offset);
  if (bits == 64) return true;
  const int64_t limit = int64_t{1} << (bits - 1);
  return (*value >= -limit && *value < limit) ||
         OutOfRange(type, digits, offset);
}

bool LiteralParser::CheckFloat(PrimitiveType type, absl::string_view number,
                               uint64_t offset) {
  const FloatFacts& facts = *FindFloat(type);
  const size_t payload = number.find("(0x");
  if (payload != absl::string_view::npos) {
    const absl::string_view digits =
        number.substr(payload + 3, number.size() - payload - 4);
    uint64_t bits = 0;
    if (digits.empty() || digits.size() > 16 ||
        !absl::SimpleHexAtoi(digits, &bits) || bits == 0 ||
        bits > facts.max_nan_payload) {
      return reader_.BadValue(
          offset, absl::StrCat("the NaN payload of `", number,
                               "` is out of range for ", UpperName(type)));
    }
    return true;
  }
  if (number.find('n') != absl::string_view::npos) return true;  // inf, nan
  double value = 0;
  if (!absl::SimpleAtod(number, &value) || std::isinf(value)) {
    return reader_.BadValue(offset, "Constant is out of range for double");
  }
  return std::abs(value) < facts.overflow || OutOfRange(type, number, offset);
}

bool LiteralParser::OutOfRange(PrimitiveType type, absl::string_view value,
                               uint64_t offset) {
  return reader_.BadValue(
      offset, absl::StrCat("value ", value.substr(0, 40),
                           " is out of range for literal's primitive type ",
                           UpperName(type)));
}

}  // namespace ferry
