// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/exact_scheduler.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "ferry/hlo/check.h"
#include "ferry/memory/schedule_lower_bound.h"
#include "ferry/memory/scheduling_takeovers.h"

namespace ferry {
namespace {

using NodeSet = uint64_t;

NodeSet Bit(int32_t node) { return NodeSet{1} << node; }

class ExactScheduler {
 public:
  ExactScheduler(const SchedulingProblem& problem, int64_t budget,
                 int64_t less_than_bytes)
      : problem_(problem),
        budget_(budget),
        less_than_(less_than_bytes),
        least_(LeastPeakBytes(problem)),
        takeovers_(problem),
        all_(problem.size() == 0 ? 0 : ~NodeSet{0} >> (64 - problem.size())) {
    for (int32_t i = 0; i < problem.size(); ++i) {
      NodeSet set = 0;
      for (int32_t predecessor : problem.predecessors(i)) {
        set |= Bit(predecessor);
      }
      predecessors_.push_back(set);
    }
    for (size_t i = 0; i < problem.buffers().size(); ++i) {
      NodeSet set = 0;
      for (int32_t reader : problem.readers(i)) set |= Bit(reader);
      readers_.push_back(set);
    }
  }

  ExactSchedule Run() {
    ExactSchedule result;
    int64_t live = problem_.fixed_bytes();
    for (size_t i = 0; i < problem_.buffers().size(); ++i) {
      const SchedulingBuffer& buffer = problem_.buffers()[i];
      if (buffer.definer == SchedulingBuffer::kAtStart && !Dies(i, 0)) {
        live += buffer.bytes;
      }
    }
    Reach(-1, -1, 0, live, std::max(least_, live));
    while (!open_.empty()) {
      const int32_t at = std::get<3>(open_.top());
      result.lower_bound_bytes = std::get<0>(open_.top());
      if (result.lower_bound_bytes >= less_than_) return result;
      open_.pop();
      const Step step = steps_[at];
      if (best_.at(step.done) < step.peak) continue;  // reached better since
      if (step.done == all_) {
        result.order = OrderTo(at);
        return result;
      }
      if (result.opened == budget_) return result;
      ++result.opened;
      Open(at);
    }
    FERRY_CHECK(false);  // some order exists: precedence has no cycle
  }

 private:
  // A set of nodes that have run, with the last of them.
  struct Step {
    int32_t before;
    int32_t node;
    NodeSet done;
    int64_t live;
    int64_t peak;
  };

  bool Dies(int32_t buffer, NodeSet done) const {
    return (readers_[buffer] & ~done) == 0 &&
           !problem_.buffers()[buffer].lives_out;
  }

  // Bytes while `node` runs after `done`, and the change that it leaves.
  std::pair<int64_t, int64_t> Effect(int32_t node, NodeSet done) {
    const SchedulingNode& what = problem_.node(node);
    const NodeSet then = done | Bit(node);
    int64_t defined = 0;
    int64_t freed = 0;
    for (int32_t buffer : problem_.defines(node)) {
      defined += problem_.buffers()[buffer].bytes;
      if (Dies(buffer, then)) freed += problem_.buffers()[buffer].bytes;
    }
    for (int32_t buffer : what.reads) {
      if (Dies(buffer, then)) freed += problem_.buffers()[buffer].bytes;
    }
    const int64_t taken = takeovers_.BytesOf(
        node, [&](int32_t buffer) { return Dies(buffer, then); });
    return {std::max(defined - taken + what.beside_bytes, what.instead_bytes),
            defined - freed};
  }

  // Records a set, unless it was reached with as small a peak before.
  void Reach(int32_t before, int32_t node, NodeSet done, int64_t live,
             int64_t peak) {
    const int32_t at = steps_.size();
    steps_.push_back({before, node, done, live, peak});
    RunAllFree(at);
  }

  // From a new set, runs what can run at once, and queues where that ends.
  void RunAllFree(int32_t at) {
    for (bool found = true; found;) {
      found = false;
      const Step step = steps_[at];
      for (NodeSet left = ~step.done & all_; left != 0; left &= left - 1) {
        const int32_t node = __builtin_ctzll(left);
        if ((predecessors_[node] & ~step.done) != 0) continue;
        const auto [during, change] = Effect(node, step.done);
        if (change > 0 || step.live + during > step.peak) continue;
        steps_.push_back(
            {at, node, step.done | Bit(node), step.live + change, step.peak});
        at = steps_.size() - 1;
        found = true;
        break;
      }
    }
    const Step& step = steps_[at];
    const auto [known, is_new] = best_.try_emplace(step.done, step.peak);
    if (!is_new && known->second <= step.peak) return;
    known->second = step.peak;
    open_.push({step.peak, -__builtin_popcountll(step.done), step.live, at});
  }

  void Open(int32_t at) {
    const Step step = steps_[at];
    for (NodeSet left = ~step.done & all_; left != 0; left &= left - 1) {
      const int32_t node = __builtin_ctzll(left);
      if ((predecessors_[node] & ~step.done) != 0) continue;
      const auto [during, change] = Effect(node, step.done);
      Reach(at, node, step.done | Bit(node), step.live + change,
            std::max(step.peak, step.live + during));
    }
  }

  std::vector<int32_t> OrderTo(int32_t at) const {
    std::vector<int32_t> order;
    for (; steps_[at].before >= 0; at = steps_[at].before) {
      order.push_back(steps_[at].node);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  const SchedulingProblem& problem_;
  const int64_t budget_;
  const int64_t less_than_;
  const int64_t least_;
  SchedulingTakeovers takeovers_;
  const NodeSet all_;
  std::vector<NodeSet> predecessors_;
  std::vector<NodeSet> readers_;
  std::vector<Step> steps_;
  absl::flat_hash_map<NodeSet, int64_t> best_;
  // (peak, less nodes run, live, step), the least first: among equals deep
  // before wide.
  using Entry = std::tuple<int64_t, int32_t, int64_t, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open_;
};

}  // namespace

ExactSchedule ScheduleExactly(const SchedulingProblem& problem, int64_t budget,
                              int64_t less_than_bytes) {
  FERRY_CHECK(problem.size() <= kMostExactNodes);
  return ExactScheduler(problem, budget, less_than_bytes).Run();
}

}  // namespace ferry
