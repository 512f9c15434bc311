// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/iota_tile_assignment.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

std::string Print(const IotaTileAssignment& iota) {
  std::string out;
  iota.AppendTo(out);
  return out;
}

std::string Canonical(IotaTileAssignment iota) {
  iota.Canonicalize();
  return Print(iota);
}

TEST(IotaTileAssignmentTest, MergesDimensionsThatStaySideBySide) {
  EXPECT_EQ(Canonical({{2, 2, 2}, {2, 0, 1}}), "[4,2]T(1,0)");
  EXPECT_EQ(Canonical({{2, 2, 2}, {1, 2, 0}}), "[2,4]T(1,0)");
  EXPECT_EQ(Canonical({{2, 2}, {0, 1}}), "[4]");
  EXPECT_EQ(Canonical({{2, 2, 2}, {2, 1, 0}}), "[2,2,2]T(2,1,0)");
}

TEST(IotaTileAssignmentTest, DropsDimensionsOfSizeOne) {
  EXPECT_EQ(Canonical({{1, 8}, {1, 0}}), "[8]");
  EXPECT_EQ(Canonical({{2, 1, 4}, {2, 1, 0}}), "[2,4]T(1,0)");
  EXPECT_EQ(Canonical({{1, 1}, {1, 0}}), "[1]");
}

// XLA takes them, so they must not break anything.
TEST(IotaTileAssignmentTest, KeepsWhatIsNoPermutation) {
  EXPECT_EQ(Canonical({{2, 4}, {0, 0}}), "[2,4]T(0,0)");
  EXPECT_EQ(Canonical({{2, 2, 2}, {0, 0, 1}}), "[4,2]T(0,0)");
  EXPECT_EQ(Canonical({{2, 0, 2}, {0, 1, 2}}), "[0]");
  EXPECT_EQ(Canonical({{2, -2, 2}, {0, 1, 2}}), "[-8]");
  EXPECT_EQ((IotaTileAssignment{{2, 4}, {0, 0}}.Expand(100)), std::nullopt);
}

TEST(IotaTileAssignmentTest, ListsItsDevices) {
  EXPECT_EQ((IotaTileAssignment{{2, 4}, {1, 0}}.Expand(8)),
            (std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ((IotaTileAssignment{{3}, {0}}.Expand(8)),
            (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ((IotaTileAssignment{{0}, {0}}.Expand(8)), std::vector<int64_t>());
}

TEST(IotaTileAssignmentTest, ListsNoMoreThanTheLimit) {
  EXPECT_EQ((IotaTileAssignment{{int64_t{1} << 60}, {0}}.Expand(1 << 20)),
            std::nullopt);
  EXPECT_EQ((IotaTileAssignment{{int64_t{1} << 40, int64_t{1} << 40}, {1, 0}}
                 .DeviceCount()),
            std::nullopt);
  EXPECT_EQ((IotaTileAssignment{{-8}, {0}}.Expand(100)), std::nullopt);
}

TEST(IotaTileAssignmentTest, TransposesAGrid) {
  const IotaTileAssignment in_order{{8}, {0}};
  EXPECT_EQ(Print(*TransposeIota(in_order, {2, 1, 2, 2}, {0, 1, 3, 2})),
            "[2,2,2]T(0,2,1)");
  const IotaTileAssignment columns{{4, 6}, {1, 0}};
  EXPECT_EQ(Print(*TransposeIota(columns, {3, 1, 4, 2}, {0, 1, 3, 2})),
            "[2,2,3,2]T(2,1,3,0)");
}

// A row of 3 out of columns of 4: no reshaped iota has that order.
TEST(IotaTileAssignmentTest, SaysIfNoIotaIsTheTransposedOrder) {
  const IotaTileAssignment columns{{3, 4}, {1, 0}};
  EXPECT_FALSE(TransposeIota(columns, {2, 1, 3, 2}, {0, 1, 3, 2}).has_value());
}

TEST(IotaTileAssignmentTest, SortsRows) {
  EXPECT_EQ(Print(*SortIotaRows({{2, 2, 2}, {0, 2, 1}}, 4)), "[8]");
  EXPECT_EQ(Print(*SortIotaRows({{2, 2, 2}, {1, 2, 0}}, 4)), "[2,2,2]T(1,0,2)");
  EXPECT_EQ(Print(*SortIotaRows({{2, 2, 2}, {2, 1, 0}}, 4)), "[4,2]T(1,0)");
  EXPECT_EQ(Print(*SortIotaRows({{2, 16}, {1, 0}}, 8)), "[2,4,4]T(1,0,2)");
  EXPECT_FALSE(SortIotaRows({{3, 4}, {1, 0}}, 2).has_value());
}

// More devices than the iota has: XLA does not mind.
TEST(IotaTileAssignmentTest, SortsRowsThatAreTooLong) {
  EXPECT_EQ(Print(*SortIotaRows({{2, 2}, {1, 0}}, 8)), "[4]");
}

}  // namespace
}  // namespace ferry
