// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The tracker's time against the size of the module.
//
//   build/passes/host_offload_analysis_benchmark
//
// BM_Chains: `positions` positions, a hundredth of them annotated, each value
// passed through tuples, barriers and compute and brought back.
// BM_WideTuple: one tuple of n elements, half of them on host.
// BM_Reconverging: n steps of host compute whose two ways meet again, where the
// number of paths is 2^n.
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/passes/host_offload_analysis.h"

namespace ferry {
namespace {

// Chains of 44 instructions with about 100 positions, each through tuples and
// barriers from a move to host to a move back.
std::string Chains(int64_t positions) {
  constexpr int64_t kPositionsPerChain = 100;
  std::string body;
  std::string last = "x";
  for (int64_t chain = 0; chain < positions / kPositionsPerChain; ++chain) {
    const auto name = [&](const char* base, int64_t i) {
      return absl::StrCat(base, ".", chain, ".", i);
    };
    absl::StrAppend(&body, "  ", name("h", 0), " = f32[8]{0} custom-call(",
                    last, "), custom_call_target=\"MoveToHost\"\n");
    std::string value = name("h", 0);
    for (int64_t i = 0; i < 14; ++i) {
      absl::StrAppend(
          &body, "  ", name("t", i), " = (f32[8]{0}, f32[8]{0}) tuple(", value,
          ", x)\n  ", name("b", i), " = (f32[8]{0}, f32[8]{0}) opt-barrier(",
          name("t", i), ")\n  ", name("g", i),
          " = f32[8]{0} get-tuple-element(", name("b", i), "), index=0\n");
      value = name("g", i);
    }
    absl::StrAppend(&body, "  ", name("d", 0), " = f32[8]{0} custom-call(",
                    value, "), custom_call_target=\"MoveToDevice\"\n");
    last = name("d", 0);
  }
  return absl::StrCat("HloModule chains\n\nENTRY main {\n",
                      "  x = f32[8]{0} parameter(0)\n", body,
                      "  ROOT out = f32[8]{0} negate(", last, ")\n}\n");
}

std::string Reconverging(int64_t steps) {
  std::string body;
  std::string value = "h";
  for (int64_t i = 0; i < steps; ++i) {
    absl::StrAppend(&body, "  s.", i, " = f32[8]{0} sine(", value, ")\n  c.", i,
                    " = f32[8]{0} cosine(", value, ")\n  a.", i,
                    " = f32[8]{0} add(s.", i, ", c.", i, ")\n");
    value = absl::StrCat("a.", i);
  }
  return absl::StrCat(
      "HloModule reconverging\n\nENTRY main {\n"
      "  x = f32[8]{0} parameter(0)\n"
      "  h = f32[8]{0} custom-call(x), custom_call_target=\"MoveToHost\"\n",
      body, "  ROOT d = f32[8]{0} custom-call(", value,
      "), custom_call_target=\"MoveToDevice\"\n}\n");
}

// One tuple of `width` elements through a barrier, half of them on host.
std::string WideTuple(int64_t width) {
  std::string moves;
  std::string elements;
  std::string types;
  std::string reads;
  std::string results;
  for (int64_t i = 0; i < width; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    absl::StrAppend(&moves, "  h.", i, " = f32[8]{0} custom-call(x), ",
                    "custom_call_target=\"MoveToHost\"\n");
    absl::StrAppend(&elements, comma, i % 2 == 0 ? "h." : "x");
    if (i % 2 == 0) absl::StrAppend(&elements, i);
    absl::StrAppend(&types, comma, "f32[8]{0}");
    absl::StrAppend(&reads, "  g.", i,
                    " = f32[8]{0} get-tuple-element(b), index=", i, "\n  d.", i,
                    " = f32[8]{0} custom-call(g.", i,
                    "), custom_call_target=\"MoveToDevice\"\n");
    absl::StrAppend(&results, comma, "d.", i);
  }
  return absl::StrCat("HloModule wide\n\nENTRY main {\n",
                      "  x = f32[8]{0} parameter(0)\n", moves, "  t = (", types,
                      ") tuple(", elements, ")\n  b = (", types,
                      ") opt-barrier(t)\n", reads, "  ROOT out = (", types,
                      ") tuple(", results, ")\n}\n");
}

void Analyse(benchmark::State& state, const std::string& text) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  FERRY_CHECK(module.ok());
  for (auto _ : state) {
    const auto analysis = HostOffloadAnalysis::Run(**module, PassContext());
    FERRY_CHECK(analysis.ok() && !HasError(analysis->diagnostics()));
    benchmark::DoNotOptimize(analysis);
  }
}

void BM_Chains(benchmark::State& state) {
  Analyse(state, Chains(state.range(0)));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_Chains)
    ->RangeMultiplier(2)
    ->Range(1 << 16, 1 << 20)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void BM_WideTuple(benchmark::State& state) {
  Analyse(state, WideTuple(state.range(0)));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_WideTuple)
    ->RangeMultiplier(2)
    ->Range(1 << 12, 1 << 16)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void BM_Reconverging(benchmark::State& state) {
  Analyse(state, Reconverging(state.range(0)));
}
BENCHMARK(BM_Reconverging)->Arg(18)->Arg(64)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ferry

BENCHMARK_MAIN();
