// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_diff.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

namespace ferry {
namespace {

LiveAtPeak Live(absl::string_view name, absl::string_view shape, int64_t bytes,
                absl::string_view op_name = "") {
  LiveAtPeak live;
  live.name = std::string(name);
  live.shape = std::string(shape);
  live.bytes = bytes;
  live.source.op_name = std::string(op_name);
  return live;
}

MemoryResult Before() {
  MemoryResult result;
  result.file = "a.hlo";
  MemoryReport& report = result.report.emplace();
  report.chip = "v5e";
  report.spaces.push_back({.space = MemorySpace::kDefault,
                           .name = "hbm",
                           .total_bytes = 3000,
                           .live_peak_bytes = 2900});
  report.live_at_peak = {Live("fusion.1", "f32[8]", 1000, "jit(f)/act"),
                         Live("fusion.2", "f32[8]", 1000, "jit(f)/act"),
                         Live("w", "f32[4]", 900)};
  return result;
}

// One activation less under another name, one buffer more, one on the host.
MemoryResult After() {
  MemoryResult result = Before();
  result.file = "b.hlo";
  MemoryReport& report = *result.report;
  report.spaces[0].total_bytes = 2200;
  report.spaces[0].live_peak_bytes = 2150;
  report.spaces.push_back({.space = MemorySpace::kHost,
                           .name = "host",
                           .total_bytes = 1000,
                           .live_peak_bytes = 1000});
  report.live_at_peak = {Live("fusion.7", "f32[8]", 1000, "jit(f)/act"),
                         Live("w", "f32[4]", 900), Live("n", "s8[250]", 250)};
  return result;
}

TEST(MemoryDiffTest, MatchesWhatTheUserWroteNotNames) {
  const MemoryDiff diff = DiffMemory(*Before().report, *After().report);
  ASSERT_EQ(diff.spaces.size(), 2u);
  EXPECT_EQ(diff.spaces[1].name, "host");
  EXPECT_EQ(diff.spaces[1].before.total_bytes, 0);
  EXPECT_EQ(diff.spaces[1].after.total_bytes, 1000);
  ASSERT_EQ(diff.changes.size(), 2u);
  EXPECT_EQ(diff.changes[0].what, "jit(f)/act");
  EXPECT_EQ(diff.changes[0].before_count, 2);
  EXPECT_EQ(diff.changes[0].after_count, 1);
  EXPECT_EQ(diff.changes[0].growth_bytes(), -1000);
  EXPECT_EQ(diff.changes[1].what, "n");
  EXPECT_EQ(diff.changes[1].growth_bytes(), 250);
}

TEST(MemoryDiffTest, Text) {
  EXPECT_EQ(MemoryDiffToText(Before(), After(), 1),
            R"(a.hlo -> b.hlo on v5e
memory:
  hbm   2.93 KiB (3000)  ->  2.15 KiB (2200)  -800 B
  host  0 B              ->  1000 B           +1000 B
live at the peak of hbm:
  -1000 B  2 x 1.95 KiB (2000)  ->  1000 B  f32[8]  jit(f)/act
  and 1 more; --top=0 lists all
)");
  EXPECT_EQ(MemoryDiffToText(Before(), Before(), 0), R"(a.hlo -> a.hlo on v5e
memory:
  hbm  2.93 KiB (3000)  ->  2.93 KiB (3000)  0 B
live at the peak of hbm:
  the same
)");
}

TEST(MemoryDiffTest, Json) {
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse(MemoryDiffToJson(Before(), After()));
  ASSERT_TRUE(static_cast<bool>(json));
  const llvm::json::Object& object = *json->getAsObject();
  EXPECT_EQ(object.getString("before"), "a.hlo");
  EXPECT_EQ(object.getArray("spaces")->size(), 2u);
  const llvm::json::Object& first =
      *(*object.getArray("changes"))[0].getAsObject();
  EXPECT_EQ(first.getString("what"), "jit(f)/act");
  EXPECT_EQ(first.getInteger("before_bytes"), 2000);
  EXPECT_EQ(first.getInteger("after_bytes"), 1000);
}

}  // namespace
}  // namespace ferry
