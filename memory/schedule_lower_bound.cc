// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_lower_bound.h"

#include <algorithm>

#include "ferry/memory/bfs_scheduler.h"
#include "ferry/memory/scheduling_takeovers.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {
namespace {

constexpr int32_t kMostNodesWithAncestors = 2048;

class LowerBound {
 public:
  explicit LowerBound(const SchedulingProblem& problem)
      : problem_(problem),
        takeovers_(problem),
        forced_(problem.size(), problem.fixed_bytes()) {}

  int64_t Run() {
    if (problem_.size() <= kMostNodesWithAncestors) FindDescendants();
    for (size_t i = 0; i < problem_.buffers().size(); ++i) AddForced(i);
    int64_t bound = std::max(AtStart(), AtEnd());
    for (int32_t i = 0; i < problem_.size(); ++i) {
      bound = std::max(bound, forced_[i] + Own(i));
    }
    return bound;
  }

 private:
  // Of each node, itself included.
  void FindDescendants() {
    const std::vector<int32_t> order = BfsSchedule(problem_);
    descendants_.assign(problem_.size(), llvm::BitVector(problem_.size()));
    for (size_t i = order.size(); i-- > 0;) {
      descendants_[order[i]].set(order[i]);
      for (int32_t successor : problem_.successors(order[i])) {
        descendants_[order[i]] |= descendants_[successor];
      }
    }
    ancestors_.assign(problem_.size(), llvm::BitVector(problem_.size()));
    for (int32_t node : order) {
      ancestors_[node].set(node);
      for (int32_t predecessor : problem_.predecessors(node)) {
        ancestors_[node] |= ancestors_[predecessor];
      }
    }
  }

  // Adds `buffer` to all nodes while which it is live whatever the order; its
  // definer, which counts it by itself, excepted.
  void AddForced(int32_t buffer) {
    const SchedulingBuffer& what = problem_.buffers()[buffer];
    if (what.bytes == 0) return;
    if (descendants_.empty()) {
      for (int32_t reader : problem_.readers(buffer)) {
        forced_[reader] += what.bytes;
      }
      return;
    }
    llvm::BitVector nodes(problem_.size(), what.lives_out);
    for (int32_t reader : problem_.readers(buffer)) nodes |= ancestors_[reader];
    if (what.definer != SchedulingBuffer::kAtStart) {
      nodes &= descendants_[what.definer];
      nodes.reset(what.definer);
    }
    for (unsigned node : nodes.set_bits()) forced_[node] += what.bytes;
  }

  // Beyond what it reads.
  int64_t Own(int32_t node) {
    int64_t defined = 0;
    for (int32_t buffer : problem_.defines(node)) {
      defined += problem_.buffers()[buffer].bytes;
    }
    defined -= takeovers_.BytesOf(node, [&](int32_t buffer) {
      return !problem_.buffers()[buffer].lives_out;
    });
    return std::max(defined + problem_.node(node).beside_bytes,
                    problem_.node(node).instead_bytes);
  }

  int64_t AtStart() const {
    int64_t bytes = problem_.fixed_bytes();
    for (size_t i = 0; i < problem_.buffers().size(); ++i) {
      const SchedulingBuffer& buffer = problem_.buffers()[i];
      if (buffer.definer == SchedulingBuffer::kAtStart &&
          (buffer.lives_out || !problem_.readers(i).empty())) {
        bytes += buffer.bytes;
      }
    }
    return bytes;
  }

  int64_t AtEnd() const {
    int64_t bytes = problem_.fixed_bytes();
    for (const SchedulingBuffer& buffer : problem_.buffers()) {
      if (buffer.lives_out) bytes += buffer.bytes;
    }
    return bytes;
  }

  const SchedulingProblem& problem_;
  SchedulingTakeovers takeovers_;
  std::vector<int64_t> forced_;
  std::vector<llvm::BitVector> descendants_;
  std::vector<llvm::BitVector> ancestors_;
};

}  // namespace

int64_t LeastPeakBytes(const SchedulingProblem& problem) {
  return LowerBound(problem).Run();
}

}  // namespace ferry
