// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_live_range.h"

#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/shape_index.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class HloLiveRangeTest : public testing::Test {
 protected:
  void Run(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto dataflow = HloDataflowAnalysis::Run(*module_);
    ASSERT_TRUE(dataflow.ok()) << dataflow.status();
    dataflow_.emplace(*std::move(dataflow));
    ranges_.emplace(HloLiveRange::Run(
        *dataflow_,
        HloAliasAnalysis::Run(*dataflow_, InPlaceOperands::Find(*module_)),
        FlattenedSchedule::Build(*module_)));
  }
  // "start-end", as XLA's dump has it.
  std::string At(absl::string_view name, const ShapeIndex& index = {}) const {
    const HloInstruction* i = module_->FindInstruction(name);
    const HloLiveRange::XlaRange range = ranges_->XlaRangeOf(
        dataflow_->ValueAt(*i, *i->shape().OrdinalOf(index)));
    return absl::StrCat(range.start, "-", range.end);
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<HloDataflowAnalysis> dataflow_;
  std::optional<HloLiveRange> ranges_;
};

TEST_F(HloLiveRangeTest, ArgumentsAndResultsLiveToTheEnd) {
  Run(R"(
HloModule m, is_scheduled=true
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  p = f32[8] multiply(x, y)
  z = f32[8] parameter(2)
  ROOT s = f32[8] add(p, z)
})");
  EXPECT_EQ(At("x"), "0-5");
  EXPECT_EQ(At("z"), "0-5");
  EXPECT_EQ(At("p"), "2-4");
  EXPECT_EQ(At("s"), "4-5");
  // Half-open: the last reader counts.
  const HloInstruction* p = module_->FindInstruction("p");
  EXPECT_EQ(ranges_->RangeOf(dataflow_->ValueAt(*p, 0)), (LiveRange{2, 5}));
}

TEST_F(HloLiveRangeTest, WhatIsReturnedAndReadLivesToTheEnd) {
  Run(R"(
HloModule m, is_scheduled=true
ENTRY main {
  x = f32[8] parameter(0)
  p = f32[8] negate(x)
  s = f32[8] negate(p)
  ROOT t = (f32[8], f32[8]) tuple(p, s)
})");
  EXPECT_EQ(At("p"), "1-4");
  EXPECT_EQ(At("t"), "3-4");
}

TEST_F(HloLiveRangeTest, DonatedParametersDie) {
  Run(R"(
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  n = f32[8] negate(x)
  ROOT s = f32[8] add(n, y)
})");
  EXPECT_EQ(At("x"), "0-2");
  EXPECT_EQ(At("y"), "0-4");
}

TEST_F(HloLiveRangeTest, SomethingAfterTheRoot) {
  Run(R"(
HloModule m, is_scheduled=true
ENTRY main {
  x = f32[8] parameter(0)
  ROOT t = (f32[8]) tuple(x)
  n = f32[8] negate(x)
})");
  EXPECT_EQ(At("n"), "2-2");
  EXPECT_EQ(At("t"), "1-3");
}

// The values of the state follow one another without a gap.
TEST_F(HloLiveRangeTest, LoopsHandOver) {
  Run(R"(
HloModule m, is_scheduled=true
c {
  r = (s32[], f32[8]) parameter(0)
  ROOT t = pred[] constant(true)
}
b {
  q = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  j = s32[] negate(i)
  k = f32[8] get-tuple-element(q), index=1
  ROOT u = (s32[], f32[8]) tuple(j, k)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = s32[] constant(0)
  o = s32[] copy(z)
  a = (s32[], f32[8]) tuple(o, x)
  w = (s32[], f32[8]) while(a), condition=c, body=b
  ROOT g = s32[] get-tuple-element(w), index=0
})");
  // x z o a | r t | q i j k u | w g
  EXPECT_EQ(At("o"), "2-4");
  EXPECT_EQ(At("r", {0}), "4-6");
  EXPECT_EQ(At("q", {0}), "6-8");
  EXPECT_EQ(At("j"), "8-11");
  EXPECT_EQ(At("w", {0}), "11-13");
  EXPECT_EQ(At("u"), "10-11");
  EXPECT_EQ(At("z"), "1-2");
}

TEST_F(HloLiveRangeTest, TheCalleeReadsNotTheCall) {
  Run(R"(
HloModule m, is_scheduled=true
f {
  q = f32[8] parameter(0)
  n = f32[8] negate(q)
  ROOT e = f32[8] exponential(n)
}
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] negate(x)
  c = f32[8] call(a), to_apply=f
  ROOT d = f32[8] negate(c)
})");
  // x a | q n e | c d
  EXPECT_EQ(At("a"), "1-3");
  EXPECT_EQ(At("e"), "4-6");
}

TEST_F(HloLiveRangeTest, AsynchronousCallsLiveUntilTheDone) {
  Run(R"(
HloModule m, is_scheduled=true
f {
  q = f32[8] parameter(0)
  n = f32[8] negate(q)
  ROOT e = f32[8] exponential(n)
}
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] negate(x)
  s = ((f32[8]), f32[8], s32[]) async-start(a), calls=f
  b = f32[8] negate(x)
  d = f32[8] async-done(s)
  ROOT r = f32[8] add(b, d)
})");
  // x a | q n e | s b d r
  EXPECT_EQ(At("n"), "3-7");
  EXPECT_EQ(At("e"), "4-8");
  EXPECT_EQ(At("s"), "5-7");
  EXPECT_EQ(At("a"), "1-7");
}

TEST_F(HloLiveRangeTest, WhatNeverRunsHasNoRange) {
  Run(R"(
HloModule m, is_scheduled=true
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum
})");
  const HloInstruction* h = module_->FindInstruction("h");
  EXPECT_TRUE(ranges_->RangeOf(dataflow_->ValueAt(*h, 0)).IsEmpty());
}

}  // namespace
}  // namespace ferry
