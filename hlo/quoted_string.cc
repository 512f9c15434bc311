// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/quoted_string.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

// Whether nothing in it is escaped. Without a branch for each byte: nearly
// every string of a dump is plain.
bool IsPlain(absl::string_view text) {
  bool is_escaped = false;
  for (const unsigned char c : text) {
    is_escaped |=
        (c < 0x20) | (c > 0x7e) | (c == '"') | (c == '\'') | (c == '\\');
  }
  return !is_escaped;
}

}  // namespace

absl::Status ReadQuotedString(HloLexer& lexer, absl::string_view what,
                              DecodedStrings& strings,
                              absl::string_view& text) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view quoted = lexer.ScanString();
  if (quoted.empty()) return ExpectedError(lexer, what);
  text = quoted.substr(1, quoted.size() - 2);
  if (text.find('\\') == absl::string_view::npos) return absl::OkStatus();
  std::string decoded;
  std::string error;
  if (absl::CUnescape(text, &decoded, &error)) {
    text = strings.Keep(std::move(decoded));
    return absl::OkStatus();
  }
  lexer.set_offset(offset);
  return absl::OutOfRangeError(
      absl::StrCat(what, " has an unknown escape: ", error));
}

absl::Status ReadStringOrBraces(HloLexer& lexer, DecodedStrings& strings,
                                absl::string_view& text) {
  if (lexer.Peek() != '{') {
    return ReadQuotedString(lexer, "a string or `{...}`", strings, text);
  }
  text = lexer.ScanBraces();
  if (!text.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("this `{` has no matching `}`");
}

void AppendQuoted(absl::string_view content, std::string& out) {
  out += '"';
  if (IsPlain(content)) {
    out.append(content.data(), content.size());
  } else {
    out += absl::CEscape(content);
  }
  out += '"';
}

void AppendQuotedOrBraces(absl::string_view content, std::string& out) {
  HloLexer lexer(content);
  if (!lexer.ScanBraces().empty() && lexer.AtEnd()) {
    out.append(content.data(), content.size());
  } else {
    AppendQuoted(content, out);
  }
}

}  // namespace ferry
