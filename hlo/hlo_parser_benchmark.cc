// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The speed of the reader and the printer, on a text made here and on a file:
//
//   FERRY_BENCHMARK_HLO=step.hlo build/hlo/hlo_parser_benchmark
//       --benchmark_filter=File
//
// `bytes/instruction` is by how much the peak memory of the process grew during
// its first reading, mapped input not counted.

#include <sys/resource.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/source_text.h"

namespace ferry {
namespace {

// A chain of layers in the printed form of real dumps: names with `%`, layouts,
// metadata, a call of a reducer each.
std::string MakeText(int64_t layers) {
  std::string text =
      "HloModule chain, is_scheduled=true\n\n"
      "%add (a: f32[], b: f32[]) -> f32[] {\n"
      "  %a = f32[] parameter(0)\n"
      "  %b = f32[] parameter(1)\n"
      "  ROOT %s = f32[] add(%a, %b)\n"
      "}\n\n"
      "ENTRY %main (x.0: bf16[8,2048]) -> bf16[8,2048] {\n"
      "  %x.0 = bf16[8,2048]{1,0:T(8,128)(2,1)} parameter(0)\n"
      "  %zero = f32[] constant(0)\n";
  for (int64_t i = 1; i <= layers; ++i) {
    const std::string metadata =
        absl::StrCat(", metadata={op_name=\"jit(step)/layer_", i,
                     "/mul\" source_file=\"model.py\" source_line=", i, "}\n");
    absl::StrAppend(&text, "  %wide.", i,
                    " = f32[8,2048]{1,0:T(8,128)} convert(%x.", i - 1, ")",
                    metadata);
    absl::StrAppend(&text, "  %sum.", i, " = f32[8]{0:T(128)} reduce(%wide.", i,
                    ", %zero), dimensions={1}, to_apply=%add", metadata);
    absl::StrAppend(&text, "  %back.", i,
                    " = f32[8,2048]{1,0:T(8,128)} broadcast(%sum.", i,
                    "), dimensions={0}", metadata);
    absl::StrAppend(&text, "  %x.", i,
                    " = bf16[8,2048]{1,0:T(8,128)(2,1)} convert(%back.", i, ")",
                    metadata);
  }
  absl::StrAppend(&text, "  ROOT %out = bf16[8,2048]{1,0} copy(%x.", layers,
                  ")\n}\n");
  return text;
}

void BM_Read(benchmark::State& state) {
  const auto source =
      SourceText::FromString(MakeText(state.range(0)), "benchmark");
  for (auto _ : state) {
    HloContext context;
    HloParseResult result = ParseHlo(source, context);
    benchmark::DoNotOptimize(result.module.get());
  }
  state.SetBytesProcessed(state.iterations() * source->text().size());
}
BENCHMARK(BM_Read)->Range(1 << 8, 1 << 16)->Unit(benchmark::kMillisecond);

void BM_Print(benchmark::State& state) {
  const auto source =
      SourceText::FromString(MakeText(state.range(0)), "benchmark");
  HloContext context;
  const HloParseResult result = ParseHlo(source, context);
  int64_t bytes = 0;
  for (auto _ : state) {
    const std::string text = HloToString(*result.module);
    bytes += text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK(BM_Print)->Range(1 << 8, 1 << 16)->Unit(benchmark::kMillisecond);

// The file that FERRY_BENCHMARK_HLO names; null without one.
std::shared_ptr<const SourceText> FileSource(benchmark::State& state) {
  const char* path = std::getenv("FERRY_BENCHMARK_HLO");
  if (path == nullptr) {
    state.SkipWithError("FERRY_BENCHMARK_HLO names no file");
    return nullptr;
  }
  auto source = SourceText::FromFile(path);
  if (!source.ok()) {
    state.SkipWithError(std::string(source.status().message()).c_str());
    return nullptr;
  }
  // Brings its pages in, so that they are not counted as the reader's.
  uint64_t sum = 0;
  for (const char c : (*source)->text()) sum += static_cast<uint8_t>(c);
  benchmark::DoNotOptimize(sum);
  return *std::move(source);
}

double PeakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * usage.ru_maxrss;
}

void BM_ReadFile(benchmark::State& state) {
  const auto source = FileSource(state);
  if (source == nullptr) return;
  static double grown = 0;
  for (auto _ : state) {
    const double before = PeakBytes();
    HloContext context;
    HloParseResult result = ParseHlo(source, context);
    if (result.module == nullptr) return state.SkipWithError("not read");
    if (grown == 0) {
      grown = (PeakBytes() - before) / result.module->id_limit();
    }
  }
  state.SetBytesProcessed(state.iterations() * source->text().size());
  state.counters["bytes/instruction"] = grown;
}
BENCHMARK(BM_ReadFile)->Unit(benchmark::kMillisecond);

void BM_ReadAndVerifyFile(benchmark::State& state) {
  const auto source = FileSource(state);
  if (source == nullptr) return;
  for (auto _ : state) {
    HloContext context;
    const HloParseResult result = ParseHlo(source, context);
    if (result.module == nullptr) return state.SkipWithError("not read");
    benchmark::DoNotOptimize(VerifyHlo(*result.module).size());
  }
  state.SetBytesProcessed(state.iterations() * source->text().size());
}
BENCHMARK(BM_ReadAndVerifyFile)->Unit(benchmark::kMillisecond);

void BM_PrintFile(benchmark::State& state) {
  const auto source = FileSource(state);
  if (source == nullptr) return;
  HloContext context;
  const HloParseResult result = ParseHlo(source, context);
  if (result.module == nullptr) return state.SkipWithError("not read");
  int64_t bytes = 0;
  for (auto _ : state) {
    const std::string text = HloToString(*result.module);
    bytes += text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(bytes);
}
BENCHMARK(BM_PrintFile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ferry
