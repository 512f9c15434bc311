// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PRINT_FORMAT_H_
#define FERRY_TOOLS_PRINT_FORMAT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_printer.h"

namespace ferry {

// The values of `ferry-opt --print-format=`:
//
//   full         XLA's print with all constants: loses nothing
//   text         byte for byte what jaxlib's to_string() gives
//   short        XLA's ShortParsable
//   canonical    XLA's Canonical: names by place, bodies where they are called
//   fingerprint  XLA's Fingerprint: what matters to optimisation
//   dump         the form of the compiler's dump files
//
// and, not built yet: dot, pb, pbtxt.
std::vector<std::string> PrintFormatNames();

// Unimplemented, with a message for people, for those that are not built yet.
// Tested by tests/tools/print_format.test.
absl::StatusOr<HloPrintOptions> PrintOptionsOf(absl::string_view format);

}  // namespace ferry

#endif  // FERRY_TOOLS_PRINT_FORMAT_H_
