// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_WINDOW_H_
#define FERRY_HLO_WINDOW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t base_dilation = 1;    // lhs_dilate
  int64_t window_dilation = 1;  // rhs_dilate
  bool reversal = false;        // rhs_reversal
};

// The `window` of a convolution, reduce-window or select-and-scatter:
//
//   {size=3x3 stride=2x2 pad=0_1x0_1 lhs_dilate=1x2 rhs_dilate=2x1
//    rhs_reversal=0x1}
//
// `size` is printed first and always, the others only where they do something.
// Tested by window_test.cc.
struct Window {
  std::vector<WindowDimension> dimensions;

  // With braces.
  void AppendTo(std::string& out) const;
};

// Parts in any order, each once, all with as many numbers as `size`.
absl::Status Read(HloLexer& lexer, Window& window);

// The dimensions of the attribute's text; none if it is empty, nullopt if it is
// no window.
std::optional<std::vector<WindowDimension>> ReadWindow(absl::string_view text);

// The number of places that the window takes on `base` elements; 0 if it is
// larger than the padded base. nullopt beyond 2^63, for a zero stride, and if
// negative padding takes away more than there is.
std::optional<int64_t> WindowedSize(int64_t base,
                                    const WindowDimension& window);

}  // namespace ferry

#endif  // FERRY_HLO_WINDOW_H_
