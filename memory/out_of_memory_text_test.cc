// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/out_of_memory_text.h"

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kGiB = int64_t{1} << 30;

MemoryUsage TwoResults() {
  return {
      .space_name = "hbm",
      .limit_bytes = 16 * kGiB - 258 * kMiB,
      .reserved_bytes = 258 * kMiB,
      .argument_bytes = 4 * kGiB,
      .output_bytes = 2 * kGiB,
      .alias_bytes = kGiB,
      .temp_bytes = 20 * kGiB,
      .temp_live_bytes = 16 * kGiB,
      .temp_unpadded_bytes = 8 * kGiB,
      .program = {{.size_bytes = 14 * kGiB,
                   .unpadded_bytes = 7 * kGiB,
                   .operator_text = "op_name=\"jit(f)/iota\"",
                   .shape = "s32[29360128,64]{1,0:T(8,128)}",
                   .label = "%iota.2 = s32[29360128,64] iota()",
                   .allocation_type = "HLO temp"}},
      .arguments_and_outputs = {{.size_bytes = 4 * kGiB,
                                 .unpadded_bytes = kGiB,
                                 .shape = "f32[8256504,128]{1,0:T(8,128)}",
                                 .label = "Argument 3 index {}"}},
  };
}

TEST(OutOfMemoryTextTest, SaysInOneLineHowMuchIsMissing) {
  EXPECT_EQ(OutOfMemoryMessage(TwoResults()),
            "RESOURCE_EXHAUSTED: Ran out of memory on HBM, the total memory "
            "required for HLO temporaries (25.00G) exceeds available HBM "
            "(15.75G).");
}

TEST(OutOfMemoryTextTest, ReportsWhatHbmIsFor) {
  EXPECT_EQ(
      OutOfMemoryReport(TwoResults()),
      R"(RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 25.00G of 15.75G hbm. Exceeded hbm capacity by 9.25G.

Total hbm usage >= 24.25G:
    reserved        258.00M 
    program          20.00G 
    arguments         4.00G 

Output size 2.00G; shares 1.00G with arguments.

Program hbm requirement 20.00G:
    HLO temp         20.00G (50.0% utilization: Unpadded (8.00G) Padded (16.00G), 20.0% fragmentation (4.00G))

  Largest program allocations in hbm:

  1. Size: 14.00G
     Operator: op_name="jit(f)/iota"
     Shape: s32[29360128,64]{1,0:T(8,128)}
     Unpadded size: 7.00G
     Extra memory due to padding: 7.00G (2.0x expansion)
     XLA label: %iota.2 = s32[29360128,64] iota()
     Allocation type: HLO temp
     ==========================


  Largest program arguments and outputs in hbm:

  1. Size: 4.00G
     Shape: f32[8256504,128]{1,0:T(8,128)}
     XLA label: Argument 3 index {}
     ==========================


See https://openxla.org/xla/errors/error_1000 for more details.)");
}

TEST(OutOfMemoryTextTest, NamesTheSpaceThatIsExhausted) {
  MemoryUsage usage = TwoResults();
  usage.space_name = "host";
  EXPECT_EQ(OutOfMemoryMessage(usage),
            "RESOURCE_EXHAUSTED: Ran out of memory in memory space host. Used "
            "25.00G of 15.75G host. Exceeded host capacity by 9.25G.");
  EXPECT_THAT(OutOfMemoryReport(usage), Not(HasSubstr("E1000")));
}

TEST(OutOfMemoryTextTest, CutsLongLabelsAndLists) {
  MemoryUsage usage = TwoResults();
  usage.program.assign(30, usage.program[0]);
  for (ReportedAllocation& entry : usage.program) entry.label.assign(300, 'x');
  const std::string text = OutOfMemoryReport(usage);
  EXPECT_THAT(text, HasSubstr("  20. Size:"));
  EXPECT_THAT(text, Not(HasSubstr("  21. Size:")));
  EXPECT_THAT(text, HasSubstr(std::string(256, 'x') + "...\n"));
  EXPECT_THAT(text, Not(HasSubstr(std::string(257, 'x'))));
}

}  // namespace
}  // namespace ferry
