// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_tracker.h"

#include <algorithm>

namespace ferry {

ScheduleTracker::ScheduleTracker(const SchedulingProblem& problem)
    : problem_(problem),
      remaining_(problem.buffers().size()),
      takeovers_(problem),
      live_bytes_(problem.fixed_bytes()) {
  for (size_t i = 0; i < remaining_.size(); ++i) {
    remaining_[i] = problem.readers(i).size();
    const SchedulingBuffer& buffer = problem.buffers()[i];
    if (buffer.definer != SchedulingBuffer::kAtStart) continue;
    if (!Dies(i)) live_bytes_ += buffer.bytes;
  }
  peak_bytes_ = running_bytes_ = live_bytes_;
}

void ScheduleTracker::Run(int32_t node) {
  const SchedulingNode& what = problem_.node(node);
  for (int32_t buffer : what.reads) --remaining_[buffer];
  int64_t defined = 0;
  int64_t freed = 0;
  for (int32_t buffer : problem_.defines(node)) {
    defined += problem_.buffers()[buffer].bytes;
    if (Dies(buffer)) freed += problem_.buffers()[buffer].bytes;
  }
  for (int32_t buffer : what.reads) {
    if (Dies(buffer)) freed += problem_.buffers()[buffer].bytes;
  }
  const int64_t taken =
      takeovers_.BytesOf(node, [&](int32_t buffer) { return Dies(buffer); });
  running_bytes_ = live_bytes_ + std::max(defined - taken + what.beside_bytes,
                                          what.instead_bytes);
  if (running_bytes_ > peak_bytes_) {
    peak_bytes_ = running_bytes_;
    peak_node_ = node;
  }
  live_bytes_ += defined - freed;
}

int64_t PeakOfOrder(const SchedulingProblem& problem,
                    absl::Span<const int32_t> order) {
  ScheduleTracker tracker(problem);
  for (int32_t node : order) tracker.Run(node);
  return tracker.peak_bytes();
}

}  // namespace ferry
