// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/host_offload_analysis.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class HostOffloadAnalysisTest : public testing::Test {
 protected:
  // Analyses a module made of `text`; `layout` is its entry layout.
  HostOffloadAnalysis Analyse(absl::string_view layout, absl::string_view text,
                              const PassContext& pass_context = {}) {
    auto module = ParseHloText(
        absl::StrCat("HloModule m, entry_computation_layout=", layout, "\n",
                     text),
        context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto analysis = HostOffloadAnalysis::Run(*module_, pass_context);
    EXPECT_TRUE(analysis.ok()) << analysis.status();
    return *std::move(analysis);
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

std::vector<std::string> Ids(const HostOffloadAnalysis& analysis) {
  std::vector<std::string> ids;
  for (const Diagnostic& finding : analysis.diagnostics()) {
    ids.emplace_back(DiagnosticId(finding.code));
  }
  return ids;
}

std::vector<std::string> Hops(const Diagnostic& finding) {
  std::vector<std::string> hops;
  for (const DiagnosticHop& hop : finding.path) {
    hops.push_back(
        absl::StrCat(hop.instruction, ShapeIndexToString(hop.shape_index)));
  }
  return hops;
}

TEST_F(HostOffloadAnalysisTest, FollowsAValueThroughTupleAndBarrier) {
  const auto analysis = Analyse("{(f32[4]{0})->(f32[4]{0}, f32[4]{0})}", R"(
ENTRY main {
  x = f32[4]{0} parameter(0)
  h = f32[4]{0} custom-call(x), custom_call_target="MoveToHost"
  t = (f32[4]{0}, f32[4]{0}) tuple(x, h)
  b = (f32[4]{0}, f32[4]{0}) opt-barrier(t)
  g = f32[4]{0} get-tuple-element(b), index=1
  ROOT out = (f32[4]{0}, f32[4]{0}) tuple(x, g)
})");
  ASSERT_THAT(Ids(analysis), ElementsAre("E1200"));
  const Diagnostic& finding = analysis.diagnostics()[0];
  EXPECT_THAT(Hops(finding), ElementsAre("t{1}", "b{1}", "g{}", "out{1}"));
  EXPECT_THAT(finding.message, HasSubstr("(starting from t)"));
  EXPECT_EQ(finding.output_index, ShapeIndex({1}));
  EXPECT_EQ(finding.annotation->instruction, "h");
}

TEST_F(HostOffloadAnalysisTest, ReportsAllWrongOutputsInOneRun) {
  const auto analysis =
      Analyse("{(f32[4]{0}, f32[4]{0:S(5)})->(f32[4]{0}, f32[4]{0})}", R"(
ENTRY main {
  x = f32[4]{0} parameter(0)
  p = f32[4]{0} parameter(1)
  h = f32[4]{0} custom-call(x), custom_call_target="MoveToHost"
  ROOT out = (f32[4]{0}, f32[4]{0}) tuple(h, p)
})");
  // Host parameters come before annotations, as in the compiler.
  ASSERT_THAT(Ids(analysis), ElementsAre("E1200", "E1200"));
  EXPECT_THAT(analysis.diagnostics()[0].message,
              HasSubstr("(starting from p)"));
  EXPECT_THAT(analysis.diagnostics()[1].message,
              HasSubstr("(starting from out)"));
}

TEST_F(HostOffloadAnalysisTest, AMoveToDeviceEndsTheWay) {
  const auto analysis = Analyse("{(f32[4]{0})->f32[4]{0}}", R"(
ENTRY main {
  x = f32[4]{0} parameter(0)
  h = f32[4]{0} custom-call(x), custom_call_target="MoveToHost"
  ROOT d = f32[4]{0} custom-call(h), custom_call_target="MoveToDevice"
})");
  EXPECT_THAT(Ids(analysis), IsEmpty());
  ASSERT_EQ(analysis.transfers().size(), 2);
  EXPECT_EQ(analysis.transfers()[0].direction,
            HostTransfer::Direction::kDeviceToHost);
  EXPECT_EQ(analysis.transfers()[0].bytes, 16);
  EXPECT_EQ(analysis.transfers()[1].instruction->name(), "d");
}

TEST_F(HostOffloadAnalysisTest, TellsTheCallsOfOneComputationApart) {
  const auto analysis =
      Analyse("{(f32[4]{0})->(f32[4]{0}, f32[4]{0:S(5)})}", R"(
pass {
  q = f32[4]{0} parameter(0)
  ROOT r = f32[4]{0} bitcast(q)
}
ENTRY main {
  x = f32[4]{0} parameter(0)
  h = f32[4]{0} custom-call(x), custom_call_target="MoveToHost"
  on_device = f32[4]{0} call(x), to_apply=pass
  on_host = f32[4]{0} call(h), to_apply=pass
  ROOT out = (f32[4]{0}, f32[4]{0}) tuple(on_device, on_host)
})");
  EXPECT_THAT(Ids(analysis), Not(Contains("E1200")));
  const HloInstruction& out = module_->entry().root();
  EXPECT_FALSE(analysis.IsOnHost({&out, 1}));
  EXPECT_TRUE(analysis.IsOnHost({&out, 2}));
}

TEST_F(HostOffloadAnalysisTest, FollowsTheEndOfAnIterationIntoTheNext) {
  const auto analysis =
      Analyse("{(f32[4]{0}, f32[4]{0}, pred[])->f32[4]{0}}", R"(
body {
  p = (f32[4]{0}, f32[4]{0}, pred[]) parameter(0)
  a = f32[4]{0} get-tuple-element(p), index=0
  b = f32[4]{0} get-tuple-element(p), index=1
  f = pred[] get-tuple-element(p), index=2
  y = f32[4]{0} sine(b)
  h = f32[4]{0} custom-call(y), custom_call_target="MoveToHost"
  ROOT r = (f32[4]{0}, f32[4]{0}, pred[]) tuple(h, a, f)
}
more {
  q = (f32[4]{0}, f32[4]{0}, pred[]) parameter(0)
  ROOT f = pred[] get-tuple-element(q), index=2
}
ENTRY main {
  x = f32[4]{0} parameter(0)
  y = f32[4]{0} parameter(1)
  f = pred[] parameter(2)
  init = (f32[4]{0}, f32[4]{0}, pred[]) tuple(x, y, f)
  loop = (f32[4]{0}, f32[4]{0}, pred[]) while(init), condition=more, body=body
  ROOT last = f32[4]{0} get-tuple-element(loop), index=1
})");
  // Slot 1 gets what slot 0 held one iteration before.
  ASSERT_THAT(Ids(analysis), Contains("E1200"));
  EXPECT_THAT(Ids(analysis), Contains("F4009"));
  EXPECT_THAT(analysis.diagnostics()[0].notes[0].message,
              HasSubstr("the shipped compiler accepts this silently"));
}

TEST_F(HostOffloadAnalysisTest, AnIndexOnHostDoesNotMoveTheData) {
  constexpr absl::string_view kModule = R"(
ENTRY main {
  s = f32[8,4]{1,0} parameter(0)
  u = f32[1,4]{1,0} parameter(1)
  i = s32[] parameter(2)
  zero = s32[] constant(0)
  h = s32[] custom-call(i), custom_call_target="MoveToHost"
  ROOT put = f32[8,4]{1,0} dynamic-update-slice(s, u, h, zero)
})";
  constexpr absl::string_view kLayout =
      "{(f32[8,4]{1,0}, f32[1,4]{1,0}, s32[])->f32[8,4]{1,0}}";
  EXPECT_THAT(Ids(Analyse(kLayout, kModule)), ElementsAre("F4012"));
  // The compiler's false alarm, if that is what was asked for.
  EXPECT_THAT(Ids(Analyse(kLayout, kModule, {.judge = Judge::kCompiler})),
              ElementsAre("E1200", "F4012"));
}

TEST_F(HostOffloadAnalysisTest, TheCompilerAcceptsAnAnnotationAtTheRoot) {
  constexpr absl::string_view kModule = R"(
ENTRY main {
  x = f32[4]{0} parameter(0)
  ROOT h = f32[4]{0} custom-call(x), custom_call_target="MoveToHost"
})";
  EXPECT_THAT(Ids(Analyse("{(f32[4]{0})->f32[4]{0}}", kModule)),
              ElementsAre("E1200"));
  EXPECT_THAT(Ids(Analyse("{(f32[4]{0})->f32[4]{0}}", kModule,
                          {.judge = Judge::kCompiler})),
              ElementsAre("F4008"));
}

