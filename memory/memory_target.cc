// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/layout.h"

namespace ferry {
namespace {

constexpr int64_t kKiB = int64_t{1} << 10;
constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kGiB = int64_t{1} << 30;

// What v4 and later have in common.
std::vector<TileRule> TilesSinceV4() {
  return {
      {.element_bits = 2,
       .scalar_elements = 2048,
       .min_vector_elements = 2048,
       .max_vector_elements = 2048,
       .min_rows = 16,
       .large_rows = 128,
       .word_tile = {16, 1},
       .stores_element_bits = true},
      {.element_bits = 4,
       .scalar_elements = 1024,
       .min_vector_elements = 1024,
       .max_vector_elements = 1024,
       .min_rows = 8,
       .large_rows = 64,
       .word_tile = {8, 1},
       .stores_element_bits = true},
      {.element_bits = 8,
       .scalar_elements = 512,
       .min_vector_elements = 512,
       .max_vector_elements = 1024,
       .min_rows = 4,
       .large_rows = 32,
       .word_tile = {4, 1}},
      {.element_bits = 16,
       .scalar_elements = 256,
       .min_vector_elements = 256,
       .max_vector_elements = 1024,
       .min_rows = 2,
       .word_tile = {2, 1}},
      {.element_bits = 32},
  };
}

// Scalars and vectors fill a tile of 1 KiB, and no tile has a single row.
std::vector<TileRule> TilesBeforeV4() {
  std::vector<TileRule> rules = TilesSinceV4();
  for (TileRule& rule : rules) {
    if (rule.element_bits < 8) continue;
    rule.scalar_elements *= 2;
    rule.min_vector_elements *= 2;
    rule.min_rows = rule.element_bits == 32 ? 2 : 4;
    rule.large_rows = 0;
  }
  return rules;
}

struct Sizes {
  int64_t hbm_usable_bytes;
  int64_t hbm_reserved_bytes;
  int64_t vmem_bytes;
  int64_t smem_bytes;
  int64_t host_bytes;
  int64_t tuple_table_alignment_bytes;
};

MemoryTarget MakeTarget(absl::string_view name, const Sizes& sizes) {
  return {
      .name = std::string(name),
      .spaces =
          {
              {.space = MemorySpace::kDefault,
               .name = "hbm",
               .usable_bytes = sizes.hbm_usable_bytes,
               .reserved_bytes = sizes.hbm_reserved_bytes,
               .offset_alignment_bytes = 16 * kKiB},
              {.space = MemorySpace::kFast,
               .name = "vmem",
               .usable_bytes = sizes.vmem_bytes,
               .offset_alignment_bytes = 4 * kKiB},
              {.space = MemorySpace::kContext,
               .name = "smem",
               .usable_bytes = sizes.smem_bytes,
               .offset_alignment_bytes = 4,
               .is_dense = true},
              {.space = MemorySpace::kHost,
               .name = "host",
               .usable_bytes = sizes.host_bytes,
               .offset_alignment_bytes = 4 * kKiB},
          },
      .tile_rules = TilesSinceV4(),
      .tuple_table_alignment_bytes = sizes.tuple_table_alignment_bytes,
  };
}

// v4 has a second fast memory, which stands where others have vmem.
MemoryTarget V4() {
  MemoryTarget target = MakeTarget(
      "v4", {.hbm_usable_bytes = 32 * kGiB,
             // One core a device: half of the chip is the other one's. The
             // largest program that compiles ends 1.5 MiB short of 15.25 GiB.
             .hbm_reserved_bytes = 32 * kGiB - 16372985856,
             .vmem_bytes = 16 * kMiB,
             .smem_bytes = kMiB,
             .host_bytes = 100 * kGiB,
             .tuple_table_alignment_bytes = 512});
  target.spaces.push_back({.space = MemorySpace{3},
                           .name = "cmem",
                           .usable_bytes = 64 * kMiB,
                           .offset_alignment_bytes = 4 * kKiB});
  return target;
}

MemoryTarget BeforeV4(absl::string_view name, int64_t hbm_usable_bytes) {
  MemoryTarget target = MakeTarget(name, {.hbm_usable_bytes = hbm_usable_bytes,
                                          .hbm_reserved_bytes = 530 * kMiB,
                                          .vmem_bytes = 16 * kMiB,
                                          .smem_bytes = 16 * kKiB,
                                          .host_bytes = 41 * kGiB,
                                          .tuple_table_alignment_bytes = 512});
  target.tile_rules = TilesBeforeV4();
  return target;
}

std::vector<MemoryTarget> MakeKnownTargets() {
  // The limits from v5e on are those of programs that just compile: some KiB
  // below what is printed.
  return {
      BeforeV4("v2", 8 * kGiB),
      BeforeV4("v3", 16 * kGiB),
      V4(),
      MakeTarget("v5e", {.hbm_usable_bytes = 16 * kGiB,
                         .hbm_reserved_bytes = 258 * kMiB + 2 * kKiB,
                         .vmem_bytes = 128 * kMiB,
                         .smem_bytes = kMiB,
                         .host_bytes = 64 * kGiB,
                         .tuple_table_alignment_bytes = 512}),
      MakeTarget("v5p", {.hbm_usable_bytes = 96 * kGiB,
                         .hbm_reserved_bytes = 263 * kMiB + 2 * kKiB,
                         .vmem_bytes = 2 * 64 * kMiB,
                         .smem_bytes = kMiB,
                         .host_bytes = 112 * kGiB,
                         .tuple_table_alignment_bytes = 32}),
      MakeTarget("v6e", {.hbm_usable_bytes = 63 * kGiB / 2,
                         .hbm_reserved_bytes = 260 * kMiB + 2 * kKiB,
                         .vmem_bytes = 128 * kMiB,
                         .smem_bytes = kMiB,
                         .host_bytes = 192 * kGiB,
                         .tuple_table_alignment_bytes = 32}),
      MakeTarget("7x", {.hbm_usable_bytes = 95 * kGiB,
                        .hbm_reserved_bytes = 260 * kMiB + 4 * kKiB,
                        .vmem_bytes = 64 * kMiB,
                        .smem_bytes = kMiB,
                        .host_bytes = 120 * kGiB,
                        .tuple_table_alignment_bytes = 32}),
  };
}

}  // namespace

const MemorySpaceTarget* MemoryTarget::FindSpace(MemorySpace space) const {
  for (const MemorySpaceTarget& candidate : spaces) {
    if (candidate.space == space) return &candidate;
  }
  return nullptr;
}

std::string MemoryTarget::SpaceName(MemorySpace space) const {
  const MemorySpaceTarget* found = FindSpace(space);
  if (found != nullptr) return found->name;
  return absl::StrCat("S(", static_cast<int64_t>(space), ")");
}

int64_t MemoryTarget::OffsetAlignment(MemorySpace space) const {
  constexpr int64_t kOfOtherSpaces = 512;
  const MemorySpaceTarget* found = FindSpace(space);
  return found == nullptr ? kOfOtherSpaces : found->offset_alignment_bytes;
}

const TileRule& MemoryTarget::TileRuleFor(int64_t element_bits) const {
  for (const TileRule& rule : tile_rules) {
    if (element_bits <= rule.element_bits) return rule;
  }
  return tile_rules.back();
}

absl::Span<const MemoryTarget> KnownMemoryTargets() {
  static const auto& targets =
      *new std::vector<MemoryTarget>(MakeKnownTargets());
  return targets;
}

const MemoryTarget* FindMemoryTarget(absl::string_view name) {
  for (const MemoryTarget& target : KnownMemoryTargets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace ferry
