// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/value_reader.h"

#include <limits>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace ferry {
namespace {

absl::Status TooLarge(absl::string_view what, int bits) {
  return absl::OutOfRangeError(
      absl::StrCat(what, " does not fit in ", bits, " bits"));
}

}  // namespace

absl::Status ExpectedError(HloLexer& lexer, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", what, ", but saw ", lexer.DescribeNext()));
}

absl::Status ReadInt64(HloLexer& lexer, absl::string_view what,
                       int64_t& value) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view digits = lexer.ScanInteger();
  if (digits.empty()) return ExpectedError(lexer, what);
  const std::optional<int64_t> number = IntegerValue(digits);
  if (!number.has_value()) {
    lexer.set_offset(offset);
    return TooLarge(what, 64);
  }
  value = *number;
  return absl::OkStatus();
}

absl::Status ReadInt32(HloLexer& lexer, absl::string_view what,
                       int32_t& value) {
  const uint64_t offset = lexer.TokenOffset();
  int64_t wide = 0;
  FERRY_RETURN_IF_ERROR(ReadInt64(lexer, what, wide));
  value = static_cast<int32_t>(wide);
  if (value == wide) return absl::OkStatus();
  lexer.set_offset(offset);
  return TooLarge(what, 32);
}

absl::Status ReadBool(HloLexer& lexer, bool& value) {
  value = lexer.ConsumeWord("true");
  if (value || lexer.ConsumeWord("false")) return absl::OkStatus();
  return ExpectedError(lexer, "`true` or `false`");
}

absl::Status ReadDouble(HloLexer& lexer, absl::string_view what,
                        double& value) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = lexer.ScanNumber();
  if (token.empty()) return ExpectedError(lexer, what);
  if (absl::StrContains(token, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
    return absl::OkStatus();
  }
  if (token.find_first_not_of("-0123456789") == absl::string_view::npos) {
    const std::optional<int64_t> integer = IntegerValue(token);
    if (integer.has_value()) {
      value = static_cast<double>(*integer);
      return absl::OkStatus();
    }
  } else if (absl::SimpleAtod(token, &value)) {
    return absl::OkStatus();
  }
  lexer.set_offset(offset);
  return TooLarge(what, 64);
}

absl::Status ReadShapeIndex(HloLexer& lexer, ShapeIndex& index) {
  index.clear();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start a shape index"));
  while (!lexer.Consume('}')) {
    FERRY_RETURN_IF_ERROR(
        ReadInt64(lexer, "an element number", index.emplace_back()));
    if (lexer.Consume(',')) continue;
    return ReadPunctuation(lexer, '}', "at the end of a shape index");
  }
  return absl::OkStatus();
}

void AppendShapeIndex(const ShapeIndex& index, std::string& out) {
  out += '{';
  for (size_t i = 0; i < index.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ",", index[i]);
  }
  out += '}';
}

}  // namespace ferry
