// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/window.h"

#include <cstdint>
#include <optional>
#include <string>

#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(WindowTest, ReadsEveryField) {
  const auto window = ReadWindow(
      "{size=3x5 stride=2x1 pad=0_1x-2_2 lhs_dilate=1x2 rhs_dilate=3x1 "
      "rhs_reversal=0x1}");
  ASSERT_TRUE(window.has_value());
  ASSERT_EQ(window->size(), 2);
  const WindowDimension& last = (*window)[1];
  EXPECT_EQ((*window)[0].stride, 2);
  EXPECT_EQ((*window)[0].window_dilation, 3);
  EXPECT_EQ(last.size, 5);
  EXPECT_EQ(last.padding_low, -2);
  EXPECT_EQ(last.padding_high, 2);
  EXPECT_EQ(last.base_dilation, 2);
  EXPECT_TRUE(last.reversal);
}

TEST(WindowTest, WhatIsNoWindowIsRefused) {
  EXPECT_EQ(ReadWindow("")->size(), 0);
  EXPECT_EQ(ReadWindow("{size=3x}"), std::nullopt);
  EXPECT_EQ(ReadWindow("3x3"), std::nullopt);
}

TEST(WindowTest, CountsThePlacesOfTheWindow) {
  EXPECT_EQ(WindowedSize(8, {.size = 3}), 6);
  EXPECT_EQ(WindowedSize(8, {.size = 3, .stride = 2}), 3);
  EXPECT_EQ(WindowedSize(8, {.size = 3, .padding_low = 1, .padding_high = 1}),
            8);
  EXPECT_EQ(WindowedSize(8, {.size = 3, .window_dilation = 2}), 4);
  EXPECT_EQ(WindowedSize(2, {.size = 3}), 0);
  EXPECT_EQ(WindowedSize(8, {.size = 3, .stride = 0}), std::nullopt);
  EXPECT_EQ(WindowedSize(INT64_MAX, {.padding_low = 1}), std::nullopt);
}

std::string Canonical(absl::string_view text) {
  Window window;
  const absl::Status status = ReadWhole(text, window);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  window.AppendTo(out);
  return out;
}

TEST(WindowTest, PartsThatDoNothingAreNotPrinted) {
  EXPECT_EQ(Canonical("{stride=1x1 size=3x03 pad=-0_0x0_0 lhs_dilate=1x1 "
                      "rhs_dilate=1x1 rhs_reversal=0x2}"),
            "{size=3x3}");
  const std::string all =
      "{size=3x5 stride=2x1 pad=0_1x-2_2 lhs_dilate=1x2 rhs_dilate=3x1 "
      "rhs_reversal=0x1}";
  EXPECT_EQ(Canonical(all), all);
  EXPECT_EQ(Canonical("{ size=3 }"), "{size=3}");
  EXPECT_EQ(Canonical("{}"), "{}");
}

TEST(WindowTest, EachPartStandsOnceAndIsAsLongAsSize) {
  EXPECT_EQ(Canonical("{size=3 size=3}"),
            "sub-attribute `size=` already exists");
  EXPECT_EQ(Canonical("{size=3x3 stride=2}"),
            "expected `stride=` to have as many numbers as `size=`: 2, but it "
            "has 1");
  EXPECT_EQ(Canonical("{size=3 pad=0_0_1}"),
            "expected padding_low and padding_high separated by `_`");
}

}  // namespace
}  // namespace ferry
