// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/scheduling_problem.h"

#include <algorithm>
#include <cstddef>

namespace ferry {

void SchedulingProblem::Table::Fill(
    int32_t rows, std::vector<std::pair<int32_t, int32_t>>& pairs) {
  starts_.assign(rows + 1, 0);
  for (const auto& [row, number] : pairs) ++starts_[row + 1];
  for (int32_t row = 0; row < rows; ++row) starts_[row + 1] += starts_[row];
  numbers_.resize(pairs.size());
  std::vector<int32_t> next(starts_.begin(), starts_.end() - 1);
  for (const auto& [row, number] : pairs) numbers_[next[row]++] = number;
  pairs.clear();
}

SchedulingProblem::SchedulingProblem(std::vector<SchedulingNode> nodes,
                                     std::vector<SchedulingBuffer> buffers,
                                     int64_t fixed_bytes)
    : nodes_(std::move(nodes)), buffers_(std::move(buffers)) {
  const int64_t sums = 4 * (nodes_.size() + buffers_.size() + 1);
  const int64_t most = std::min(int64_t{1} << 42, INT64_MAX / sums);
  const auto clamp = [&](int64_t& bytes) { bytes = std::min(bytes, most); };
  fixed_bytes_ = std::min(fixed_bytes, INT64_MAX / 4);

  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    clamp(buffers_[i].bytes);
    if (buffers_[i].definer != SchedulingBuffer::kAtStart) {
      pairs.push_back({buffers_[i].definer, i});
    }
  }
  defines_.Fill(size(), pairs);
  for (int32_t i = 0; i < size(); ++i) {
    clamp(nodes_[i].beside_bytes);
    clamp(nodes_[i].instead_bytes);
    for (int32_t buffer : nodes_[i].reads) pairs.push_back({buffer, i});
  }
  readers_.Fill(buffers_.size(), pairs);
  for (int32_t i = 0; i < size(); ++i) {
    std::vector<int32_t> before = nodes_[i].predecessors;
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    for (int32_t predecessor : before) pairs.push_back({i, predecessor});
  }
  std::vector<std::pair<int32_t, int32_t>> reversed;
  for (const auto& [node, predecessor] : pairs) {
    reversed.push_back({predecessor, node});
  }
  predecessors_.Fill(size(), pairs);
  successors_.Fill(size(), reversed);
}

bool SchedulingProblem::IsLegal(absl::Span<const int32_t> order) const {
  if (order.size() != nodes_.size()) return false;
  std::vector<bool> has_run(size(), false);
  for (int32_t node : order) {
    if (node < 0 || node >= size() || has_run[node]) return false;
    for (int32_t predecessor : predecessors(node)) {
      if (!has_run[predecessor]) return false;
    }
    has_run[node] = true;
  }
  return true;
}

}  // namespace ferry
