// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_IOTA_TILE_ASSIGNMENT_H_
#define FERRY_HLO_IOTA_TILE_ASSIGNMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace ferry {

// An order of devices in a few numbers: 0, 1, 2, ... laid out row by row in an
// array of `reshape_dims`, whose dimensions are then put in another order.
//
//   [2,4]T(1,0)    0 1 2 3    read by columns    0 4 1 5 2 6 3 7
//                  4 5 6 7
//
// Shardings, meshes and replica groups are written with it; the dimensions of
// the grid that the devices fill are their own. Nothing here costs time or
// memory per device but Expand(): the numbers of a text may claim 2^60 devices,
// be zero or negative, or name a dimension twice, as XLA lets them.
// Tested by iota_tile_assignment_test.cc.
struct IotaTileAssignment {
  std::vector<int64_t> reshape_dims;
  std::vector<int64_t> transpose_perm;  // as many, each below their count

  bool empty() const { return reshape_dims.empty(); }
  void clear();
  // 0, 1, 2, ... as they stand.
  bool IsIdentity() const { return reshape_dims.size() == 1; }

  // The shortest form of the same order, as XLA keeps it: without dimensions
  // of size 1, and with dimensions merged that stay side by side.
  //
  //   [2,2,2]T(2,0,1) -> [4,2]T(1,0)     [2,1,4]T(0,1,2) -> [8]
  void Canonicalize();

  // The product of the dimensions; nullopt beyond 2^63 and for negative ones.
  std::optional<int64_t> DeviceCount() const;
  // All devices in order, or nothing if there are more than `limit` or the
  // permutation is none.
  std::optional<std::vector<int64_t>> Expand(int64_t limit) const;

  // `[8]`, `[4,2]T(1,0)`.
  void AppendTo(std::string& out) const;
};

// The order that remains if a grid of `dims`, filled with `iota`, has its
// dimensions put in the order `perm`. nullopt if no iota says that.
std::optional<IotaTileAssignment> TransposeIota(const IotaTileAssignment& iota,
                                                absl::Span<const int64_t> dims,
                                                absl::Span<const int64_t> perm);

// The same order within rows of `row` devices each, the devices of every row
// ascending. nullopt if no iota says that.
std::optional<IotaTileAssignment> SortIotaRows(const IotaTileAssignment& iota,
                                               int64_t row);

// The product, also of none; nullopt beyond 2^63 and for negative factors.
std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors);

// Numbers joined by commas.
void AppendIntegers(absl::Span<const int64_t> numbers, std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_IOTA_TILE_ASSIGNMENT_H_
