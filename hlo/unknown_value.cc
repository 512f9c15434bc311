// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/unknown_value.h"

#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

bool EndsValue(char c) {
  return absl::string_view(",})] \n\t\r/").find(c) != absl::string_view::npos;
}

}  // namespace

absl::Status ReadUnknownValue(HloLexer& lexer) {
  const uint64_t start = lexer.TokenOffset();
  int64_t depth = 0;
  while (true) {
    const char here = depth > 0 ? lexer.Peek() : lexer.PeekHere();
    if (here == '"' || here == '\'') {
      if (lexer.ScanString().empty()) {
        return ExpectedError(lexer, "the end of a string");
      }
    } else if (here == '{' || here == '[' || here == '(') {
      ++depth;
      lexer.Consume(here);
    } else if (depth > 0 && (here == '}' || here == ']' || here == ')')) {
      --depth;
      lexer.Consume(here);
    } else if (here == '\0' || (depth == 0 && EndsValue(here))) {
      break;
    } else {
      lexer.Consume(here);
    }
  }
  if (depth > 0) return ExpectedError(lexer, "a closing bracket");
  if (lexer.offset() > start) return absl::OkStatus();
  return ExpectedError(lexer, "the value of an attribute");
}

}  // namespace ferry
