// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/essential_constant.h"

#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string Essential(absl::string_view shape, absl::string_view literal) {
  HloContext context;
  return std::string(EssentialConstant(**ParseShape(shape, context), literal));
}

TEST(EssentialConstantTest, AllZeroAndAllOneAreOneNumber) {
  EXPECT_EQ(Essential("f32[2,2]", "{ { 0, 0 }, { 0, 0 } }"), "0");
  EXPECT_EQ(Essential("f32[1,1,1,2]", "{ { /*i0=0*/ { /*i1=0*/ { 1, 1 } } } }"),
            "1");
  EXPECT_EQ(Essential("pred[]", "true"), "1");
  EXPECT_EQ(Essential("c64[2]", "{(1, 0), (1, 0)}"), "1");
  EXPECT_EQ(Essential("f32[0]", "{}"), "0");
  EXPECT_EQ(Essential("f8e8m0fnu[0]", "{}"), "1");
}

TEST(EssentialConstantTest, IntegersStandAsTheyAre) {
  EXPECT_EQ(Essential("u8[2]", "{1, 2}"), "{1, 2}");
  EXPECT_EQ(Essential("(s32[], s32[])", "( 0, 0 )"), "( 0, 0 )");
}

TEST(EssentialConstantTest, AllElseIsElided) {
  EXPECT_EQ(Essential("f32[2]", "{0, 1}"), "{...}");
  EXPECT_EQ(Essential("f32[2]", "{-0, 0}"), "{...}");
  EXPECT_EQ(Essential("c64[]", "(1, 1)"), "{...}");
  EXPECT_EQ(Essential("(s32[], f32[])", "( 0, 0 )"), "{...}");
  EXPECT_EQ(Essential("s32[2]", "{...}"), "{...}");
}

}  // namespace
}  // namespace ferry
