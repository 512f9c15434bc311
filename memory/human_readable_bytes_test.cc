// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/human_readable_bytes.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(HumanReadableBytesTest, PrintsReportSizes) {
  EXPECT_EQ(ReportNumBytes(0), "0B");
  EXPECT_EQ(ReportNumBytes(1023), "1023B");
  EXPECT_EQ(ReportNumBytes(1536), "1.5K");
  EXPECT_EQ(ReportNumBytes(16384), "16.0K");
  EXPECT_EQ(ReportNumBytes(536870912), "512.00M");
  EXPECT_EQ(ReportNumBytes(8455716864), "7.88G");  // 7.875: to even
  EXPECT_EQ(ReportNumBytes(-2735391744), "-2.55G");
  EXPECT_EQ(ReportNumBytes(INT64_MAX), "8.00E");
  EXPECT_EQ(ReportNumBytes(INT64_MIN), "-8.00E");
}

TEST(HumanReadableBytesTest, PrintsDumpSizes) {
  EXPECT_EQ(HumanReadableNumBytes(800), "800B");
  EXPECT_EQ(HumanReadableNumBytes(1229), "1.2KiB");
  EXPECT_EQ(HumanReadableNumBytes(84230144), "80.33MiB");
}

}  // namespace
}  // namespace ferry
