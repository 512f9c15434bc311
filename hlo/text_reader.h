// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_TEXT_READER_H_
#define FERRY_HLO_TEXT_READER_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/parse_errors.h"

namespace ferry {

// A lexer that complains: what all parts of the reader share. Each function
// reads one thing and returns whether it stood there, after adding an error if
// it did not. References must outlive this. Tested by text_reader_test.cc.
struct TextReader {
  HloLexer& lexer;
  ParseErrors& errors;

  // "expected `)` at the end of the tile, but saw ..."; `where` may be empty.
  bool Expect(char punctuation, absl::string_view where = "");
  // An integer of 64 bits; `what` names it in messages.
  bool ReadNumber(absl::string_view what, int64_t& value);
  bool ReadBool();
  // A string whose escapes are known ones; `text` keeps the quotes.
  bool ReadQuoted(absl::string_view what, absl::string_view& text);

  // Whether a reader of value_reader.h succeeded; what it says else is an error
  // where it left the lexer.
  bool Check(const absl::Status& status) {
    return status.ok() || AddError(status);
  }
  bool AddError(const absl::Status& status);

  bool Fail(DiagnosticCode code, uint64_t offset, std::string message) {
    return errors.Add(code, offset, std::move(message));
  }
  bool BadValue(uint64_t offset, std::string message) {
    return errors.Add(DiagnosticCode::kBadValue, offset, std::move(message));
  }
};

}  // namespace ferry

#endif  // FERRY_HLO_TEXT_READER_H_
