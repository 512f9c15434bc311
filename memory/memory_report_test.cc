// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_report.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// `w` is donated for `new`; `a` lives while `b` is made; `a` goes to the host.
constexpr absl::string_view kStep = R"(
HloModule step, is_scheduled=true, input_output_alias={ {0}: (0, {}) }

ENTRY main {
  w = f32[1024,1024]{1,0:T(8,128)} parameter(0)
  x = f32[1024,2]{1,0:T(8,128)} parameter(1)
  a = f32[1024,1024]{1,0:T(8,128)} tanh(w), metadata={op_name="jit(f)/tanh" source_file="m.py" source_line=12}
  h = (f32[1024,1024]{1,0:T(8,128)S(5)}, f32[1024,1024]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(a)
  d = f32[1024,1024]{1,0:T(8,128)S(5)} copy-done(h)
  b = f32[1024,1024]{1,0:T(8,128)} exponential(w)
  c = f32[1024,1024]{1,0:T(8,128)} add(a, b)
  e = f32[1024,2]{1,0:T(8,128)} negate(x)
  new = f32[1024,1024]{1,0:T(8,128)} subtract(w, c)
  ROOT out = (f32[1024,1024]{1,0:T(8,128)}, f32[1024,2]{1,0:T(8,128)}) tuple(new, e)
}
)";
constexpr int64_t kMatrix = 1024 * 1024 * 4;
constexpr int64_t kColumn = 1024 * 128 * 4;  // padded

class MemoryReportTest : public ::testing::Test {
 protected:
  MemoryReport Report(absl::string_view text, MemoryReportOptions options = {},
                      bool hand_over = true) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    const absl::StatusOr<BufferAssignment> assignment =
        BufferAssignment::Run(**module, target_, {.hand_over = hand_over});
    EXPECT_TRUE(assignment.ok()) << assignment.status();
    return MakeMemoryReport(*assignment, options);
  }
  void Limit(MemorySpace space, int64_t bytes) {
    for (MemorySpaceTarget& known : target_.spaces) {
      if (known.space == space) {
        known.reserved_bytes = 0;
        known.usable_bytes = bytes;
      }
    }
  }
  static const MemorySpaceReport& SpaceOf(const MemoryReport& report,
                                          absl::string_view name) {
    for (const MemorySpaceReport& space : report.spaces) {
      if (space.name == name) return space;
    }
    ADD_FAILURE() << "no " << name;
    return report.spaces.front();
  }
  static const LiveAtPeak& LiveOf(const MemoryReport& report,
                                  absl::string_view name) {
    for (const LiveAtPeak& live : report.live_at_peak) {
      if (live.name == name) return live;
    }
    ADD_FAILURE() << name << " is not live at the peak";
    return report.live_at_peak.front();
  }

  HloContext context_;
  MemoryTarget target_ = *FindMemoryTarget("v5e");
};

TEST_F(MemoryReportTest, EachSpaceHasItsOwnBytes) {
  const MemoryReport report = Report(kStep);
  EXPECT_EQ(report.chip, "v5e");
  EXPECT_TRUE(report.Fits());
  const MemorySpaceReport& hbm = SpaceOf(report, "hbm");
  EXPECT_EQ(hbm.argument_bytes, kMatrix + kColumn);
  EXPECT_EQ(hbm.output_bytes, kMatrix + kColumn + 512);
  EXPECT_EQ(hbm.alias_bytes, kMatrix);
  EXPECT_EQ(hbm.total_bytes, hbm.argument_bytes + hbm.output_bytes -
                                 hbm.alias_bytes + hbm.constant_bytes +
                                 hbm.temp_bytes);
  EXPECT_EQ(hbm.fragmentation_bytes, hbm.total_bytes - hbm.live_peak_bytes);
  EXPECT_LE(hbm.lower_bound_bytes, hbm.total_bytes);
  // What goes to the host is not HBM.
  const MemorySpaceReport& host = SpaceOf(report, "host");
  EXPECT_EQ(host.total_bytes, kMatrix);
  EXPECT_EQ(host.temp_bytes, kMatrix);
  EXPECT_EQ(SpaceOf(report, "smem").total_bytes, 4);
}

TEST_F(MemoryReportTest, TheLiveSetIsThePeak) {
  const MemoryReport report = Report(kStep);
  EXPECT_EQ(report.peak_instruction, "b");
  int64_t sum = 0;
  for (const LiveAtPeak& live : report.live_at_peak) {
    sum += live.bytes;
    EXPECT_LE(live.from, report.peak_time) << live.name;
    EXPECT_GT(live.to, report.peak_time) << live.name;
  }
  EXPECT_EQ(sum, SpaceOf(report, "hbm").live_peak_bytes);
  for (size_t i = 1; i < report.live_at_peak.size(); ++i) {
    EXPECT_GE(report.live_at_peak[i - 1].bytes, report.live_at_peak[i].bytes);
  }
}

