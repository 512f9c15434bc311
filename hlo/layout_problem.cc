// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/layout_problem.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

// Unbounded dimensions count as one, and elements as stored without `E(n)`.
bool BytesOverflow(const Shape& array) {
  int64_t bytes = std::max<int64_t>(1, BitWidth(array.element_type()) / 8);
  bool overflows = false;
  for (int64_t size : array.dimensions()) {
    if (size == 0) return false;
    if (size == kUnboundedDimension) continue;
    overflows = overflows || llvm::MulOverflow(bytes, size, bytes);
  }
  return overflows;
}

// Whether `numbers` are below `limit` and none stands twice.
bool AreDistinctBelow(absl::Span<const int64_t> numbers, int64_t limit) {
  absl::InlinedVector<bool, 8> seen(limit, false);
  for (int64_t number : numbers) {
    if (number < 0 || number >= limit || seen[number]) return false;
    seen[number] = true;
  }
  return true;
}

bool IsValidTile(const Tile& tile) {
  return !tile.dimensions.empty() &&
         std::all_of(
             tile.dimensions.begin(), tile.dimensions.end(),
             [](int64_t size) { return size > 0 || size == Tile::kCombined; });
}

// Each dimension once; positions ascend between 0 and its size. A split counts
// dimensions by the order in memory, most major first, which must be valid.
bool AreValidSplits(absl::Span<const SplitConfig> splits, const Shape& array) {
  const absl::Span<const int64_t> order = array.layout()->minor_to_major();
  absl::InlinedVector<int64_t, 4> dimensions;
  for (const SplitConfig& split : splits) dimensions.push_back(split.dimension);
  if (!AreDistinctBelow(dimensions, array.dimensions().size())) return false;
  for (const SplitConfig& split : splits) {
    const int64_t size =
        array.dimensions()[order[order.size() - 1 - split.dimension]];
    int64_t previous = 0;
    for (int64_t index : split.split_indices) {
      if (index <= previous || index >= size) return false;
      previous = index;
    }
  }
  return true;
}

}  // namespace

std::string LayoutProblem(const Shape& array) {
  if (BytesOverflow(array)) return "has a size that overflows 64 bits";
  if (array.layout() == nullptr) return "";
  const LayoutFields& fields = array.layout()->fields();
  if (!AreDistinctBelow(fields.minor_to_major, array.dimensions().size())) {
    return "is no permutation of the dimensions";
  }
  if (!std::all_of(fields.tiles.begin(), fields.tiles.end(), IsValidTile)) {
    return "has a tile that is empty or not positive";
  }
  if (fields.index_type.has_value() || fields.pointer_type.has_value()) {
    return "has types of indices or pointers, which dense arrays have not";
  }
  if (fields.element_size_in_bits < 0) {
    return absl::StrCat("has the element size ", fields.element_size_in_bits);
  }
  if (!AreValidSplits(fields.split_configs, array)) {
    return "has splits outside of a dimension or out of order";
  }
  return "";
}

}  // namespace ferry
