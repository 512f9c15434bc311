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
  HloPrintOptions options;
  if (format == "full") return options;
  options.large_constants = false;
  if (format == "text") return options;
  options.async_sugar = false;
  if (format == "dump") return options;
  return absl::UnimplementedError(absl::StrCat(
      "--print-format=", format, " is not built yet; full, text and dump are"));
}

}  // namespace ferry
