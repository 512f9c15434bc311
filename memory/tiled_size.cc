// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/tiled_size.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/primitive_type.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/memory_target.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr int64_t kBitsOfByte = 8;

// One physical dimension and what its tile makes of it.
struct PaddedDimension {
  int64_t size = 1;
  int64_t tile = 1;
  // The tile has more dimensions than the array.
  bool is_missing = false;
};

using PaddedDimensions = llvm::SmallVector<PaddedDimension, 8>;

// The sizes from the minor dimension on.
llvm::SmallVector<int64_t, 8> PhysicalSizes(const Shape& shape) {
  llvm::SmallVector<int64_t, 8> sizes;
  if (shape.layout() == nullptr) {
    const absl::Span<const int64_t> dimensions = shape.dimensions();
    sizes.append(dimensions.rbegin(), dimensions.rend());
    return sizes;
  }
  for (const int64_t dimension : shape.layout()->minor_to_major()) {
    sizes.push_back(shape.dimensions()[dimension]);
  }
  // The larger piece of an array that is split between cores.
  for (const SplitConfig& split : shape.layout()->fields().split_configs) {
    const int64_t place =
        static_cast<int64_t>(sizes.size()) - 1 - split.dimension;
    if (place < 0 || place >= static_cast<int64_t>(sizes.size())) continue;
    int64_t largest = 0;
    int64_t start = 0;
    for (const int64_t end : split.split_indices) {
      largest = std::max(largest, end - start);
      start = end;
    }
    sizes[place] = std::max(largest, sizes[place] - start);
  }
  return sizes;
}

// A tile size of kCombined makes the dimension a part of the next minor one.
void CombineDimensions(absl::Span<const int64_t> tile, PaddedDimensions& all) {
  for (size_t i = tile.size(); i-- > 1;) {
    // `all` is minor first, `tile` major first.
    const size_t place = tile.size() - 1 - (i - 1);
    if (tile[i - 1] != Tile::kCombined || place >= all.size()) continue;
    const ByteCount product =
        ByteCount(all[place - 1].size) * ByteCount(all[place].size);
    all[place - 1].size = product.ToInt64();
    all[place] = {.size = 1, .tile = 1, .is_missing = true};
  }
}

PaddedDimensions GetPaddedDimensions(const Shape& shape) {
  PaddedDimensions result;
  for (const int64_t size : PhysicalSizes(shape)) {
    result.push_back({.size = size});
  }
  if (shape.layout() == nullptr || shape.layout()->tiles().empty()) {
    return result;
  }
  const absl::Span<const int64_t> tile =
      shape.layout()->tiles().front().dimensions;
  while (result.size() < tile.size()) result.push_back({.is_missing = true});
  for (size_t i = 0; i < tile.size(); ++i) {
    const int64_t size = tile[tile.size() - 1 - i];
    if (size > 0) result[i].tile = size;
  }
  CombineDimensions(tile, result);
  return result;
}

bool IsDense(const Shape& shape, const MemoryTarget& target) {
  const MemorySpaceTarget* space = target.FindSpace(shape.memory_space());
  return space != nullptr && space->is_dense;
}

bool HasTiles(const Shape& shape) {
  return shape.layout() != nullptr && !shape.layout()->tiles().empty();
}

// The multiple to which the number of elements is rounded up at last.
int64_t TailAlignment(const Shape& shape, const MemoryTarget& target) {
  const int64_t tail =
      shape.layout() == nullptr
          ? 1
          : shape.layout()->fields().tail_padding_alignment_in_elements;
  if (tail > 1 || HasTiles(shape)) return std::max<int64_t>(tail, 1);
  return target.untiled_alignment_elements;
}

ByteCount BytesOf(ByteCount elements, int64_t bits) {
  return DivideRoundingUp(elements * ByteCount(bits), kBitsOfByte);
}

ByteCount LogicalElements(const Shape& shape) {
  ByteCount elements = 1;
  bool is_empty = false;
  for (const int64_t size : PhysicalSizes(shape)) {
    if (size == 0) is_empty = true;
    elements = size < 0 ? ByteCount::TooMany() : elements * ByteCount(size);
  }
  return is_empty ? ByteCount() : elements;
}

// Bits of an element that someone wrote down: E(32) of a pred is padding.
int64_t UnpaddedBits(const Shape& shape) {
  return std::min(shape.element_bits(),
                  std::max(kBitsOfByte, BitWidth(shape.element_type())));
}

