// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <random>

#include "benchmark/benchmark.h"
#include "ferry/memory/pack_buffers.h"

namespace ferry {
namespace {

// Buffers of a long program: most die soon, some live long; sizes repeat.
PackingProblem Trace(int64_t count) {
  std::mt19937_64 random(1);
  PackingProblem problem;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t draw = random() % 100;
    const int64_t length = draw < 90 ? 1 + static_cast<int64_t>(random() % 20)
                                     : 1 + static_cast<int64_t>(random() % 400);
    problem.buffers.push_back({.live = {i, i + length},
                               .size_bytes = int64_t{256} << (random() % 12)});
  }
  return problem;
}

// The greedy packers alone.
void BM_PackGreedily(benchmark::State& state) {
  const PackingProblem problem = Trace(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(PackBuffers(problem, {.effort = 0}));
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_PackGreedily)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNLogN);

// All live at once: pairs are countless, time is not.
void BM_PackEqualBuffers(benchmark::State& state) {
  PackingProblem problem;
  problem.buffers.assign(static_cast<size_t>(state.range(0)),
                         {.live = {0, 10}, .size_bytes = 64});
  for (auto _ : state) {
    benchmark::DoNotOptimize(PackBuffers(problem));
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_PackEqualBuffers)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNLogN);

// A search of 200000 steps.
void BM_Search(benchmark::State& state) {
  const PackingProblem problem = Trace(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(PackBuffers(
        problem, {.effort = 200'000, .use_local_improvement = false}));
  }
}
BENCHMARK(BM_Search)->Arg(300)->Arg(3'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ferry
