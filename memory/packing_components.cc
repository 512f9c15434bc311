// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_components.h"

#include <algorithm>

#include "llvm/ADT/IntEqClasses.h"

namespace ferry {
namespace {

// A piece starts or ends.
struct ComponentEvent {
  LogicalTime time;
  bool is_start;  // ends come first
  int32_t buffer;

  friend bool operator<(const ComponentEvent& a, const ComponentEvent& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.is_start != b.is_start) return b.is_start;
    return a.buffer < b.buffer;
  }
};

}  // namespace

PackingComponents FindPackingComponents(const PackingProblem& problem) {
  const int32_t count = static_cast<int32_t>(problem.buffers.size());
  std::vector<ComponentEvent> events;
  events.reserve(2 * problem.buffers.size());
  for (int32_t b = 0; b < count; ++b) {
    BufferPiece storage;
    for (const BufferPiece& piece : problem.buffers[b].Pieces(storage)) {
      if (piece.live.IsEmpty() || piece.size_bytes == 0) continue;
      events.push_back({piece.live.start, true, b});
      events.push_back({piece.live.end, false, b});
    }
  }
  std::sort(events.begin(), events.end());
  PackingComponents result;
  llvm::IntEqClasses classes(static_cast<unsigned>(count));
  std::vector<char> has_bytes(count, 0);
  int64_t live = 0;
  int32_t latest = 0;  // is live, or was until all died
  for (const ComponentEvent& event : events) {
    if (!event.is_start) {
      --live;
      continue;
    }
    has_bytes[event.buffer] = 1;
    if (live > 0) {
      classes.join(static_cast<unsigned>(latest),
                   static_cast<unsigned>(event.buffer));
    }
    latest = event.buffer;
    result.overlapping_pairs += static_cast<double>(live);
    ++live;
  }
  classes.compress();
  std::vector<std::vector<int32_t>> members(classes.getNumClasses());
  for (int32_t b = 0; b < count; ++b) {
    if (has_bytes[b]) members[classes[static_cast<unsigned>(b)]].push_back(b);
  }
  for (std::vector<int32_t>& component : members) {
    if (!component.empty()) result.components.push_back(std::move(component));
  }
  return result;
}

}  // namespace ferry
