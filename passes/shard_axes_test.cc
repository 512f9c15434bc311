// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/shard_axes.h"

#include <optional>
#include <vector>

#include "ferry/hlo/sharding_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::optional<ShardAxes> AxesOf(absl::string_view text, int64_t rank) {
  return ShardAxes::Of(*ReadSharding(text), rank);
}

std::vector<DeviceAxis> List(absl::Span<const DeviceAxis> axes) {
  return std::vector<DeviceAxis>(axes.begin(), axes.end());
}

TEST(ShardAxesTest, AnIotaSplitsByItsSteps) {
  const auto rows = AxesOf("{devices=[4,2]<=[8]}", 2);
  EXPECT_THAT(List(rows->of(0)), ElementsAre(DeviceAxis{2, 4}));
  EXPECT_THAT(List(rows->of(1)), ElementsAre(DeviceAxis{1, 2}));
  const auto columns = AxesOf("{devices=[2,4]<=[4,2]T(1,0)}", 2);
  EXPECT_THAT(List(columns->of(0)), ElementsAre(DeviceAxis{1, 2}));
  EXPECT_THAT(List(columns->of(1)), ElementsAre(DeviceAxis{2, 4}));
}

TEST(ShardAxesTest, AListIsReadAsSteps) {
  EXPECT_EQ(AxesOf("{devices=[2,2]0,2,1,3}", 2),
            AxesOf("{devices=[2,2]<=[2,2]T(1,0)}", 2));
  EXPECT_EQ(AxesOf("{devices=[2,2]0,1,3,2}", 2), std::nullopt);
}

TEST(ShardAxesTest, NamesAreWhatTheirMeshSays) {
  EXPECT_EQ(AxesOf("{mesh['a'=4,'b'=2], [{'b'}, {'a'}]}", 2),
            AxesOf("{devices=[2,4]<=[4,2]T(1,0)}", 2));
  EXPECT_EQ(AxesOf("{mesh['a'=2,'b'=2], [{'a', 'b'}, {}]}", 2)->Parts(0), 4);
}

TEST(ShardAxesTest, APartOfAnAxisIsAnAxis) {
  const auto axes = AxesOf("{mesh['a'=8], [{'a':(2)2}, {}]}", 2);
  EXPECT_THAT(List(axes->of(0)), ElementsAre(DeviceAxis{2, 2}));
}

TEST(ShardAxesTest, WhatDoesNotTileIsWhole) {
  EXPECT_TRUE(AxesOf("{replicated}", 2)->IsWhole());
  EXPECT_TRUE(AxesOf("{manual}", 2)->IsWhole());
  EXPECT_TRUE(AxesOf("{maximal device=1}", 2)->IsWhole());
  EXPECT_THAT(
      List(AxesOf("{devices=[1,2,2]<=[4] last_tile_dim_replicate}", 2)->of(0)),
      IsEmpty());
}

TEST(ShardAxesTest, NoAxisSplitsTwice) {
  ShardAxes axes(2);
  const DeviceAxis both[] = {{1, 4}};
  const DeviceAxis part[] = {{2, 2}};
  const DeviceAxis other[] = {{4, 2}};
  EXPECT_TRUE(axes.Split(0, both));
  EXPECT_FALSE(axes.Split(0, other));
  EXPECT_FALSE(axes.Split(1, part));
  EXPECT_TRUE(axes.Split(1, other));
}

TEST(ShardAxesTest, PartsAreRoundedUp) {
  const auto axes = AxesOf("{devices=[4,1]<=[4]}", 2);
  EXPECT_THAT(axes->LocalSizes({10, 7}), ElementsAre(3, 7));
}

}  // namespace
}  // namespace ferry
