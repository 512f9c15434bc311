// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/tiled_size.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class TiledSizeTest : public ::testing::Test {
 protected:
  const Shape& Parse(absl::string_view text) {
    const absl::StatusOr<const Shape*> shape = ParseShape(text, context_);
    EXPECT_TRUE(shape.ok()) << shape.status();
    return **shape;
  }
  int64_t Bytes(absl::string_view text, absl::string_view chip = "v5e") {
    const ByteCount bytes =
        GetTiledSize(Parse(text), *FindMemoryTarget(chip)).bytes;
    EXPECT_TRUE(bytes.FitsInt64());
    return bytes.ToInt64();
  }
  std::string Why(absl::string_view text) {
    return ExplainTiledSize(Parse(text), *FindMemoryTarget("v5e"));
  }
  HloContext context_;
};

TEST_F(TiledSizeTest, RoundsEachDimensionUnderTheFirstTile) {
  EXPECT_EQ(Bytes("f32[128,1024]{1,0:T(8,128)}"), 524288);
  EXPECT_EQ(Bytes("f32[129,1024]{1,0:T(8,128)}"), 557056);
  EXPECT_EQ(Bytes("f32[129,1024]{0,1:T(8,128)}"), 1048576);
  EXPECT_EQ(Bytes("bf16[4,8,4096,1]{3,2,1,0:T(8,128)(2,1)}"), 33554432);
  EXPECT_EQ(Bytes("bf16[4,8,4096,1]{2,1,0,3:T(8,128)(2,1)}"), 262144);
  EXPECT_EQ(Bytes("f32[1025]{0:T(1024)}"), 8192);
}

TEST_F(TiledSizeTest, CountsTheBitsOfPackedElements) {
  EXPECT_EQ(Bytes("s4[100,100]{1,0:T(8,128)(8,1)E(4)}"), 6656);
  EXPECT_EQ(Bytes("pred[7,7]{1,0:T(8,128)(4,1)}"), 1024);
  EXPECT_EQ(Bytes("pred[7,7]{1,0:T(8,128)E(32)}"), 4096);
}

TEST_F(TiledSizeTest, GivesAScalarATile) {
  EXPECT_EQ(Bytes("f32[]{:T(128)}"), 512);
  EXPECT_EQ(Bytes("f32[]{:T(256)}"), 1024);
}

TEST_F(TiledSizeTest, RoundsTheTailUp) {
  EXPECT_EQ(Bytes("f32[1000]{0:T(1)L(1024)}"), 4096);
  EXPECT_EQ(Bytes("s32[]"), 4096);
  EXPECT_EQ(Bytes("f32[1025]{0}"), 8192);
}

TEST_F(TiledSizeTest, TakesContextsOfTransfersAsTheyAre) {
  EXPECT_EQ(Bytes("u32[]{:S(2)}"), 4);
  EXPECT_EQ(Bytes("u32[]{:T(128)S(2)}"), 4);
}

TEST_F(TiledSizeTest, TakesTheLargerPieceOfASplitArray) {
  EXPECT_EQ(Bytes("f32[4097]{0:T(1024)S(1)SC(0:3072)}"), 12288);
  EXPECT_EQ(Bytes("f32[3,5,7]{2,0,1:T(4,128)S(1)SC(0:3)}"), 6144);
  EXPECT_EQ(Bytes("f32[4096,2]{0,1:T(2,128)S(1)SC(1:2048)}"), 16384);
  EXPECT_EQ(Why("f32[4096,2]{0,1:T(2,128)S(1)SC(1:2048)}"), "no padding");
}

TEST_F(TiledSizeTest, CountsOnlyTheTableOfATuple) {
  EXPECT_EQ(Bytes("(f32[], f32[])"), 512);
  EXPECT_EQ(Bytes("(f32[], f32[])", "v5p"), 32);
  EXPECT_EQ(Bytes("()"), 0);
  EXPECT_EQ(Bytes("token[]"), 0);
  const TiledSize all = GetTotalTiledSize(
      Parse("(f32[]{:T(128)}, (f32[]{:T(128)}))"), *FindMemoryTarget("v5e"));
  EXPECT_EQ(all.bytes, ByteCount(4 * 512));
}

TEST_F(TiledSizeTest, ChargesADynamicDimensionAtItsBound) {
  EXPECT_EQ(Bytes("f32[<=129,1024]{1,0:T(8,128)}"), 557056);
}

TEST_F(TiledSizeTest, ReportsSizesBeyondSixtyFourBits) {
  const Shape& shape =
      Parse("f32[9223372036854775807,9223372036854775807]{1,0:T(8,128)}");
  const TiledSize size = GetTiledSize(shape, *FindMemoryTarget("v5e"));
  EXPECT_FALSE(size.bytes.FitsInt64());
  EXPECT_LE(size.unpadded_bytes, size.bytes);
}

TEST_F(TiledSizeTest, AnEmptyArrayTakesNothing) {
  EXPECT_EQ(Bytes("f32[0,9223372036854775807]{1,0:T(8,128)}"), 0);
}

TEST_F(TiledSizeTest, MergesACombinedDimensionIntoTheNextMinorOne) {
  // [3,5] in tiles of (*,8) is a vector of 15 in tiles of 8.
  EXPECT_EQ(Bytes("f32[3,5]{1,0:T(*,8)}"), 16 * 4);
}

TEST_F(TiledSizeTest, SaysWhy) {
  EXPECT_EQ(Why("f32[4096,2]{1,0:T(8,128)}"),
            "the minor dimension 2 is padded to 128");
  EXPECT_EQ(Why("f32[3,100]{1,0:T(4,128)}"),
            "the minor dimension 100 is padded to 128, the second-minor "
            "dimension 3 is padded to 4");
  EXPECT_EQ(Why("f32[]{:T(128)}"), "a scalar takes a tile of 128 elements");
  EXPECT_EQ(Why("s32[]"),
            "an array without tiles is rounded up to a multiple of 1024 "
            "elements");
  EXPECT_EQ(Why("pred[8,128]{1,0:T(8,128)E(32)}"),
            "each element of 8 bits is stored in 32");
  EXPECT_EQ(Why("f32[8,128]{1,0:T(8,128)}"), "no padding");
}

}  // namespace
}  // namespace ferry
