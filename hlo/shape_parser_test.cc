// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/shape_parser.h"

#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// The shape printed again, or the error.
std::string Reprint(absl::string_view text) {
  HloContext context;
  const absl::StatusOr<const Shape*> shape = ParseShape(text, context);
  if (!shape.ok()) return std::string(shape.status().message());
  return (*shape)->ToString();
}

TEST(ShapeParserTest, PrintedFormsComeBackAsTheyAre) {
  for (absl::string_view text :
       {"f32[]", "pred[2,3]{1,0}", "u32[]{:T(128)S(6)}",
        "bf16[8,128]{1,0:T(8,128)(2,1)S(5)}", "s4[16]{0:E(4)}",
        "f32[<=4,3]{1,0}", "token[]", "opaque[]", "()", "((), (f32[]))",
        "f32[2,2]{0,1:T(2,*)L(1024)SC(0:1,2)M(4)}", "b(f32[2]{0:S(1)})",
        "(s32[], s32[], s32[], s32[], s32[], /*index=5*/s32[])"}) {
    EXPECT_EQ(Reprint(text), text);
  }
}

TEST(ShapeParserTest, MissingLayoutsAreDescending) {
  EXPECT_EQ(Reprint("f32[2,3,4]"), "f32[2,3,4]{2,1,0}");
  EXPECT_EQ(Reprint("(f32[2], s8[?,7])"), "(f32[2]{0}, s8[?,7]{1,0})");
}

TEST(ShapeParserTest, AcceptsSpacesAndCommentsBetweenTokens) {
  EXPECT_EQ(Reprint("( f32 [ 2 , 3 ] { 0 , 1 } , /*x*/ s32[] )"),
            "(f32[2,3]{0,1}, s32[])");
}

TEST(ShapeParserTest, LevelTypesAreReadAndDropped) {
  EXPECT_EQ(Reprint("f32[2,3]{1,0:D(D,C+~)}"), "f32[2,3]{1,0}");
}

// As XLA's reader does: what is missing in an item is passed over.
TEST(ShapeParserTest, LayoutItemsMayEndEarly) {
  EXPECT_EQ(Reprint("f32[2]{0:T(8S(5}"), "f32[2]{0:T(8)S(5)}");
  EXPECT_EQ(Reprint("f32[2]{0:T}"), "f32[2]{0:T()}");
  EXPECT_EQ(Reprint("f32[2]{0:D(D,T(8,}"), "f32[2]{0:T(8)}");
  EXPECT_EQ(Reprint("f32[2]{0:E S(1)}"), "f32[2]{0:S(1)}");
  EXPECT_EQ(Reprint("f32[2]{0:SC(0:1)(2}"), "f32[2]{0:SC(0:1)(2:)}");
  EXPECT_EQ(Reprint("f32[2]{0:#u32*}"), "f32[2]{0:#(u32)}");
  EXPECT_EQ(Reprint("f32[2]{0:S(x)}"), "expected an integer, but saw `x`");
  EXPECT_EQ(Reprint("f32[2]{0:TS(1)}"),
            "expected `}` at the end of the layout, but saw `TS`");
  EXPECT_EQ(Reprint("f32[2]{0:S(1)T(8)}"),
            "expected `}` at the end of the layout, but saw `T`");
}

TEST(ShapeParserTest, MemorySpacesHaveEightBits) {
  EXPECT_EQ(Reprint("f32[2]{0:S(-1)}"), "f32[2]{0:S(-1)}");
  EXPECT_EQ(Reprint("f32[2]{0:S(256)}"), "f32[2]{0}");
  EXPECT_EQ(Reprint("f32[2]{0:S(4294967301)}"), "f32[2]{0:S(5)}");
}

TEST(ShapeParserTest, ABoundOf2To63IsNone) {
  EXPECT_EQ(Reprint("f32[<=9223372036854775808]"), "f32[?]{0}");
  EXPECT_EQ(Reprint("f32[2]{0:T(9223372036854775808)}"), "f32[2]{0:T(*)}");
}

TEST(ShapeParserTest, LayoutsInTuplesMustBeTrueOnes) {
  EXPECT_EQ(Reprint("f32[8,8]{0,0}"), "f32[8,8]{0,0}");
  EXPECT_EQ(Reprint("b(f32[8,8]{0,0})"), "b(f32[8,8]{0,0})");
  constexpr absl::string_view kProblem =
      "the layout of f32[8,8]{0,0} in a tuple is no permutation of the "
      "dimensions";
  EXPECT_EQ(Reprint("(f32[8,8]{0,0})"), kProblem);
  EXPECT_EQ(Reprint("(s32[], (b(f32[8,8]{0,0})))"), kProblem);
}

TEST(ShapeParserTest, NegativeTilesAndPaddingAreRefusedAnywhere) {
  EXPECT_EQ(Reprint("f32[2]{0:T(-5)}"), "a tile size must not be negative");
  EXPECT_EQ(Reprint("f32[2]{0:L(0)}"),
            "the tail padding alignment must be positive");
}

TEST(ShapeParserTest, EqualTextsGiveOneShape) {
  HloContext context;
  EXPECT_EQ(*ParseShape("f32[2]", context), *ParseShape("f32[2]{0}", context));
}

TEST(ShapeParserTest, SaysWhatIsWrong) {
  EXPECT_EQ(Reprint("f32[2,3]{0}"),
            "Dimensions size is 2, but minor to major size is 1.");
  EXPECT_EQ(Reprint("f33[2]"), "expected a shape, but saw `f33`");
  EXPECT_EQ(Reprint("f32[-1]"), "a dimension must be in [0, 2^63)");
  EXPECT_EQ(Reprint("f32[9223372036854775808]"),
            "a dimension must be in [0, 2^63)");
  EXPECT_EQ(Reprint("f32[99999999999999999999]"),
            "a dimension does not fit in 64 bits");
  EXPECT_EQ(Reprint("f32[2"),
            "expected `]` at the end of the dimensions, but saw the end of the "
            "text");
  EXPECT_EQ(Reprint("(f32[]"),
            "expected `,` or `)` in a tuple shape, but saw the end of the "
            "text");
  EXPECT_EQ(Reprint("f32[] x"), "expected the end of the shape, but saw `x`");
}

TEST(ShapeParserTest, ALayoutNeedsAnIntegerOrAColon) {
  EXPECT_EQ(Reprint("f32[]{}"), "expected the end of the shape, but saw `{`");
  EXPECT_EQ(Reprint("f32[1]{1.5}"),
            "expected the end of the shape, but saw `{`");
}

TEST(ShapeParserTest, SizesUpTo63BitsAreNumbersLikeOthers) {
  HloContext context;
  const auto shape = ParseShape("f32[9223372036854775807,8]", context);
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ((*shape)->ElementCount(), std::nullopt);
}

TEST(ShapeParserTest, NestingCostsNoStack) {
  constexpr int kDepth = 200000;
  const std::string text =
      std::string(kDepth, '(') + "f32[]" + std::string(kDepth, ')');
  HloContext context;
  const auto shape = ParseShape(text, context);
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ((*shape)->node_count(), kDepth + 1);
  EXPECT_FALSE(ParseShape(std::string(kDepth, '('), context).ok());
}

}  // namespace
}  // namespace ferry
