// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_RANDOM_WINDOW_H_
#define FERRY_TESTS_RANDOM_HLO_RANDOM_WINDOW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ferry/tests/random_hlo/random_source.h"

namespace ferry {

// A window over a base of some sizes: strides, pads (negative ones too),
// dilations, reversal.
struct RandomWindow {
  std::vector<int64_t> sizes;   // of the window
  std::vector<int64_t> result;  // how often it fits
  std::string text;             // "{size=3x3 pad=0_1x0_1}"
};

RandomWindow MakeRandomWindow(RandomSource& random,
                              const std::vector<int64_t>& base);

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_RANDOM_WINDOW_H_
