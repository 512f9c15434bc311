// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_sharding.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

using Kind = HloSharding::Kind;

HloSharding Tiled(std::vector<int64_t> dimensions, std::vector<Kind> subgroups,
                  std::vector<int64_t> devices = {}) {
  HloSharding sharding;
  sharding.kind = Kind::kTiled;
  sharding.subgroups = std::move(subgroups);
  sharding.tiles.dimensions = std::move(dimensions);
  sharding.tiles.devices = std::move(devices);
  if (sharding.tiles.devices.empty()) {
    sharding.tiles.iota.reshape_dims = {
        *CheckedProduct(sharding.tiles.dimensions)};
    sharding.tiles.iota.transpose_perm = {0};
  }
  return sharding;
}

std::string Canonical(HloSharding sharding) {
  const absl::Status status = sharding.Canonicalize(1000);
  return status.ok() ? sharding.ToString() : std::string(status.message());
}

TEST(HloShardingTest, PrintsKinds) {
  HloSharding sharding;
  EXPECT_EQ(sharding.ToString(), "{replicated}");
  sharding.kind = Kind::kManual;
  EXPECT_EQ(sharding.ToString(), "{manual}");
  sharding.kind = Kind::kMaximal;
  sharding.device = 3;
  sharding.group = HloSharding::GroupKind::kShardAs;
  sharding.group_id = 7;
  sharding.metadata = {"{op_name=\"x\"}"};
  EXPECT_EQ(sharding.ToString(),
            "{maximal device=3 shard_as 7 metadata={op_name=\"x\"}}");
  sharding.metadata.push_back("{}");
  EXPECT_EQ(sharding.ToString(),
            "{maximal device=3 shard_as 7 metadata={{op_name=\"x\"}, {}}}");
  std::string without;
  sharding.AppendTo(without, /*with_metadata=*/false);
  EXPECT_EQ(without, "{maximal device=3 shard_as 7}");
}

TEST(HloShardingTest, CountsTheElementsOfATuple) {
  HloSharding tuple;
  tuple.kind = Kind::kTuple;
  EXPECT_EQ(tuple.ToString(), "{}");
  tuple.elements.resize(6);
  EXPECT_EQ(tuple.ToString(),
            "{{replicated}, {replicated}, {replicated}, {replicated}, "
            "{replicated}, /*index=5*/{replicated}}");
}

TEST(HloShardingTest, MergesAndSortsSubgroups) {
  EXPECT_EQ(Canonical(Tiled({2, 1, 2, 2}, {Kind::kManual, Kind::kManual})),
            "{devices=[2,1,4]<=[8] last_tile_dims={manual}}");
  EXPECT_EQ(Canonical(Tiled({2, 1, 2, 2}, {Kind::kReplicated, Kind::kManual})),
            "{devices=[2,1,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, "
            "replicated}}");
  EXPECT_EQ(
      Canonical(Tiled({2, 1, 2, 2, 2, 2}, {Kind::kUnreduced, Kind::kReplicated,
                                           Kind::kMaximal, Kind::kManual})),
      "{devices=[2,1,2,2,2,2]<=[2,4,4]T(0,2,1) last_tile_dims={maximal, "
      "manual, unreduced, replicated}}");
  EXPECT_EQ(Canonical(Tiled({2, 1, 2, 2}, {Kind::kReplicated, Kind::kManual},
                            {7, 6, 5, 4, 3, 2, 1, 0})),
            "{devices=[2,1,2,2]5,7,4,6,1,3,0,2 last_tile_dims={manual, "
            "replicated}}");
}

TEST(HloShardingTest, DropsSubgroupsOfSizeOne) {
  EXPECT_EQ(Canonical(Tiled({2, 1, 1, 2}, {Kind::kManual, Kind::kReplicated})),
            "{devices=[2,1,2]<=[4] last_tile_dim_replicate}");
  EXPECT_EQ(Canonical(Tiled({2, 1, 1}, {Kind::kReplicated})),
            "{devices=[2,1]<=[2]}");
}

TEST(HloShardingTest, NamesAGridWithoutTilesByItsKind) {
  EXPECT_EQ(Canonical(Tiled({1, 1, 4}, {Kind::kReplicated})), "{replicated}");
  EXPECT_EQ(Canonical(Tiled({1, 2, 2}, {Kind::kManual, Kind::kManual})),
            "{manual}");
  EXPECT_EQ(Canonical(Tiled({1, 4}, {Kind::kUnreduced})), "{unreduced}");
  EXPECT_EQ(Canonical(Tiled({1, 4}, {Kind::kMaximal})),
            "{devices=[1,4]<=[4] last_tile_dims={maximal}}");
}

