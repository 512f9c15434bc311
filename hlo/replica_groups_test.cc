// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/replica_groups.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

using Kind = ReplicaGroups::Kind;

std::string Expanded(ReplicaGroups groups) {
  return groups.Expand(1000) ? groups.ToString() : "";
}

ReplicaGroups Iota(int64_t count, int64_t size, IotaTileAssignment iota) {
  ReplicaGroups groups;
  groups.kind = Kind::kIota;
  groups.group_count = count;
  groups.group_size = size;
  groups.iota = std::move(iota);
  return groups;
}

ReplicaGroups Mesh(DeviceMesh mesh, std::vector<AxisRef> axes) {
  ReplicaGroups groups;
  groups.kind = Kind::kMesh;
  groups.mesh = std::move(mesh);
  groups.axes = std::move(axes);
  return groups;
}

DeviceMesh TwoByEight() { return {.axes = {{"a", 2}, {"b", 8}}}; }

TEST(ReplicaGroupsTest, PrintsLists) {
  ReplicaGroups groups;
  EXPECT_EQ(groups.ToString(), "{}");
  groups.ids = {0, 1, 2};
  groups.ends = {2, 2, 3};
  EXPECT_EQ(groups.ToString(), "{{0,1},{},{2}}");
}

TEST(ReplicaGroupsTest, ListsTheGroupsOfAnIota) {
  const ReplicaGroups groups = Iota(2, 4, {{4, 2}, {1, 0}});
  EXPECT_EQ(groups.ToString(), "[2,4]<=[4,2]T(1,0)");
  EXPECT_EQ(Expanded(groups), "{{0,2,4,6},{1,3,5,7}}");
}

TEST(ReplicaGroupsTest, ListsNothingThatDoesNotFit) {
  EXPECT_EQ(Expanded(Iota(2, 4, {{9}, {0}})), "");
  EXPECT_EQ(Expanded(Iota(int64_t{1} << 30, int64_t{1} << 30,
                          {{int64_t{1} << 60}, {0}})),
            "");
  EXPECT_EQ(Expanded(Mesh({.axes = {{"a", int64_t{1} << 60}}}, {{0}})), "");
}

TEST(ReplicaGroupsTest, ListsTheGroupsOfAMesh) {
  const DeviceMesh small{.axes = {{"a", 2}, {"b", 4}}};
  EXPECT_EQ(Expanded(Mesh(small, {{0}})), "{{0,4},{1,5},{2,6},{3,7}}");
  EXPECT_EQ(Expanded(Mesh(small, {{1}})), "{{0,1,2,3},{4,5,6,7}}");
  EXPECT_EQ(Expanded(Mesh(small, {{1}, {0}})), "{{0,4,1,5,2,6,3,7}}");
  EXPECT_EQ(Expanded(Mesh(small, {{0}, {1, 1, 2}})), "{{0,2,4,6},{1,3,5,7}}");
}

TEST(ReplicaGroupsTest, ListsTheGroupsOfPartsOfAxes) {
  EXPECT_EQ(Expanded(Mesh(TwoByEight(), {{1, 1, 2}, {1, 4, 2}})),
            "{{0,1,4,5},{2,3,6,7},{8,9,12,13},{10,11,14,15}}");
  EXPECT_EQ(Expanded(Mesh(TwoByEight(), {{1, 2, 2}, {1, 1, 2}})),
            "{{0,4,2,6},{1,5,3,7},{8,12,10,14},{9,13,11,15}}");
}

TEST(ReplicaGroupsTest, ListsTheDevicesOfAMeshInItsOrder) {
  const DeviceMesh mesh{.axes = {{"a", 2}, {"b", 4}},
                        .device_ids = {7, 6, 5, 4, 3, 2, 1, 0}};
  EXPECT_EQ(Mesh(mesh, {{1}}).ToString(),
            "mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0) {'b'}");
  EXPECT_EQ(Expanded(Mesh(mesh, {{1}})), "{{7,6,5,4},{3,2,1,0}}");
  const DeviceMesh columns{.axes = {{"a", 2}, {"b", 4}},
                           .iota = {{4, 2}, {1, 0}}};
  EXPECT_EQ(Expanded(Mesh(columns, {{0}})), "{{0,1},{2,3},{4,5},{6,7}}");
}

TEST(ReplicaGroupsTest, KnowsWhatXlaRefuses) {
  EXPECT_TRUE(Mesh(TwoByEight(), {{0}, {1, 1, 2}}).Verify().ok());
  EXPECT_EQ(absl::string_view(Mesh(TwoByEight(), {}).Verify().message()),
            "MeshAxesReplicaGroupList must have more than one device per "
            "group, but got 1");
  EXPECT_FALSE(Mesh(TwoByEight(), {{0}, {0}}).Verify().ok());
}

}  // namespace
}  // namespace ferry
