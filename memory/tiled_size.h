// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_TILED_SIZE_H_
#define FERRY_MEMORY_TILED_SIZE_H_

#include <string>

#include "ferry/hlo/shape.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/memory_target.h"

namespace ferry {

// The bytes that one node of a shape takes: an array with the padding of its
// tiles, a tuple its table only, a token none.
//
//   f32[3,100]{1,0:T(4,128)}      4 rows of 128 elements     2048 bytes
//                                 unpadded                   1200 bytes
//
// Only the first tile pads: each dimension under it, from the minor one, is
// rounded up to the tile. Then the tail is, to L(n) elements; an array without
// tiles to 1024. Elements take the bits of E(n). A bounded dimension counts at
// its bound. An array that is split between cores, SC(d:i), takes what the
// larger piece takes, tiled on its own. Tested by tiled_size_test.cc.
struct TiledSize {
  ByteCount bytes;
  ByteCount unpadded_bytes;  // what the elements take in any array

  ByteCount padding_bytes() const {
    return bytes > unpadded_bytes ? ByteCount::Difference(bytes, unpadded_bytes)
                                  : ByteCount();
  }
};

// Of `shape` itself, without the elements of a tuple. Unbounded dimensions
// count nothing: TooMany(). An array without a layout has no tiles either.
TiledSize GetTiledSize(const Shape& shape, const MemoryTarget& target);

// Of `shape` and, for a tuple, all that is in it.
TiledSize GetTotalTiledSize(const Shape& shape, const MemoryTarget& target);

// Why the bytes of an array are more than its elements, for people: "the minor
// dimension 2 is padded to 128, the second-minor dimension 3 to 4"; or "no
// padding". For a tuple, of its table.
std::string ExplainTiledSize(const Shape& shape, const MemoryTarget& target);

}  // namespace ferry

#endif  // FERRY_MEMORY_TILED_SIZE_H_
