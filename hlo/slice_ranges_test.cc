// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/slice_ranges.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  SliceRanges value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(SliceRangesTest, StridesStandEverywhereOrNowhere) {
  EXPECT_EQ(Canonical("{[0:4:1],[0:8]}"), "{[0:4], [0:8]}");
  EXPECT_EQ(Canonical("{ [ 0 : 4 ], [0:8:2] }"), "{[0:4:1], [0:8:2]}");
  EXPECT_EQ(Canonical("{}"), "{}");
}

TEST(SliceRangesTest, WhatIsNoRangeIsRefused) {
  EXPECT_EQ(Canonical("{[0:4:1:1]}"),
            "expected `]` at the end of a range, but saw `:`");
  EXPECT_EQ(Canonical("{[0:4] [0:8]}"),
            "expected `,` or `}` in slice ranges, but saw `[`");
}

}  // namespace
}  // namespace ferry
