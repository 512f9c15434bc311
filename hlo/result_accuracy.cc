// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/result_accuracy.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

absl::Status ReadMode(HloLexer& lexer, ResultAccuracy& accuracy) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view mode = lexer.ScanWord();
  if (absl::EqualsIgnoreCase(mode, "default")) return absl::OkStatus();
  if (absl::EqualsIgnoreCase(mode, "highest")) {
    accuracy.kind = ResultAccuracy::Kind::kHighest;
    return absl::OkStatus();
  }
  lexer.set_offset(offset);
  return ExpectedError(lexer, "a mode (default, highest)");
}

// One of atol, rtol and ulps; the last one of a name counts. Whole ulps are
// what is left of the number without its fraction.
absl::Status ReadPart(HloLexer& lexer, ResultAccuracy& accuracy) {
  constexpr double kEndOfInt64 = 0x1p63;
  const uint64_t name_offset = lexer.TokenOffset();
  const absl::string_view name = lexer.ScanAttributeName();
  if (name != "atol" && name != "rtol" && name != "ulps") {
    lexer.set_offset(name_offset);
    return ExpectedError(lexer, "`atol=`, `rtol=` or `ulps=`");
  }
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = lexer.ScanNumber();
  lexer.set_offset(offset);
  double value = 0;
  FERRY_RETURN_IF_ERROR(ReadDouble(lexer, "a number", value));
  const bool overflows = std::isinf(value) && !absl::StrContains(token, "inf");
  const bool is_whole = name == "ulps";
  if (is_whole) value = std::trunc(value);
  if (!(value >= 0) || overflows || (is_whole && value >= kEndOfInt64)) {
    lexer.set_offset(offset);
    return absl::OutOfRangeError(
        absl::StrCat(name, " must be a number that is not negative",
                     is_whole ? " and less than 2^63" : ""));
  }
  if (is_whole) {
    accuracy.ulps = static_cast<int64_t>(value);
  } else {
    (name == "atol" ? accuracy.atol : accuracy.rtol) = value;
  }
  return absl::OkStatus();
}

}  // namespace

void ResultAccuracy::AppendTo(std::string& out) const {
  switch (kind) {
    case Kind::kDefault:
      out += "{mode=default}";
      break;
    case Kind::kHighest:
      out += "{mode=highest}";
      break;
    case Kind::kTolerance:
      absl::StrAppend(&out, "{tolerance={atol=", atol, ",rtol=", rtol,
                      ",ulps=", ulps, "}}");
      break;
  }
}

absl::Status Read(HloLexer& lexer, ResultAccuracy& accuracy) {
  accuracy = ResultAccuracy();
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, '{', "to start a result accuracy"));
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view name = lexer.ScanAttributeName();
  if (name == "mode") {
    FERRY_RETURN_IF_ERROR(ReadMode(lexer, accuracy));
  } else if (name == "tolerance") {
    accuracy.kind = ResultAccuracy::Kind::kTolerance;
    FERRY_RETURN_IF_ERROR(ReadList(lexer, "a tolerance",
                                   [&] { return ReadPart(lexer, accuracy); }));
  } else {
    lexer.set_offset(offset);
    return ExpectedError(lexer, "`mode=` or `tolerance=`");
  }
  return ReadPunctuation(lexer, '}', "at the end of a result accuracy");
}

}  // namespace ferry
