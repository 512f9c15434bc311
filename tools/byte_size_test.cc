// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/byte_size.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ByteSizeTest, ReadsUnitsInPowersOf1024) {
  EXPECT_EQ(*ParseByteSize("0"), 0);
  EXPECT_EQ(*ParseByteSize("4096"), 4096);
  EXPECT_EQ(*ParseByteSize("7B"), 7);
  EXPECT_EQ(*ParseByteSize("16KiB"), 16384);
  EXPECT_EQ(*ParseByteSize("16 kib"), 16384);
  EXPECT_EQ(*ParseByteSize("2M"), 2097152);
  EXPECT_EQ(*ParseByteSize("15.75GiB"), 16911433728);
  // Whole numbers stay exact.
  EXPECT_EQ(*ParseByteSize("9223372036854775807"), INT64_MAX);
}

TEST(ByteSizeTest, RefusesTheRest) {
  for (absl::string_view text :
       {"", "GiB", "-1", "1X", "1.2.3M", "1e3", "16GB", "8388608TiB",
        "9223372036854775808", "0x10", "1 2"}) {
    EXPECT_FALSE(ParseByteSize(text).ok()) << text;
  }
}

TEST(ByteSizeTest, PrintsHumanAndExact) {
  EXPECT_EQ(ByteSizeToString(0), "0 B");
  EXPECT_EQ(ByteSizeToString(1023), "1023 B");
  EXPECT_EQ(ByteSizeToString(1536), "1.50 KiB (1536)");
  EXPECT_EQ(ByteSizeToString(4194304), "4.00 MiB (4194304)");
  EXPECT_EQ(ByteSizeToString(-2048), "-2.00 KiB (-2048)");
}

}  // namespace
}  // namespace ferry
