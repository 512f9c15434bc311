// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/passes/repair_host_outputs.h"
#include "ferry/tools/byte_size.h"
#include "ferry/tools/text_table.h"

namespace ferry {
namespace {

// What stands in a line.
std::string Printable(absl::string_view text) {
  return ToPrintableLine(text).text;
}

// A dump of thousands of transfers is for --json.
constexpr size_t kMaxRows = 100;

std::string MoreRows(size_t count) {
  if (count <= kMaxRows) return "";
  return absl::StrCat("  and ", count - kMaxRows, " more; --json lists all\n");
}

std::string TransfersToText(const CheckResult& result) {
  if (result.transfers.empty()) return "transfers: none\n";
  std::vector<TextRow> rows;
  for (const CheckResult::Transfer& transfer : result.transfers) {
    if (rows.size() == kMaxRows) break;
    const bool to_host =
        transfer.direction == HostTransfer::Direction::kDeviceToHost;
    rows.push_back(
        {to_host ? "device to host" : "host to device",
         transfer.bytes.has_value() ? ByteSizeToString(*transfer.bytes)
                                    : "unknown size",
         transfer.trip_count.has_value()
             ? absl::StrCat("x ", *transfer.trip_count)
             : "x ?",
         Printable(transfer.instruction), UserSourceToCell(transfer.source)});
  }
  return absl::StrCat("transfers:\n", TextTable(rows),
                      MoreRows(result.transfers.size()));
}

std::string HostComputeToText(const CheckResult& result) {
  if (result.host_compute.empty()) return "";
  std::vector<TextRow> rows;
  for (const CheckResult::HostCompute& computation : result.host_compute) {
    if (rows.size() == kMaxRows) break;
    rows.push_back({Printable(computation.instruction),
                    Printable(computation.why),
                    UserSourceToCell(computation.source)});
  }
  return absl::StrCat("host compute:\n", TextTable(rows),
                      MoreRows(result.host_compute.size()));
}

// "2 errors, 1 warning"
std::string CountsToText(const CheckResult& result) {
  std::vector<std::string> parts;
  for (const auto& [severity, word] : {std::pair(Severity::kError, "error"),
                                       std::pair(Severity::kWarning, "warning"),
                                       std::pair(Severity::kNote, "note")}) {
    const auto count = std::count_if(
        result.diagnostics.begin(), result.diagnostics.end(),
        [&, wanted = severity](const Diagnostic& diagnostic) {
          return SeverityOf(diagnostic.code, result.judge) == wanted;
        });
    if (count == 0) continue;
    parts.push_back(absl::StrCat(count, " ", word, count == 1 ? "" : "s"));
  }
  return absl::StrJoin(parts, ", ");
}

}  // namespace

std::string CheckFindingsToText(const CheckResult& result, bool colour) {
  std::string text;
  if (!result.ErrorId().empty()) {
    // The documented message has three lines.
    text = absl::StrCat(absl::StatusCodeToString(result.verdict.code()), ": ",
                        ToPrintableText(result.verdict.message()), "\n\n");
  }
  DiagnosticRenderOptions options;
  options.judge = result.judge;
  options.colour = colour;
  options.how_to_fix = [](const DiagnosticFix& fix) {
    return RepairHostOutputsOptions::IsKindName(fix.kind)
               ? absl::StrCat("--fix=", fix.kind)
               : std::string();
  };
  absl::StrAppend(&text, RenderDiagnostics(result.diagnostics, options));
  // A verdict that no finding stands for.
  if (!result.verdict.ok() && result.diagnostics.empty()) {
    absl::StrAppend(&text, Printable(result.file),
                    ": error: ", Printable(result.verdict.message()), "\n");
  }
  return text;
}

std::string CheckSummaryToText(const CheckResult& result) {
  std::string text = Printable(result.file);
  if (result.module.has_value()) {
    absl::StrAppend(&text, ": module ", Printable(*result.module));
  }
  if (result.stage.has_value()) {
    absl::StrAppend(&text, ", stage ", *result.stage);
  }
  text += '\n';
  if (result.stage.has_value()) {
    absl::StrAppend(&text, TransfersToText(result), HostComputeToText(result));
  }
  for (const std::string& fix : result.fixes_made) {
    absl::StrAppend(&text, "fixed: ", Printable(fix), "\n");
  }
  if (!result.fixed_text.empty() && result.fixes_made.empty()) {
    text += "--fix found nothing to repair: the module is unchanged\n";
  }
  absl::StrAppend(&text,
                  "verdict: ", absl::StatusCodeToString(result.verdict.code()));
  const std::string id = result.ErrorId();
  if (!id.empty()) absl::StrAppend(&text, " ", id);
  const std::string counts = CountsToText(result);
  if (!counts.empty()) absl::StrAppend(&text, ", ", counts);
  return absl::StrCat(text, "\n");
}

}  // namespace ferry
