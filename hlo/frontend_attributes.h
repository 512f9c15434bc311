// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_FRONTEND_ATTRIBUTES_H_
#define FERRY_HLO_FRONTEND_ATTRIBUTES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/quoted_string.h"

namespace ferry {

// What a front end wants to be told again: `{key="value",other={...}}`.
//
// Sorted by key, bytewise; of values with one key the last is kept. Values are
// decoded: views of the text that was read, or of `strings`. Tested by
// frontend_attributes_test.cc.
struct FrontendAttributes {
  std::vector<std::pair<absl::string_view, absl::string_view>> entries;
  DecodedStrings strings;

  void clear();
  // Brings entries into order, dropping all but the last of a key.
  void Sort();
  // With braces.
  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, FrontendAttributes& attributes);

}  // namespace ferry

#endif  // FERRY_HLO_FRONTEND_ATTRIBUTES_H_
