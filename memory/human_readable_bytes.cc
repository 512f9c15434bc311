// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/human_readable_bytes.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace ferry {
namespace {

constexpr int64_t kKibi = 1024;

std::string Format(int64_t bytes, absl::string_view suffix) {
  constexpr absl::string_view kUnits = "KMGTPE";
  const absl::string_view sign = bytes < 0 ? "-" : "";
  // The magnitude of INT64_MIN does not fit an int64_t.
  uint64_t rest =
      bytes < 0 ? -static_cast<uint64_t>(bytes) : static_cast<uint64_t>(bytes);
  if (rest < kKibi) return absl::StrCat(sign, rest, "B");
  // The digits that fall off here are lost before the last one is rounded.
  size_t unit = 0;
  while (rest >= kKibi * kKibi) {
    rest /= kKibi;
    ++unit;
  }
  return absl::StrFormat("%s%.*f%c%s", sign, unit == 0 ? 1 : 2,
                         static_cast<double>(rest) / kKibi, kUnits[unit],
                         suffix);
}

}  // namespace

std::string HumanReadableNumBytes(int64_t bytes) { return Format(bytes, "iB"); }

std::string ReportNumBytes(int64_t bytes) { return Format(bytes, ""); }

}  // namespace ferry
