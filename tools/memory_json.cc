// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_json.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/version.h"
#include "ferry/tools/json_diagnostics.h"
#include "ferry/tools/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

using llvm::json::OStream;
using llvm::json::Value;

class Writer {
 public:
  Writer(OStream& json, int max_live) : json_(json), max_live_(max_live) {}

  void Result(const MemoryResult& result) {
    json_.object([&] {
      json_.attributeObject("tool", [&] {
        json_.attribute("name", "ferry");
        json_.attribute("version", kFerryVersion);
      });
      Text("file", result.file);
      TextOrNull("module", result.module.value_or(""));
      TextOrNull("chip", result.report.has_value() ? result.report->chip : "");
      TextOrNull("stage", result.stage.value_or(""));
      TextOrNull("estimate", result.estimate.value_or(""));
      Text("verdict", absl::StatusCodeToString(result.verdict.code()));
      TextOrNull("message", result.verdict.message());
      WriteDiagnostics(result.diagnostics, Judge::kDocumented, json_);
      if (result.report.has_value()) Report(*result.report);
    });
  }

 private:
  void Text(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonText(text));
  }
  void TextOrNull(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonTextOrNull(text));
  }

  void Report(const MemoryReport& report) {
    json_.attributeArray("spaces", [&] {
      for (const MemorySpaceReport& space : report.spaces) Space(space);
    });
    json_.attributeObject("peak", [&] {
      json_.attribute("time", report.peak_time);
      TextOrNull("instruction", report.peak_instruction);
      json_.attributeArray("live", [&] {
        size_t count = 0;
        for (const LiveAtPeak& live : report.live_at_peak) {
          if (max_live_ > 0 && count++ == static_cast<size_t>(max_live_)) break;
          Live(live);
        }
      });
    });
    json_.attributeArray("taken_twice", [&] {
      for (const TakenTwice& twice : report.taken_twice) Twice(twice);
    });
    if (report.values.empty()) return;
    json_.attributeArray("values", [&] {
      for (const PlacedValue& value : report.values) Placed(value);
    });
  }

  void Space(const MemorySpaceReport& space) {
    json_.object([&] {
      json_.attribute("space", static_cast<int64_t>(space.space));
      Text("name", space.name);
      json_.attribute("capacity_bytes", JsonNumberOrNull(space.capacity_bytes));
      json_.attribute("limit_bytes", JsonNumberOrNull(space.limit_bytes));
      json_.attribute("argument_bytes", space.argument_bytes);
      json_.attribute("output_bytes", space.output_bytes);
      json_.attribute("alias_bytes", space.alias_bytes);
      json_.attribute("constant_bytes", space.constant_bytes);
      json_.attribute("temp_bytes", space.temp_bytes);
      json_.attribute("total_bytes", space.total_bytes);
      json_.attribute("live_peak_bytes", space.live_peak_bytes);
      json_.attribute("lower_bound_bytes", space.lower_bound_bytes);
      json_.attribute("fragmentation_bytes", space.fragmentation_bytes);
      json_.attribute("padding_bytes", space.padding_bytes);
    });
  }

  void Live(const LiveAtPeak& live) {
    json_.object([&] {
      Text("name", live.name);
      Text("shape", live.shape);
      json_.attribute("bytes", live.bytes);
      json_.attribute("unpadded_bytes", live.unpadded_bytes);
      Text("category", MemoryCategoryName(live.category));
      json_.attribute("from", live.from);
      json_.attribute("to", live.to);
      json_.attribute("idle_steps", live.idle_steps);
      WriteSource(live.source, json_);
      Text("why", live.why);
    });
  }

  void Twice(const TakenTwice& twice) {
    json_.object([&] {
      Text("name", twice.name);
      json_.attribute("bytes", twice.bytes);
      Text("why", twice.why);
      WriteSource(twice.source, json_);
    });
  }

  void Placed(const PlacedValue& value) {
    json_.object([&] {
      Text("name", value.name);
      json_.attribute("space", static_cast<int64_t>(value.space));
      json_.attribute("bytes", value.bytes);
      json_.attribute("unpadded_bytes", value.unpadded_bytes);
      json_.attribute("allocation", value.allocation);
      json_.attribute("offset", value.offset_bytes);
    });
  }

  OStream& json_;
  int max_live_;
};

}  // namespace

std::string MemoryResultsToJson(absl::Span<const MemoryResult> results,
                                bool is_list, int max_live) {
  std::string text;
  llvm::raw_string_ostream out(text);
  constexpr unsigned kIndent = 1;
  OStream json(out, kIndent);
  Writer writer(json, max_live);
  if (is_list) {
    json.array([&] {
      for (const MemoryResult& result : results) writer.Result(result);
    });
  } else {
    for (const MemoryResult& result : results) writer.Result(result);
  }
  out << '\n';
  return text;
}

}  // namespace ferry
