// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PADDING_CONFIG_H_
#define FERRY_HLO_PADDING_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

struct PaddingDimension {
  int64_t low = 0;
  int64_t high = 0;
  int64_t interior = 0;
};

// The `padding` of pad: `0_1x2_2_1` is low_high, and _interior where it is not
// 0; if one dimension has it, all are printed with it. Tested by
// padding_config_test.cc.
struct PaddingConfig {
  std::vector<PaddingDimension> dimensions;

  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, PaddingConfig& padding);

// The dimensions of the attribute's text; none if it is empty, nullopt if it is
// no padding.
std::optional<std::vector<PaddingDimension>> ReadPadding(
    absl::string_view text);

// low + high + base + max(base - 1, 0) * interior; nullopt beyond 2^63.
std::optional<int64_t> PaddedSize(int64_t base,
                                  const PaddingDimension& padding);

}  // namespace ferry

#endif  // FERRY_HLO_PADDING_CONFIG_H_
