// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/statistics.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  Statistics value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(StatisticsTest, ValuesArePrintedToSixDigits) {
  EXPECT_EQ(Canonical("{ visualizing_index=1 , a=33,b=1e10,c=0.123456789 }"),
            "{visualizing_index=1,a=33,b=1e+10,c=0.123457}");
  EXPECT_EQ(Canonical("{visualizing_index=0,a=1e400,b=-nan,c=-0.0}"),
            "{visualizing_index=0,a=inf,b=nan,c=-0}");
}

TEST(StatisticsTest, TheFirstIsTheIndexWhateverItsName) {
  EXPECT_EQ(Canonical("{a=1,visualizing_index=0}"),
            "{visualizing_index=1,visualizing_index=0}");
  Statistics statistics;
  ASSERT_TRUE(ReadWhole("{visualizing_index=3}", statistics).ok());
  EXPECT_EQ(statistics.visualizing_index, 3);
  EXPECT_FALSE(statistics.IsPrinted());
}

TEST(StatisticsTest, ValuesAreNumbers) {
  EXPECT_EQ(Canonical("{visualizing_index=0,a=-inf}"),
            "a statistic must not be infinite");
  EXPECT_EQ(Canonical("{visualizing_index=0,a=true}"),
            "expected a number, but saw `true`");
}

}  // namespace
}  // namespace ferry
