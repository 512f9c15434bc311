// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/byte_count.h"

#include <algorithm>
#include <string>

#include "absl/numeric/int128.h"

namespace ferry {

std::string ByteCount::ToString() const {
  if (IsTooMany()) return "2^128 or more";
  std::string digits;
  absl::uint128 rest = value_;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace ferry
