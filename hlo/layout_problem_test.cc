// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/layout_problem.h"

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string Problem(absl::string_view shape) {
  HloContext context;
  return LayoutProblem(*ParseShape(shape, context).value());
}

TEST(LayoutProblemTest, UsualLayoutsHaveNone) {
  for (absl::string_view shape :
       {"f32[]", "f32[0]", "f32[8,8]{0,1}", "f32[?,8]", "f32[<=8]{0:M(8)}",
        "bf16[8,128]{1,0:T(8,128)(2,1)S(5)}", "f32[8,8]{1,0:T(8,*)E(32)}",
        "f32[8,8]{1,0:SC(1:3,5)(0:1)}"}) {
    EXPECT_EQ(Problem(shape), "") << shape;
  }
}

TEST(LayoutProblemTest, TheOrderMustBeAPermutation) {
  for (absl::string_view shape :
       {"f32[8,8]{0,0}", "f32[8,8]{5,7}", "f32[8,8]{-1,0}"}) {
    EXPECT_EQ(Problem(shape), "is no permutation of the dimensions") << shape;
  }
}

TEST(LayoutProblemTest, ItemsMustMakeSenseForADenseArray) {
  for (absl::string_view item :
       {"T()", "T(0)", "T(8)(0)", "#(u32)", "*(u64)", "E(-1)", "SC(0:0)",
        "SC(0:8)", "SC(0:3,1)", "SC(0:2,2)", "SC(2:1)", "SC(-1:1)",
        "SC(0:1)(0:2)"}) {
    const std::string shape = "f32[8,8]{1,0:" + std::string(item) + "}";
    EXPECT_NE(Problem(shape), "") << shape;
  }
}

TEST(LayoutProblemTest, SplitsCountDimensionsByTheirOrderInMemory) {
  EXPECT_EQ(Problem("f32[9,4]{1,0:SC(0:5)}"), "");
  EXPECT_NE(Problem("f32[9,4]{0,1:SC(0:5)}"), "");
  EXPECT_NE(Problem("f32[4,9]{1,0:SC(0:5)}"), "");
  EXPECT_EQ(Problem("f32[4,9]{0,1:SC(0:5)}"), "");
}

TEST(LayoutProblemTest, BytesMustBeFewerThan2To63) {
  EXPECT_EQ(Problem("f32[2305843009213693951]"), "");
  EXPECT_NE(Problem("f32[2305843009213693952]"), "");
  EXPECT_NE(Problem("f32[4294967296,4294967296]"), "");
  EXPECT_NE(Problem("f32[?,9223372036854775807,2]"), "");
  EXPECT_EQ(Problem("s4[9223372036854775807]"), "");
  EXPECT_EQ(Problem("f32[0,9223372036854775807,9223372036854775807]"), "");
}

}  // namespace
}  // namespace ferry
