// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/sanitized_name.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(SanitizedNameTest, NamesOfTextStay) {
  for (const char* name : {"x", "add.1", "_x", "__xla_x", "tuple", "buffer"}) {
    EXPECT_TRUE(IsSanitizedName(name)) << name;
    EXPECT_EQ(SanitizeName(name), name);
  }
}

TEST(SanitizedNameTest, OthersBecomeWhatXlaMakesOfThem) {
  EXPECT_EQ(SanitizeName("2x"), "_x");
  EXPECT_EQ(SanitizeName("1 b$c"), "a_b_c");
  EXPECT_EQ(SanitizeName("__x"), "a_x");
  EXPECT_EQ(SanitizeName("f32"), "f32_");
  EXPECT_EQ(SanitizeName(".x"), "_x");
  for (const char* name : {"", "2x", "a b", "__x", "f32"}) {
    EXPECT_FALSE(IsSanitizedName(name)) << name;
  }
}

}  // namespace
}  // namespace ferry
