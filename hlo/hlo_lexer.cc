// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_lexer.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {
namespace {

const char* SkipDigits(const char* at, const char* end) {
  while (at != end && HloLexer::IsDigit(*at)) ++at;
  return at;
}

// Behind `inf`, `nan` or `nan(0x7f)` at `at`; null if something else is there.
const char* AfterNonFinite(const char* at, const char* end, bool negative) {
  const absl::string_view rest(at, end - at);
  const absl::string_view word = rest.substr(0, 3);
  if (word != "inf" && word != "nan") return nullptr;
  at += word.size();
  // Without minus it is a word, and as long as words are.
  if (!negative && at != end && HloLexer::IsWordByte(*at)) return nullptr;
  if (word == "inf" || at == end || *at != '(') return at;
  if (rest.substr(3, 3) != "(0x") return nullptr;
  const char* digits = at + 3;
  at = digits;
  while (at != end && absl::ascii_isxdigit(static_cast<unsigned char>(*at))) {
    ++at;
  }
  return at == digits || at == end || *at != ')' ? nullptr : at + 1;
}

// Whether the whole number that ends at `at` goes on as a token of another
// kind: 3x3 or 0_1.
bool IsPatternStart(const char* at, const char* end, bool negative) {
  if (end - at < 2) return false;
  if (*at == 'x') return !negative && HloLexer::IsDigit(at[1]);
  if (*at != '_') return false;
  return HloLexer::IsDigit(at[1]) ||
         (at[1] == '-' && end - at > 2 && HloLexer::IsDigit(at[2]));
}

// Behind the number at `at`; null if there is none.
const char* AfterNumber(const char* at, const char* end) {
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  if (at == end) return nullptr;
  if (*at == 'i' || *at == 'n') return AfterNonFinite(at, end, negative);
  if (!negative && !HloLexer::IsDigit(*at)) return nullptr;  // `.5`
  const char* whole = at;
  at = SkipDigits(at, end);
  bool has_digits = at != whole;
  bool is_whole = true;
  if (at != end && *at == '.') {
    const char* fraction = at + 1;
    const char* after = SkipDigits(fraction, end);
    has_digits |= after != fraction;
    is_whole = false;
    at = after;
  }
  if (!has_digits) return nullptr;
  if (at != end && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    if (exponent != end && (*exponent == '+' || *exponent == '-')) ++exponent;
    const char* after = SkipDigits(exponent, end);
    if (after != exponent) {
      is_whole = false;
      at = after;
    }
  }
  return is_whole && IsPatternStart(at, end, negative) ? nullptr : at;
}

}  // namespace

void HloLexer::SkipTriviaSlow() {
  while (at_ != end_) {
    const char c = *at_;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
      continue;
    }
    if (c != '/' || end_ - at_ < 2) return;
    if (at_[1] == '/') {
      while (at_ != end_ && *at_ != '\n' && *at_ != '\r') ++at_;
      continue;
    }
    if (at_[1] != '*') return;
    if (no_comment_end_from_ != nullptr && at_ >= no_comment_end_from_) return;
    const absl::string_view rest(at_ + 2, end_ - at_ - 2);
    const size_t close = rest.find("*/");
    if (close == absl::string_view::npos) {
      no_comment_end_from_ = at_;
      return;
    }
    at_ += close + 4;
  }
}

bool HloLexer::Consume(absl::string_view punctuation) {
  SkipTrivia();
  if (static_cast<size_t>(end_ - at_) < punctuation.size() ||
      absl::string_view(at_, punctuation.size()) != punctuation) {
    return false;
  }
  at_ += punctuation.size();
  return true;
}

bool HloLexer::ConsumeWord(absl::string_view word) {
  SkipTrivia();
  const uint64_t start = offset();
  if (ScanWord() == word) return true;
  set_offset(start);
  return false;
}

absl::string_view HloLexer::ScanWord() {
  SkipTrivia();
  const char* start = at_;
  if (at_ == end_ || !IsWordStart(*at_)) return {};
  do {
    ++at_;
  } while (at_ != end_ && IsWordByte(*at_));
  return absl::string_view(start, at_ - start);
}

absl::string_view HloLexer::ScanName() {
  SkipTrivia();
  const char* start = at_;
  const bool has_percent = at_ != end_ && *at_ == '%';
  if (has_percent && (++at_ == end_ || !IsWordStart(*at_))) {
    at_ = start;
    return {};
  }
  const absl::string_view word = ScanWord();
  if (has_percent || word.empty()) return word;
  if (at_ != end_ && *at_ == ':') {
    ++at_;
    return word;
  }
  if ((at_ == end_ || *at_ != '=') && !IsReservedWord(word)) return word;
  at_ = start;
  return {};
}

