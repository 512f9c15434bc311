// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_text.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

MemoryResult Step() {
  MemoryResult result;
  result.file = "step.hlo";
  result.module = "jit_step";
  result.stage = "scheduled";
  MemoryReport& report = result.report.emplace();
  report.chip = "v5e";
  report.peak_time = 4;
  report.peak_instruction = "fusion.3";
  report.spaces.push_back({.space = MemorySpace::kDefault,
                           .name = "hbm",
                           .capacity_bytes = 4096,
                           .limit_bytes = 4000,
                           .argument_bytes = 1500,
                           .output_bytes = 600,
                           .alias_bytes = 500,
                           .temp_bytes = 400,
                           .total_bytes = 2000,
                           .live_peak_bytes = 1900,
                           .lower_bound_bytes = 1900,
                           .fragmentation_bytes = 100,
                           .padding_bytes = 190});
  report.live_at_peak.push_back({.name = "w",
                                 .shape = "f32[375]{0}",
                                 .bytes = 1500,
                                 .unpadded_bytes = 1500,
                                 .category = MemoryCategory::kArgument,
                                 .to = 9,
                                 .source = {"w", "", 0, ""},
                                 .why = "waits",
                                 .idle_steps = 3});
  report.live_at_peak.push_back({.name = "x\x1b[31m", .bytes = 400, .to = 5});
  return result;
}

TEST(MemoryTextTest, SpacesAndPeak) {
  EXPECT_EQ(MemorySummaryToText(Step(), 1),
            R"(step.hlo: module jit_step on v5e, stage scheduled
hbm: 1.95 KiB (2000) of 3.91 KiB (4000), 50.0 %
  arguments     1.46 KiB (1500)
  outputs       600 B            500 B of it where arguments stood
  temporaries   400 B            25.0 % fragmentation, 100 B
  live at once  1.86 KiB (1900)
  lower bound   1.86 KiB (1900)
  padding       190 B            10.0 % of what is live at the peak
peak of hbm at step 4, `fusion.3`:
  1.46 KiB (1500)  argument  0-9  idle for 3  w  f32[375]{0}  w  waits
  and 1 more; --top=0 lists all
verdict: OK
)");
  EXPECT_EQ(MemoryFindingsToText(Step(), /*colour=*/false), "");
}

TEST(MemoryTextTest, NamesCannotSteerTheTerminal) {
  const std::string text = MemorySummaryToText(Step(), 0);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("more; --top"), std::string::npos);
}

TEST(MemoryTextTest, OverTheLimit) {
  MemoryResult result = Step();
  result.report->spaces[0].limit_bytes = 1000;
  result.verdict = absl::ResourceExhaustedError("too much");
  MemoryUsage usage;
  usage.space_name = "hbm";
  usage.limit_bytes = 1000;
  usage.argument_bytes = 2000;
  result.report->exhausted.push_back(usage);
  const std::string text = MemorySummaryToText(result, 0);
  EXPECT_NE(text.find("hbm: 1.95 KiB (2000) of 1000 B: 1000 B too much\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("verdict: RESOURCE_EXHAUSTED\n"), std::string::npos);
  const std::string findings = MemoryFindingsToText(result, /*colour=*/false);
  EXPECT_EQ(findings, OutOfMemoryMessage(usage) + "\n\n" +
                          OutOfMemoryReport(usage) + "\n");
}

TEST(MemoryTextTest, WithoutAnAnswer) {
  MemoryResult result;
  result.file = "step.hlo";
  result.verdict = absl::FailedPreconditionError("no schedule");
  EXPECT_EQ(MemorySummaryToText(result, 0),
            "step.hlo\nverdict: FAILED_PRECONDITION\n");
  EXPECT_EQ(MemoryFindingsToText(result, /*colour=*/false),
            "step.hlo: error: no schedule\n");
}

}  // namespace
}  // namespace ferry
