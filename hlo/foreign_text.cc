// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/foreign_text.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {
namespace {

bool HasNul(absl::string_view bytes, size_t at) {
  return at < bytes.size() && bytes[at] == '\0';
}

// With its byte order mark, or by two characters of ASCII.
bool IsUtf16(absl::string_view bytes) {
  if (absl::StartsWith(bytes, "\xff\xfe") ||
      absl::StartsWith(bytes, "\xfe\xff")) {
    return true;
  }
  if (bytes.size() < 4) return false;
  const bool is_little = HasNul(bytes, 1) && HasNul(bytes, 3);
  const bool is_big = HasNul(bytes, 0) && HasNul(bytes, 2);
  return is_little != is_big;
}

}  // namespace

std::string DescribeNoText(absl::string_view bytes) {
  if (bytes.empty()) return "the input is empty";
  if (IsUtf16(bytes)) {
    return "the input is in UTF-16; HLO is read as UTF-8";
  }
  if (absl::StartsWith(bytes, "\xef\xbb\xbf")) {
    return "the input begins with a byte order mark, which XLA does not read "
           "either; save it as UTF-8 without one";
  }
  HloLexer lexer(bytes);
  if (lexer.AtEnd()) {
    return "the input holds nothing but white space and comments";
  }
  return "";
}

std::string HowHloBegins(absl::string_view bytes) {
  HloLexer lexer(bytes);
  return absl::StrCat(
      "HLO text begins with `HloModule`; without it, this is taken "
      "for a part of a module",
      DidYouMean(lexer.ScanWord(), {"HloModule"}));
}

}  // namespace ferry
