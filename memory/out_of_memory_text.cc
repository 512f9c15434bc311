// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/out_of_memory_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "ferry/memory/human_readable_bytes.h"

namespace ferry {
namespace {

constexpr size_t kMostEntries = 20;
constexpr size_t kLabelSize = 256;

bool IsHbm(const MemoryUsage& usage) { return usage.space_name == "hbm"; }

// "    arguments        15.75G": 16 columns, then 7.
void AppendAmount(absl::string_view name, int64_t bytes, std::string& text) {
  absl::StrAppendFormat(&text, "    %-16s%7s", name, ReportNumBytes(bytes));
}

double Share(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / whole;
}

void AppendTemporaries(const MemoryUsage& usage, std::string& text) {
  AppendAmount("HLO temp", usage.temp_bytes, text);
  const int64_t fragmentation = usage.temp_bytes - usage.temp_live_bytes;
  absl::StrAppendFormat(
      &text,
      " (%.1f%% utilization: Unpadded (%s) Padded (%s), %.1f%% fragmentation "
      "(%s))\n",
      Share(usage.temp_unpadded_bytes, usage.temp_live_bytes),
      ReportNumBytes(usage.temp_unpadded_bytes),
      ReportNumBytes(usage.temp_live_bytes),
      Share(fragmentation, usage.temp_bytes), ReportNumBytes(fragmentation));
}

void AppendEntry(size_t number, const ReportedAllocation& entry,
                 std::string& text) {
  absl::StrAppend(&text, "  ", number,
                  ". Size: ", ReportNumBytes(entry.size_bytes), "\n");
  if (!entry.operator_text.empty()) {
    absl::StrAppend(&text, "     Operator: ", entry.operator_text, "\n");
  }
  if (!entry.shape.empty()) {
    absl::StrAppend(&text, "     Shape: ", entry.shape, "\n");
  }
  // The compiler's report leaves both lines out of arguments and outputs.
  if (!entry.shape.empty() && !entry.allocation_type.empty()) {
    absl::StrAppend(&text, "     Unpadded size: ",
                    ReportNumBytes(entry.unpadded_bytes), "\n");
    if (entry.size_bytes > entry.unpadded_bytes) {
      absl::StrAppendFormat(
          &text, "     Extra memory due to padding: %s (%.1fx expansion)\n",
          ReportNumBytes(entry.size_bytes - entry.unpadded_bytes),
          static_cast<double>(entry.size_bytes) /
              std::max<int64_t>(entry.unpadded_bytes, 1));
    }
  }
  absl::StrAppend(&text, "     XLA label: ",
                  absl::string_view(entry.label).substr(0, kLabelSize),
                  entry.label.size() > kLabelSize ? "..." : "", "\n");
  if (!entry.allocation_type.empty()) {
    absl::StrAppend(&text, "     Allocation type: ", entry.allocation_type,
                    "\n");
  }
  absl::StrAppend(&text, "     ==========================\n\n");
}

void AppendEntries(absl::string_view title,
                   const std::vector<ReportedAllocation>& entries,
                   std::string& text) {
  if (entries.empty()) return;
  absl::StrAppend(&text, "  ", title, ":\n\n");
  for (size_t i = 0; i < std::min(entries.size(), kMostEntries); ++i) {
    AppendEntry(i + 1, entries[i], text);
  }
  text += '\n';
}

}  // namespace

std::string OutOfMemoryMessage(const MemoryUsage& usage) {
  if (IsHbm(usage)) {
    return absl::StrCat(
        "RESOURCE_EXHAUSTED: Ran out of memory on HBM, the total memory "
        "required for HLO temporaries (",
        ReportNumBytes(usage.used_bytes()), ") exceeds available HBM (",
        ReportNumBytes(usage.limit_bytes), ").");
  }
  return absl::StrCat(
      "RESOURCE_EXHAUSTED: Ran out of memory in memory space ",
      usage.space_name, ". Used ", ReportNumBytes(usage.used_bytes()), " of ",
      ReportNumBytes(usage.limit_bytes), " ", usage.space_name, ". Exceeded ",
      usage.space_name, " capacity by ",
      ReportNumBytes(usage.used_bytes() - usage.limit_bytes), ".");
}

std::string OutOfMemoryReport(const MemoryUsage& usage) {
  const absl::string_view space = usage.space_name;
  std::string text = absl::StrCat(
      "RESOURCE_EXHAUSTED: ",
      IsHbm(usage) ? "E1000: CompileTimeHbmOom: XLA:TPU compile permanent "
                     "error. "
                   : "",
      "Ran out of memory in memory space ", space, ". Used ",
      ReportNumBytes(usage.used_bytes()), " of ",
      ReportNumBytes(usage.limit_bytes), " ", space, ". Exceeded ", space,
      " capacity by ", ReportNumBytes(usage.used_bytes() - usage.limit_bytes),
      ".\n\nTotal ", space, " usage >= ",
      ReportNumBytes(usage.reserved_bytes + usage.program_bytes() +
                     usage.argument_bytes),
      ":\n");
  AppendAmount("reserved", usage.reserved_bytes, text);
  text += " \n";
  AppendAmount("program", usage.program_bytes(), text);
  text += " \n";
  AppendAmount("arguments", usage.argument_bytes, text);
  absl::StrAppend(&text, " \n\nOutput size ",
                  ReportNumBytes(usage.output_bytes), "; shares ",
                  ReportNumBytes(usage.alias_bytes),
                  " with arguments.\n\nProgram ", space, " requirement ",
                  ReportNumBytes(usage.program_bytes()), ":\n");
  const auto append = [&text](absl::string_view name, int64_t bytes) {
    if (bytes == 0) return;
    AppendAmount(name, bytes, text);
    text += '\n';
  };
  append("global", usage.constant_bytes);
  append("scoped", usage.scratch_bytes);
  if (usage.temp_bytes > 0) AppendTemporaries(usage, text);
  text += '\n';
  AppendEntries(absl::StrCat("Largest program allocations in ", space),
                usage.program, text);
  AppendEntries(
      absl::StrCat("Largest program arguments and outputs in ", space),
      usage.arguments_and_outputs, text);
  if (IsHbm(usage)) {
    text += "See https://openxla.org/xla/errors/error_1000 for more details.";
  }
  absl::StripTrailingAsciiWhitespace(&text);
  return text;
}

}  // namespace ferry
