// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/random_window.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace ferry {

RandomWindow MakeRandomWindow(RandomSource& random,
                              const std::vector<int64_t>& base) {
  RandomWindow window;
  std::vector<int64_t> strides, base_dilations, window_dilations, reversals;
  std::vector<std::string> pads;
  const bool strided = random.Chance(40);
  const bool padded = random.Chance(40);
  const bool dilated = random.Chance(20);
  bool any_stride = false, any_pad = false, any_base = false;
  bool any_window = false, any_reversal = false;
  for (int64_t size : base) {
    window.sizes.push_back(random.Between(1, 3));
    strides.push_back(strided ? random.Between(1, 2) : 1);
    const int64_t low = padded ? random.Between(size > 0 ? -1 : 0, 2) : 0;
    const int64_t high = padded ? random.Between(0, 2) : 0;
    base_dilations.push_back(dilated ? random.Between(1, 2) : 1);
    window_dilations.push_back(dilated ? random.Between(1, 2) : 1);
    reversals.push_back(random.Chance(5));
    pads.push_back(absl::StrCat(low, "_", high));
    any_stride |= strides.back() != 1;
    any_pad |= low != 0 || high != 0;
    any_base |= base_dilations.back() != 1;
    any_window |= window_dilations.back() != 1;
    any_reversal |= reversals.back() != 0;
    const int64_t wide =
        low + high + (size == 0 ? 0 : (size - 1) * base_dilations.back() + 1);
    const int64_t covered =
        (window.sizes.back() - 1) * window_dilations.back() + 1;
    window.result.push_back(
        wide < covered ? 0 : (wide - covered) / strides.back() + 1);
  }
  window.text = absl::StrCat("{size=", absl::StrJoin(window.sizes, "x"));
  const auto append = [&](bool shown, const char* name, const auto& numbers) {
    if (!shown) return;
    absl::StrAppend(&window.text, " ", name, "=", absl::StrJoin(numbers, "x"));
  };
  append(any_stride, "stride", strides);
  append(any_pad, "pad", pads);
  append(any_base, "lhs_dilate", base_dilations);
  append(any_window, "rhs_dilate", window_dilations);
  append(any_reversal, "rhs_reversal", reversals);
  absl::StrAppend(&window.text, "}");
  return window;
}

}  // namespace ferry
