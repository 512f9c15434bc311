// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_dataflow_analysis.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/shape_index.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class HloDataflowAnalysisTest : public testing::Test {
 protected:
  void Run(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto dataflow = HloDataflowAnalysis::Run(*module_);
    ASSERT_TRUE(dataflow.ok()) << dataflow.status();
    dataflow_.emplace(*std::move(dataflow));
  }

  // The names of all values, "(phi)" behind a phi.
  std::vector<std::string> Values() const {
    std::vector<std::string> names;
    for (ValueId id = 0; id < dataflow_->value_count(); ++id) {
      const HloValue value = dataflow_->value(id);
      names.push_back(absl::StrCat(value.Name(), value.is_phi ? "(phi)" : ""));
    }
    return names;
  }
  ValueId At(absl::string_view instruction,
             const ShapeIndex& index = {}) const {
    const HloInstruction* i = module_->FindInstruction(instruction);
    return dataflow_->ValueAt(*i, *i->shape().OrdinalOf(index));
  }
  // The name of the value at a position.
  std::string NameAt(absl::string_view instruction,
                     const ShapeIndex& index = {}) const {
    return dataflow_->value(At(instruction, index)).Name();
  }
  std::vector<std::string> Positions(ValueId value) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < dataflow_->position_count(value); ++i) {
      const HloPosition at = dataflow_->position(value, i);
      names.push_back(
          absl::StrCat(at.instruction->name(), ShapeIndexToString(at.index())));
    }
    return names;
  }
  std::vector<std::string> Uses(ValueId value) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < dataflow_->use_count(value); ++i) {
      const HloUse use = dataflow_->use(value, i);
      names.push_back(absl::StrCat(use.instruction->name(), ":",
                                   use.operand_number, ":",
                                   use.operand_ordinal));
    }
    return names;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<HloDataflowAnalysis> dataflow_;
};

TEST_F(HloDataflowAnalysisTest, TuplesAndElementsForward) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[4] parameter(1)
  t = (f32[8], f32[4]) tuple(x, y)
  g = f32[8] get-tuple-element(t), index=0
  ROOT n = f32[8] negate(g)
}
)");
  EXPECT_THAT(Values(), ElementsAre("x", "y", "t{}", "n"));
  EXPECT_THAT(Positions(At("x")), ElementsAre("x{}", "t{0}", "g{}"));
  // The tuple reads nothing, get-tuple-element only the table.
  EXPECT_THAT(Uses(At("x")), ElementsAre("n:0:0"));
  EXPECT_THAT(Uses(At("t")), ElementsAre("g:0:0"));
  EXPECT_THAT(Uses(At("y")), IsEmpty());
}

TEST_F(HloDataflowAnalysisTest, ATupleThatIsRootReads) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  ROOT t = (f32[8]) tuple(x)
}
)");
  EXPECT_THAT(Uses(At("x")), ElementsAre("t:0:0"));
}

TEST_F(HloDataflowAnalysisTest, BarriersAndBitcastsForwardAll) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  b = f32[2,4] bitcast(x)
  t = (f32[2,4]) tuple(b)
  o = (f32[2,4]) opt-barrier(t)
  ROOT g = f32[2,4] get-tuple-element(o), index=0
}
)");
  EXPECT_THAT(Values(), ElementsAre("x", "t{}"));
  EXPECT_EQ(NameAt("o"), "t{}");
  EXPECT_EQ(NameAt("g"), "x");
}

TEST_F(HloDataflowAnalysisTest, CopyOfATupleIsShallow) {
  Run(R"(
HloModule m
ENTRY main {
  x = (f32[8], f32[8]) parameter(0)
  ROOT c = (f32[8], f32[8]) copy(x)
}
)");
  EXPECT_THAT(Values(), ElementsAre("x{}", "x{0}", "x{1}", "c{}"));
  EXPECT_EQ(NameAt("c", {1}), "x{1}");
}

// Only what the loop changes meets: at the condition, the body and the result.
TEST_F(HloDataflowAnalysisTest, LoopsMeetWhereTheyChange) {
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
  ROOT u = (s32[], f32[8]) tuple(j, k)
}
ENTRY main {
  z = s32[] constant(0)
  x = f32[8] parameter(0)
  a = (s32[], f32[8]) tuple(z, x)
  w = (s32[], f32[8]) while(a), condition=c, body=b
  ROOT g = f32[8] get-tuple-element(w), index=1
}
)");
  EXPECT_THAT(Values(), ElementsAre("r{}(phi)", "r{0}(phi)", "t", "q{}(phi)",
                                    "q{0}(phi)", "j", "u{}", "z", "x", "a{}",
                                    "w{}(phi)", "w{0}(phi)"));
  EXPECT_EQ(NameAt("g"), "x");
  EXPECT_THAT(Positions(At("x")), ElementsAre("x{}", "r{1}", "q{1}", "k{}",
                                              "u{1}", "a{1}", "w{1}", "g{}"));
}

TEST_F(HloDataflowAnalysisTest, ASwapMeetsAtBothElements) {
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
}
)");
  EXPECT_EQ(NameAt("u", {0}), "q{1}");
  EXPECT_TRUE(dataflow_->value(At("w", {0})).is_phi);
  EXPECT_TRUE(dataflow_->value(At("w", {1})).is_phi);
}

