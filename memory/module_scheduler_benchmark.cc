// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Scheduling a chain of layers, each used again on the way back:
//
//   build/memory/module_scheduler_benchmark

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/module_scheduler.h"

namespace ferry {
namespace {

// The way out makes x.1, x.2, ..., the way back reads them in reverse; a
// gradient a layer leaves at once, if it is scheduled so.
std::string MakeText(int64_t layers) {
  std::string text =
      "HloModule layers\n\nENTRY main {\n"
      "  x.0 = f32[8,1024]{1,0:T(8,128)} parameter(0)\n";
  for (int64_t i = 1; i <= layers; ++i) {
    absl::StrAppend(&text, "  x.", i, " = f32[8,1024]{1,0:T(8,128)} tanh(x.",
                    i - 1, ")\n");
  }
  absl::StrAppend(&text, "  y.", layers,
                  " = f32[8,1024]{1,0:T(8,128)} negate(x.", layers, ")\n");
  for (int64_t i = layers; i > 0; --i) {
    absl::StrAppend(&text, "  y.", i - 1,
                    " = f32[8,1024]{1,0:T(8,128)} multiply(y.", i, ", x.", i,
                    ")\n  g.", i, " = f32[8,1024]{1,0:T(8,128)} sine(y.", i,
                    ")\n");
  }
  absl::StrAppend(&text, "  s.0 = f32[8,1024]{1,0:T(8,128)} negate(y.0)\n");
  for (int64_t i = 1; i <= layers; ++i) {
    absl::StrAppend(&text, "  s.", i, " = f32[8,1024]{1,0:T(8,128)} add(s.",
                    i - 1, ", g.", i, ")\n");
  }
  absl::StrAppend(&text, "  ROOT out = f32[8,1024]{1,0:T(8,128)} negate(s.",
                  layers, ")\n}\n");
  return text;
}

void BM_ScheduleModule(benchmark::State& state) {
  HloContext context;
  const std::unique_ptr<HloModule> module =
      *ParseHloText(MakeText(state.range(0) / 4), context);
  int64_t peak = 0;
  for (auto _ : state) {
    const auto schedule = ScheduleModule(*module, *FindMemoryTarget("v5e"));
    peak = schedule->computations.back().peak_bytes;
    benchmark::DoNotOptimize(peak);
  }
  state.counters["peak_bytes"] = peak;
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_ScheduleModule)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace ferry
