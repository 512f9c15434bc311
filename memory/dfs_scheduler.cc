// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/dfs_scheduler.h"

#include <algorithm>
#include <functional>

namespace ferry {
namespace {

// Visits what each end needs, predecessors as `order_of` lists them.
std::vector<int32_t> DepthFirst(
    const SchedulingProblem& problem, int32_t root,
    const std::function<std::vector<int32_t>(int32_t)>& order_of) {
  std::vector<int32_t> order;
  order.reserve(problem.size());
  std::vector<bool> is_seen(problem.size(), false);
  struct Frame {
    int32_t node;
    std::vector<int32_t> needs;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  const auto open = [&](int32_t node) {
    if (is_seen[node]) return;
    is_seen[node] = true;
    stack.push_back({node, order_of(node)});
  };
  const auto visit = [&](int32_t end) {
    open(end);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next < frame.needs.size()) {
        open(frame.needs[frame.next++]);
        continue;
      }
      order.push_back(frame.node);
      stack.pop_back();
    }
  };
  for (int32_t i = 0; i < problem.size(); ++i) {
    if (i != root && problem.successors(i).empty()) visit(i);
  }
  if (root >= 0) visit(root);
  return order;
}

}  // namespace

std::vector<int32_t> PostOrderSchedule(const SchedulingProblem& problem,
                                       int32_t root) {
  return DepthFirst(problem, root, [&](int32_t node) {
    return problem.node(node).predecessors;
  });
}

std::vector<int32_t> DfsSchedule(const SchedulingProblem& problem, int32_t root,
                                 const std::vector<int32_t>& rank) {
  int64_t total_bytes = 0;
  for (const SchedulingBuffer& buffer : problem.buffers()) {
    total_bytes += buffer.bytes;
  }
  std::vector<int64_t> extra_users(problem.size());
  std::vector<int64_t> bytes(problem.size());
  for (int32_t node : PostOrderSchedule(problem, root)) {
    extra_users[node] = std::max(problem.node(node).users - 1, 0);
    for (int32_t buffer : problem.defines(node)) {
      bytes[node] += problem.buffers()[buffer].bytes;
    }
    for (int32_t predecessor : problem.predecessors(node)) {
      extra_users[node] = std::min<int64_t>(
          problem.size(), extra_users[node] + extra_users[predecessor]);
      bytes[node] = std::min(total_bytes, bytes[node] + bytes[predecessor]);
    }
  }
  return DepthFirst(problem, root, [&](int32_t node) {
    std::vector<int32_t> needs(problem.predecessors(node).begin(),
                               problem.predecessors(node).end());
    std::sort(needs.begin(), needs.end(), [&](int32_t a, int32_t b) {
      if (extra_users[a] != extra_users[b]) {
        return extra_users[a] > extra_users[b];
      }
      if (bytes[a] != bytes[b]) return bytes[a] > bytes[b];
      return rank[a] < rank[b];
    });
    return needs;
  });
}

}  // namespace ferry
