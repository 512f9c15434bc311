// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_QUOTED_STRING_H_
#define FERRY_HLO_QUOTED_STRING_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Strings in HLO text: C escapes between quotes, or `{...}` as it stands.
//
//   "it\'s \303\251"   'it"s'   {"key": "}"}
//
// The printer always writes double quotes and escapes every byte outside of
// 0x20..0x7e and both kinds of quotes. Tested by quoted_string_test.cc.

// Owns what views of decoded strings show where that is not the text itself:
// only strings with escapes are copied.
class DecodedStrings {
 public:
  absl::string_view Keep(std::string text) {
    texts_.push_back(std::make_unique<std::string>(std::move(text)));
    return *texts_.back();
  }
  void clear() { texts_.clear(); }

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
};

// Reads a quoted string. `text` is its content, decoded: a view of the lexer's
// text or of what `strings` keeps.
absl::Status ReadQuotedString(HloLexer& lexer, absl::string_view what,
                              DecodedStrings& strings, absl::string_view& text);
// Either form; `{...}` is content as it stands, its braces included.
absl::Status ReadStringOrBraces(HloLexer& lexer, DecodedStrings& strings,
                                absl::string_view& text);

// The content in quotes.
void AppendQuoted(absl::string_view content, std::string& out);
// As it stands if that reads back as one `{...}`, else in quotes.
void AppendQuotedOrBraces(absl::string_view content, std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_QUOTED_STRING_H_
