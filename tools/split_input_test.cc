// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/split_input.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

std::vector<std::string> Split(std::string text) {
  std::vector<std::string> cases;
  for (const auto& one :
       SplitInput(SourceText::FromString(std::move(text), "t.hlo"))) {
    EXPECT_EQ(one->name(), "t.hlo");
    cases.emplace_back(one->text());
  }
  return cases;
}

TEST(SplitInputTest, CasesKeepTheirLineNumbers) {
  EXPECT_EQ(Split("a\n// -----\nb\nc\n// -----\nd"),
            (std::vector<std::string>{"a\n", "\n\nb\nc\n", "\n\n\n\n\nd"}));
}

TEST(SplitInputTest, LeavesOutCasesOfCommentsOnly) {
  EXPECT_EQ(Split("// RUN: x\n\n// -----\nb\n// -----\n"),
            (std::vector<std::string>{"\n\n\nb\n"}));
  EXPECT_EQ(Split(""), (std::vector<std::string>{""}));
}

TEST(SplitInputTest, AMarkerFillsItsLine) {
  EXPECT_EQ(Split("a // -----\nb"),
            (std::vector<std::string>{"a // -----\nb"}));
  EXPECT_EQ(Split("a\n// ----- \nb"),
            (std::vector<std::string>{"a\n", "\n\nb"}));
}

}  // namespace
}  // namespace ferry
