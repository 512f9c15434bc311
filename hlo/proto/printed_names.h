// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PRINTED_NAMES_H_
#define FERRY_HLO_PROTO_PRINTED_NAMES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace ferry {

// XLA reads names in quotes with escapes, and prints some of them without:
//
//   read      origin={{"it\"s"}}     mesh['it\'s'=2]
//   printed   origin={{"it"s"}}      mesh['it's'=2]
//
// What is printed is guessed back, so whoever uses this must look whether it
// prints the same again. Tested by printed_names_test.cc.

// The text with its names, which stand between `quote`s, escaped. A quote ends
// a name if what follows can stand behind one: `}` or ` {` behind a double
// quote, `=`, `,`, `:`, `]` or `}` behind a single one.
std::string EscapePrintedNames(absl::string_view text, char quote);

// An entry of a printed OriginRecoveryTable. Indices are texts, `{0,1}`, empty
// for none; so is the module if there is none.
struct PrintedRecovery {
  absl::string_view old_name;
  absl::string_view old_index;
  absl::string_view new_name;
  absl::string_view new_index;
  absl::string_view module_text;
};
// Nullopt for what is not printed. Views of `table`.
std::optional<std::vector<PrintedRecovery>> SplitPrintedRecoveryTable(
    absl::string_view table);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PRINTED_NAMES_H_
