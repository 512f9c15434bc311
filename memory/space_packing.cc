// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/space_packing.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "ferry/memory/live_range.h"

namespace ferry {
namespace {

// The largest rooms, by index.
std::vector<uint32_t> ChooseRooms(absl::Span<const PackingBuffer> rooms) {
  std::vector<uint32_t> chosen(rooms.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  if (rooms.size() > kMaxRooms) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) {
      return rooms[a].Bounds().size_bytes > rooms[b].Bounds().size_bytes;
    });
    chosen.resize(kMaxRooms);
  }
  return chosen;
}

}  // namespace

absl::StatusOr<SpacePacking> PackSpace(
    absl::Span<const PackingBuffer> rooms,
    absl::Span<const PackingBuffer> temporaries, int64_t alignment_bytes,
    const std::function<absl::StatusOr<Packing>(const PackingProblem&)>& pack) {
  SpacePacking result;
  if (temporaries.empty()) return result;
  PackingProblem problem;
  LiveRange all = temporaries[0].Bounds().live;
  for (const auto list : {rooms, temporaries}) {
    for (const PackingBuffer& buffer : list) {
      const LiveRange live = buffer.Bounds().live;
      all.start = std::min(all.start, live.start);
      all.end = std::max(all.end, live.end);
    }
  }
  const std::vector<uint32_t> chosen = ChooseRooms(rooms);
  std::vector<int64_t> starts;
  int64_t base = 0;
  for (const uint32_t room : chosen) {
    starts.push_back(base);
    PackingBuffer occupant = rooms[room];
    occupant.alignment_bytes = alignment_bytes;
    occupant.fixed_offset_bytes = base;
    const int64_t end = base + rooms[room].Bounds().size_bytes;
    problem.buffers.push_back(std::move(occupant));
    base = (end / alignment_bytes + 1) * alignment_bytes;
    PackingBuffer wall;
    wall.live = all;
    wall.size_bytes = base - end;
    wall.fixed_offset_bytes = end;
    problem.buffers.push_back(std::move(wall));
  }
  const size_t first = problem.buffers.size();
  for (PackingBuffer temporary : temporaries) {
    temporary.alignment_bytes = alignment_bytes;
    problem.buffers.push_back(std::move(temporary));
  }
  absl::StatusOr<Packing> packing = pack(problem);
  if (!packing.ok()) return packing.status();
  if (packing->status != PackingStatus::kFeasible) {
    return absl::InternalError("a packer without a capacity found no packing");
  }
  for (size_t i = 0; i < temporaries.size(); ++i) {
    const int64_t offset = packing->offsets_bytes[first + i];
    const int64_t size = temporaries[i].Bounds().size_bytes;
    if (offset >= base) {
      result.places.push_back({SpacePacking::kHeap, offset - base});
      result.heap_bytes = std::max(result.heap_bytes, offset - base + size);
      continue;
    }
    const size_t at = std::upper_bound(starts.begin(), starts.end(), offset) -
                      starts.begin() - 1;
    result.places.push_back(
        {static_cast<int32_t>(chosen[at]), offset - starts[at]});
  }
  // Rooms that were left out could have held as much as they are large.
  ByteCount outside = base;
  for (const PackingBuffer& room : rooms) {
    outside = outside + ByteCount(room.Bounds().size_bytes);
  }
  for (const uint32_t room : chosen) {
    outside = ByteCount::Difference(outside,
                                    ByteCount(rooms[room].Bounds().size_bytes));
  }
  const ByteCount bound = packing->lower_bound_bytes;
  if (bound > outside) {
    result.heap_lower_bound_bytes = ByteCount::Difference(bound, outside);
  }
  return result;
}

}  // namespace ferry
