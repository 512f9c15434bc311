// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACKING_PROBLEM_H_
#define FERRY_MEMORY_PACKING_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ferry/memory/live_range.h"

namespace ferry {

// A part of a buffer: bytes [offset, offset + size) of it, while `live`.
struct BufferPiece {
  LiveRange live;
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;

  friend bool operator==(const BufferPiece&, const BufferPiece&) = default;
};

// What gets one offset: a rectangle of time and bytes,
//
//   {.live = {0, 9}, .size_bytes = 64}
//
// or, if it has `pieces`, the rigid union of those. They say
//
//   gaps in its life    {.pieces = {{{0, 2}, 0, 64}, {{7, 9}, 0, 64}}}
//   colocated values    {.pieces = {{{0, 2}, 0, 64}, {{5, 9}, 0, 48}}}
//   slices that come    {.pieces = {{{0, 9}, 0, 32}, {{4, 9}, 32, 32}}}
//     one by one
//
//   bytes                                         ......###########
//     64  ######         ######     ######        ......###########
//         ######         ######     ######  ####  #################
//      0  ######         ######     ######  ####  #################
//         0    2         7    9     0    2  5  9  0     4         9  time
struct PackingBuffer {
  LiveRange live;
  int64_t size_bytes = 0;
  // The offset is a multiple of this.
  int64_t alignment_bytes = 1;
  // Where it must stand, if it may not be moved.
  std::optional<int64_t> fixed_offset_bytes;
  // Pieces may touch and overlap. If there are any, `live` and `size_bytes` are
  // not read; see Bounds().
  std::vector<BufferPiece> pieces;

  // The pieces, or the one that `live` and `size_bytes` say.
  absl::Span<const BufferPiece> Pieces(BufferPiece& storage) const;
  // The least rectangle around all pieces: live from the first moment to the
  // last, `size_bytes` up to the last byte.
  BufferPiece Bounds() const;
};

// Several buffers that must have the same offset, as one: all their pieces, the
// coarsest alignment. A fixed offset of one of them is that of all.
PackingBuffer ColocateBuffers(absl::Span<const PackingBuffer> buffers);

// Buffers that want room in one memory space: find each an offset so that no
// two are ever live on the same byte.
//
// The alignment of the space is each buffer's alignment: 16384 for a heap in
// the HBM of a TPU. A program with several spaces is one problem a space.
// A buffer is known by its index. Tested by packing_problem_test.cc.
struct PackingProblem {
  std::vector<PackingBuffer> buffers;
  // No byte at or above this; none: as little as possible.
  std::optional<int64_t> capacity_bytes;
};

// OK if every buffer makes sense alone: times do not run backwards, sizes and
// offsets are not negative, a fixed offset is a multiple of the alignment,
// which is positive. Else InvalidArgument, naming the first bad buffer as
// "buffer 17". (Two fixed buffers in each other's way are no bad input, but an
// infeasible problem.)
absl::Status ValidatePackingProblem(const PackingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_PACKING_PROBLEM_H_