TiledSize GetArraySize(const Shape& shape, const MemoryTarget& target) {
  const ByteCount elements = LogicalElements(shape);
  TiledSize size;
  size.unpadded_bytes = BytesOf(elements, UnpaddedBits(shape));
  if (elements == ByteCount() || elements.IsTooMany() ||
      IsDense(shape, target)) {
    size.bytes = BytesOf(elements, shape.element_bits());
    return size;
  }
  ByteCount padded = 1;
  for (const PaddedDimension& dimension : GetPaddedDimensions(shape)) {
    padded = padded * RoundUp(dimension.size, dimension.tile);
  }
  padded = RoundUp(padded, TailAlignment(shape, target));
  size.bytes = BytesOf(padded, shape.element_bits());
  return size;
}

TiledSize GetTableSize(const Shape& tuple, const MemoryTarget& target) {
  TiledSize size;
  size.unpadded_bytes =
      ByteCount(static_cast<int64_t>(tuple.tuple_shapes().size())) *
      ByteCount(target.tuple_entry_bytes);
  size.bytes = RoundUp(size.unpadded_bytes, target.tuple_table_alignment_bytes);
  return size;
}

// "minor", "second-minor", "third-minor", "4th-minor".
std::string PlaceName(size_t place) {
  switch (place) {
    case 0:
      return "minor";
    case 1:
      return "second-minor";
    case 2:
      return "third-minor";
    default:
      return absl::StrCat(place + 1, "th-minor");
  }
}

std::vector<std::string> ArrayReasons(const Shape& shape,
                                      const MemoryTarget& target) {
  std::vector<std::string> reasons;
  if (IsDense(shape, target)) return reasons;
  ByteCount padded = 1;
  const PaddedDimensions dimensions = GetPaddedDimensions(shape);
  for (size_t place = 0; place < dimensions.size(); ++place) {
    const auto& [size, tile, is_missing] = dimensions[place];
    const ByteCount rounded = RoundUp(size, tile);
    padded = padded * rounded;
    if (rounded == ByteCount(size)) continue;
    if (is_missing && shape.dimensions().empty()) {
      reasons.push_back(
          absl::StrCat("a scalar takes a tile of ", tile, " elements"));
    } else if (is_missing) {
      reasons.push_back(absl::StrCat("the tile has ", tile, " rows"));
    } else {
      reasons.push_back(absl::StrCat("the ", PlaceName(place), " dimension ",
                                     size, " is padded to ",
                                     rounded.ToString()));
    }
  }
  const int64_t tail = TailAlignment(shape, target);
  if (RoundUp(padded, tail) > padded) {
    reasons.push_back(
        absl::StrCat(HasTiles(shape) ? "the tail" : "an array without tiles",
                     " is rounded up to a multiple of ", tail, " elements"));
  }
  if (shape.element_bits() > UnpaddedBits(shape)) {
    reasons.push_back(absl::StrCat("each element of ", UnpaddedBits(shape),
                                   " bits is stored in ",
                                   shape.element_bits()));
  }
  return reasons;
}

}  // namespace

TiledSize GetTiledSize(const Shape& shape, const MemoryTarget& target) {
  if (shape.IsArray()) return GetArraySize(shape, target);
  if (shape.IsTuple()) return GetTableSize(shape, target);
  return {};
}

TiledSize GetTotalTiledSize(const Shape& shape, const MemoryTarget& target) {
  TiledSize total;
  for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
    const TiledSize size = GetTiledSize(walk.node(), target);
    total.bytes = total.bytes + size.bytes;
    total.unpadded_bytes = total.unpadded_bytes + size.unpadded_bytes;
  }
  return total;
}

std::string ExplainTiledSize(const Shape& shape, const MemoryTarget& target) {
  const TiledSize size = GetTiledSize(shape, target);
  if (shape.IsTuple()) {
    return absl::StrCat("the table of a tuple: ", target.tuple_entry_bytes,
                        " bytes for each of ", shape.tuple_shapes().size(),
                        " elements, rounded up to ",
                        target.tuple_table_alignment_bytes);
  }
  if (!(size.bytes > size.unpadded_bytes)) return "no padding";
  return absl::StrJoin(ArrayReasons(shape, target), ", ");
}

}  // namespace ferry
