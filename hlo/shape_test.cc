// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/shape.h"

#include <optional>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/shape_walk.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class ShapeTest : public ::testing::Test {
 protected:
  const Shape& Parse(absl::string_view text) {
    return **ParseShape(text, context_);
  }

  HloContext context_;
};

TEST_F(ShapeTest, OrdinalsCountNodesInPreOrder) {
  const Shape& shape = Parse("(f32[8], (s32[], pred[]))");
  EXPECT_EQ(shape.node_count(), 5);
  EXPECT_EQ(shape.leaf_count(), 3);
  EXPECT_EQ(shape.IndexAt(0), ShapeIndex({}));
  EXPECT_EQ(shape.IndexAt(2), ShapeIndex({1}));
  EXPECT_EQ(shape.IndexAt(4), ShapeIndex({1, 1}));
  EXPECT_EQ(shape.NodeAt(3).ToString(), "s32[]");
}

TEST_F(ShapeTest, OrdinalOfIsTheInverseOfIndexAt) {
  const Shape& shape = Parse("(f32[8], (s32[], pred[]))");
  EXPECT_EQ(shape.OrdinalOf({}), 0);
  EXPECT_EQ(shape.OrdinalOf({1, 0}), 3);
  EXPECT_EQ(shape.OrdinalOf({2}), std::nullopt);
  EXPECT_EQ(shape.OrdinalOf({0, 0}), std::nullopt);
  EXPECT_EQ(shape.OrdinalOf({-1}), std::nullopt);
}

TEST_F(ShapeTest, ATupleKnowsWhichElementHoldsANode) {
  const Shape& shape = Parse("(f32[8], (s32[], pred[]))");
  EXPECT_EQ(shape.ElementOrdinal(1), 2);
  EXPECT_EQ(shape.ElementHolding(1), 0);
  EXPECT_EQ(shape.ElementHolding(2), 1);
  EXPECT_EQ(shape.ElementHolding(4), 1);
}

TEST_F(ShapeTest, ElementCountIsUnknownWithoutBoundOrBeyondInt64) {
  EXPECT_EQ(Parse("f32[]").ElementCount(), 1);
  EXPECT_EQ(Parse("f32[2,3]").ElementCount(), 6);
  EXPECT_EQ(Parse("f32[<=4,3]").ElementCount(), 12);
  EXPECT_EQ(Parse("f32[?,3]").ElementCount(), std::nullopt);
  EXPECT_EQ(Parse("f32[4294967296,4294967296]").ElementCount(), std::nullopt);
}

TEST_F(ShapeTest, FourBitsTakeAByteUnlessTheLayoutPacksThem) {
  EXPECT_EQ(Parse("s4[16]{0}").LogicalBytes(), 16);
  EXPECT_EQ(Parse("s4[16]{0:E(4)}").LogicalBytes(), 8);
  EXPECT_EQ(Parse("s4[16]{0:E(4)}").element_bits(), 4);
  EXPECT_EQ(Parse("bf16[3]").LogicalBytes(), 6);
}

TEST_F(ShapeTest, CompatibleShapesDifferInLayoutOnly) {
  const Shape& shape = Parse("(f32[2,3]{1,0})");
  EXPECT_TRUE(shape.IsCompatible(Parse("(f32[2,3]{0,1:S(5)})")));
  EXPECT_TRUE(shape.IsCompatible(Parse("(f32[?,3])")));
  EXPECT_FALSE(shape.IsCompatible(Parse("(f32[3,2])")));
  EXPECT_FALSE(shape.IsCompatible(Parse("f32[2,3]")));
  EXPECT_FALSE(shape.IsCompatible(Parse("(bf16[2,3])")));
}

TEST_F(ShapeTest, PrecisionIsThatOfFloatingPointTypes) {
  EXPECT_TRUE(Parse("f32[2]").IsCompatibleIgnoringPrecision(Parse("bf16[2]")));
  EXPECT_FALSE(Parse("f32[2]").IsCompatibleIgnoringPrecision(Parse("s32[2]")));
}

TEST_F(ShapeTest, AHostArrayIsAnArrayInHostMemory) {
  EXPECT_TRUE(Parse("f32[2]{0:S(5)}").IsHostArray());
  EXPECT_FALSE(Parse("f32[2]{0}").IsHostArray());
  EXPECT_FALSE(Parse("f32[2]{0:S(1)}").IsHostArray());
  EXPECT_FALSE(Parse("(f32[2]{0:S(5)})").IsHostArray());
  EXPECT_FALSE(Parse("token[]").IsHostArray());
}

TEST_F(ShapeTest, PrintsWithOrWithoutLayout) {
  const Shape& shape = Parse("(f32[2,3]{0,1:S(5)}, token[])");
  EXPECT_EQ(shape.ToString(), "(f32[2,3]{0,1:S(5)}, token[])");
  EXPECT_EQ(shape.ToString(/*with_layout=*/false), "(f32[2,3], token[])");
}

TEST(ShapeWalkTest, MeetsEachNodeInOrder) {
  HloContext context;
  const Shape& shape = **ParseShape(
      "(f32[8], (s32[], (), pred[]), token[], b(f32[2]))", context);
  int32_t count = 0;
  for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
    EXPECT_EQ(walk.ordinal(), count);
    EXPECT_EQ(&walk.node(), &shape.NodeAt(count));
    ++count;
  }
  EXPECT_EQ(count, shape.node_count());
}

}  // namespace
}  // namespace ferry
