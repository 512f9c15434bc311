// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/byte_size.h"

#include <cmath>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ferry {
namespace {

constexpr absl::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};

// The power of 1024 that `unit` stands for; -1 if it is none.
int PowerOf(absl::string_view unit) {
  if (unit.empty()) return 0;
  for (size_t power = 0; power < std::size(kUnits); ++power) {
    if (absl::EqualsIgnoreCase(unit, kUnits[power]) ||
        absl::EqualsIgnoreCase(unit, kUnits[power].substr(0, 1))) {
      return static_cast<int>(power);
    }
  }
  return -1;
}

}  // namespace

absl::StatusOr<int64_t> ParseByteSize(absl::string_view text) {
  const absl::Status error = absl::InvalidArgumentError(absl::StrCat(
      "`", text, "` is no size in bytes; write 4096, 512MiB or 15.75GiB"));
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  const size_t end =
      std::min(trimmed.find_first_not_of("0123456789."), trimmed.size());
  const int power = PowerOf(absl::StripAsciiWhitespace(trimmed.substr(end)));
  if (end == 0 || power < 0) return error;
  const absl::string_view digits = trimmed.substr(0, end);
  int64_t whole = 0;
  const int64_t scale = int64_t{1} << (10 * power);
  if (absl::SimpleAtoi(digits, &whole)) {
    if (whole > INT64_MAX / scale) return error;
    return whole * scale;
  }
  double number = 0;
  if (!absl::SimpleAtod(digits, &number)) return error;
  const double bytes = number * static_cast<double>(scale);
  if (!(bytes < 0x1p63)) return error;
  return static_cast<int64_t>(std::llround(bytes));
}

std::string ByteSizeToString(int64_t size_bytes) {
  double number = static_cast<double>(size_bytes);
  size_t power = 0;
  while (std::abs(number) >= 1024 && power + 1 < std::size(kUnits)) {
    number /= 1024;
    ++power;
  }
  if (power == 0) return absl::StrCat(size_bytes, " B");
  return absl::StrFormat("%.2f %s (%d)", number, kUnits[power], size_bytes);
}

}  // namespace ferry
