// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/tile_assignment.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// The devices of a grid in the order that its dimensions have behind `perm`.
std::vector<int64_t> TransposeList(absl::Span<const int64_t> devices,
                                   absl::Span<const int64_t> dims,
                                   absl::Span<const int64_t> perm) {
  const size_t rank = dims.size();
  llvm::SmallVector<int64_t, 8> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  llvm::SmallVector<int64_t, 8> index(rank, 0);
  std::vector<int64_t> result;
  result.reserve(devices.size());
  int64_t at = 0;
  while (result.size() < devices.size()) {
    result.push_back(devices[at]);
    for (size_t i = rank; i-- > 0;) {
      at += strides[perm[i]];
      if (++index[i] < dims[perm[i]]) break;
      at -= strides[perm[i]] * dims[perm[i]];
      index[i] = 0;
    }
  }
  return result;
}

}  // namespace

void TileAssignment::clear() {
  dimensions.clear();
  iota.clear();
  devices.clear();
}

bool TileAssignment::ToList(int64_t limit) {
  if (!IsIota()) return true;
  const std::optional<int64_t> count = CheckedProduct(dimensions);
  std::optional<std::vector<int64_t>> list = iota.Expand(limit);
  if (!list.has_value() || !count.has_value() ||
      *count != static_cast<int64_t>(list->size())) {
    return false;
  }
  devices = *std::move(list);
  iota.clear();
  return true;
}

bool TileAssignment::Transpose(absl::Span<const int64_t> perm, int64_t limit) {
  if (std::is_sorted(perm.begin(), perm.end())) return true;
  std::vector<int64_t> transposed;
  for (int64_t dim : perm) transposed.push_back(dimensions[dim]);
  if (IsIota()) {
    if (auto other = TransposeIota(iota, dimensions, perm)) {
      iota = *std::move(other);
      dimensions = std::move(transposed);
      return true;
    }
    if (!ToList(limit)) return false;
  }
  devices = TransposeList(devices, dimensions, perm);
  dimensions = std::move(transposed);
  return true;
}

bool TileAssignment::SortLastDimension(int64_t limit) {
  const int64_t row = dimensions.back();
  if (IsIota()) {
    if (auto other = SortIotaRows(iota, row)) {
      iota = *std::move(other);
      return true;
    }
    if (!ToList(limit)) return false;
  }
  if (row <= 0) return true;
  for (auto at = devices.begin(); devices.end() - at >= row; at += row) {
    std::sort(at, at + row);
  }
  return true;
}

void TileAssignment::AppendTo(std::string& out) const {
  out += "devices=[";
  AppendIntegers(dimensions, out);
  out += ']';
  if (!IsIota()) return AppendIntegers(devices, out);
  out += "<=";
  iota.AppendTo(out);
}

}  // namespace ferry
