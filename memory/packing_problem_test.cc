// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_problem.h"

#include <cstdint>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

absl::Status Validate(PackingBuffer buffer) {
  return ValidatePackingProblem({.buffers = {{.live = {0, 1}}, buffer}});
}

TEST(PackingProblemTest, BoundsOfARectangleAreItself) {
  const PackingBuffer buffer = {.live = {2, 5}, .size_bytes = 64};
  EXPECT_EQ(buffer.Bounds(), (BufferPiece{{2, 5}, 0, 64}));
}

TEST(PackingProblemTest, BoundsGoAroundAllPiecesThatHaveBytes) {
  const PackingBuffer buffer = {
      .pieces = {{{4, 9}, 32, 32}, {{2, 5}, 0, 32}, {{0, 1}, 0, 0}}};
  EXPECT_EQ(buffer.Bounds(), (BufferPiece{{2, 9}, 0, 64}));
}

TEST(PackingProblemTest, ColocatedBuffersKeepTheirPiecesAndTheCoarsestGrid) {
  const PackingBuffer both =
      ColocateBuffers({{.live = {0, 2}, .size_bytes = 64, .alignment_bytes = 8},
                       {.live = {5, 9},
                        .size_bytes = 48,
                        .alignment_bytes = 16,
                        .fixed_offset_bytes = 32}});
  ASSERT_EQ(both.pieces.size(), 2u);
  EXPECT_EQ(both.pieces[1], (BufferPiece{{5, 9}, 0, 48}));
  EXPECT_EQ(both.alignment_bytes, 16);
  EXPECT_EQ(both.fixed_offset_bytes, 32);
}

TEST(PackingProblemTest, EmptyLivesAndNoBytesAreFine) {
  EXPECT_TRUE(Validate({.live = {3, 3}, .size_bytes = 4}).ok());
  EXPECT_TRUE(Validate({.live = {0, 3}, .size_bytes = 0}).ok());
}

TEST(PackingProblemTest, SaysWhichBufferIsWrongAndHow) {
  EXPECT_THAT(Validate({.live = {3, 2}}).message(),
              HasSubstr("buffer 1 is live from 3 to 2, which is earlier"));
  EXPECT_THAT(Validate({.live = {0, 1}, .size_bytes = -4}).message(),
              HasSubstr("buffer 1 has -4 bytes"));
  EXPECT_THAT(Validate({.alignment_bytes = 0}).message(),
              HasSubstr("has the alignment 0"));
  EXPECT_THAT(
      Validate({.alignment_bytes = 8, .fixed_offset_bytes = 12}).message(),
      HasSubstr("is fixed at 12, no multiple of its alignment 8"));
  EXPECT_THAT(Validate({.pieces = {{{0, 1}, -1, 1}}}).message(),
              HasSubstr("has a piece at offset -1"));
  EXPECT_THAT(Validate({.live = {0, 1},
                        .size_bytes = 2,
                        .fixed_offset_bytes = INT64_MAX - 1})
                  .message(),
              HasSubstr("ends beyond 2^63 bytes"));
}

}  // namespace
}  // namespace ferry
