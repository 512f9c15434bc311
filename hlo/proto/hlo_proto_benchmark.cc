// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// How long a module takes to read and to write as text and as a proto:
//
//   FERRY_BENCHMARK_HLO=big.hlo build/hlo_proto/hlo_proto_benchmark
//
// The same module in both forms, so seconds compare. Without a file, the
// example of the project.

#include <cstdlib>
#include <string>

#include "benchmark/benchmark.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"

namespace ferry {
namespace {

const std::shared_ptr<const SourceText>& Text() {
  static const auto& text = *new std::shared_ptr<const SourceText>([] {
    const char* path = std::getenv("FERRY_BENCHMARK_HLO");
    return *SourceText::FromFile(path == nullptr ? "examples/train_step.hlo"
                                                 : path);
  }());
  return text;
}

const std::shared_ptr<const SourceText>& Proto() {
  static const auto& proto = *new std::shared_ptr<const SourceText>([] {
    HloContext context;
    return SourceText::FromString(
        *HloToProto(*ParseHlo(Text(), context).module), "proto");
  }());
  return proto;
}

void Read(benchmark::State& state,
          const std::shared_ptr<const SourceText>& source) {
  for (auto _ : state) {
    HloContext context;
    benchmark::DoNotOptimize(ReadHlo(source, context).module);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(source->text().size()));
}

void BM_ReadText(benchmark::State& state) { Read(state, Text()); }
BENCHMARK(BM_ReadText)->Unit(benchmark::kMillisecond);

void BM_ReadProto(benchmark::State& state) { Read(state, Proto()); }
BENCHMARK(BM_ReadProto)->Unit(benchmark::kMillisecond);

void BM_WriteProto(benchmark::State& state) {
  HloContext context;
  const HloParseResult result = ParseHlo(Text(), context);
  for (auto _ : state) {
    benchmark::DoNotOptimize(HloToProto(*result.module));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(Proto()->text().size()));
}
BENCHMARK(BM_WriteProto)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ferry