TEST_F(HostOffloadAnalysisTest, AnUpdateOfEveryRowHidesTheInitialContents) {
  const auto module = [](int rows) {
    return absl::StrCat(R"(
body {
  p = (s32[], f32[4,8]{1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  s = f32[4,8]{1,0} get-tuple-element(p), index=1
  one = s32[] constant(1)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  f = f32[] constant(3)
  row = f32[1,8]{1,0} broadcast(f), dimensions={}
  h = f32[1,8]{1,0} custom-call(row), custom_call_target="MoveToHost"
  n = f32[4,8]{1,0} dynamic-update-slice(s, h, i, zero)
  ROOT r = (s32[], f32[4,8]{1,0}) tuple(j, n)
}
more {
  q = (s32[], f32[4,8]{1,0}) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  n = s32[] constant()",
                        rows, R"()
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY main {
  zero = s32[] constant(0)
  f = f32[] constant(0)
  fill = f32[4,8]{1,0} broadcast(f), dimensions={}
  init = (s32[], f32[4,8]{1,0}) tuple(zero, fill)
  loop = (s32[], f32[4,8]{1,0}) while(init), condition=more, body=body
  ROOT out = f32[4,8]{1,0} get-tuple-element(loop), index=1
})");
  };
  constexpr absl::string_view kLayout = "{()->f32[4,8]{1,0:S(5)}}";
  const auto all = Analyse(kLayout, module(4));
  EXPECT_THAT(Ids(all), IsEmpty());
  ASSERT_EQ(all.transfers().size(), 1);
  EXPECT_EQ(all.transfers()[0].instruction->name(), "n");
  EXPECT_EQ(all.transfers()[0].bytes, 32);
  EXPECT_EQ(all.transfers()[0].trip_count, 4);
  EXPECT_THAT(Ids(Analyse(kLayout, module(3))), ElementsAre("F4006"));
}

TEST_F(HostOffloadAnalysisTest, ReadsALoweredModuleAsItStands) {
  const auto analysis =
      Analyse("{(f32[4]{0})->f32[4]{0:S(5)}}, is_scheduled=true", R"(
ENTRY main {
  x = f32[4]{0} parameter(0)
  s = (f32[4]{0:S(5)}, f32[4]{0}, u32[]) copy-start(x)
  ROOT d = f32[4]{0:S(5)} copy-done(s)
})");
  EXPECT_EQ(analysis.stage(), OffloadStage::kScheduled);
  EXPECT_THAT(Ids(analysis), IsEmpty());
  ASSERT_EQ(analysis.transfers().size(), 1);
  EXPECT_EQ(analysis.transfers()[0].instruction->name(), "s");
}

TEST_F(HostOffloadAnalysisTest, TakesTimeLinearInStepsThatMeetAgain) {
  std::string body;
  std::string value = "h";
  for (int i = 0; i < 64; ++i) {
    absl::StrAppend(&body, "  s.", i, " = f32[4]{0} sine(", value, ")\n  a.", i,
                    " = f32[4]{0} add(s.", i, ", ", value, ")\n");
    value = absl::StrCat("a.", i);
  }
  const auto analysis =
      Analyse("{(f32[4]{0})->f32[4]{0}}",
              absl::StrCat("ENTRY main {\n  x = f32[4]{0} parameter(0)\n"
                           "  h = f32[4]{0} custom-call(x), "
                           "custom_call_target=\"MoveToHost\"\n",
                           body, "  ROOT d = f32[4]{0} custom-call(", value,
                           "), custom_call_target=\"MoveToDevice\"\n}\n"));
  EXPECT_EQ(analysis.host_compute().size(), 128);
}

}  // namespace
}  // namespace ferry
