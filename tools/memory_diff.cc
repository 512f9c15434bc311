// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/tools/byte_size.h"
#include "ferry/tools/json_text.h"
#include "ferry/tools/text_table.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

using llvm::json::OStream;

std::string WhatIs(const LiveAtPeak& live) {
  return live.source.empty() ? live.name : UserSourceToString(live.source);
}

std::vector<MemoryDiff::Space> PairSpaces(const MemoryReport& before,
                                          const MemoryReport& after) {
  std::map<MemorySpace, MemoryDiff::Space> pairs;
  for (const MemorySpaceReport& space : before.spaces) {
    pairs[space.space].name = space.name;
    pairs[space.space].before = space;
  }
  for (const MemorySpaceReport& space : after.spaces) {
    pairs[space.space].name = space.name;
    pairs[space.space].after = space;
  }
  std::vector<MemoryDiff::Space> spaces;
  for (auto& [space, pair] : pairs) spaces.push_back(std::move(pair));
  return spaces;
}

// "+1.00 GiB (1073741824)".
std::string Growth(int64_t bytes) {
  return absl::StrCat(bytes > 0 ? "+" : "", ByteSizeToString(bytes));
}

std::string CountAndSize(int64_t count, int64_t bytes) {
  if (count == 0) return "none";
  return absl::StrCat(count == 1 ? "" : absl::StrCat(count, " x "),
                      ByteSizeToString(bytes));
}

std::string Printable(absl::string_view text) {
  return ToPrintableLine(text).text;
}

}  // namespace

MemoryDiff DiffMemory(const MemoryReport& before, const MemoryReport& after) {
  MemoryDiff diff;
  diff.spaces = PairSpaces(before, after);
  std::map<std::pair<std::string, std::string>, MemoryDiff::Change> changes;
  const auto change_of = [&](const LiveAtPeak& live) -> MemoryDiff::Change& {
    MemoryDiff::Change& change = changes[{WhatIs(live), live.shape}];
    change.what = WhatIs(live);
    change.shape = live.shape;
    return change;
  };
  for (const LiveAtPeak& live : before.live_at_peak) {
    MemoryDiff::Change& change = change_of(live);
    ++change.before_count;
    change.before_bytes += live.bytes;
  }
  for (const LiveAtPeak& live : after.live_at_peak) {
    MemoryDiff::Change& change = change_of(live);
    ++change.after_count;
    change.after_bytes += live.bytes;
  }
  for (auto& [key, change] : changes) {
    if (change.growth_bytes() != 0) diff.changes.push_back(std::move(change));
  }
  std::stable_sort(
      diff.changes.begin(), diff.changes.end(),
      [](const MemoryDiff::Change& a, const MemoryDiff::Change& b) {
        return std::abs(a.growth_bytes()) > std::abs(b.growth_bytes());
      });
  return diff;
}

std::string MemoryDiffToText(const MemoryResult& before,
                             const MemoryResult& after, int max_rows) {
  const MemoryDiff diff = DiffMemory(*before.report, *after.report);
  std::vector<TextRow> spaces;
  for (const MemoryDiff::Space& space : diff.spaces) {
    spaces.push_back(
        {Printable(space.name), ByteSizeToString(space.before.total_bytes),
         "->", ByteSizeToString(space.after.total_bytes),
         Growth(space.after.total_bytes - space.before.total_bytes)});
  }
  std::vector<TextRow> rows;
  const size_t count = max_rows == 0
                           ? diff.changes.size()
                           : std::min<size_t>(max_rows, diff.changes.size());
  for (size_t i = 0; i < count; ++i) {
    const MemoryDiff::Change& change = diff.changes[i];
    rows.push_back({Growth(change.growth_bytes()),
                    CountAndSize(change.before_count, change.before_bytes),
                    "->", CountAndSize(change.after_count, change.after_bytes),
                    Printable(change.shape), Printable(change.what)});
  }
  std::string text =
      absl::StrCat(Printable(before.file), " -> ", Printable(after.file),
                   " on ", Printable(after.report->chip), "\nmemory:\n",
                   TextTable(spaces), "live at the peak of hbm:\n",
                   rows.empty() ? "  the same\n" : TextTable(rows));
  if (count < diff.changes.size()) {
    absl::StrAppend(&text, "  and ", diff.changes.size() - count,
                    " more; --top=0 lists all\n");
  }
  return text;
}

std::string MemoryDiffToJson(const MemoryResult& before,
                             const MemoryResult& after) {
  const MemoryDiff diff = DiffMemory(*before.report, *after.report);
  std::string text;
  llvm::raw_string_ostream out(text);
  constexpr unsigned kIndent = 1;
  OStream json(out, kIndent);
  json.object([&] {
    json.attribute("before", JsonText(before.file));
    json.attribute("after", JsonText(after.file));
    json.attribute("chip", JsonText(after.report->chip));
    json.attributeArray("spaces", [&] {
      for (const MemoryDiff::Space& space : diff.spaces) {
        json.object([&] {
          json.attribute("name", JsonText(space.name));
          json.attribute("before_bytes", space.before.total_bytes);
          json.attribute("after_bytes", space.after.total_bytes);
          json.attribute("before_live_peak_bytes",
                         space.before.live_peak_bytes);
          json.attribute("after_live_peak_bytes", space.after.live_peak_bytes);
        });
      }
    });
    json.attributeArray("changes", [&] {
      for (const MemoryDiff::Change& change : diff.changes) {
        json.object([&] {
          json.attribute("what", JsonText(change.what));
          json.attribute("shape", JsonText(change.shape));
          json.attribute("before_count", change.before_count);
          json.attribute("before_bytes", change.before_bytes);
          json.attribute("after_count", change.after_count);
          json.attribute("after_bytes", change.after_bytes);
        });
      }
    });
  });
  out << '\n';
  return text;
}

}  // namespace ferry
