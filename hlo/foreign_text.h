// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_FOREIGN_TEXT_H_
#define FERRY_HLO_FOREIGN_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// What stands in a file that somebody took for HLO text. The reader would
// refuse all of these by the first token that it misses, as XLA's does, which
// does not tell what is wrong.

// What the bytes are if they cannot be HLO text, whatever the reader makes of
// them: "the input is empty", UTF-16, a byte order mark in front. Else empty.
std::string DescribeNoText(absl::string_view bytes);

// A note for text that was refused and does not begin with a module: how HLO
// begins, and whether the first word is a slip.
//
// Tested by foreign_text_test.cc.
std::string HowHloBegins(absl::string_view bytes);

}  // namespace ferry

#endif  // FERRY_HLO_FOREIGN_TEXT_H_
