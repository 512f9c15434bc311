// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class LiteralTest : public ::testing::Test {
 protected:
  const Shape& ShapeOf(absl::string_view text) {
    return *ParseShape(text, context_).value();
  }
  // Elements 0, 1, 2, ... of one byte each.
  LiteralArray Counting(absl::string_view shape) {
    const Shape& array = ShapeOf(shape);
    std::vector<uint8_t> bytes(array.ElementCount().value());
    std::iota(bytes.begin(), bytes.end(), 0);
    return LiteralArray(array, std::move(bytes));
  }
  std::string Print(const LiteralArray& array) {
    std::string out;
    array.AppendTo(out);
    return out;
  }

  HloContext context_;
};

TEST_F(LiteralTest, ArraysPrintInBraces) {
  EXPECT_EQ(Print(Counting("s8[]")), "0");
  EXPECT_EQ(Print(Counting("s8[3]")), "{0, 1, 2}");
  EXPECT_EQ(Print(Counting("s8[1]")), "{0}");
  EXPECT_EQ(Print(Counting("s8[2,2]")), "{ { 0, 1 }, { 2, 3 } }");
  EXPECT_EQ(Print(Counting("s8[2,1]")), "{ {0}, {1} }");
}

TEST_F(LiteralTest, EmptyArraysPrintTheBracesThatTheyHave) {
  EXPECT_EQ(Print(Counting("s8[0]")), "{}");
  EXPECT_EQ(Print(Counting("s8[2,0]")), "{ {}, {} }");
  EXPECT_EQ(Print(Counting("s8[0,2]")), "{  }");
  EXPECT_EQ(Print(Counting("s8[2,0,2]")), "{ {  }, {  } }");
  EXPECT_EQ(Print(Counting("s8[1,0,2,2]")), "{ { /*i0=0*/ } }");
}

TEST_F(LiteralTest, ManyDimensionsHaveComments) {
  EXPECT_EQ(Print(Counting("s8[1,2,1,2]")),
            "{ { /*i0=0*/ { /*i1=0*/ { 0, 1 } }, { /*i1=1*/ { 2, 3 } } } }");
  EXPECT_EQ(Print(Counting("s8[2,1,1,1]")),
            "{ { /*i0=0*/ { /*i1=0*/ {0} } }, { /*i0=1*/ { /*i1=0*/ {1} } } }");
}

TEST_F(LiteralTest, PredIsAWordOnlyAlone) {
  EXPECT_EQ(Print(Counting("pred[]")), "false");
  EXPECT_EQ(Print(Counting("pred[2]")), "{0, 1}");
}

TEST_F(LiteralTest, ElementsAreReadByTheirType) {
  const LiteralArray s8(ShapeOf("s8[2]"), {0xff, 2});
  EXPECT_EQ(s8.IntegerAt(0), -1);
  EXPECT_EQ(s8.BitsAt(0), 0xffu);
  const LiteralArray u8(ShapeOf("u8[2]"), {0xff, 2});
  EXPECT_EQ(u8.IntegerAt(0), 255);
  const LiteralArray bf16(ShapeOf("bf16[2]"), {0x80, 0x3f, 0, 0xc0});
  EXPECT_EQ(bf16.DoubleAt(0), 1);
  EXPECT_EQ(bf16.DoubleAt(1), -2);
  const LiteralArray c64(ShapeOf("c64[1]"), {0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0});
  EXPECT_EQ(Print(c64), "{(1.5, -2)}");
  const LiteralArray u64(ShapeOf("u64[]"), std::vector<uint8_t>(8, 0xff));
  EXPECT_EQ(Print(u64), "18446744073709551615");
}

TEST_F(LiteralTest, LayoutOrderIsThatOfMinorToMajor) {
  const Shape& shape = ShapeOf("s8[2,3]{0,1}");
  const std::vector<uint8_t> physical = {0, 1, 2, 3, 4, 5};
  const LiteralArray array = LiteralArray::FromLayoutOrder(shape, physical);
  EXPECT_EQ(Print(array), "{ { 0, 2, 4 }, { 1, 3, 5 } }");
  EXPECT_EQ(array.ToLayoutOrder(), physical);
  const Shape& cube = ShapeOf("s8[2,1,3]{1,0,2}");
  EXPECT_EQ(Print(LiteralArray::FromLayoutOrder(cube, physical)),
            "{ { { 0, 2, 4 } }, { { 1, 3, 5 } } }");
  const Shape& plain = ShapeOf("s8[2,3]{1,0}");
  EXPECT_EQ(Print(LiteralArray::FromLayoutOrder(plain, physical)),
            "{ { 0, 1, 2 }, { 3, 4, 5 } }");
}

TEST_F(LiteralTest, AnElidedArrayHoldsNothing) {
  const LiteralArray array =
      LiteralArray::Elided(ShapeOf("f32[96,8,6,2048,2048]"));
  EXPECT_TRUE(array.is_elided());
  EXPECT_EQ(array.element_count(), 0);
  EXPECT_EQ(Print(array), "{...}");
}

TEST_F(LiteralTest, TuplesPrintAsTheyAreNested) {
  const Shape& shape = ShapeOf("(s8[], (s8[2], ()), pred[])");
  const Literal literal(
      shape, {Counting("s8[]"), Counting("s8[2]"), Counting("pred[]")});
  EXPECT_EQ(literal.ToString(), "( 0, ( {0, 1}, (  ) ), false )");
  EXPECT_EQ(literal.ToStringWithShapes(),
            "( s8[] 0, ( s8[2]{0} {0, 1}, (  ) ), pred[] false )");
  EXPECT_EQ(Literal(Counting("s8[2]")).ToStringWithShapes(), "s8[2]{0} {0, 1}");
}

}  // namespace
}  // namespace ferry
