// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/text_reader.h"

#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace ferry {

bool TextReader::Expect(char punctuation, absl::string_view where) {
  if (lexer.Consume(punctuation)) return true;
  return errors.Expected(lexer,
                         absl::StrCat("`", std::string(1, punctuation), "`",
                                      where.empty() ? "" : " ", where));
}

bool TextReader::ReadNumber(absl::string_view what, int64_t& value) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view digits = lexer.ScanInteger();
  if (digits.empty()) return errors.Expected(lexer, what);
  const std::optional<int64_t> number = IntegerValue(digits);
  if (!number.has_value()) {
    return BadValue(offset, absl::StrCat(what, " does not fit in 64 bits"));
  }
  value = *number;
  return true;
}

bool TextReader::ReadBool() {
  if (lexer.ConsumeWord("true") || lexer.ConsumeWord("false")) return true;
  return errors.Expected(lexer, "`true` or `false`");
}

bool TextReader::ReadQuoted(absl::string_view what, absl::string_view& text) {
  const uint64_t offset = lexer.TokenOffset();
  text = lexer.ScanString();
  if (text.empty()) return errors.Expected(lexer, what);
  if (text.find('\\') == absl::string_view::npos) return true;
  std::string decoded;
  std::string error;
  if (absl::CUnescape(text.substr(1, text.size() - 2), &decoded, &error)) {
    return true;
  }
  return BadValue(offset,
                  absl::StrCat(what, " has an unknown escape: ", error));
}

bool TextReader::AddError(const absl::Status& status) {
  const auto code = status.code() == absl::StatusCode::kOutOfRange
                        ? DiagnosticCode::kBadValue
                        : DiagnosticCode::kSyntaxError;
  return Fail(code, lexer.TokenOffset(), std::string(status.message()));
}

}  // namespace ferry
