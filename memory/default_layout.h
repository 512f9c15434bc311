// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_DEFAULT_LAYOUT_H_
#define FERRY_MEMORY_DEFAULT_LAYOUT_H_

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/shape.h"
#include "ferry/memory/memory_target.h"

namespace ferry {

// The array `shape` with the layout that the compiler gives an entry parameter
// whose layout the client leaves open: of all pairs of a minor and a
// second-minor dimension, each with the tile of TileRule, the one that takes
// the fewest bytes. On a tie the last dimension is minor and the one before it
// second-minor; the others follow in descending order. So it is the cheapest
// layout, too (but for elements of 2 bits, which the compiler prices by tiles
// of 8 rows and then gives 16). The memory space of `shape` stays.
//
// The order is searched up to 64 dimensions; an array with more keeps its
// dimensions in order. Tested by default_layout_test.cc.
const Shape& WithDefaultLayout(HloContext& context, const Shape& shape,
                               const MemoryTarget& target);

// The tile of the rule for dimensions in the order that `shape`, an array with
// a layout, has.
const Shape& WithDefaultTiles(HloContext& context, const Shape& shape,
                              const MemoryTarget& target);

}  // namespace ferry

#endif  // FERRY_MEMORY_DEFAULT_LAYOUT_H_
