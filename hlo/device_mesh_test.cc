// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/device_mesh.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

std::string Print(const DeviceMesh& mesh) {
  std::string out;
  mesh.AppendTo(out);
  return out;
}

DeviceMesh TwoByEight() { return {.axes = {{"a", 2}, {"b", 8}}}; }

absl::string_view Message(const absl::Status& status) {
  return status.message();
}

TEST(DeviceMeshTest, PrintsEveryForm) {
  EXPECT_EQ(Print({}), "mesh[]");
  EXPECT_EQ(Print(TwoByEight()), "mesh['a'=2,'b'=8]");
  EXPECT_EQ(Print({.device_ids = {5}}), "maximal_mesh[device_id=5]");
  EXPECT_EQ(Print({.axes = {{"a", 3}}, .device_ids = {2, 0, 1}}),
            "mesh['a'=3], device_ids=(2,0,1)");
  EXPECT_EQ(Print({.axes = {{"a", 8}}, .iota = {{4, 2}, {1, 0}}}),
            "mesh['a'=8], device_ids=([4,2]T(1,0))");
  EXPECT_EQ(Print({.axes = {{"a", 8}}, .iota = {{8}, {0}}}), "mesh['a'=8]");
}

TEST(DeviceMeshTest, ForgetsAnIotaThatSaysNothing) {
  DeviceMesh mesh{.axes = {{"a", 8}}, .iota = {{2, 4}, {0, 1}}};
  mesh.Canonicalize();
  EXPECT_TRUE(mesh.iota.empty());
}

TEST(DeviceMeshTest, PrintsAxes) {
  std::string out;
  AppendAxis(TwoByEight(), {.axis = 0}, out);
  AppendAxis(TwoByEight(), {.axis = 1, .pre_size = 2, .size = 4}, out);
  EXPECT_EQ(out, "'a''b':(2)4");
}

TEST(DeviceMeshTest, KnowsWhatXlaDiesOf) {
  EXPECT_EQ(Message(DeviceMesh{.axes = {{"a", 2}, {"a", 4}}}.Verify()),
            "Mesh has duplicate axis names. Duplicate axis name: a");
  EXPECT_EQ(
      Message(DeviceMesh{.axes = {{"a", 2}}, .device_ids = {0, 0}}.Verify()),
      "Device ids must be a permutation of [0,1,2,3...].");
  EXPECT_EQ(
      Message(DeviceMesh{.axes = {{"a", 2}}, .device_ids = {1, -1}}.Verify()),
      "Mesh device ids must be non-negative. Device id: -1");
  EXPECT_EQ(
      Message(DeviceMesh{.axes = {{"a", 2}}, .device_ids = {0, 1}}.Verify()),
      "Non-iota device assignment has iota device id list [0,1,2,3...].");
  EXPECT_TRUE(
      (DeviceMesh{.axes = {{"a", 2}}, .device_ids = {1, 0}}.Verify().ok()));
}

TEST(DeviceMeshTest, PartsMustDivideTheirAxis) {
  const auto verify = [](int64_t pre_size, int64_t size) {
    return VerifyAxis(TwoByEight(),
                      {.axis = 1, .pre_size = pre_size, .size = size});
  };
  EXPECT_TRUE(verify(4, 2).ok());
  EXPECT_EQ(Message(verify(1, 8)),
            "Sub-axis size must be strictly less than the full axis size. "
            "Sub-axis size: 8, Axis size: 8");
  EXPECT_EQ(Message(verify(3, 2)),
            "Sub-axis next_pre_size must divide the full axis size. Next "
            "pre-size: 6, Axis size: 8");
  EXPECT_FALSE(verify(INT64_MAX, 2).ok());
}

TEST(DeviceMeshTest, NeighboursMustNotBeOne) {
  EXPECT_EQ(Message(VerifyAdjacentAxes(TwoByEight(), {{1, 1, 2}, {1, 2, 2}})),
            "Adjacent axes in dimension sharding can be merged: 'b':(1)2, "
            "'b':(2)2");
  EXPECT_TRUE(VerifyAdjacentAxes(TwoByEight(), {{1, 2, 2}, {1, 1, 2}}).ok());
  EXPECT_TRUE(VerifyAdjacentAxes(TwoByEight(), {{1, 1, 2}, {1, 4, 2}}).ok());
}

TEST(DeviceMeshTest, NothingMayBeUsedTwice) {
  EXPECT_TRUE(VerifyDisjointAxes({{0, 0, 0}, {1, 0, 0}}).ok());
  EXPECT_TRUE(VerifyDisjointAxes({{1, 4, 2}, {1, 1, 2}}).ok());
  EXPECT_FALSE(VerifyDisjointAxes({{1, 0, 0}, {1, 0, 0}}).ok());
  EXPECT_FALSE(VerifyDisjointAxes({{1, 1, 2}, {1, 0, 0}}).ok());
  EXPECT_FALSE(VerifyDisjointAxes({{1, 1, 4}, {1, 2, 4}}).ok());
  EXPECT_FALSE(VerifyDisjointAxes({{1, 1, 2}, {1, 3, 4}}).ok());
}

}  // namespace
}  // namespace ferry
