// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_bounds.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "ferry/memory/piece_coverage.h"

namespace ferry {
namespace {

// A piece starts to take room, or ends to.
struct LoadEvent {
  LogicalTime time;
  bool is_start;  // ends come first
  int64_t size_bytes;

  friend bool operator<(const LoadEvent& a, const LoadEvent& b) {
    return std::tie(a.time, a.is_start) < std::tie(b.time, b.is_start);
  }
};

// Pieces of one buffer that overlap in time would count twice: what they cover
// together is taken, from step to step.
void AddEvents(const PackingBuffer& buffer, std::vector<LoadEvent>& events) {
  BufferPiece storage;
  const absl::Span<const BufferPiece> pieces = buffer.Pieces(storage);
  if (pieces.size() == 1) {
    events.push_back({pieces[0].live.start, true, pieces[0].size_bytes});
    events.push_back({pieces[0].live.end, false, pieces[0].size_bytes});
    return;
  }
  std::vector<CoverageStep> steps;
  AppendCoverageSteps({pieces.begin(), pieces.end()}, steps);
  int64_t covered = 0;
  for (const CoverageStep& step : steps) {
    if (covered > 0) events.push_back({step.time, false, covered});
    covered += step.bytes;
    if (covered > 0) events.push_back({step.time, true, covered});
  }
}

}  // namespace

PackingBound LoadBound(const PackingProblem& problem) {
  PackingBound bound;
  int64_t unit = 0;
  bool is_rounded = true;  // pieces may interlock within the units of others
  std::vector<LoadEvent> events;
  for (const PackingBuffer& buffer : problem.buffers) {
    const BufferPiece bounds = buffer.Bounds();
    if (bounds.live.IsEmpty() || bounds.size_bytes == 0) continue;
    unit = std::gcd(unit, buffer.alignment_bytes);
    for (const BufferPiece& piece : buffer.pieces) {
      is_rounded &= piece.offset_bytes == 0;
    }
    AddEvents(buffer, events);
    const ByteCount end = ByteCount(buffer.fixed_offset_bytes.value_or(0)) +
                          ByteCount(bounds.size_bytes);
    if (bound.bytes < end) bound = {end, bounds.live.start};
  }
  if (!is_rounded || unit == 0) unit = 1;
  std::sort(events.begin(), events.end());
  absl::int128 load = 0;
  std::multiset<int64_t> spare;  // by live piece: what rounding adds
  for (const LoadEvent& event : events) {
    if (event.size_bytes == 0) continue;
    const int64_t rest = event.size_bytes % unit;
    const int64_t rounding = rest == 0 ? 0 : unit - rest;
    const absl::int128 bytes = absl::int128(event.size_bytes) + rounding;
    load += event.is_start ? bytes : -bytes;
    if (unit > 1) {
      if (event.is_start) {
        spare.insert(rounding);
      } else {
        spare.erase(spare.find(rounding));
      }
    }
    if (!event.is_start) continue;
    const int64_t top_spare = spare.empty() ? 0 : *spare.rbegin();
    const absl::int128 least = load - top_spare;
    const ByteCount bytes_needed =
        ByteCount(static_cast<int64_t>(least >> 62)) *
            ByteCount(int64_t{1} << 62) +
        ByteCount(static_cast<int64_t>(least & ((int64_t{1} << 62) - 1)));
    if (bound.bytes < bytes_needed) bound = {bytes_needed, event.time};
  }
  return bound;
}

}  // namespace ferry
