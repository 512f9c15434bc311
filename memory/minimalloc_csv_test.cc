// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/minimalloc_csv.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(absl::string_view text) {
  return std::string(ParseMiniMallocCsv(text, "a.csv").status().message());
}

TEST(MiniMallocCsvTest, ReadsColumnsInAnyOrder) {
  const auto csv = ParseMiniMallocCsv(
      "size, id ,upper,lower\r\n64,b1,9,0\n\n32, b2 ,4,2", "a.csv");
  ASSERT_TRUE(csv.ok()) << csv.status();
  EXPECT_THAT(csv->ids, ElementsAre("b1", "b2"));
  EXPECT_EQ(csv->problem.buffers[1].live, (LiveRange{2, 4}));
  EXPECT_EQ(csv->problem.buffers[1].size_bytes, 32);
}

TEST(MiniMallocCsvTest, ReadsAlignmentGapsAndFixedOffsets) {
  const auto csv = ParseMiniMallocCsv(
      "id,lower,upper,size,alignment,gaps,offset\n"
      "a,0,10,64,16,2-4 6-7@0:8,32\n"
      "b,0,10,64,,,\n",
      "a.csv");
  ASSERT_TRUE(csv.ok()) << csv.status();
  const PackingBuffer& a = csv->problem.buffers[0];
  EXPECT_EQ(a.alignment_bytes, 16);
  EXPECT_EQ(a.fixed_offset_bytes, 32);
  EXPECT_THAT(
      a.pieces,
      ElementsAre(BufferPiece{{0, 2}, 0, 64}, BufferPiece{{4, 6}, 0, 64},
                  BufferPiece{{6, 7}, 0, 8}, BufferPiece{{7, 10}, 0, 64}));
  EXPECT_TRUE(csv->problem.buffers[1].pieces.empty());
  EXPECT_FALSE(csv->problem.buffers[1].fixed_offset_bytes.has_value());
}

TEST(MiniMallocCsvTest, SaysWhereTheTextIsWrong) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("a.csv:1: error: no header"));
  EXPECT_THAT(ErrorOf("id,lower,size\n"),
              HasSubstr("a.csv:1: error: no column `upper`"));
  const std::string header = "id,lower,upper,size,gaps\n";
  EXPECT_THAT(ErrorOf(header + "a,0,1,8\n"),
              HasSubstr("a.csv:2: error: 4 cells in 5 columns"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,8,\nb,0,x,8,\n"),
              HasSubstr("a.csv:3: error: upper `x` is no whole number"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,9223372036854775808,\n"),
              HasSubstr("is no whole number below 2^63"));
  EXPECT_THAT(ErrorOf(header + "a,-1,1,8,\n"),
              HasSubstr("lower -1 is below 0"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,-8,\n"), HasSubstr("size -8 is below 0"));
  EXPECT_THAT(ErrorOf(header + "a,3,1,8,\n"),
              HasSubstr("lower 3 is behind upper 1"));
  EXPECT_THAT(ErrorOf(header + "a,0,1,8,\na,0,1,8,\n"),
              HasSubstr("a.csv:3: error: the id `a` occurs on line 2 too"));
  EXPECT_THAT(ErrorOf(header + "a,0,9,8,3-12\n"), HasSubstr("outside"));
  EXPECT_THAT(ErrorOf(header + "a,0,9,8,3\n"), HasSubstr("is not as in `2-4`"));
  EXPECT_THAT(ErrorOf(header + "a,0,9,8,2-3@0:9\n"),
              HasSubstr("keeps bytes that the buffer has not"));
}

TEST(MiniMallocCsvTest, WritesTheSameLinesWithOffsets) {
  EXPECT_EQ(WriteMiniMallocCsv("id,lower,upper,size,note\na,0,1,8,x\n", {16}),
            "id,lower,upper,size,note,offset\na,0,1,8,x,16\n");
  EXPECT_EQ(WriteMiniMallocCsv("id,offset,lower,upper,size\na,,0,1,8\n", {16}),
            "id,offset,lower,upper,size\na,16,0,1,8\n");
}

}  // namespace
}  // namespace ferry
