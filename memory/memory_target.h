// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_MEMORY_TARGET_H_
#define FERRY_MEMORY_MEMORY_TARGET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/layout.h"

namespace ferry {

// One memory of a device.
struct MemorySpaceTarget {
  MemorySpace space = MemorySpace::kDefault;
  std::string name;  // "hbm"
  // What there is, and what the runtime keeps of it; nullopt where nobody says.
  std::optional<int64_t> usable_bytes;
  int64_t reserved_bytes = 0;
  // Offsets of buffers are multiples of this.
  int64_t offset_alignment_bytes = 1;
  // Whether arrays take the bytes of their elements only, whatever their tile.
  bool is_dense = false;

  // What a program may use.
  std::optional<int64_t> limit_bytes() const {
    if (!usable_bytes.has_value()) return std::nullopt;
    return *usable_bytes - reserved_bytes;
  }
  friend bool operator==(const MemorySpaceTarget&,
                         const MemorySpaceTarget&) = default;
};

// The tile of an array whose layout the client leaves open, by the width of an
// element. Rank 0 takes T(scalar_elements). Rank 1 takes T(t), t the power of
// two at or above its size, within the given bounds. Rank 2 and more take
// T(r,128), where r goes by the size s of the second-minor dimension:
//
//   large_rows if it divides s, else the least of min_rows, .. 2, 4, 8 that
//   is not below s, else 8 (or min_rows, if that is more)
//
// Packed elements, narrower than a word of 32 bits, are then tiled again, so
// that each word holds elements of neighbouring rows: T(8,128)(2,1).
struct TileRule {
  int64_t element_bits = 32;
  int64_t scalar_elements = 128;
  int64_t min_vector_elements = 128;
  int64_t max_vector_elements = 1024;
  int64_t min_rows = 1;
  int64_t large_rows = 0;            // 0: none
  std::vector<int64_t> word_tile;    // {2, 1}; empty from 32 bits on
  bool stores_element_bits = false;  // whether layouts say E(element_bits)

  friend bool operator==(const TileRule&, const TileRule&) = default;
};

// What placing bytes needs to know of a chip: its memories, how much of each a
// program may use, where buffers may start, and how arrays are tiled. One XLA
// device, which may be a part of a chip.
//
// Facts are measured on the shipped compiler for v4 to 7x, and from public
// documents for v2 and v3. Tested by memory_target_test.cc.
struct MemoryTarget {
  std::string name;  // "v5e"
  std::vector<MemorySpaceTarget> spaces;
  // By width, ascending; wider elements go by the widest.
  std::vector<TileRule> tile_rules;
  // An array without a tile is rounded up to so many elements.
  int64_t untiled_alignment_elements = 1024;
  // The table of a tuple, in HBM: so many bytes an element, rounded up.
  int64_t tuple_entry_bytes = 4;
  int64_t tuple_table_alignment_bytes = 512;

  // Null if the device has no such memory, or nobody has said so.
  const MemorySpaceTarget* FindSpace(MemorySpace space) const;
  // "hbm"; "S(9)" for a memory that is not in the list.
  std::string SpaceName(MemorySpace space) const;
  // 512 for a memory that is not in the list.
  int64_t OffsetAlignment(MemorySpace space) const;
  const TileRule& TileRuleFor(int64_t element_bits) const;

  friend bool operator==(const MemoryTarget&, const MemoryTarget&) = default;
};

// v2, v3, v4, v5e, v5p, v6e, 7x.
absl::Span<const MemoryTarget> KnownMemoryTargets();
// Null if there is none of this name.
const MemoryTarget* FindMemoryTarget(absl::string_view name);

// The form of MemoryTargetToJson. A field that is left out is that of `base`,
// a known target named by "base", or v5e. InvalidArgument names the field.
absl::StatusOr<MemoryTarget> MemoryTargetFromJson(absl::string_view json);
std::string MemoryTargetToJson(const MemoryTarget& target);

}  // namespace ferry

#endif  // FERRY_MEMORY_MEMORY_TARGET_H_
