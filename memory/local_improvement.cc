// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/local_improvement.h"

#include <algorithm>
#include <random>
#include <utility>

namespace ferry {
namespace {

// Uniform in [0, 1), the same on every machine.
double Uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

// The order with some buffers moved to the front: all that reach beyond
// `height`, and a few others.
std::vector<int32_t> MoveToFront(const PackingProblem& problem,
                                 const GreedyPacking& packing, int64_t height,
                                 std::mt19937_64& random) {
  const size_t count = packing.order.size();
  const double few = 1.5 / static_cast<double>(count);
  std::vector<std::pair<double, int32_t>> keys;
  keys.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const int32_t b = packing.order[i];
    const PackingBuffer& buffer = problem.buffers[b];
    double key = static_cast<double>(i);
    if (buffer.fixed_offset_bytes.has_value()) {
      key = -1;
    } else if (packing.offsets[b] > height - buffer.Bounds().size_bytes) {
      key *= Uniform(random);
    } else if (Uniform(random) < few) {
      key = static_cast<double>(count) * Uniform(random);
    }
    keys.push_back({key, b});
  }
  std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  std::vector<int32_t> order;
  order.reserve(count);
  for (const auto& [key, b] : keys) order.push_back(b);
  return order;
}

}  // namespace

int64_t ImproveByReordering(const PackingProblem& problem, GreedyPacker& packer,
                            const LocalImprovementLimits& limits,
                            GreedyPacking& packing) {
  std::mt19937_64 random(1);
  const int64_t first_visit = packer.visits();
  int64_t moves = 0;
  const auto visits = [&] { return packer.visits() - first_visit + moves; };
  std::vector<int64_t> offsets = packing.offsets;
  GreedyPacking current = packing;
  while (packing.height > limits.target && visits() < limits.visit_limit &&
         !(limits.is_stopped && limits.is_stopped())) {
    // Those above a height near the top are to blame.
    const double part = Uniform(random);
    const int64_t height =
        current.height - 1 -
        static_cast<int64_t>(
            part * part * static_cast<double>(current.height - limits.target));
    std::vector<int32_t> order = MoveToFront(problem, current, height, random);
    moves += static_cast<int64_t>(order.size());
    const GreedyFit fit =
        random() % 2 == 0 ? GreedyFit::kBest : GreedyFit::kFirst;
    const int64_t reached =
        packer.Pack(order, fit, current.height + 1, offsets);
    if (reached > current.height) continue;
    current.order = std::move(order);
    current.offsets = offsets;
    current.height = reached;
    current.fit = fit;
    if (reached < packing.height) packing = current;
  }
  return visits();
}

}  // namespace ferry
