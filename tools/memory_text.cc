// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/memory/out_of_memory_text.h"
#include "ferry/tools/byte_size.h"
#include "ferry/tools/text_table.h"

namespace ferry {
namespace {

std::string Printable(absl::string_view text) {
  return ToPrintableLine(text).text;
}

double Percent(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : 100.0 * static_cast<double>(part) / whole;
}

std::string SpaceHead(const MemorySpaceReport& space) {
  std::string text = absl::StrCat(Printable(space.name), ": ",
                                  ByteSizeToString(space.total_bytes));
  if (!space.limit_bytes.has_value()) return text + "\n";
  absl::StrAppend(&text, " of ", ByteSizeToString(*space.limit_bytes));
  if (space.Fits()) {
    absl::StrAppendFormat(&text, ", %.1f %%\n",
                          Percent(space.total_bytes, *space.limit_bytes));
  } else {
    absl::StrAppend(&text, ": ",
                    ByteSizeToString(space.total_bytes - *space.limit_bytes),
                    " too much\n");
  }
  return text;
}

std::string SpaceToText(const MemorySpaceReport& space) {
  std::vector<TextRow> rows;
  const auto add = [&rows](absl::string_view name, int64_t bytes,
                           std::string more = "") {
    if (bytes == 0) return;
    rows.push_back({std::string(name), ByteSizeToString(bytes), more});
  };
  add("arguments", space.argument_bytes);
  add("outputs", space.output_bytes,
      space.alias_bytes == 0 ? ""
                             : absl::StrCat(ByteSizeToString(space.alias_bytes),
                                            " of it where arguments stood"));
  add("constants", space.constant_bytes);
  add("temporaries", space.temp_bytes,
      space.fragmentation_bytes == 0
          ? ""
          : absl::StrFormat(
                "%.1f %% fragmentation, %s",
                Percent(space.fragmentation_bytes, space.temp_bytes),
                ByteSizeToString(space.fragmentation_bytes)));
  add("live at once", space.live_peak_bytes);
  add("lower bound", space.lower_bound_bytes);
  add("padding", space.padding_bytes,
      absl::StrFormat("%.1f %% of what is live at the peak",
                      Percent(space.padding_bytes, space.live_peak_bytes)));
  return absl::StrCat(SpaceHead(space), TextTable(rows));
}

std::string PeakToText(const MemoryReport& report, int max_live) {
  std::vector<TextRow> rows;
  const size_t count =
      max_live == 0 ? report.live_at_peak.size()
                    : std::min<size_t>(max_live, report.live_at_peak.size());
  for (size_t i = 0; i < count; ++i) {
    const LiveAtPeak& live = report.live_at_peak[i];
    rows.push_back(
        {ByteSizeToString(live.bytes),
         std::string(MemoryCategoryName(live.category)),
         absl::StrCat(live.from, "-", live.to),
         live.idle_steps == 0 ? "" : absl::StrCat("idle for ", live.idle_steps),
         Printable(live.name), Printable(live.shape),
         UserSourceToCell(live.source), Printable(live.why)});
  }
  std::string text =
      absl::StrCat("peak of hbm at step ", report.peak_time, ", `",
                   Printable(report.peak_instruction), "`:\n", TextTable(rows));
  if (count < report.live_at_peak.size()) {
    absl::StrAppend(&text, "  and ", report.live_at_peak.size() - count,
                    " more; --top=0 lists all\n");
  }
  return text;
}

std::string TakenTwiceToText(const MemoryReport& report) {
  constexpr size_t kMostRows = 20;
  if (report.taken_twice.empty()) return "";
  std::vector<TextRow> rows;
  for (const TakenTwice& twice : report.taken_twice) {
    if (rows.size() == kMostRows) break;
    rows.push_back({ByteSizeToString(twice.bytes), Printable(twice.name),
                    UserSourceToCell(twice.source), Printable(twice.why)});
  }
  std::string text = absl::StrCat("held twice for nothing:\n", TextTable(rows));
  if (report.taken_twice.size() > kMostRows) {
    absl::StrAppend(&text, "  and ", report.taken_twice.size() - kMostRows,
                    " more; --json lists all\n");
  }
  return text;
}

}  // namespace

std::string MemoryFindingsToText(const MemoryResult& result, bool colour) {
  std::string text;
  DiagnosticRenderOptions options;
  options.colour = colour;
  if (!result.diagnostics.empty()) {
    text = RenderDiagnostics(result.diagnostics, options);
  }
  if (!result.report.has_value()) {
    // A verdict that no finding stands for.
    if (!result.verdict.ok() &&
        !HasError(result.diagnostics, Judge::kDocumented)) {
      absl::StrAppend(&text, Printable(result.file),
                      ": error: ", ToPrintableText(result.verdict.message()),
                      "\n");
    }
    return text;
  }
  for (const MemoryUsage& usage : result.report->exhausted) {
    absl::StrAppend(&text, ToPrintableText(OutOfMemoryMessage(usage)), "\n\n",
                    ToPrintableText(OutOfMemoryReport(usage)), "\n");
  }
  return text;
}

std::string MemorySummaryToText(const MemoryResult& result, int max_live) {
  std::string text = Printable(result.file);
  if (result.module.has_value()) {
    absl::StrAppend(&text, ": module ", Printable(*result.module));
  }
  if (result.report.has_value()) {
    absl::StrAppend(&text, " on ", Printable(result.report->chip));
  }
  if (result.stage.has_value()) {
    absl::StrAppend(&text, ", stage ", *result.stage);
  }
  text += '\n';
  if (result.estimate.has_value()) {
    absl::StrAppend(&text, "estimate: ", *result.estimate, "\n");
  }
  if (result.report.has_value()) {
    for (const MemorySpaceReport& space : result.report->spaces) {
      text += SpaceToText(space);
    }
    absl::StrAppend(&text, PeakToText(*result.report, max_live),
                    TakenTwiceToText(*result.report));
  }
  absl::StrAppend(&text,
                  "verdict: ", absl::StatusCodeToString(result.verdict.code()),
                  "\n");
  return text;
}

}  // namespace ferry
