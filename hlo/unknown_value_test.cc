// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/unknown_value.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

absl::string_view Skipped(absl::string_view text) {
  HloLexer lexer(text);
  return ReadUnknownValue(lexer).ok() ? lexer.TextSince(0) : "";
}

TEST(UnknownValueTest, EndsAtACommaOrWhiteSpaceOutsideOfBrackets) {
  EXPECT_EQ(Skipped("a.b-1, c=2"), "a.b-1");
  EXPECT_EQ(Skipped("{a, [b, (c d)]}, e"), "{a, [b, (c d)]}");
  EXPECT_EQ(Skipped("\"a, }\"\n x"), "\"a, }\"");
}

TEST(UnknownValueTest, BracketsMustMatch) {
  EXPECT_EQ(Skipped("{a"), "");
  EXPECT_EQ(Skipped(", a"), "");
}

}  // namespace
}  // namespace ferry
