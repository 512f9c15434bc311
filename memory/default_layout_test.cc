// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/default_layout.h"

#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string LayoutOf(absl::string_view text, absl::string_view chip = "v5e") {
  HloContext context;
  const absl::StatusOr<const Shape*> shape = ParseShape(text, context);
  EXPECT_TRUE(shape.ok()) << shape.status();
  return WithDefaultLayout(context, **shape, *FindMemoryTarget(chip))
      .layout()
      ->ToString();
}

TEST(DefaultLayoutTest, TilesVectorsByTheirSize) {
  EXPECT_EQ(LayoutOf("f32[]"), "{:T(128)}");
  EXPECT_EQ(LayoutOf("f32[1]"), "{0:T(128)}");
  EXPECT_EQ(LayoutOf("f32[257]"), "{0:T(512)}");
  EXPECT_EQ(LayoutOf("f32[1025]"), "{0:T(1024)}");
  EXPECT_EQ(LayoutOf("bf16[257]"), "{0:T(512)(128)(2,1)}");
  EXPECT_EQ(LayoutOf("s8[100]"), "{0:T(512)(128)(4,1)}");
  EXPECT_EQ(LayoutOf("s4[100]"), "{0:T(1024)(128)(8,1)E(4)}");
}

TEST(DefaultLayoutTest, PutsTheDimensionMinorThatPadsLeast) {
  EXPECT_EQ(LayoutOf("f32[4096,1]"), "{0,1:T(1,128)}");
  EXPECT_EQ(LayoutOf("f32[4096,100]"), "{0,1:T(8,128)}");
  EXPECT_EQ(LayoutOf("f32[65,300]"), "{1,0:T(8,128)}");
  EXPECT_EQ(LayoutOf("f32[32,224,224,3]"), "{2,1,3,0:T(8,128)}");
  EXPECT_EQ(LayoutOf("f32[256,512,128,2]"), "{2,3,1,0:T(2,128)}");
}

TEST(DefaultLayoutTest, TakesManyRowsWhereTheyDivide) {
  EXPECT_EQ(LayoutOf("s8[32,1024]"), "{1,0:T(32,128)(4,1)}");
  EXPECT_EQ(LayoutOf("s8[33,1024]"), "{1,0:T(8,128)(4,1)}");
  EXPECT_EQ(LayoutOf("s4[4096,1024]"), "{1,0:T(64,128)(8,1)E(4)}");
  EXPECT_EQ(LayoutOf("bf16[64,1024]"), "{1,0:T(8,128)(2,1)}");
}

// Orders are priced by tiles of 8 rows, whatever the tile is in the end.
TEST(DefaultLayoutTest, PricesTwoBitElementsByEightRows) {
  EXPECT_EQ(LayoutOf("s2[9,1]"), "{0,1:T(16,128)(16,1)E(2)}");
  EXPECT_EQ(LayoutOf("s2[16,5,7]"), "{0,2,1:T(16,128)(16,1)E(2)}");
}

TEST(DefaultLayoutTest, OldChipsHaveNoTileOfOneRow) {
  EXPECT_EQ(LayoutOf("f32[]", "v3"), "{:T(256)}");
  EXPECT_EQ(LayoutOf("f32[1,6144]", "v3"), "{1,0:T(2,128)}");
  EXPECT_EQ(LayoutOf("bf16[3,4096]", "v3"), "{1,0:T(4,128)(2,1)}");
}

TEST(DefaultLayoutTest, KeepsTheMemorySpace) {
  EXPECT_EQ(LayoutOf("f32[8,128]{0,1:S(5)}"), "{1,0:T(8,128)S(5)}");
}

TEST(DefaultLayoutTest, TilesAGivenOrder) {
  HloContext context;
  const Shape& shape = **ParseShape("bf16[129,1024]{0,1}", context);
  EXPECT_EQ(
      WithDefaultTiles(context, shape, *FindMemoryTarget("v5e")).ToString(),
      "bf16[129,1024]{0,1:T(8,128)(2,1)}");
}

}  // namespace
}  // namespace ferry
