// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/tile_assignment.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

std::string Print(const TileAssignment& tiles) {
  std::string out;
  tiles.AppendTo(out);
  return out;
}

TEST(TileAssignmentTest, PrintsListAndIota) {
  EXPECT_EQ(Print({.dimensions = {2, 2}, .devices = {0, 2, 1, 3}}),
            "devices=[2,2]0,2,1,3");
  EXPECT_EQ(Print({.dimensions = {4, 2},
                   .iota = {.reshape_dims = {2, 4}, .transpose_perm = {1, 0}}}),
            "devices=[4,2]<=[2,4]T(1,0)");
}

TEST(TileAssignmentTest, TransposesAList) {
  TileAssignment tiles{.dimensions = {2, 3}, .devices = {5, 4, 3, 2, 1, 0}};
  EXPECT_TRUE(tiles.Transpose({1, 0}, 100));
  EXPECT_EQ(Print(tiles), "devices=[3,2]5,2,4,1,3,0");
}

TEST(TileAssignmentTest, KeepsAnIotaWhenTransposed) {
  TileAssignment tiles{
      .dimensions = {4, 2},
      .iota = {.reshape_dims = {2, 4}, .transpose_perm = {1, 0}}};
  EXPECT_TRUE(tiles.Transpose({1, 0}, 0));
  EXPECT_EQ(Print(tiles), "devices=[2,4]<=[8]");
}

TEST(TileAssignmentTest, ListsDevicesOnlyUpToTheLimit) {
  const TileAssignment tiles{
      .dimensions = {2, 1, 3, 2},
      .iota = {.reshape_dims = {3, 4}, .transpose_perm = {1, 0}}};
  TileAssignment few = tiles;
  EXPECT_FALSE(few.Transpose({0, 1, 3, 2}, 11));
  EXPECT_EQ(Print(few), "devices=[2,1,3,2]<=[3,4]T(1,0)");
  TileAssignment enough = tiles;
  EXPECT_TRUE(enough.Transpose({0, 1, 3, 2}, 12));
  EXPECT_EQ(Print(enough), "devices=[2,1,2,3]0,8,5,4,1,9,2,10,7,6,3,11");
}

TEST(TileAssignmentTest, SortsTheRowsOfTheLastDimension) {
  TileAssignment tiles{.dimensions = {2, 1, 2}, .devices = {3, 2, 1, 0}};
  EXPECT_TRUE(tiles.SortLastDimension(100));
  EXPECT_EQ(Print(tiles), "devices=[2,1,2]2,3,0,1");
}

}  // namespace
}  // namespace ferry
