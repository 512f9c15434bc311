// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/padding_config.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  PaddingConfig value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(PaddingConfigTest, InteriorStandsEverywhereOrNowhere) {
  EXPECT_EQ(Canonical("0_1_0x-2_03"), "0_1x-2_3");
  EXPECT_EQ(Canonical("1_2x4_5_6"), "1_2_0x4_5_6");
}

TEST(PaddingConfigTest, WhatIsNoPaddingIsRefused) {
  EXPECT_EQ(Canonical("1x1"),
            "expected a padding like 0_1x0_0_2, but saw "
            "`1x1`");
  EXPECT_EQ(Canonical("9223372036854775808_1"),
            "a padding does not fit in 64 bits");
  EXPECT_EQ(ReadPadding("0"), std::nullopt);
  EXPECT_TRUE(ReadPadding("")->empty());
}

TEST(PaddingConfigTest, PaddedSizeAddsEdgesAndInterior) {
  EXPECT_EQ(PaddedSize(3, {.low = 1, .high = 2, .interior = 2}), 10);
  EXPECT_EQ(PaddedSize(0, {.low = 1, .interior = 2}), 1);
  EXPECT_EQ(PaddedSize(INT64_MAX, {.low = 1}), std::nullopt);
}

}  // namespace
}  // namespace ferry
