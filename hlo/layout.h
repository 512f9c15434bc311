// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LAYOUT_H_
#define FERRY_HLO_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {

class Shape;

// Where an array's bytes are, as `S(n)` in its layout.
//
//   0  device default (HBM)      1  fast on-chip memory (vmem)
//   2  contexts of transfers     5  host memory, pinned or not
//   6  scalar memory
//
// Any other number is carried through.
enum class MemorySpace : int64_t {
  kDefault = 0,
  kFast = 1,
  kContext = 2,
  kHost = 5,
  kScalar = 6,
};

// One tile: sizes over the most minor dimensions, most major first. A size of
// kCombined (`*`) merges that dimension into the next more minor one.
struct Tile {
  static constexpr int64_t kCombined = INT64_MIN;
  std::vector<int64_t> dimensions;
  friend bool operator==(const Tile&, const Tile&) = default;
};

// `SC(dimension:i,j)`: where an array is split between cores.
struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;
  friend bool operator==(const SplitConfig&, const SplitConfig&) = default;
};

// All that a layout says, as plain data: what HloContext interns.
struct LayoutFields {
  std::vector<int64_t> minor_to_major;
  std::vector<Tile> tiles;
  // `L(n)`: the tiled element count is padded to a multiple of this.
  int64_t tail_padding_alignment_in_elements = 1;
  // `#(u32)` and `*(u64)`; only sparse arrays have them.
  std::optional<PrimitiveType> index_type;
  std::optional<PrimitiveType> pointer_type;
  // `E(n)`; 0 means the width of the element type.
  int64_t element_size_in_bits = 0;
  MemorySpace memory_space = MemorySpace::kDefault;
  std::vector<SplitConfig> split_configs;
  // `M(n)`: bytes of dynamic-shape metadata ahead of the data.
  int64_t dynamic_shape_metadata_prefix_bytes = 0;
  friend bool operator==(const LayoutFields&, const LayoutFields&) = default;
};

// How an array's elements are laid out and in which memory. Immutable and
// interned in an HloContext: two layouts of one context are equal if and only
// if they are the same object. Tested by layout_test.cc.
class Layout {
 public:
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  const LayoutFields& fields() const { return fields_; }
  absl::Span<const int64_t> minor_to_major() const {
    return fields_.minor_to_major;
  }
  absl::Span<const Tile> tiles() const { return fields_.tiles; }
  MemorySpace memory_space() const { return fields_.memory_space; }

  // As in HLO text, braces included: "{1,0:T(8,128)S(5)}". Empty for the
  // layout of a scalar that says nothing.
  std::string ToString() const;

  friend bool operator==(const Layout& a, const Layout& b) { return &a == &b; }

 private:
  friend class HloContext;
  explicit Layout(LayoutFields fields) : fields_(std::move(fields)) {}

  LayoutFields fields_;
};

}  // namespace ferry

#endif  // FERRY_HLO_LAYOUT_H_
