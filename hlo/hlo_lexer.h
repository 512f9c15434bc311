// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_LEXER_H_
#define FERRY_HLO_HLO_LEXER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/byte_class.h"

namespace ferry {

// A cursor over HLO text that reads one token on demand.
//
// There is no token object and no look-ahead buffer: the parser always knows
// what may come next, asks for just that, and gets a view into the text. What
// stands between tokens (white space, `// ...`, `/* ... */`) is skipped before
// each token:
//
//   %x = f32[8]{0} add(%a, /*index=1*/ %b)
//        ^ cursor
//   ScanWord() -> "f32"     Consume('[') -> true     ScanInteger() -> "8"
//
// Every Scan function returns an empty view, and leaves the cursor, if what it
// looks for does not stand there. No byte is read beyond the end of the text,
// which need not be terminated. A comment that never ends is no white space:
// the cursor stops in front of it. Tested by hlo_lexer_test.cc.
class HloLexer {
 public:
  explicit HloLexer(absl::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  absl::string_view text() const {
    return absl::string_view(begin_, end_ - begin_);
  }
  // Byte offset of the cursor; of the next token after SkipTrivia().
  uint64_t offset() const { return at_ - begin_; }
  void set_offset(uint64_t offset) { at_ = begin_ + offset; }
  // From `start` to the cursor.
  absl::string_view TextSince(uint64_t start) const {
    return absl::string_view(begin_ + start, at_ - begin_ - start);
  }

  // To the next token.
  void SkipTrivia() {
    // Mostly nothing or one space.
    if (at_ != end_ && *at_ == ' ') ++at_;
    if (at_ != end_ && IsTriviaStart(*at_)) SkipTriviaSlow();
  }
  // The same, then the offset there.
  uint64_t TokenOffset() {
    SkipTrivia();
    return offset();
  }
  bool AtEnd() {
    SkipTrivia();
    return at_ == end_;
  }
  // The first byte of the next token; NUL at the end of the text.
  char Peek() {
    SkipTrivia();
    return at_ == end_ ? '\0' : *at_;
  }
  // The byte right at the cursor, white space or not; NUL at the end.
  char PeekHere() const { return at_ == end_ ? '\0' : *at_; }

  // Reads the punctuation if it is next.
  bool Consume(char punctuation) {
    if (Peek() != punctuation || at_ == end_) return false;
    ++at_;
    return true;
  }
  bool Consume(absl::string_view punctuation);
  // Reads the word if it is next, and not merely the start of a longer one.
  bool ConsumeWord(absl::string_view word);

  // [A-Za-z_][A-Za-z0-9_.-]*
  absl::string_view ScanWord();
  // A name: `%word`, `word:` with nothing between, or a word that is neither
  // reserved nor the name of an attribute. Without its `%` or colon.
  absl::string_view ScanName();
  // `word=` without space between, as attribute names are: returns the word.
  absl::string_view ScanAttributeName();
  // -?[0-9]+
  absl::string_view ScanInteger();
  // An integer, a decimal, inf, nan or nan(0x7f), with or without minus; not
  // the start of another token, as of 3x3 or 0_1.
  absl::string_view ScanNumber();
  // Letters, digits and `_?.->`: 0_1x0_1, b01f_01io->b01f, kLoop, 3x3.
  absl::string_view ScanBareValue();
  // "..." or '...' with its quotes. Escapes are left to quoted_string.h.
  absl::string_view ScanString();
  // `{` up to the matching `}`; braces in "..." do not count.
  absl::string_view ScanBraces();

  // For messages: the next token, shortened, in backticks; "end of text".
  std::string DescribeNext();

  static bool IsWordStart(char c) { return IsOf(c, ByteClass::kWordStart); }
  static bool IsWordByte(char c) { return IsOf(c, ByteClass::kWordByte); }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

 private:
  static bool IsTriviaStart(char c) {
    return c == ' ' || c == '\n' || c == '/' || c == '\t' || c == '\r';
  }
  void SkipTriviaSlow();

  const char* begin_;
  const char* at_;
  const char* end_;
  // From here on no comment ends: found once, so that a text full of unclosed
  // comments is not searched once for each.
  const char* no_comment_end_from_ = nullptr;
};

// Whether `word` is a keyword or an element type, and so no name without `%`.
bool IsReservedWord(absl::string_view word);

// The number of an integer token; non-negative ones up to 2^64-1 wrap to the
// same 64 bits. nullopt if it is larger.
std::optional<int64_t> IntegerValue(absl::string_view digits);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_LEXER_H_
