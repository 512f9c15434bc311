// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_live_range.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/memory/donations.h"

namespace ferry {
namespace {

// Which nodes of which entry parameters the caller gives away.
class DonatedParameters {
 public:
  explicit DonatedParameters(const HloModule& module) {
    for (const Donation& donation : FindDonations(module)) {
      donated_.push_back(
          {donation.parameter.instruction->id(), donation.parameter.ordinal});
    }
    std::sort(donated_.begin(), donated_.end());
  }
  bool Contains(const HloPosition& position) const {
    return std::binary_search(
        donated_.begin(), donated_.end(),
        std::make_pair(position.instruction->id(), position.ordinal));
  }

 private:
  std::vector<std::pair<InstructionId, int32_t>> donated_;
};

// The last time at which one that has the value, or reads it, needs it.
LogicalTime LastTime(const HloDataflowAnalysis& dataflow, ValueId value,
                     const FlattenedSchedule& schedule) {
  LogicalTime end = FlattenedSchedule::kNever;
  for (size_t i = 0; i < dataflow.position_count(value); ++i) {
    const HloInstruction& at = *dataflow.position(value, i).instruction;
    end = std::max(end, at.IsRoot() ? schedule.SpanOf(at.parent()).end
                                    : schedule.TimeOf(at));
  }
  for (size_t i = 0; i < dataflow.use_count(value); ++i) {
    const HloInstruction& user = *dataflow.use(value, i).instruction;
    // What is called reads it, not the call.
    if (user.opcode() == HloOpcode::kCall) continue;
    if (user.opcode() == HloOpcode::kWhile &&
        !user.called_computations().empty() &&
        !user.called_computations().back()->parameters().empty()) {
      end = std::max(
          end,
          schedule.TimeOf(*user.called_computations().back()->parameters()[0]));
    } else {
      end = std::max(end, schedule.TimeOf(user));
    }
  }
  return end;
}

// Each of the values, which share their bytes, ends where the next one begins,
// which lives as long as any before it.
void HandOver(absl::Span<const ValueId> values,
              std::vector<HloLiveRange::XlaRange>& ranges,
              std::vector<ValueId>& order) {
  order.clear();
  for (const ValueId value : values) {
    if (ranges[value].start != FlattenedSchedule::kNever) {
      order.push_back(value);
    }
  }
  std::sort(order.begin(), order.end(), [&](ValueId a, ValueId b) {
    return std::tie(ranges[a].start, ranges[a].end, a) <
           std::tie(ranges[b].start, ranges[b].end, b);
  });
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    HloLiveRange::XlaRange& earlier = ranges[order[i]];
    HloLiveRange::XlaRange& later = ranges[order[i + 1]];
    later.end = std::max(later.end, earlier.end);
    earlier.end = std::min(earlier.end, later.start);
  }
}

}  // namespace

HloLiveRange HloLiveRange::Run(const HloDataflowAnalysis& dataflow,
                               const HloAliasAnalysis& aliases,
                               const FlattenedSchedule& schedule) {
  HloLiveRange result;
  result.ranges_.resize(dataflow.value_count());
  const DonatedParameters donated(dataflow.module());
  for (ValueId value = 0; value < dataflow.value_count(); ++value) {
    const HloPosition at = dataflow.position(value, 0);
    const HloInstruction& maker = *at.instruction;
    const LogicalTime time = schedule.TimeOf(maker);
    if (time == FlattenedSchedule::kNever) continue;
    const HloComputation& computation = maker.parent();
    const bool is_parameter = maker.opcode() == HloOpcode::kParameter;
    XlaRange& range = result.ranges_[value];
    range.start = is_parameter ? schedule.SpanOf(computation).start : time;
    if (is_parameter && computation.IsEntry() && !donated.Contains(at)) {
      range.end = schedule.size();
      continue;
    }
    range.end = std::max(time, LastTime(dataflow, value, schedule));
    if (schedule.LastEndOf(computation) > schedule.SpanOf(computation).end) {
      range.end = std::max(range.end, schedule.LastEndOf(computation));
    }
  }
  std::vector<ValueId> order;
  for (BufferId buffer = 0; buffer < aliases.buffer_count(); ++buffer) {
    HandOver(aliases.ValuesOf(buffer), result.ranges_, order);
  }
  return result;
}

}  // namespace ferry
