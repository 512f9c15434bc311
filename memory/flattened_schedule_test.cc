// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/flattened_schedule.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

class FlattenedScheduleTest : public testing::Test {
 protected:
  FlattenedSchedule Build(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    return FlattenedSchedule::Build(*module_);
  }
  static std::vector<std::string> Names(const FlattenedSchedule& schedule) {
    std::vector<std::string> names;
    for (const HloInstruction* i : schedule.sequence()) {
      names.push_back(std::string(i->name()));
    }
    return names;
  }
  const HloComputation& Computation(absl::string_view name) {
    for (const HloComputation* computation : module_->computations()) {
      if (computation->name() == name) return *computation;
    }
    ADD_FAILURE() << "no computation " << name;
    return module_->entry();
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

TEST_F(FlattenedScheduleTest, LoopsStandInFrontOfTheWhile) {
  const FlattenedSchedule schedule = Build(R"(
HloModule m, is_scheduled=true
b {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
c {
  r = f32[8] parameter(0)
  ROOT t = pred[] constant(true)
}
ENTRY main {
  x = f32[8] parameter(0)
  w = f32[8] while(x), condition=c, body=b
  ROOT y = f32[8] negate(w)
}
)");
  EXPECT_THAT(Names(schedule), ElementsAre("x", "r", "t", "q", "n", "w", "y"));
  EXPECT_EQ(schedule.SpanOf(Computation("c")), (LiveRange{1, 3}));
  EXPECT_EQ(schedule.SpanOf(Computation("b")), (LiveRange{3, 5}));
  EXPECT_EQ(schedule.SpanOf(Computation("main")), (LiveRange{0, 7}));
  EXPECT_EQ(schedule.LastEndOf(Computation("b")), 5);
}

// Combiners and fusion bodies do not run at times of their own.
TEST_F(FlattenedScheduleTest, PartsOfOperationsHaveNoTimes) {
  const FlattenedSchedule schedule = Build(R"(
HloModule m, is_scheduled=true
f {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[8] fusion(x), kind=kLoop, calls=f
}
)");
  EXPECT_THAT(Names(schedule), ElementsAre("x", "y"));
  EXPECT_EQ(schedule.TimeOf(Computation("f").root()),
            FlattenedSchedule::kNever);
  EXPECT_TRUE(schedule.SpanOf(Computation("f")).IsEmpty());
}

TEST_F(FlattenedScheduleTest, BranchesStandOneAfterAnother) {
  const FlattenedSchedule schedule = Build(R"(
HloModule m, is_scheduled=true
a {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
b {
  ROOT r = f32[8] parameter(0)
}
ENTRY main {
  p = pred[] parameter(0)
  x = f32[8] parameter(1)
  ROOT y = f32[8] conditional(p, x, x), true_computation=a, false_computation=b
}
)");
  EXPECT_THAT(Names(schedule), ElementsAre("p", "x", "q", "n", "r", "y"));
}

// What runs asynchronously, and what that calls, lives until the done.
TEST_F(FlattenedScheduleTest, AsynchronousComputationsLiveUntilTheDone) {
  const FlattenedSchedule schedule = Build(R"(
HloModule m, is_scheduled=true
inner {
  ROOT i = f32[8] parameter(0)
}
a {
  q = f32[8] parameter(0)
  ROOT k = f32[8] call(q), to_apply=inner
}
ENTRY main {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], s32[]) async-start(x), calls=a
  z = f32[8] negate(x)
  ROOT d = f32[8] async-done(s)
}
)");
  EXPECT_THAT(Names(schedule), ElementsAre("x", "q", "i", "k", "s", "z", "d"));
  EXPECT_EQ(schedule.LastEndOf(Computation("a")), 6);
  EXPECT_EQ(schedule.LastEndOf(Computation("inner")), 6);
  EXPECT_EQ(schedule.LastEndOf(Computation("main")), 7);
}

// The values of a computation must be there whenever it is called again.
TEST_F(FlattenedScheduleTest, StandsInFrontOfTheFirstOfSeveralCallers) {
  const FlattenedSchedule schedule = Build(R"(
HloModule m, is_scheduled=true
f {
  q = f32[8] parameter(0)
  ROOT n = f32[8] negate(q)
}
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] call(x), to_apply=f
  b = f32[8] negate(a)
  ROOT c = f32[8] call(b), to_apply=f
}
)");
  EXPECT_THAT(Names(schedule), ElementsAre("x", "q", "n", "a", "b", "c"));
  EXPECT_EQ(schedule.SpanOf(Computation("f")), (LiveRange{1, 3}));
  EXPECT_EQ(schedule.LastEndOf(Computation("f")), 5);
}

// Each computation calls the next one: no stack may be used up.
TEST_F(FlattenedScheduleTest, DepthOfCallsCostsNoStack) {
  std::string text = "HloModule m, is_scheduled=true\n";
  constexpr int kDepth = 20000;
  for (int i = 0; i < kDepth; ++i) {
    const std::string body =
        i == 0 ? "negate(p)" : absl::StrCat("call(p), to_apply=comp", i - 1);
    absl::StrAppend(&text, i + 1 == kDepth ? "ENTRY " : "", "comp", i,
                    " {\n  p = f32[8] parameter(0)\n  ROOT r = f32[8] ", body,
                    "\n}\n");
  }
  EXPECT_EQ(Build(text).size(), 2 * kDepth);
}

}  // namespace
}  // namespace ferry
