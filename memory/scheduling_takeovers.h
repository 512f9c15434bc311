// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SCHEDULING_TAKEOVERS_H_
#define FERRY_MEMORY_SCHEDULING_TAKEOVERS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// Which of the bytes that a node defines go into what dies at it: the node's
// pairs in their order, each as far as both its buffers are still free.
// Tested by schedule_tracker_test.cc.
class SchedulingTakeovers {
 public:
  // `problem` must outlive it.
  explicit SchedulingTakeovers(const SchedulingProblem& problem)
      : problem_(problem), used_at_(problem.buffers().size(), 0) {}

  // `dies(buffer)`: whether that buffer, which `node` reads, dies at it.
  template <typename Dies>
  int64_t BytesOf(int32_t node, Dies dies) {
    ++time_;
    int64_t bytes = 0;
    for (const auto& [defined, read] : problem_.node(node).takeovers) {
      if (used_at_[read] == time_ || used_at_[defined] == time_ ||
          problem_.buffers()[read].bytes != problem_.buffers()[defined].bytes ||
          !dies(read)) {
        continue;
      }
      used_at_[read] = used_at_[defined] = time_;
      bytes += problem_.buffers()[defined].bytes;
    }
    return bytes;
  }

 private:
  const SchedulingProblem& problem_;
  int64_t time_ = 0;
  // By buffer, when it was last in a pair.
  std::vector<int64_t> used_at_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_SCHEDULING_TAKEOVERS_H_
