// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/control_facts.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

const HloInstruction* Find(const HloModule& module, absl::string_view name) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (instruction.name() == name) return &instruction;
    }
  }
  ADD_FAILURE() << "no `" << name << "`";
  return nullptr;
}

// A loop that counts from 0 to `trips` and brings element 1 back in place.
std::string Loop(int trips) {
  return absl::StrCat(R"(
body {
  p = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  y = f32[4] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  d = f32[4] custom-call(x), custom_call_target="MoveToDevice"
  e = f32[4] custom-call(y), custom_call_target="MoveToDevice"
  z = f32[4] sine(e)
  ROOT r = (s32[], f32[4], f32[4]) tuple(j, d, z)
}
more {
  q = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  n = s32[] constant()",
                      trips, R"()
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY main {
  x = f32[4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[4], f32[4]) tuple(zero, x, x)
  loop = (s32[], f32[4], f32[4]) while(init), condition=more, body=body
  ROOT y = f32[4] get-tuple-element(loop), index=1
})");
}

TEST(ControlFactsTest, TellsLoopsThatNeverOrOnceRun) {
  for (const auto& [trips, runs] :
       {std::pair(0, LoopRuns::kNever), std::pair(1, LoopRuns::kOnce),
        std::pair(2, LoopRuns::kOften)}) {
    HloContext context;
    const auto module = ParseHloText(Loop(trips), context);
    ASSERT_TRUE(module.ok()) << module.status();
    const ControlFacts facts(**module);
    const HloInstruction& loop = *Find(**module, "loop");
    EXPECT_EQ(facts.RunsOf(loop), runs);
    EXPECT_EQ(facts.MayRun(loop, /*role=*/1), trips > 0);
    EXPECT_EQ(facts.IsInlined(loop), trips == 1);
  }
}

TEST(ControlFactsTest, FindsTheElementThatIsBroughtBackInPlace) {
  HloContext context;
  const auto module = ParseHloText(Loop(2), context);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(CarriedInPlace(*Find(**module, "d")), 1);
  EXPECT_EQ(CarriedInPlace(*Find(**module, "e")), std::nullopt);
}

// The branch taken with `selector` as operand 0.
std::optional<int32_t> Branch(absl::string_view selector) {
  HloContext context;
  const auto module = ParseHloText(
      absl::StrCat(
          "a {\n  p = f32[] parameter(0)\n  ROOT r = f32[] sine(p)\n}\n"
          "b {\n  p = f32[] parameter(0)\n  ROOT r = f32[] cosine(p)\n"
          "}\nENTRY main {\n  x = f32[] parameter(0)\n  s = ",
          selector,
          "\n  ROOT c = f32[] conditional(s, x, x), "
          "branch_computations={a, b}\n}"),
      context);
  EXPECT_TRUE(module.ok()) << module.status();
  return ControlFacts(**module).OnlyBranchOf(*Find(**module, "c"));
}

TEST(ControlFactsTest, AConstantSelectsABranch) {
  EXPECT_EQ(Branch("s32[] constant(0)"), 0);
  EXPECT_EQ(Branch("s32[] constant(1)"), 1);
  // Out of range: the last.
  EXPECT_EQ(Branch("s32[] constant(7)"), 1);
  EXPECT_EQ(Branch("s32[] constant(-1)"), 1);
  EXPECT_EQ(Branch("s32[] parameter(1)"), std::nullopt);
}

}  // namespace
}  // namespace ferry
