// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/json_text.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(JsonTextTest, TextStaysAsItIs) {
  EXPECT_EQ(JsonText("\xc3\xa9"), llvm::json::Value("\xc3\xa9"));
}

TEST(JsonTextTest, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(JsonText("a\xff"), llvm::json::Value("a\xef\xbf\xbd"));
}

TEST(JsonTextTest, TheEmptyTextMayBeNull) {
  EXPECT_EQ(JsonText(""), llvm::json::Value(""));
  EXPECT_EQ(JsonTextOrNull(""), llvm::json::Value(nullptr));
}

}  // namespace
}  // namespace ferry
