// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/heap_trace.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace ferry {
namespace {

struct LivingValue {
  AssignedValue slice;
  LiveRange live;
};

// The events of one group, in order.
class GroupTracer {
 public:
  GroupTracer(std::vector<LivingValue> values, std::vector<HeapEvent>& events)
      : values_(std::move(values)), events_(events) {
    // What holds the others comes first.
    std::sort(
        values_.begin(), values_.end(),
        [](const LivingValue& a, const LivingValue& b) {
          return std::tuple(a.live.start, -a.slice.size_bytes, a.slice.value) <
                 std::tuple(b.live.start, -b.slice.size_bytes, b.slice.value);
        });
  }

  void Trace() {
    for (const LivingValue& value : values_) {
      FreeUpTo(value.live.start);
      Begin(value);
    }
    FreeUpTo(kForever);
  }

 private:
  static constexpr LogicalTime kForever = INT64_MAX;

  // Bytes that are taken, and the values that stand there.
  struct Taken {
    AssignedValue root;
    std::vector<LivingValue> values;
  };

  static bool Holds(const AssignedValue& outer, const AssignedValue& inner) {
    return outer.offset_bytes <= inner.offset_bytes &&
           outer.offset_bytes + outer.size_bytes >=
               inner.offset_bytes + inner.size_bytes;
  }

  void Begin(const LivingValue& value) {
    for (Taken& taken : taken_) {
      if (!Holds(taken.root, value.slice)) continue;
      events_.push_back({.kind = HeapEvent::Kind::kShareWith,
                         .value = value.slice.value,
                         .canonical = taken.root.value,
                         .time = value.live.start});
      taken.values.push_back(value);
      return;
    }
    // What the new value holds for as long as it lives is counted with it.
    for (Taken& taken : taken_) {
      if (!Holds(value.slice, taken.root)) continue;
      const bool is_covered =
          std::all_of(taken.values.begin(), taken.values.end(),
                      [&](const LivingValue& inner) {
                        return inner.live.end <= value.live.end;
                      });
      if (!is_covered) continue;
      for (LivingValue& inner : taken.values) inner.live.end = value.live.start;
    }
    FreeUpTo(value.live.start);
    events_.push_back({.kind = HeapEvent::Kind::kAlloc,
                       .value = value.slice.value,
                       .time = value.live.start});
    taken_.push_back({value.slice, {value}});
  }

  void FreeUpTo(LogicalTime time) {
    const size_t first = events_.size();
    for (Taken& taken : taken_) {
      const auto dead = std::partition(
          taken.values.begin(), taken.values.end(),
          [&](const LivingValue& value) { return value.live.end > time; });
      for (auto value = dead; value != taken.values.end(); ++value) {
        events_.push_back({.kind = HeapEvent::Kind::kFree,
                           .value = value->slice.value,
                           .time = value->live.end});
      }
      taken.values.erase(dead, taken.values.end());
    }
    std::sort(events_.begin() + first, events_.end(),
              [](const HeapEvent& a, const HeapEvent& b) {
                return std::tuple(a.time, a.value) <
                       std::tuple(b.time, b.value);
              });
    taken_.erase(
        std::remove_if(taken_.begin(), taken_.end(),
                       [](const Taken& taken) { return taken.values.empty(); }),
        taken_.end());
  }

  std::vector<LivingValue> values_;
  std::vector<HeapEvent>& events_;
  std::vector<Taken> taken_;
};

}  // namespace

std::vector<HeapEvent> HeapTraceOf(const BufferAssignment& assignment,
                                   const BufferAllocation& allocation) {
  std::map<GroupId, std::vector<LivingValue>> groups;
  for (const AssignedValue& slice : allocation.values) {
    const LiveRange live = assignment.live_ranges().RangeOf(slice.value);
    if (live.IsEmpty()) continue;
    const BufferId buffer = assignment.aliases().BufferOf(slice.value);
    groups[assignment.groups().GroupOf(buffer)].push_back({slice, live});
  }
  std::vector<HeapEvent> events;
  for (auto& [group, values] : groups) {
    GroupTracer(std::move(values), events).Trace();
  }
  // Stable: within a group the order stays. What ends makes room first.
  std::stable_sort(
      events.begin(), events.end(), [](const HeapEvent& a, const HeapEvent& b) {
        return std::tuple(a.time, a.kind != HeapEvent::Kind::kFree) <
               std::tuple(b.time, b.kind != HeapEvent::Kind::kFree);
      });
  return events;
}

}  // namespace ferry
