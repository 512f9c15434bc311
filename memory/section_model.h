// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SECTION_MODEL_H_
#define FERRY_MEMORY_SECTION_MODEL_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// A packing problem on compressed time, for searching.
//
// Only the moments matter at which as many buffers as possible are live: those
// between the last start before an end and that end. Each is a section; two
// buffers that are ever live together are so in some section.
//
//   a  |=========|
//   b     |============|
//   c                |====|
//   d                  |======|
//           0         1    2         sections
//
// Sizes are rounded up to the greatest common divisor of the alignments, which
// all offsets are multiples of; what lies on top need not be.
// Tested by section_model_test.cc.
struct SectionModel {
  static constexpr int64_t kNotFixed = -1;

  // An item has `height` bytes in sections [begin, end).
  struct Span {
    int32_t begin = 0;
    int32_t end = 0;
    int64_t height = 0;
  };
  struct Item {
    // The most over all spans, and the same before rounding.
    int64_t height = 0;
    int64_t size_bytes = 0;
    int64_t alignment = 1;
    int64_t fixed_offset = kNotFixed;
    bool is_uniform = true;  // one span
  };

  // Item i is buffer i. Each has bytes.
  explicit SectionModel(const PackingProblem& problem);

  int32_t item_count() const { return static_cast<int32_t>(items.size()); }
  int32_t section_count() const {
    return static_cast<int32_t>(section_begin.size()) - 1;
  }
  absl::Span<const Span> SpansOf(int32_t item) const {
    return absl::MakeConstSpan(spans).subspan(
        span_begin[item], span_begin[item + 1] - span_begin[item]);
  }
  // Each item that is live in the section, ascending.
  absl::Span<const int32_t> ItemsOf(int32_t section) const {
    return absl::MakeConstSpan(section_items)
        .subspan(section_begin[section],
                 section_begin[section + 1] - section_begin[section]);
  }
  // The bytes that `lower` takes where `upper` is live too: how far above it
  // `upper` must stand.
  int64_t HeightUnder(int32_t lower, int32_t upper) const;

  // Whether there are so many that sections have no lists of items.
  bool is_too_large = false;
  // The least height above `height` that a packing can have in which nothing
  // can be moved down.
  int64_t NextHeight(int64_t height) const;
  // How many pairs of items share a section; some count more than once.
  int64_t CountPairs() const;

  std::vector<Item> items;
  // Heights and offsets of pushed-down packings are multiples of this.
  int64_t unit = 1;
  // Whether each item stands on its own offset in each section. Else the room
  // under a high piece counts as its own: packings hold, proofs do not.
  bool is_exact = true;

  // The spans of item i are [span_begin[i], span_begin[i + 1]), ascending.
  std::vector<int32_t> span_begin;
  std::vector<Span> spans;
  std::vector<int32_t> section_begin;
  std::vector<int32_t> section_items;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_SECTION_MODEL_H_
