// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/list_scheduler.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ferry {
namespace {

// The ready nodes, ordered by key. A key of the same node may change.
class ReadyNodes {
 public:
  explicit ReadyNodes(int32_t nodes) : keys_(nodes) {}

  // Adds `node`, or changes its key; its place among equals is that of the
  // first time.
  void Set(int32_t node, int64_t urgency, int64_t bytes, int64_t users) {
    Key& key = keys_[node];
    int64_t arrival = std::get<3>(key);
    if (arrival == 0) {
      arrival = ++arrivals_;
    } else {
      ready_.erase({key, node});
    }
    key = {urgency, bytes, users, arrival};
    ready_.insert({key, node});
  }
  bool IsReady(int32_t node) const { return std::get<3>(keys_[node]) > 0; }
  bool empty() const { return ready_.empty(); }
  int32_t TakeLargest() {
    const auto largest = std::prev(ready_.end());
    const int32_t node = largest->second;
    ready_.erase(largest);
    std::get<3>(keys_[node]) = -1;
    return node;
  }

 private:
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;
  std::vector<Key> keys_;
  int64_t arrivals_ = 0;
  std::set<std::pair<Key, int32_t>> ready_;
};

class ListScheduler {
 public:
  explicit ListScheduler(const SchedulingProblem& problem)
      : problem_(problem),
        waiting_for_(problem.size()),
        remaining_(problem.buffers().size()),
        last_reader_(problem.buffers().size(), 0),
        ready_(problem.size()) {
    for (size_t i = 0; i < remaining_.size(); ++i) {
      remaining_[i] = problem.readers(i).size();
      for (int32_t reader : problem.readers(i)) last_reader_[i] += reader;
    }
  }

  std::vector<int32_t> Run() {
    std::vector<int32_t> order;
    for (int32_t i = 0; i < problem_.size(); ++i) {
      waiting_for_[i] = problem_.predecessors(i).size();
      if (waiting_for_[i] == 0) SetKey(i);
    }
    while (!ready_.empty()) {
      const int32_t node = ready_.TakeLargest();
      order.push_back(node);
      for (int32_t buffer : problem_.node(node).reads) {
        last_reader_[buffer] -= node;
        if (--remaining_[buffer] != 1) continue;
        const int32_t last = last_reader_[buffer];
        if (ready_.IsReady(last)) SetKey(last);
      }
      for (int32_t successor : problem_.successors(node)) {
        if (--waiting_for_[successor] == 0) SetKey(successor);
      }
    }
    return order;
  }

 private:
  void SetKey(int32_t node) {
    const SchedulingNode& what = problem_.node(node);
    int64_t bytes = 0;
    for (int32_t buffer : what.reads) {
      const SchedulingBuffer& read = problem_.buffers()[buffer];
      if (remaining_[buffer] == 1 && !read.lives_out && !read.is_parameter) {
        bytes += read.bytes;
      }
    }
    for (int32_t buffer : problem_.defines(node)) {
      bytes -= problem_.buffers()[buffer].bytes;
    }
    ready_.Set(node, static_cast<int64_t>(what.urgency), bytes, what.users);
  }

  const SchedulingProblem& problem_;
  std::vector<int32_t> waiting_for_;
  // Readers that have not run, and the sum of their numbers: of one, its own.
  std::vector<int32_t> remaining_;
  std::vector<int64_t> last_reader_;
  ReadyNodes ready_;
};

class ReverseListScheduler {
 public:
  explicit ReverseListScheduler(const SchedulingProblem& problem)
      : problem_(problem),
        waiting_for_(problem.size()),
        is_live_(problem.buffers().size()),
        ready_(problem.size()) {
    for (size_t i = 0; i < is_live_.size(); ++i) {
      is_live_[i] = problem.buffers()[i].lives_out;
    }
  }

  std::vector<int32_t> Run() {
    std::vector<int32_t> order;
    for (int32_t i = 0; i < problem_.size(); ++i) {
      waiting_for_[i] = problem_.successors(i).size();
      if (waiting_for_[i] == 0) SetKey(i);
    }
    while (!ready_.empty()) {
      const int32_t node = ready_.TakeLargest();
      order.push_back(node);
      for (int32_t buffer : problem_.node(node).reads) {
        if (is_live_[buffer]) continue;
        is_live_[buffer] = true;
        for (int32_t reader : problem_.readers(buffer)) {
          if (ready_.IsReady(reader)) SetKey(reader);
        }
      }
      for (int32_t predecessor : problem_.predecessors(node)) {
        if (--waiting_for_[predecessor] == 0) SetKey(predecessor);
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  void SetKey(int32_t node) {
    const SchedulingNode& what = problem_.node(node);
    int64_t bytes = 0;
    for (int32_t buffer : problem_.defines(node)) {
      if (is_live_[buffer]) bytes += problem_.buffers()[buffer].bytes;
    }
    for (int32_t buffer : what.reads) {
      if (!is_live_[buffer]) bytes -= problem_.buffers()[buffer].bytes;
    }
    const bool is_late = what.urgency == SchedulingNode::Urgency::kFirst;
    ready_.Set(node, is_late ? -1 : 0, bytes, -what.users);
  }

  const SchedulingProblem& problem_;
  std::vector<int32_t> waiting_for_;  // successors
  std::vector<bool> is_live_;
  ReadyNodes ready_;
};

}  // namespace

std::vector<int32_t> ListSchedule(const SchedulingProblem& problem) {
  return ListScheduler(problem).Run();
}

std::vector<int32_t> ReverseListSchedule(const SchedulingProblem& problem) {
  return ReverseListScheduler(problem).Run();
}

}  // namespace ferry
