// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/dimension_token.h"

#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace ferry {
namespace {

// Each of these takes one part of a token off the front of `text` and returns
// how many bytes that is; 0 if the part is not there.
size_t TakeWhile(absl::string_view text, absl::string_view allowed) {
  const size_t end = text.find_first_not_of(allowed);
  return end == absl::string_view::npos ? text.size() : end;
}

size_t TakeDigits(absl::string_view text) {
  return TakeWhile(text, "0123456789");
}

size_t TakeInteger(absl::string_view text) {
  const size_t sign = !text.empty() && text.front() == '-' ? 1 : 0;
  const size_t digits = TakeDigits(text.substr(sign));
  return digits == 0 ? 0 : sign + digits;
}

// A number behind `mark`.
size_t TakeMarked(absl::string_view text, char mark, bool may_be_negative) {
  if (text.empty() || text.front() != mark) return 0;
  text.remove_prefix(1);
  const size_t size = may_be_negative ? TakeInteger(text) : TakeDigits(text);
  return size == 0 ? 0 : 1 + size;
}

// low_high(_interior)?
size_t TakePadding(absl::string_view text) {
  const size_t low = TakeInteger(text);
  if (low == 0) return 0;
  const size_t high = TakeMarked(text.substr(low), '_', true);
  if (high == 0) return 0;
  return low + high + TakeMarked(text.substr(low + high), '_', false);
}

// At least two of `allowed`.
size_t TakeLabels(absl::string_view text, absl::string_view allowed) {
  const size_t size = TakeWhile(text, allowed);
  return size < 2 ? 0 : size;
}

absl::string_view Rest(HloLexer& lexer) {
  return lexer.text().substr(lexer.TokenOffset());
}

absl::string_view Accept(HloLexer& lexer, absl::string_view token) {
  lexer.set_offset(lexer.offset() + token.size());
  return token;
}

}  // namespace

absl::string_view ScanDimensionSizes(HloLexer& lexer) {
  const absl::string_view rest = Rest(lexer);
  size_t size = TakeDigits(rest);
  if (size == 0) return {};
  const size_t first = size;
  while (const size_t more = TakeMarked(rest.substr(size), 'x', false)) {
    size += more;
  }
  return Accept(lexer, rest.substr(0, size == first ? 0 : size));
}

absl::string_view ScanPaddings(HloLexer& lexer) {
  const absl::string_view rest = Rest(lexer);
  size_t size = TakePadding(rest);
  while (size > 0 && size < rest.size() && rest[size] == 'x') {
    const size_t more = TakePadding(rest.substr(size + 1));
    if (more == 0) break;
    size += 1 + more;
  }
  return Accept(lexer, rest.substr(0, size));
}

absl::string_view ScanDimensionLabels(HloLexer& lexer) {
  const absl::string_view rest = Rest(lexer);
  const size_t lhs = TakeLabels(rest, "0123456789bf?");
  if (lhs == 0 || rest.substr(lhs, 1) != "_") return {};
  const size_t rhs_start = lhs + 1;
  const size_t rhs = TakeLabels(rest.substr(rhs_start), "0123456789io?");
  if (rhs == 0 || rest.substr(rhs_start + rhs, 2) != "->") return {};
  const size_t out_start = rhs_start + rhs + 2;
  const size_t out = TakeLabels(rest.substr(out_start), "0123456789bf?");
  return Accept(lexer, rest.substr(0, out == 0 ? 0 : out_start + out));
}

bool ReadDimensionRows(absl::string_view token, DimensionRows& rows) {
  rows.clear();
  for (absl::string_view row : absl::StrSplit(token, 'x')) {
    std::vector<int64_t>& numbers = rows.emplace_back();
    for (absl::string_view digits : absl::StrSplit(row, '_')) {
      if (!absl::SimpleAtoi(digits, &numbers.emplace_back())) return false;
    }
  }
  return true;
}

}  // namespace ferry
