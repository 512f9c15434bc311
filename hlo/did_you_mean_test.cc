// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/did_you_mean.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(DidYouMeanTest, FindsANameTwoSlipsAway) {
  EXPECT_EQ(NearestName("agr", {"main", "arg"}), "arg");
  EXPECT_EQ(NearestName("opernd", {"operand", "opcode"}), "operand");
}

TEST(DidYouMeanTest, AnotherWordIsNotNear) {
  EXPECT_EQ(NearestName("fusion", {"while", "call"}), "");
  EXPECT_EQ(NearestName("ab", {"xy"}), "");
}

TEST(DidYouMeanTest, ALongNameMayBeAThirdWrong) {
  EXPECT_EQ(NearestName("dynamic_slize_sises", {"dynamic_slice_sizes"}),
            "dynamic_slice_sizes");
}

TEST(DidYouMeanTest, TakesTheNearestAndOfEqualOnesTheEarliest) {
  EXPECT_EQ(NearestName("sum.1", {"sun.2", "sum.2", "sum.3"}), "sum.2");
}

TEST(DidYouMeanTest, ANameIsNoSuggestionForItself) {
  EXPECT_EQ(NearestName("sum", {"sum"}), "");
}

TEST(DidYouMeanTest, NoHelpForNothingOrForVeryLongNames) {
  EXPECT_EQ(NearestName("", {"a"}), "");
  EXPECT_EQ(NearestName(std::string(65, 'a'), {std::string(64, 'a')}), "");
}

TEST(DidYouMeanTest, EndsAMessage) {
  EXPECT_EQ(DidYouMean("verfy", {"verify"}), "; did you mean `verify`?");
  EXPECT_EQ(DidYouMean("other", {"verify"}), "");
}

}  // namespace
}  // namespace ferry
