// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_DIMENSION_LINKS_H_
#define FERRY_PASSES_DIMENSION_LINKS_H_

#include <cstdint>
#include <vector>

#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

// Dimension `from` of an operand and `to` of the result hold the same rows, in
// the same order: if one is split over devices the other is, at no cost.
struct DimensionLink {
  int64_t operand = 0;
  int64_t from = 0;
  int64_t to = 0;
  friend bool operator==(const DimensionLink&, const DimensionLink&) = default;
};

// All of `instruction`, whose result is an array, or a tuple of arrays of which
// the first stands for all. Elementwise operations, data movement, reductions,
// products, convolutions (batch and features), gathers and scatters; none for
// what the list does not know. Tested by dimension_links_test.cc.
std::vector<DimensionLink> FindDimensionLinks(
    const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_PASSES_DIMENSION_LINKS_H_
