// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/default_layout.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/primitive_type.h"
#include "ferry/hlo/shape.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/memory_target.h"
#include "llvm/ADT/bit.h"

namespace ferry {
namespace {

constexpr int64_t kLanes = 128;
constexpr int64_t kMostRows = 8;
constexpr int64_t kMostSearchedDimensions = 64;

int64_t TileRows(const TileRule& rule, int64_t second_minor) {
  if (rule.large_rows > 0 && second_minor > 0 &&
      second_minor % rule.large_rows == 0) {
    return rule.large_rows;
  }
  const int64_t least = static_cast<int64_t>(llvm::bit_ceil(
      static_cast<uint64_t>(std::clamp<int64_t>(second_minor, 1, kMostRows))));
  return std::max(rule.min_rows, least);
}

int64_t VectorTile(const TileRule& rule, int64_t size) {
  const int64_t bounded =
      std::clamp(size, rule.min_vector_elements, rule.max_vector_elements);
  return static_cast<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(bounded)));
}

// `sizes` from the minor dimension on.
std::vector<Tile> MakeTiles(const TileRule& rule,
                            absl::Span<const int64_t> sizes) {
  if (sizes.empty()) return {Tile{{rule.scalar_elements}}};
  std::vector<Tile> tiles;
  if (sizes.size() == 1) {
    tiles.push_back({{VectorTile(rule, sizes[0])}});
    if (!rule.word_tile.empty()) tiles.push_back({{kLanes}});
  } else {
    tiles.push_back({{TileRows(rule, sizes[1]), kLanes}});
  }
  if (!rule.word_tile.empty()) tiles.push_back({rule.word_tile});
  return tiles;
}

const TileRule& RuleFor(const Shape& shape, const MemoryTarget& target) {
  return target.TileRuleFor(BitWidth(shape.element_type()));
}

const Shape& WithTiles(HloContext& context, const Shape& shape,
                       LayoutFields fields, const MemoryTarget& target) {
  const TileRule& rule = RuleFor(shape, target);
  std::vector<int64_t> sizes;
  for (const int64_t dimension : fields.minor_to_major) {
    sizes.push_back(shape.dimensions()[dimension]);
  }
  fields.tiles = MakeTiles(rule, sizes);
  fields.tail_padding_alignment_in_elements = 1;
  fields.element_size_in_bits =
      rule.stores_element_bits ? BitWidth(shape.element_type()) : 0;
  return context.WithLayout(shape, &context.GetLayout(fields));
}

// The compiler prices orders by tiles of at most 8 rows and the large ones:
// elements of 2 bits get tiles of 16 only once the order is decided.
int64_t PricedRows(const TileRule& rule, int64_t second_minor) {
  const int64_t rows = TileRows(rule, second_minor);
  return rows == rule.large_rows ? rows : std::min(rows, kMostRows);
}

// The minor dimension first, then the second-minor one. All sizes but those
// of the two enter as they are, so only the two are priced.
struct MinorPair {
  int64_t minor;
  int64_t second;
};

ByteCount PaddedElements(absl::Span<const int64_t> dimensions,
                         const TileRule& rule, MinorPair pair) {
  ByteCount elements = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(dimensions.size()); ++i) {
    ByteCount size = std::max<int64_t>(dimensions[i], 0);
    if (i == pair.minor) size = RoundUp(size, kLanes);
    if (i == pair.second) size = RoundUp(size, PricedRows(rule, dimensions[i]));
    elements = elements * size;
  }
  return elements;
}

MinorPair CheapestPair(absl::Span<const int64_t> dimensions,
                       const TileRule& rule) {
  const int64_t rank = static_cast<int64_t>(dimensions.size());
  MinorPair best = {rank - 1, rank - 2};
  if (rank > kMostSearchedDimensions) return best;
  ByteCount least = PaddedElements(dimensions, rule, best);
  for (int64_t minor = rank - 1; minor >= 0; --minor) {
    for (int64_t second = rank - 1; second >= 0; --second) {
      if (second == minor) continue;
      const ByteCount elements =
          PaddedElements(dimensions, rule, {minor, second});
      if (!(elements < least)) continue;
      least = elements;
      best = {minor, second};
    }
  }
  return best;
}

}  // namespace

const Shape& WithDefaultTiles(HloContext& context, const Shape& shape,
                              const MemoryTarget& target) {
  return WithTiles(context, shape, shape.layout()->fields(), target);
}

const Shape& WithDefaultLayout(HloContext& context, const Shape& shape,
                               const MemoryTarget& target) {
  const int64_t rank = static_cast<int64_t>(shape.dimensions().size());
  LayoutFields fields;
  fields.memory_space = shape.memory_space();
  MinorPair pair = {rank - 1, -1};
  if (rank >= 2) {
    pair = CheapestPair(shape.dimensions(), RuleFor(shape, target));
    fields.minor_to_major = {pair.minor, pair.second};
  } else if (rank == 1) {
    fields.minor_to_major = {0};
  }
  for (int64_t i = rank - 1; i >= 0; --i) {
    if (i != pair.minor && i != pair.second) fields.minor_to_major.push_back(i);
  }
  return WithTiles(context, shape, fields, target);
}

}  // namespace ferry