TEST(HloShardingTest, SortsDevicesThatOnlyReplicate) {
  EXPECT_EQ(Canonical(Tiled({2, 1, 2}, {Kind::kReplicated}, {3, 2, 1, 0})),
            "{devices=[2,1,2]2,3,0,1 last_tile_dim_replicate}");
}

TEST(HloShardingTest, RefusesMoreSubgroupsThanDimensions) {
  EXPECT_EQ(
      Canonical(Tiled({2, 2}, {Kind::kManual, Kind::kManual, Kind::kManual})),
      "there are 3 last_tile_dims, but the grid has 2 dimensions");
}

TEST(HloShardingTest, RefusesToListTooManyDevices) {
  HloSharding sharding =
      Tiled({2, 1, 3, 2}, {Kind::kReplicated, Kind::kManual});
  sharding.tiles.iota.reshape_dims = {3, 4};
  sharding.tiles.iota.transpose_perm = {1, 0};
  EXPECT_EQ(sharding.Canonicalize(11).code(),
            absl::StatusCode::kResourceExhausted);
}

HloSharding Named() {
  HloSharding sharding;
  sharding.kind = Kind::kNamed;
  sharding.named.mesh.axes = {{"a", 2}, {"b", 8}};
  return sharding;
}

TEST(HloShardingTest, PrintsNamedShardings) {
  HloSharding sharding = Named();
  sharding.named.dimensions = {{.axes = {{0}}},
                               {.axes = {{1, 1, 2}}, .is_open = true},
                               {.is_open = true},
                               {}};
  sharding.named.replicated = {{1, 2, 2}};
  sharding.named.unreduced = {{1, 4, 2}};
  sharding.metadata = {"{}"};
  EXPECT_TRUE(sharding.named.Verify().ok());
  EXPECT_EQ(sharding.ToString(),
            "{mesh['a'=2,'b'=8], [{'a'}, {'b':(1)2, ?}, {?}, {}], "
            "replicated={'b':(2)2}, unreduced={'b':(4)2}, metadata={{}}}");
}

TEST(HloShardingTest, PrintsWholeNamedShardings) {
  HloSharding sharding = Named();
  EXPECT_EQ(sharding.ToString(), "{mesh['a'=2,'b'=8], replicated}");
  sharding.named.manual = {{0}, {1}};
  EXPECT_EQ(sharding.ToString(), "{mesh['a'=2,'b'=8], manual}");
  sharding.named.manual = {{0}};
  EXPECT_EQ(sharding.ToString(), "{mesh['a'=2,'b'=8], [], manual={'a'}}");
  sharding.named.mesh.axes[1].size = 1;
  sharding.named.unreduced = {{1}};
  EXPECT_EQ(sharding.ToString(), "{mesh['a'=2,'b'=1], manual}");
  sharding.named.clear();
  sharding.named.mesh.device_ids = {5};
  EXPECT_EQ(sharding.ToString(), "{maximal_mesh[device_id=5]}");
}

TEST(HloShardingTest, AxesOfListsMustBeInOrder) {
  HloSharding sharding = Named();
  sharding.named.manual = {{1}, {0}};
  EXPECT_EQ(
      absl::string_view(sharding.named.Verify().message()),
      "Manual axes must be sorted by mesh axis index and sub-axis pre-size.");
  sharding.named.manual = {{0}};
  sharding.named.dimensions = {{.axes = {{0}}}};
  EXPECT_EQ(absl::string_view(sharding.named.Verify().message()),
            "Axes cannot coexist or axes overlap.");
}

TEST(HloShardingTest, SpreadsOverLeaves) {
  std::string out;
  AppendSpreadSharding("{manual}", 2, out);
  EXPECT_EQ(out, "{{manual}, {manual}}");
  out.clear();
  AppendSpreadSharding("{manual}", 0, out);
  EXPECT_EQ(out, "{{manual}}");
  EXPECT_TRUE(IsTupleSharding("{}"));
  EXPECT_TRUE(IsTupleSharding("{{manual}}"));
  EXPECT_FALSE(IsTupleSharding("{manual}"));
}

}  // namespace
}  // namespace ferry