absl::string_view HloLexer::ScanAttributeName() {
  SkipTrivia();
  const char* start = at_;
  const absl::string_view word = ScanWord();
  if (!word.empty() && at_ != end_ && *at_ == '=') {
    ++at_;
    return word;
  }
  at_ = start;
  return {};
}

absl::string_view HloLexer::ScanInteger() {
  SkipTrivia();
  const char* start = at_;
  const char* digits = at_ != end_ && *at_ == '-' ? at_ + 1 : at_;
  const char* after = SkipDigits(digits, end_);
  if (after == digits) return {};
  at_ = after;
  return absl::string_view(start, at_ - start);
}

absl::string_view HloLexer::ScanNumber() {
  SkipTrivia();
  const char* start = at_;
  const char* after = AfterNumber(at_, end_);
  if (after == nullptr) return {};
  at_ = after;
  return absl::string_view(start, after - start);
}

absl::string_view HloLexer::ScanBareValue() {
  SkipTrivia();
  const char* start = at_;
  while (at_ != end_ && IsOf(*at_, ByteClass::kBareValueByte)) ++at_;
  return absl::string_view(start, at_ - start);
}

absl::string_view HloLexer::ScanString() {
  SkipTrivia();
  if (at_ == end_ || (*at_ != '"' && *at_ != '\'')) return {};
  const char quote = *at_;
  const char* start = at_;
  // Most strings have no escapes: their end is the next quote.
  const auto* next =
      static_cast<const char*>(std::memchr(at_ + 1, quote, end_ - at_ - 1));
  if (next == nullptr) return {};
  if (std::memchr(start, '\\', next - start) == nullptr) {
    at_ = next + 1;
    return absl::string_view(start, at_ - start);
  }
  for (const char* at = at_ + 1; at != end_; ++at) {
    if (*at == quote) {
      at_ = at + 1;
      return absl::string_view(start, at_ - start);
    }
    if (*at == '\\' && ++at == end_) break;
  }
  return {};
}

absl::string_view HloLexer::ScanBraces() {
  SkipTrivia();
  if (at_ == end_ || *at_ != '{') return {};
  const char* start = at_;
  int64_t depth = 0;
  bool in_string = false;
  for (const char* at = at_; at != end_; ++at) {
    const char c = *at;
    if (in_string) {
      if (c == '\\' && at + 1 != end_) {
        ++at;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      at_ = at + 1;
      return absl::string_view(start, at_ - start);
    }
  }
  return {};
}

std::string HloLexer::DescribeNext() {
  constexpr size_t kLongest = 32;
  SkipTrivia();
  if (at_ == end_) return "the end of the text";
  const char* start = at_;
  absl::string_view token = ScanWord();
  if (token.empty()) token = ScanBareValue();
  if (token.empty()) token = ScanString();
  at_ = start;
  if (token.empty()) {
    token = absl::string_view(start, 1);
    const absl::string_view rest(start, end_ - start);
    if (absl::StartsWith(rest, "/*")) return "a comment that does not end";
    const bool is_quote = *start == '"' || *start == '\'';
    if (is_quote && !absl::StrContains(rest.substr(1), *start)) {
      return "a string that does not end";
    }
  }
  const absl::string_view shown = token.substr(0, kLongest);
  return absl::StrCat("`", absl::CHexEscape(shown),
                      shown.size() < token.size() ? "..." : "", "`");
}

bool IsReservedWord(absl::string_view word) {
  static constexpr absl::string_view kKeywords[] = {"HloModule",
                                                    "ENTRY",
                                                    "ROOT",
                                                    "FileNames",
                                                    "FunctionNames",
                                                    "FileLocations",
                                                    "StackFrames",
                                                    "true",
                                                    "false",
                                                    "inf",
                                                    "nan",
                                                    "maximal",
                                                    "replicated",
                                                    "manual",
                                                    "unknown",
                                                    "unreduced",
                                                    "last_tile_dim_replicate",
                                                    "shard_as",
                                                    "shard_like"};
  for (absl::string_view keyword : kKeywords) {
    if (word == keyword) return true;
  }
  return word != "tuple" && word != "buffer" &&
         PrimitiveTypeFromName(word).has_value();
}

std::optional<int64_t> IntegerValue(absl::string_view digits) {
  if (digits.empty()) return std::nullopt;
  if (digits.front() == '-') {
    int64_t value = 0;
    if (!absl::SimpleAtoi(digits, &value)) return std::nullopt;
    return value;
  }
  uint64_t value = 0;
  for (char c : digits) {
    if (!HloLexer::IsDigit(c)) return std::nullopt;
    const uint64_t next = value * 10 + (c - '0');
    if (value > UINT64_MAX / 10 || next < value * 10) return std::nullopt;
    value = next;
  }
  return static_cast<int64_t>(value);
}

}  // namespace ferry