TEST_F(HloDataflowAnalysisTest, ConditionalsMeetWhereBranchesDiffer) {
  Run(R"(
HloModule m
a {
  q = (f32[8], f32[8]) parameter(0)
  i = f32[8] get-tuple-element(q), index=0
  k = f32[8] get-tuple-element(q), index=1
  n = f32[8] negate(i)
  ROOT u = (f32[8], f32[8]) tuple(n, k)
}
b {
  ROOT r = (f32[8], f32[8]) parameter(0)
}
ENTRY main {
  p = pred[] parameter(0)
  x = (f32[8], f32[8]) parameter(1)
  ROOT y = (f32[8], f32[8]) conditional(p, x, x), true_computation=a, false_computation=b
}
)");
  EXPECT_THAT(Values(), ElementsAre("n", "u{}", "p", "x{}", "x{0}", "x{1}",
                                    "y{}(phi)", "y{0}(phi)"));
  EXPECT_EQ(NameAt("y", {1}), "x{1}");
}

TEST_F(HloDataflowAnalysisTest, CallsWithOneCallerForward) {
  Run(R"(
HloModule m
f {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  ROOT c = f32[8] call(x), to_apply=f
}
)");
  EXPECT_THAT(Values(), ElementsAre("n", "x"));
  EXPECT_EQ(NameAt("q"), "x");
  EXPECT_EQ(NameAt("c"), "n");
}

TEST_F(HloDataflowAnalysisTest, SeveralCallersMeetAtTheParameter) {
  Run(R"(
HloModule m
f {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  c = f32[8] call(x), to_apply=f
  ROOT d = f32[8] call(c), to_apply=f
}
)");
  EXPECT_THAT(Values(), ElementsAre("q(phi)", "n", "x"));
}

TEST_F(HloDataflowAnalysisTest, CopyStartMakesTheDestination) {
  Run(R"(
HloModule m
ENTRY main {
  x = f32[8]{0:S(5)} parameter(0)
  s = (f32[8]{0}, f32[8]{0:S(5)}, u32[]{:S(2)}) copy-start(x)
  ROOT d = f32[8]{0} copy-done(s)
}
)");
  EXPECT_THAT(Values(), ElementsAre("x", "s{}", "s{0}", "s{2}"));
  EXPECT_EQ(NameAt("s", {1}), "x");
  EXPECT_EQ(NameAt("d"), "s{0}");
}

TEST_F(HloDataflowAnalysisTest, AsyncStartMakesTablesAndContexts) {
  Run(R"(
HloModule m
a {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], s32[]) async-start(x), calls=a
  v = ((f32[8]), f32[8], s32[]) async-update(s)
  ROOT d = f32[8] async-done(v)
}
)");
  EXPECT_THAT(Values(),
              ElementsAre("n", "x", "s{}", "s{0}", "s{2}", "v{}", "v{0}"));
  EXPECT_EQ(NameAt("q"), "x");
  EXPECT_EQ(NameAt("s", {0, 0}), "x");
  EXPECT_EQ(NameAt("s", {1}), "n");
  EXPECT_EQ(NameAt("d"), "n");
}

TEST_F(HloDataflowAnalysisTest, TransfersAndCollectives) {
  Run(R"(
HloModule m
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[8] parameter(0)
  k = token[] after-all()
  s = (f32[8], u32[], token[]) send(x, k), channel_id=1
  v = token[] send-done(s), channel_id=1
  r = (f32[8], u32[], token[]) recv(v), channel_id=2
  d = (f32[8], token[]) recv-done(r), channel_id=2
  g = (f32[8], f32[16]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}
  a = f32[16] all-gather-done(g)
  p = (f32[8], f32[8]) collective-permute-start(x), source_target_pairs={{0,1}}
  c = f32[8] collective-permute-done(p)
  l = f32[8] all-reduce-start(x), to_apply=sum
  ROOT m = f32[8] all-reduce-done(l)
}
)");
  EXPECT_EQ(NameAt("s", {0}), "x");
  EXPECT_EQ(NameAt("s", {1}), "s{1}");
  EXPECT_EQ(NameAt("d", {0}), "r{0}");
  EXPECT_EQ(NameAt("d", {1}), "d{1}");
  EXPECT_EQ(NameAt("g", {0}), "x");
  EXPECT_EQ(NameAt("a"), "g{1}");
  EXPECT_EQ(NameAt("p", {0}), "x");
  EXPECT_EQ(NameAt("c"), "p{1}");
  EXPECT_EQ(NameAt("m"), "l");
}

// Bodies of fusions have no values; combiners have.
TEST_F(HloDataflowAnalysisTest, LeavesOutFusionBodies) {
  Run(R"(
HloModule m
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
body {
  q = f32[8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(q, z), dimensions={0}, to_apply=sum
}
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[] fusion(x), kind=kLoop, calls=body
}
)");
  EXPECT_THAT(Values(), ElementsAre("e", "f", "h", "x", "y"));
  EXPECT_FALSE(dataflow_->IsAnalyzed(*module_->FindInstruction("q")));
}

}  // namespace
}  // namespace ferry