TEST_F(MemoryReportTest, SaysWhatEachIsAndWhy) {
  const MemoryReport report = Report(kStep);
  const LiveAtPeak& x = LiveOf(report, "x");
  EXPECT_EQ(x.category, MemoryCategory::kArgument);
  EXPECT_EQ(x.bytes, kColumn);
  EXPECT_EQ(x.unpadded_bytes, 1024 * 2 * 4);
  EXPECT_EQ(x.why,
            "an argument that is not donated lives all the time; the minor "
            "dimension 2 is padded to 128");
  const LiveAtPeak& a = LiveOf(report, "a");
  EXPECT_EQ(a.category, MemoryCategory::kTemporary);
  EXPECT_EQ(a.source.file, "m.py");
  EXPECT_EQ(a.source.line, 12);
  EXPECT_EQ(a.why, "waits for `c` at step 6");
  EXPECT_EQ(LiveOf(report, "w").why.substr(0, 10), "waits for ");
}

// Constants and what runs in vmem are counted where they are.
TEST_F(MemoryReportTest, ConstantsAreAlwaysThere) {
  const MemoryReport report = Report(R"(
HloModule constants, is_scheduled=true
ENTRY main {
  k = f32[4]{0:T(128)} constant({1, 2, 3, 4})
  p = f32[4]{0:T(128)} parameter(0)
  v = f32[4]{0:T(128)S(1)} copy(p)
  ROOT r = f32[4]{0:T(128)} add(v, k)
}
)");
  const LiveAtPeak& k = LiveOf(report, "k");
  EXPECT_EQ(k.category, MemoryCategory::kConstant);
  EXPECT_EQ(k.why.substr(0, 31), "a constant lives all the time; ");
  EXPECT_EQ(SpaceOf(report, "hbm").constant_bytes, k.bytes);
  EXPECT_EQ(SpaceOf(report, "vmem").temp_bytes,
            SpaceOf(report, "vmem").total_bytes);
  EXPECT_GT(SpaceOf(report, "vmem").total_bytes, 0);
}

TEST_F(MemoryReportTest, ValuesStandWithinTheirAllocations) {
  EXPECT_TRUE(Report(kStep).values.empty());
  const MemoryReport report = Report(kStep, {.with_values = true});
  int64_t host_bytes = 0;
  for (const PlacedValue& value : report.values) {
    EXPECT_GE(value.offset_bytes, 0) << value.name;
    EXPECT_GT(value.bytes, 0) << value.name;
    if (value.space == MemorySpace::kHost) host_bytes += value.bytes;
    if (value.name == "new") {
      EXPECT_EQ(value.allocation, 0);  // of `w`
      EXPECT_EQ(value.offset_bytes, 0);
    }
  }
  EXPECT_EQ(report.values.front().name, "w");
  EXPECT_EQ(host_bytes, kMatrix);
}

TEST_F(MemoryReportTest, EachSpaceHasItsOwnLimit) {
  const int64_t used = SpaceOf(Report(kStep), "hbm").total_bytes;
  Limit(MemorySpace::kDefault, used);
  EXPECT_TRUE(Report(kStep).Fits());
  Limit(MemorySpace::kDefault, used - 1);
  MemoryReport report = Report(kStep);
  ASSERT_EQ(report.exhausted.size(), 1u);
  EXPECT_EQ(report.exhausted[0].space_name, "hbm");
  EXPECT_EQ(report.exhausted[0].limit_bytes, used - 1);
  EXPECT_EQ(report.exhausted[0].used_bytes(), used);
  // The donated argument stands in the list once.
  ASSERT_EQ(report.exhausted[0].arguments_and_outputs.size(), 3u);
  EXPECT_EQ(report.exhausted[0].arguments_and_outputs[0].label,
            "Argument 0 index {}");
  EXPECT_EQ(report.exhausted[0].arguments_and_outputs[2].label,
            "Output index {1}");
  const ReportedAllocation& first = report.exhausted[0].program.front();
  EXPECT_EQ(first.operator_text,
            "op_name=\"jit(f)/tanh\" source_file=\"m.py\" source_line=12");
  EXPECT_EQ(first.allocation_type, "HLO temp");

  Limit(MemorySpace::kHost, kMatrix - 1);
  report = Report(kStep);
  ASSERT_EQ(report.exhausted.size(), 2u);
  EXPECT_EQ(report.exhausted[1].space_name, "host");
}

TEST_F(MemoryReportTest, AProgramWithoutBytesHasHbmToo) {
  const MemoryReport report = Report(R"(
HloModule nothing, is_scheduled=true
ENTRY main {
  ROOT r = f32[0]{0:T(128)} parameter(0)
}
)");
  EXPECT_EQ(SpaceOf(report, "hbm").total_bytes, 0);
  EXPECT_TRUE(report.Fits());
}

}  // namespace
}  // namespace ferry
