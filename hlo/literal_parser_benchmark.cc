// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The speed of reading a big constant: as XLA prints it, which is proven by a
// scan, and in another spelling, which is converted and printed.

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/literal.h"
#include "ferry/hlo/literal_number.h"
#include "ferry/hlo/source_text.h"

namespace ferry {
namespace {

constexpr PrimitiveType kTypes[] = {
    PrimitiveType::kPred, PrimitiveType::kS8,  PrimitiveType::kS32,
    PrimitiveType::kS64,  PrimitiveType::kF32, PrimitiveType::kF64,
    PrimitiveType::kBF16, PrimitiveType::kF16, PrimitiveType::kF8E4M3FN};
constexpr int64_t kElements = 1 << 20;

// Values over several orders of magnitude, none of them round.
std::string MakeConstant(PrimitiveType type, bool is_canonical) {
  HloContext context;
  const std::string shape =
      absl::StrCat(PrimitiveTypeName(type), "[", kElements, "]{0}");
  const int64_t width = LiteralArray::ByteWidth(type);
  std::vector<uint8_t> bytes(kElements * width);
  for (int64_t i = 0; i < kElements; ++i) {
    const std::string number =
        absl::StrCat(type == PrimitiveType::kPred || type == PrimitiveType::kS8
                         ? i % 2
                         : static_cast<int64_t>(1e6 * std::sin(i) + 2e6));
    const bool is_float = PrimitiveTypeName(type).back() != 'd' &&
                          PrimitiveTypeName(type).front() != 's';
    const uint64_t bits =
        BitsOfNumber(type, is_float ? absl::StrCat(number, "e-6") : number,
                     LiteralDialect::kText)
            .value();
    for (int64_t byte = 0; byte < width; ++byte) {
      bytes[i * width + byte] = bits >> (8 * byte);
    }
  }
  std::string text =
      absl::StrCat("HloModule m\nENTRY e { ROOT c = ", shape, " constant(");
  LiteralArray(*ParseShape(shape, context).value(), std::move(bytes))
      .AppendTo(text);
  // One space more, at the very end, is enough.
  text.pop_back();
  absl::StrAppend(&text, is_canonical ? "}" : " }", ") }\n");
  return text;
}

void Read(benchmark::State& state, bool is_canonical) {
  const PrimitiveType type = kTypes[state.range(0)];
  const auto source =
      SourceText::FromString(MakeConstant(type, is_canonical), "benchmark");
  for (auto _ : state) {
    HloContext context;
    HloParseResult result = ParseHlo(source, context);
    benchmark::DoNotOptimize(result.module.get());
  }
  state.SetBytesProcessed(state.iterations() * source->text().size());
  const absl::string_view name = PrimitiveTypeName(type);
  state.SetLabel(std::string(name.data(), name.size()));
}

void BM_ReadCanonical(benchmark::State& state) { Read(state, true); }
BENCHMARK(BM_ReadCanonical)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);

void BM_ReadOther(benchmark::State& state) { Read(state, false); }
BENCHMARK(BM_ReadOther)->DenseRange(0, 8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ferry
