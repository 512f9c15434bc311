// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SPACE_PACKING_H_
#define FERRY_MEMORY_SPACE_PACKING_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// Where the temporaries of one memory space stand: in its heap, or in rooms,
// allocations that must be there anyway and are not always in use.
struct SpacePacking {
  static constexpr int32_t kHeap = -1;
  struct Place {
    int32_t room = kHeap;
    int64_t offset_bytes = 0;  // from the start of the room or heap
  };
  std::vector<Place> places;  // by temporary
  int64_t heap_bytes = 0;
  // Proved: with all of `rooms`, no heap is smaller.
  ByteCount heap_lower_bound_bytes;
};

// Packs `temporaries` into as small a heap as `pack` finds. `rooms` are the
// buffers for which the rooms were made, each at offset 0 of its own, which
// reaches as far as it does. At most kMaxRooms of them, the largest, are used.
//
// Rooms and heap are one problem, in which all stand behind one another with
// walls between them; so one temporary is never in two of them:
//
//   bytes   0     room 0     | room 1 |    heap ...
//           [fixed][temp][   ]#[fixed ]#[temp][   temp   ]
//
// A wall takes the rest of the last aligned unit, or one unit.
// Tested by space_packing_test.cc.
inline constexpr size_t kMaxRooms = 64;
absl::StatusOr<SpacePacking> PackSpace(
    absl::Span<const PackingBuffer> rooms,
    absl::Span<const PackingBuffer> temporaries, int64_t alignment_bytes,
    const std::function<absl::StatusOr<Packing>(const PackingProblem&)>& pack);

}  // namespace ferry

#endif  // FERRY_MEMORY_SPACE_PACKING_H_
