// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/print_format.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace ferry {

std::vector<std::string> PrintFormatNames() {
  return {"full", "text", "short", "canonical", "fingerprint",
          "dump", "dot",  "pb",    "pbtxt"};
}

absl::StatusOr<HloPrintOptions> PrintOptionsOf(absl::string_view format) {
  if (format == "full") return HloPrintOptions::Full();
  if (format == "text") return HloPrintOptions::Default();
  if (format == "short") return HloPrintOptions::ShortParsable();
  if (format == "canonical") return HloPrintOptions::Canonical();
  if (format == "fingerprint") return HloPrintOptions::Fingerprint();
  if (format == "dump") return HloPrintOptions::Dump();
  return absl::UnimplementedError(
      absl::StrCat("--print-format=", format, " is not built yet"));
}

}  // namespace ferry
