// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_profile.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/memory/flattened_schedule.h"
#include "ferry/memory/hlo_alias_analysis.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {
namespace {

// Reads nothing: what comes out of it is what went in.
bool OnlyRenames(const HloInstruction& user) {
  switch (user.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kDomain:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kTuple:
      return true;
    default:
      return false;
  }
}

}  // namespace

int64_t SpaceProfile::BytesAt(LogicalTime time) const {
  int64_t bytes = static_bytes;
  for (const CoverageStep& step : steps) {
    if (step.time > time) break;
    bytes += step.bytes;
  }
  return bytes;
}

MemoryProfile::MemoryProfile(const BufferAssignment& assignment)
    : assignment_(assignment) {
  for (const SpaceUsage& usage : assignment.spaces()) {
    SpaceProfile profile;
    profile.space = usage.space;
    profile.static_bytes = usage.constant_bytes + usage.thread_local_bytes;
    spaces_.push_back(std::move(profile));
  }
  const BufferGroups& groups = assignment.groups();
  for (GroupId group = 0; group < groups.group_count(); ++group) {
    if (IsStatic(group)) continue;
    const MemorySpace space = assignment.SpaceOf(group);
    const auto it = std::find_if(
        spaces_.begin(), spaces_.end(),
        [&](const SpaceProfile& profile) { return profile.space == space; });
    AppendCoverageSteps(PiecesOf(group), it->steps);
  }
  for (SpaceProfile& profile : spaces_) {
    SortCoverageSteps(profile.steps);
    int64_t bytes = profile.static_bytes;
    profile.peak_bytes = bytes;
    for (const CoverageStep& step : profile.steps) {
      bytes += step.bytes;
      if (bytes <= profile.peak_bytes) continue;
      profile.peak_bytes = bytes;
      profile.peak_time = step.time;
    }
  }
}

const SpaceProfile* MemoryProfile::FindSpace(MemorySpace space) const {
  for (const SpaceProfile& profile : spaces_) {
    if (profile.space == space) return &profile;
  }
  return nullptr;
}

bool MemoryProfile::IsStatic(GroupId group) const {
  const BufferAllocation& allocation = assignment_.AllocationOf(group);
  return !allocation.parameter.has_value() && !allocation.is_live_out &&
         !allocation.is_heap;
}

std::vector<BufferPiece> MemoryProfile::PiecesOf(GroupId group) const {
  std::vector<BufferPiece> pieces;
  const LogicalTime size = assignment_.schedule().size();
  for (const BufferId buffer : assignment_.groups().BuffersOf(group)) {
    for (const ValueId value : assignment_.aliases().ValuesOf(buffer)) {
      LiveRange live = assignment_.live_ranges().RangeOf(value);
      live.end = std::min(live.end, size);
      const AssignedValue& slice = assignment_.SliceOf(value);
      pieces.push_back(
          {live, assignment_.groups().OffsetOf(buffer), slice.size_bytes});
    }
  }
  return pieces;
}

std::vector<LiveBuffer> MemoryProfile::LiveAt(MemorySpace space,
                                              LogicalTime time) const {
  std::vector<LiveBuffer> live;
  const BufferGroups& groups = assignment_.groups();
  for (GroupId group = 0; group < groups.group_count(); ++group) {
    if (assignment_.SpaceOf(group) != space || IsStatic(group)) continue;
    LiveBuffer buffer = Describe(group, time);
    if (buffer.live.IsEmpty()) continue;
    FindTouches(buffer, time);
    live.push_back(buffer);
  }
  std::sort(live.begin(), live.end(),
            [](const LiveBuffer& a, const LiveBuffer& b) {
              return std::tuple(-a.size_bytes, a.value) <
                     std::tuple(-b.size_bytes, b.value);
            });
  return live;
}

// With an empty range if nothing of the group is live.
LiveBuffer MemoryProfile::Describe(GroupId group, LogicalTime time) const {
  LiveBuffer result;
  result.group = group;
  LogicalTime latest = FlattenedSchedule::kNever;
  for (const BufferId buffer : assignment_.groups().BuffersOf(group)) {
    for (const ValueId value : assignment_.aliases().ValuesOf(buffer)) {
      const LiveRange live = assignment_.live_ranges().RangeOf(value);
      if (live.start > time || live.end <= time || live.start < latest) {
        continue;
      }
      result.value = value;
      latest = live.start;
    }
  }
  if (latest == FlattenedSchedule::kNever) return result;
  std::vector<BufferPiece> pieces = PiecesOf(group);
  std::vector<CoverageStep> steps;
  AppendCoverageSteps(std::move(pieces), steps);
  SortCoverageSteps(steps);
  int64_t covered = 0;
  for (const CoverageStep& step : steps) {
    if (covered == 0 && step.time <= time) result.live.start = step.time;
    covered += step.bytes;
    if (step.time <= time) result.size_bytes = covered;
    if (covered == 0 && step.time > time) {
      result.live.end = step.time;
      break;
    }
  }
  return result;
}

void MemoryProfile::FindTouches(LiveBuffer& buffer, LogicalTime time) const {
  const HloDataflowAnalysis& dataflow = assignment_.dataflow();
  const FlattenedSchedule& schedule = assignment_.schedule();
  const auto touch = [&](LogicalTime at) {
    if (at < buffer.live.start || at > buffer.live.end) return;
    if (at <= time) {
      buffer.last_touch = std::max(buffer.last_touch, at);
    } else if (buffer.next_touch == FlattenedSchedule::kNever ||
               at < buffer.next_touch) {
      buffer.next_touch = at;
    }
  };
  for (const BufferId id : assignment_.groups().BuffersOf(buffer.group)) {
    for (const ValueId value : assignment_.aliases().ValuesOf(id)) {
      touch(schedule.TimeOf(*dataflow.position(value, 0).instruction));
      for (size_t i = 0; i < dataflow.position_count(value); ++i) {
        const HloInstruction& at = *dataflow.position(value, i).instruction;
        if (at.IsRoot() && at.parent().IsEntry()) touch(schedule.size());
      }
      for (size_t i = 0; i < dataflow.use_count(value); ++i) {
        const HloInstruction& user = *dataflow.use(value, i).instruction;
        if (!OnlyRenames(user)) touch(schedule.TimeOf(user));
      }
    }
  }
}

}  // namespace ferry
