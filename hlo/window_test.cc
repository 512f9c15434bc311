// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/window.h"

#include <cstdint>
#include <optional>

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

TEST(WindowTest, ReadsPaddingWithAndWithoutInterior) {
  const auto padding = ReadPadding("0_1x2_-2_1");
  ASSERT_TRUE(padding.has_value());
  ASSERT_EQ(padding->size(), 2);
  EXPECT_EQ((*padding)[0].high, 1);
  EXPECT_EQ((*padding)[0].interior, 0);
  EXPECT_EQ((*padding)[1].high, -2);
  EXPECT_EQ((*padding)[1].interior, 1);
  EXPECT_EQ(ReadPadding("0"), std::nullopt);
}

TEST(WindowTest, InteriorPaddingStandsBetweenElements) {
  EXPECT_EQ(PaddedSize(3, {.low = 1, .high = 2, .interior = 2}), 10);
  EXPECT_EQ(PaddedSize(0, {.low = 1, .interior = 2}), 1);
  EXPECT_EQ(PaddedSize(INT64_MAX, {.low = 1}), std::nullopt);
}

}  // namespace
}  // namespace ferry
