// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/post_order.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

class PostOrderTest : public ::testing::Test {
 protected:
  const HloModule& Read(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    return *module_;
  }

  std::vector<std::string> Computations(absl::string_view text) {
    std::vector<std::string> names;
    for (const HloComputation* one : MakeComputationPostOrder(Read(text))) {
      names.emplace_back(one->name());
    }
    return names;
  }

  std::vector<std::string> Instructions(absl::string_view body) {
    const HloModule& module =
        Read(absl::StrCat("HloModule m\nENTRY e {\n", body, "\n}\n"));
    std::vector<std::string> names;
    InstructionPostOrder order(module);
    for (const HloInstruction* one : order.Of(module.entry())) {
      names.emplace_back(one->name());
    }
    return names;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

TEST_F(PostOrderTest, OperandsStandInFrontOfTheirUserFromTheLeft) {
  EXPECT_THAT(Instructions("b = f32[] parameter(1)\n"
                           "a = f32[] parameter(0)\n"
                           "ROOT sum = f32[] add(a, b)"),
              ElementsAre("a", "b", "sum"));
}

TEST_F(PostOrderTest, InstructionsWithoutUsersComeInStoredOrder) {
  EXPECT_THAT(Instructions("a = f32[] parameter(0)\n"
                           "n = f32[] negate(a)\n"
                           "dead = f32[] constant(1)\n"
                           "ROOT r = f32[] abs(a)"),
              ElementsAre("a", "n", "dead", "r"));
}

TEST_F(PostOrderTest, TheLastControlPredecessorComesFirst) {
  EXPECT_THAT(Instructions("a = f32[] parameter(0)\n"
                           "p = f32[] negate(a)\n"
                           "q = f32[] abs(a)\n"
                           "r = f32[] add(p, q)\n"
                           "ROOT t = (f32[], f32[]) tuple(a, r), "
                           "control-predecessors={p, q}"),
              ElementsAre("a", "q", "p", "r", "t"));
}

TEST_F(PostOrderTest, AChainOfAMillionNeedsNoDeepStack) {
  std::string body = "x0 = f32[] parameter(0)\n";
  constexpr int kLength = 1000000;
  for (int i = 1; i <= kLength; ++i) {
    absl::StrAppend(&body, "x", i, " = f32[] negate(x", i - 1, ")\n");
  }
  const HloModule& module =
      Read(absl::StrCat("HloModule m\nENTRY e {\n", body, "}\n"));
  InstructionPostOrder order(module);
  EXPECT_EQ(order.Of(module.entry()).size(), kLength + 1);
}

constexpr absl::string_view kLoop =
    "HloModule m\n"
    "unused { p = s32[] parameter(0) }\n"
    "condition { p = s32[] parameter(0)\n"
    "  ROOT t = pred[] constant(true) }\n"
    "double { p = s32[] parameter(0)\n"
    "  ROOT s = s32[] add(p, p) }\n"
    "body { p = s32[] parameter(0)\n"
    "  ROOT d = s32[] call(p), to_apply=double }\n"
    "ENTRY e { p = s32[] parameter(0)\n"
    "  ROOT w = s32[] while(p), condition=condition, body=body }\n";

TEST_F(PostOrderTest, CalleesStandInFrontOfTheirCallerBodiesOfLoopsFirst) {
  EXPECT_THAT(Computations(kLoop),
              ElementsAre("unused", "double", "body", "condition", "e"));
}

// `b` is marked when the call of `a` and `b` is seen, so `a`, which is on top,
// is left before the `b` that it calls.
TEST_F(PostOrderTest, ACalleeThatWaitsOnTheStackComesBehindItsOtherCaller) {
  EXPECT_THAT(Computations("HloModule m\n"
                           "b { p = f32[] parameter(0) }\n"
                           "a { p = f32[] parameter(0)\n"
                           "  ROOT c = f32[] call(p), to_apply=b }\n"
                           "ENTRY e { i = s32[] parameter(0)\n"
                           "  x = f32[] parameter(1)\n"
                           "  ROOT c = f32[] conditional(i, x, x), "
                           "branch_computations={a, b} }\n"),
              ElementsAre("a", "b", "e"));
}

}  // namespace
}  // namespace ferry
