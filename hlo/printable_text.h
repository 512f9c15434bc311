// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PRINTABLE_TEXT_H_
#define FERRY_HLO_PRINTABLE_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// Foreign text (names, messages, file names, lines of the input) made harmless
// for terminals and logs: no byte of it can move the cursor, change a colour,
// turn the direction of writing, or begin a line.
//
//   "\033[31mred\xff"  ->  "?[31mred?"
//
// Tested by printable_text_test.cc.
struct PrintableLine {
  std::string text;  // well-formed UTF-8
  int width = 0;     // columns of a terminal
};

// Tabs become spaces up to the next multiple of 4. One `?` stands for each
// control character (C0 with line ends, DEL, C1), each invisible character
// that formats text, and each byte that is no UTF-8. `column` is where the
// text will start, counted from 0.
PrintableLine ToPrintableLine(absl::string_view text, int column = 0);

// The same, for text of several lines: keeps '\n'.
std::string ToPrintableText(absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_PRINTABLE_TEXT_H_
