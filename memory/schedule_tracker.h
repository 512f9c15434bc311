// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SCHEDULE_TRACKER_H_
#define FERRY_MEMORY_SCHEDULE_TRACKER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/scheduling_problem.h"
#include "ferry/memory/scheduling_takeovers.h"

namespace ferry {

// Counts the bytes that are live while nodes run one after another. It decides
// nothing. Tested by schedule_tracker_test.cc.
class ScheduleTracker {
 public:
  // `problem` must outlive it.
  explicit ScheduleTracker(const SchedulingProblem& problem);

  // Runs `node`, whose predecessors have run.
  void Run(int32_t node);

  // Between two nodes, fixed bytes included.
  int64_t live_bytes() const { return live_bytes_; }
  // The most that was live while a node ran, or before the first.
  int64_t peak_bytes() const { return peak_bytes_; }
  // The first node with the peak; -1 if it was before the first.
  int32_t peak_node() const { return peak_node_; }
  // While the last node ran.
  int64_t running_bytes() const { return running_bytes_; }
  // Readers of `buffer` that have not run yet; it is dead at 0, unless it lives
  // out.
  int32_t remaining_readers(int32_t buffer) const { return remaining_[buffer]; }

 private:
  bool Dies(int32_t buffer) const {
    return remaining_[buffer] == 0 && !problem_.buffers()[buffer].lives_out;
  }

  const SchedulingProblem& problem_;
  std::vector<int32_t> remaining_;
  SchedulingTakeovers takeovers_;
  int64_t live_bytes_ = 0;
  int64_t peak_bytes_ = 0;
  int64_t running_bytes_ = 0;
  int32_t peak_node_ = -1;
};

// The peak of a legal order.
int64_t PeakOfOrder(const SchedulingProblem& problem,
                    absl::Span<const int32_t> order);

}  // namespace ferry

#endif  // FERRY_MEMORY_SCHEDULE_TRACKER_H_
