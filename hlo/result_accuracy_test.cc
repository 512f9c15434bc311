// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/result_accuracy.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  ResultAccuracy value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(ResultAccuracyTest, ReadsModes) {
  EXPECT_EQ(Canonical("{mode=HIGHEST}"), "{mode=highest}");
  EXPECT_EQ(Canonical("{mode=high}"),
            "expected a mode (default, highest), but saw `high`");
  ResultAccuracy accuracy;
  ASSERT_TRUE(ReadWhole("{mode=default}", accuracy).ok());
  EXPECT_FALSE(accuracy.IsPrinted());
}

TEST(ResultAccuracyTest, PartsOfAToleranceMayBeMissing) {
  EXPECT_EQ(Canonical("{tolerance={ulps=2.5, atol=1e-10}}"),
            "{tolerance={atol=1e-10,rtol=0,ulps=2}}");
  EXPECT_EQ(Canonical("{tolerance={}}"), "{tolerance={atol=0,rtol=0,ulps=0}}");
  EXPECT_EQ(Canonical("{tolerance={atol=inf}}"),
            "{tolerance={atol=inf,rtol=0,ulps=0}}");
}

TEST(ResultAccuracyTest, WhatXlaDiesOfIsAnError) {
  for (absl::string_view bad :
       {"atol=-1", "rtol=nan", "atol=1e400", "ulps=9223372036854775807"}) {
    ResultAccuracy accuracy;
    EXPECT_EQ(
        ReadWhole(absl::StrCat("{tolerance={", bad, "}}"), accuracy).code(),
        absl::StatusCode::kOutOfRange)
        << bad;
  }
}

}  // namespace
}  // namespace ferry
