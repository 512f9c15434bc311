// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What is known of a program's bytes, against its size in positions.
//
//   build/memory/buffer_assignment_benchmark
//
// The program is a row of loops of about 100 positions, each of which updates
// a part of an array in place and computes with what the loop before left.
// BM_Dataflow, BM_LiveRanges: the analyses alone, each with those it needs.
// BM_Assignment: all of it, packed greedily.
// BM_Replay: the search for overwritten buffers in a finished assignment.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/overwritten_buffers.h"

namespace ferry {
namespace {

constexpr int64_t kPositionsPerLoop = 100;
constexpr int kStepsPerBody = 74;

std::string Loops(int64_t positions) {
  std::string computations;
  std::string entry =
      "ENTRY main {\n  x.0 = f32[256]{0} parameter(0)\n"
      "  u = f32[16]{0} parameter(1)\n"
      "  i.0 = s32[] parameter(2)\n";
  std::string last = "x.0";
  for (int64_t loop = 0; loop < positions / kPositionsPerLoop; ++loop) {
    const auto name = [&](const char* base) {
      return absl::StrCat(base, ".", loop);
    };
    absl::StrAppend(&computations, name("body"), " {\n",
                    "  s = (f32[256]{0}, f32[16]{0}, s32[]) parameter(0)\n"
                    "  a = f32[256]{0} get-tuple-element(s), index=0\n"
                    "  v = f32[16]{0} get-tuple-element(s), index=1\n"
                    "  j = s32[] get-tuple-element(s), index=2\n"
                    "  b = f32[256]{0} dynamic-update-slice(a, v, j)\n"
                    "  c.0 = f32[16]{0} negate(v)\n");
    for (int i = 1; i < kStepsPerBody; ++i) {
      absl::StrAppend(&computations, "  c.", i, " = f32[16]{0} ",
                      i % 3 == 0 ? "reverse(c." : "exponential(c.", i - 1,
                      i % 3 == 0 ? "), dimensions={0}\n" : ")\n");
    }
    absl::StrAppend(&computations,
                    "  ROOT r = (f32[256]{0}, f32[16]{0}, s32[]) tuple(b, c.",
                    kStepsPerBody - 1, ", j)\n}\n", name("condition"), " {\n",
                    "  s = (f32[256]{0}, f32[16]{0}, s32[]) parameter(0)\n"
                    "  j = s32[] get-tuple-element(s), index=2\n"
                    "  ROOT go = pred[] compare(j, j), direction=LT\n}\n");
    absl::StrAppend(&entry, "  ", name("n"), " = f32[256]{0} negate(", last,
                    ")\n  ", name("m"), " = f32[16]{0} copy(u)\n  ", name("t"),
                    " = (f32[256]{0}, f32[16]{0}, s32[]) tuple(", name("n"),
                    ", ", name("m"), ", i.0)\n  ", name("w"),
                    " = (f32[256]{0}, f32[16]{0}, s32[]) while(", name("t"),
                    "), body=", name("body"), ", condition=", name("condition"),
                    "\n  ", name("g"), " = f32[256]{0} get-tuple-element(",
                    name("w"), "), index=0\n");
    last = name("g");
  }
  return absl::StrCat("HloModule loops, is_scheduled=true\n", computations,
                      entry, "  ROOT out = f32[256]{0} negate(", last,
                      ")\n}\n");
}

std::unique_ptr<HloModule> Parse(HloContext& context, int64_t positions) {
  auto module = ParseHloText(Loops(positions), context);
  FERRY_CHECK(module.ok());
  return *std::move(module);
}

void BM_Dataflow(benchmark::State& state) {
  HloContext context;
  const auto module = Parse(context, state.range(0));
  for (auto _ : state) {
    auto dataflow = HloDataflowAnalysis::Run(*module);
    benchmark::DoNotOptimize(dataflow);
  }
  state.SetComplexityN(state.range(0));
}

void BM_LiveRanges(benchmark::State& state) {
  HloContext context;
  const auto module = Parse(context, state.range(0));
  for (auto _ : state) {
    const auto dataflow = HloDataflowAnalysis::Run(*module);
    const auto aliases =
        HloAliasAnalysis::Run(*dataflow, InPlaceOperands::Find(*module));
    auto ranges = HloLiveRange::Run(*dataflow, aliases,
                                    FlattenedSchedule::Build(*module));
    benchmark::DoNotOptimize(ranges);
  }
  state.SetComplexityN(state.range(0));
}

void BM_Assignment(benchmark::State& state) {
  HloContext context;
  const auto module = Parse(context, state.range(0));
  for (auto _ : state) {
    auto assignment = BufferAssignment::Run(*module, *FindMemoryTarget("v5e"));
    FERRY_CHECK(assignment.ok());
    benchmark::DoNotOptimize(assignment);
  }
  state.SetComplexityN(state.range(0));
}

void BM_Replay(benchmark::State& state) {
  HloContext context;
  const auto module = Parse(context, state.range(0));
  const auto assignment =
      BufferAssignment::Run(*module, *FindMemoryTarget("v5e"));
  for (auto _ : state) {
    const auto findings = FindOverwrittenBuffers(*assignment);
    FERRY_CHECK(findings.empty());
  }
  state.SetComplexityN(state.range(0));
}

#define FERRY_POSITIONS \
  RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_Dataflow)->FERRY_POSITIONS->Complexity();
BENCHMARK(BM_LiveRanges)->FERRY_POSITIONS->Complexity();
BENCHMARK(BM_Assignment)->FERRY_POSITIONS->Complexity();
BENCHMARK(BM_Replay)->FERRY_POSITIONS->Complexity();
#undef FERRY_POSITIONS

}  // namespace
}  // namespace ferry
