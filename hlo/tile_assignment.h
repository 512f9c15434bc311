// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_TILE_ASSIGNMENT_H_
#define FERRY_HLO_TILE_ASSIGNMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/iota_tile_assignment.h"

namespace ferry {

// Which device holds which tile: a grid of tiles, filled row by row with a list
// of devices or with an iota.
//
//   [2,2]0,2,1,3     0 2        [4,2]<=[2,4]T(1,0)     0 4
//                    1 3                               1 5
//                                                      2 6
//                                                      3 7
//
// XLA keeps the form in which the devices were given, so both are kept: a list
// that happens to be an iota stays a list. Tested by tile_assignment_test.cc.
struct TileAssignment {
  std::vector<int64_t> dimensions;
  IotaTileAssignment iota;       // empty: the list counts
  std::vector<int64_t> devices;  // of the list; empty with an iota

  void clear();
  bool IsIota() const { return !iota.empty(); }
  int64_t rank() const { return dimensions.size(); }

  // The list that the iota stands for. False, and nothing changes, if that has
  // more than `limit` devices or another number than the grid has tiles.
  bool ToList(int64_t limit);
  // Puts the dimensions of the grid in the order `perm`, devices with them.
  // Keeps an iota where it can; false, and nothing changes, if that takes a
  // list of more than `limit` devices.
  bool Transpose(absl::Span<const int64_t> perm, int64_t limit);
  // Sorts the devices of each row of the last dimension, which only replicates.
  // An iota stays one if its order can be said by an iota; false as above.
  bool SortLastDimension(int64_t limit);

  // `devices=` and then `[2,2]0,2,1,3` or `[4,2]<=[2,4]T(1,0)`.
  void AppendTo(std::string& out) const;
};

}  // namespace ferry

#endif  // FERRY_HLO_TILE_ASSIGNMENT_H_
