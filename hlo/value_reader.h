// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_VALUE_READER_H_
#define FERRY_HLO_VALUE_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {

// How the values of attributes are read and printed, and what their readers
// share.
//
// A value struct (Window, OpMetadata, SliceRanges, ...) has two functions, and
// nothing else needs to know how it is written:
//
//   absl::Status Read(HloLexer& lexer, Window& window);   beside the struct
//   void Window::AppendTo(std::string& out) const;
//
// Read takes what XLA's reader takes, from where the lexer stands to the end of
// the value, and overwrites all of the struct. It needs nothing but a lexer, so
// that the module's text, a proto's text and an attribute's own text are read
// by the same code. Failing, it leaves the lexer in front of what it did not
// like and says in its status what is wrong: InvalidArgument where something
// else stands there, OutOfRange where the right thing has a wrong value.
// AppendTo writes what XLA prints, and Read reads that back as the same value.
// Texts in a struct are views of what was read.
//
// Tested by value_reader_test.cc.

// "expected WHAT, but saw `x`".
absl::Status ExpectedError(HloLexer& lexer, absl::string_view what);

inline absl::Status ReadPunctuation(HloLexer& lexer, char punctuation,
                                    absl::string_view where) {
  if (lexer.Consume(punctuation)) return absl::OkStatus();
  return ExpectedError(
      lexer, absl::StrCat("`", std::string(1, punctuation), "` ", where));
}

// An integer of 64 bits; non-negative ones up to 2^64-1 wrap, as XLA's do.
absl::Status ReadInt64(HloLexer& lexer, absl::string_view what, int64_t& value);
absl::Status ReadInt32(HloLexer& lexer, absl::string_view what, int32_t& value);
absl::Status ReadBool(HloLexer& lexer, bool& value);
// An integer, a decimal, inf or nan. A decimal beyond the range of double is
// infinite.
absl::Status ReadDouble(HloLexer& lexer, absl::string_view what, double& value);

// `{` item (`,` item)* `}`, where items may be none.
template <typename Item>
absl::Status ReadList(HloLexer& lexer, absl::string_view what, Item item) {
  if (!lexer.Consume('{')) {
    return ExpectedError(lexer, absl::StrCat("`{` to start ", what));
  }
  if (lexer.Consume('}')) return absl::OkStatus();
  do {
    FERRY_RETURN_IF_ERROR(item());
  } while (lexer.Consume(','));
  if (lexer.Consume('}')) return absl::OkStatus();
  return ExpectedError(lexer, absl::StrCat("`,` or `}` in ", what));
}

// `{1,0}`; as XLA does, takes a comma behind the last number.
absl::Status ReadShapeIndex(HloLexer& lexer, ShapeIndex& index);
void AppendShapeIndex(const ShapeIndex& index, std::string& out);

// A whole text as one value: an error too if something stands behind it.
template <typename Value>
absl::Status ReadWhole(absl::string_view text, Value& value) {
  HloLexer lexer(text);
  FERRY_RETURN_IF_ERROR(Read(lexer, value));
  return lexer.AtEnd() ? absl::OkStatus()
                       : ExpectedError(lexer, "the end of the value");
}

}  // namespace ferry

#endif  // FERRY_HLO_VALUE_READER_H_
