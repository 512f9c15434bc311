// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_alias_analysis.h"

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

class HloAliasAnalysisTest : public testing::Test {
 protected:
  void Run(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto dataflow = HloDataflowAnalysis::Run(*module_);
    ASSERT_TRUE(dataflow.ok()) << dataflow.status();
    dataflow_.emplace(*std::move(dataflow));
    aliases_.emplace(
        HloAliasAnalysis::Run(*dataflow_, InPlaceOperands::Find(*module_)));
  }
  BufferId At(absl::string_view name, const ShapeIndex& index = {}) const {
    const HloInstruction* i = module_->FindInstruction(name);
    return aliases_->BufferOf(
        dataflow_->ValueAt(*i, *i->shape().OrdinalOf(index)));
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<HloDataflowAnalysis> dataflow_;
  std::optional<HloAliasAnalysis> aliases_;
};

TEST_F(HloAliasAnalysisTest, BinaryOperationsHaveThreeBuffers) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  ROOT z = f32[8] add(x, y)
})");
  EXPECT_EQ(aliases_->buffer_count(), 3);
}

TEST_F(HloAliasAnalysisTest, AnElementIsTheElement) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  t = (f32[8], f32[8]) tuple(x, y)
  a = f32[8] get-tuple-element(t), index=0
  b = f32[8] get-tuple-element(t), index=1
  ROOT z = f32[8] add(a, b)
})");
  EXPECT_EQ(aliases_->buffer_count(), 4);
  EXPECT_EQ(At("a"), At("x"));
}

TEST_F(HloAliasAnalysisTest, DonatedParametersAreTheResults) {
  Run(R"(
HloModule m, input_output_alias={ {0}: (0, {0}, may-alias), {1}: (0, {1}, must-alias) }
ENTRY main {
  p = (f32[8], f32[8]) parameter(0)
  a = f32[8] get-tuple-element(p), index=0
  b = f32[8] get-tuple-element(p), index=1
  n = f32[8] negate(a)
  k = f32[8] negate(b)
  ROOT t = (f32[8], f32[8]) tuple(n, k)
})");
  EXPECT_EQ(At("n"), At("p", {0}));
  EXPECT_EQ(At("k"), At("p", {1}));
  EXPECT_NE(At("n"), At("k"));
}

// The swap makes both one.
TEST_F(HloAliasAnalysisTest, CrossedDonationsMakeOneBuffer) {
  Run(R"(
HloModule m, input_output_alias={ {0}: (0, {0}, may-alias), {1}: (0, {1}, may-alias) }
ENTRY main {
  p = (f32[8], f32[8]) parameter(0)
  a = f32[8] get-tuple-element(p), index=0
  b = f32[8] get-tuple-element(p), index=1
  ROOT t = (f32[8], f32[8]) tuple(b, a)
})");
  EXPECT_EQ(At("a"), At("b"));
}

TEST_F(HloAliasAnalysisTest, LoopsShareIndexByIndex) {
  Run(R"(
HloModule m
c {
  r = (s32[], f32[8]) parameter(0)
  ROOT t = pred[] constant(true)
}
b {
  q = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  j = s32[] negate(i)
  k = f32[8] get-tuple-element(q), index=1
  l = f32[8] negate(k)
  ROOT u = (s32[], f32[8]) tuple(j, l)
}
ENTRY main {
  z = s32[] parameter(0)
  x = f32[8] parameter(1)
  a = (s32[], f32[8]) tuple(z, x)
  ROOT w = (s32[], f32[8]) while(a), condition=c, body=b
})");
  for (const char* name : {"r", "q", "u", "w"}) {
    EXPECT_EQ(At(name, {0}), At("z"));
    EXPECT_EQ(At(name, {1}), At("x"));
    EXPECT_EQ(At(name), At("a"));
  }
  EXPECT_NE(At("z"), At("x"));
}

TEST_F(HloAliasAnalysisTest, LoopsThatSwapMakeOneBuffer) {
  Run(R"(
HloModule m
c {
  r = (f32[8], f32[8]) parameter(0)
  ROOT t = pred[] constant(true)
}
b {
  q = (f32[8], f32[8]) parameter(0)
  i = f32[8] get-tuple-element(q), index=0
  k = f32[8] get-tuple-element(q), index=1
  ROOT u = (f32[8], f32[8]) tuple(k, i)
}
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  a = (f32[8], f32[8]) tuple(x, y)
  ROOT w = (f32[8], f32[8]) while(a), condition=c, body=b
})");
  EXPECT_EQ(At("x"), At("y"));
}

TEST_F(HloAliasAnalysisTest, BranchesShareTheirResult) {
  Run(R"(
HloModule m
a {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
b {
  r = f32[8] parameter(0)
  ROOT e = f32[8] exponential(r)
}
ENTRY main {
  p = pred[] parameter(0)
  x = f32[8] parameter(1)
  ROOT y = f32[8] conditional(p, x, x), true_computation=a, false_computation=b
})");
  EXPECT_EQ(At("n"), At("e"));
  EXPECT_EQ(At("n"), At("y"));
  EXPECT_NE(At("x"), At("y"));
}

TEST_F(HloAliasAnalysisTest, UpdatesAreInPlace) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  n = f32[8] negate(x)
  y = f32[8] dynamic-update-slice(n, u, i)
  ROOT z = f32[8] dynamic-update-slice(y, u, i)
})");
  EXPECT_EQ(At("z"), At("n"));
  EXPECT_NE(At("z"), At("x"));
}

TEST_F(HloAliasAnalysisTest, ComputationsOfSeveralCallersShareTheirArguments) {
  Run(R"(
HloModule m
f {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  c = f32[8] call(x), to_apply=f
  d = f32[8] call(y), to_apply=f
  ROOT t = (f32[8], f32[8]) tuple(c, d)
})");
  EXPECT_EQ(At("x"), At("q"));
  EXPECT_EQ(At("y"), At("q"));
}

}  // namespace
}  // namespace ferry
