// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_WINDOW_H_
#define FERRY_HLO_WINDOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"

namespace ferry {

// One dimension of the `window` of a convolution, reduce-window or
// select-and-scatter. Tested by window_test.cc.
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t base_dilation = 1;    // lhs_dilate
  int64_t window_dilation = 1;  // rhs_dilate
  bool reversal = false;        // rhs_reversal
};

// `{size=3x3 stride=2x2 pad=0_1x0_1}`, as the reader left it; nullopt for
// anything else. An empty text has no dimensions.
std::optional<std::vector<WindowDimension>> ReadWindow(absl::string_view text);

// The number of places that the window takes on `base` elements; 0 if it is
// larger than the padded base. nullopt beyond 2^63, for a zero stride, and if
// negative padding takes away more than there is.
std::optional<int64_t> WindowedSize(int64_t base,
                                    const WindowDimension& window);

// One dimension of the `padding` of pad.
struct PaddingDimension {
  int64_t low = 0;
  int64_t high = 0;
  int64_t interior = 0;
};

// `0_1x2_2_1`; nullopt for anything else. An empty text has no dimensions.
std::optional<std::vector<PaddingDimension>> ReadPadding(
    absl::string_view text);

// low + high + base + max(base - 1, 0) * interior; nullopt beyond 2^63.
std::optional<int64_t> PaddedSize(int64_t base,
                                  const PaddingDimension& padding);

}  // namespace ferry

#endif  // FERRY_HLO_WINDOW_H_
