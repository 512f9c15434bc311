// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/sweep_packer.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace ferry {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// Free rooms of one moment, by place and by size.
class FreeRooms {
 public:
  FreeRooms() { Insert(0, kEnd); }

  // The lowest aligned offset in the smallest room that holds `size` bytes.
  std::optional<int64_t> Take(int64_t size, int64_t alignment) {
    for (auto room = by_size_.lower_bound({size, 0}); room != by_size_.end();
         ++room) {
      const auto [length, begin] = *room;
      const int64_t rest = begin % alignment;
      const int64_t skip = rest == 0 ? 0 : alignment - rest;
      if (skip > length - size) continue;
      TakeAt(begin + skip, size);
      return begin + skip;
    }
    return std::nullopt;
  }

  // Takes what is free of these bytes.
  void TakeAll(int64_t begin, int64_t end) {
    for (;;) {
      auto room = by_place_.lower_bound(end);
      if (room == by_place_.begin()) return;
      --room;
      const auto [room_begin, room_end] = *room;
      if (room_end <= begin) return;
      Erase(room_begin, room_end);
      if (end < room_end) Insert(end, room_end);
      if (room_begin < begin) Insert(room_begin, begin);
    }
  }

  void Free(int64_t begin, int64_t end) {
    auto next = by_place_.lower_bound(begin);
    if (next != by_place_.end() && next->first == end) {
      end = next->second;
      Erase(next->first, next->second);
    }
    next = by_place_.lower_bound(begin);
    if (next != by_place_.begin()) {
      const auto [room_begin, room_end] = *std::prev(next);
      if (room_end == begin) {
        Erase(room_begin, room_end);
        begin = room_begin;
      }
    }
    Insert(begin, end);
  }

 private:
  void TakeAt(int64_t begin, int64_t size) { TakeAll(begin, begin + size); }
  void Insert(int64_t begin, int64_t end) {
    by_place_[begin] = end;
    by_size_.insert({end - begin, begin});
  }
  void Erase(int64_t begin, int64_t end) {
    by_place_.erase(begin);
    by_size_.erase({end - begin, begin});
  }

  std::map<int64_t, int64_t> by_place_;            // begin to end
  std::set<std::pair<int64_t, int64_t>> by_size_;  // length, begin
};

struct SweepEvent {
  LogicalTime time;
  bool is_start;  // ends come first
  int64_t order;  // biggest first
  int32_t buffer;

  friend bool operator<(const SweepEvent& a, const SweepEvent& b) {
    return std::tie(a.time, a.is_start, a.order, a.buffer) <
           std::tie(b.time, b.is_start, b.order, b.buffer);
  }
};

}  // namespace

std::vector<int64_t> PackInOrderOfTime(const PackingProblem& problem) {
  std::vector<int64_t> offsets(problem.buffers.size(), 0);
  std::vector<SweepEvent> events;
  FreeRooms rooms;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const PackingBuffer& buffer = problem.buffers[i];
    const BufferPiece bounds = buffer.Bounds();
    if (bounds.live.IsEmpty() || bounds.size_bytes == 0) continue;
    if (buffer.fixed_offset_bytes.has_value()) {
      offsets[i] = *buffer.fixed_offset_bytes;
      rooms.TakeAll(offsets[i], offsets[i] + bounds.size_bytes);
      continue;
    }
    const int32_t b = static_cast<int32_t>(i);
    events.push_back({bounds.live.start, true, -bounds.size_bytes, b});
    events.push_back({bounds.live.end, false, 0, b});
  }
  std::sort(events.begin(), events.end());
  for (const SweepEvent& event : events) {
    const PackingBuffer& buffer = problem.buffers[event.buffer];
    const int64_t size = buffer.Bounds().size_bytes;
    int64_t& offset = offsets[event.buffer];
    if (!event.is_start) {
      rooms.Free(offset, offset + size);
      continue;
    }
    const std::optional<int64_t> room =
        rooms.Take(size, buffer.alignment_bytes);
    if (!room.has_value()) return {};
    offset = *room;
  }
  return offsets;
}

}  // namespace ferry
