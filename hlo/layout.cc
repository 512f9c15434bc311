// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/layout.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace ferry {
namespace {

void AppendTile(const Tile& tile, std::string& out) {
  absl::StrAppend(&out, "(",
                  absl::StrJoin(tile.dimensions, ",",
                                [](std::string* text, int64_t size) {
                                  if (size == Tile::kCombined) {
                                    *text += '*';
                                  } else {
                                    absl::StrAppend(text, size);
                                  }
                                }),
                  ")");
}

// What stands after the colon, in the order that the reader demands.
std::string ItemsToString(const LayoutFields& fields) {
  std::string out;
  if (!fields.tiles.empty()) {
    out += 'T';
    for (const Tile& tile : fields.tiles) AppendTile(tile, out);
  }
  if (fields.tail_padding_alignment_in_elements != 1) {
    absl::StrAppend(&out, "L(", fields.tail_padding_alignment_in_elements, ")");
  }
  if (fields.index_type.has_value()) {
    absl::StrAppend(&out, "#(", PrimitiveTypeName(*fields.index_type), ")");
  }
  if (fields.pointer_type.has_value()) {
    absl::StrAppend(&out, "*(", PrimitiveTypeName(*fields.pointer_type), ")");
  }
  if (fields.element_size_in_bits != 0) {
    absl::StrAppend(&out, "E(", fields.element_size_in_bits, ")");
  }
  if (fields.memory_space != MemorySpace::kDefault) {
    absl::StrAppend(&out, "S(", static_cast<int64_t>(fields.memory_space), ")");
  }
  if (!fields.split_configs.empty()) {
    out += "SC";
    for (const SplitConfig& split : fields.split_configs) {
      absl::StrAppend(&out, "(", split.dimension, ":",
                      absl::StrJoin(split.split_indices, ","), ")");
    }
  }
  if (fields.dynamic_shape_metadata_prefix_bytes > 0) {
    absl::StrAppend(&out, "M(", fields.dynamic_shape_metadata_prefix_bytes,
                    ")");
  }
  return out;
}

}  // namespace

std::string Layout::ToString() const {
  const std::string items = ItemsToString(fields_);
  if (fields_.minor_to_major.empty() && items.empty()) return "";
  return absl::StrCat("{", absl::StrJoin(fields_.minor_to_major, ","),
                      items.empty() ? "" : ":", items, "}");
}

}  // namespace ferry
