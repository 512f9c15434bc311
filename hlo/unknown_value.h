// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_UNKNOWN_VALUE_H_
#define FERRY_HLO_UNKNOWN_VALUE_H_

#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Reads over the value of an attribute that nobody knows: balanced brackets,
// strings and words without white space between, up to a comma or the next
// line's instruction. Tested by unknown_value_test.cc.
absl::Status ReadUnknownValue(HloLexer& lexer);

}  // namespace ferry

#endif  // FERRY_HLO_UNKNOWN_VALUE_H_
