// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/module_scheduler.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Arrays of f32[256] take 1024 bytes on every chip, scalars 512.
class ModuleSchedulerTest : public ::testing::Test {
 protected:
  void Read(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  ModuleSchedule Schedule(std::optional<SchedulerKind> only = std::nullopt) {
    ModuleSchedulerOptions options;
    options.only = only;
    absl::StatusOr<ModuleSchedule> schedule =
        ScheduleModule(*module_, *FindMemoryTarget("v5e"), options);
    EXPECT_TRUE(schedule.ok()) << schedule.status();
    EXPECT_THAT(schedule->schedule.Verify(*module_), IsEmpty());
    return *std::move(schedule);
  }

  std::vector<std::string> EntryNames(const ModuleSchedule& schedule) {
    std::vector<std::string> names;
    const auto sequence = schedule.schedule.sequence(module_->entry());
    for (InstructionId id : *sequence) {
      names.emplace_back(module_->instruction(id)->name());
    }
    return names;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

// `reduce` lets the large `a` go, `b` makes another large value.
TEST_F(ModuleSchedulerTest, TheLastUseIsScheduledFirst) {
  Read(R"(HloModule m

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}

ENTRY main {
  p = f32[4096]{0:T(1024)} parameter(0)
  zero = f32[]{:T(128)} constant(0)
  a = f32[4096]{0:T(1024)} negate(p)
  b = f32[4096]{0:T(1024)} sine(p)
  reduce = f32[]{:T(128)} reduce(a, zero), dimensions={0}, to_apply=add
  sum = f32[]{:T(128)} reduce(b, zero), dimensions={0}, to_apply=add
  ROOT r = f32[]{:T(128)} add(reduce, sum)
}
)");
  const ModuleSchedule schedule = Schedule(SchedulerKind::kList);
  EXPECT_THAT(EntryNames(schedule),
              ElementsAre("zero", "p", "b", "sum", "a", "reduce", "r"));
}

// The last reader of x reads it through a tuple.
TEST_F(ModuleSchedulerTest, ABufferIsFreeBehindItsLastReaderThroughTuples) {
  Read(R"(HloModule m

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  t = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) tuple(x, p)
  early = f32[256]{0:T(256)} sine(x)
  g = f32[256]{0:T(256)} get-tuple-element(t), index=0
  late = f32[256]{0:T(256)} dot(g, early), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={}, rhs_contracting_dims={}
  ROOT r = f32[256]{0:T(256)} cosine(late)
}
)");
  const ModuleSchedule schedule = Schedule(SchedulerKind::kGiven);
  // p, x, early and late; the table of t has had its last reader.
  EXPECT_EQ(schedule.computations.back().peak_bytes, 4 * 1024);
}

TEST_F(ModuleSchedulerTest, TheEndOfATransferToTheHostComesFirst) {
  Read(R"(HloModule m

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  begin = token[] after-all()
  send = (f32[256]{0:T(256)}, u32[], token[]) send(p, begin), channel_id=1, is_host_transfer=true
  a = f32[256]{0:T(256)} negate(p)
  b = f32[256]{0:T(256)} sine(a)
  done = token[] send-done(send), channel_id=1, is_host_transfer=true
  ROOT r = f32[256]{0:T(256)} add(a, b)
}
)");
  const ModuleSchedule schedule = Schedule(SchedulerKind::kList);
  const std::vector<std::string> names = EntryNames(schedule);
  const auto at = [&](absl::string_view name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  EXPECT_EQ(at("done"), at("send") + 1);
}

TEST_F(ModuleSchedulerTest, ATupleThatNobodyReadsIsChargedOnce) {
  Read(R"(HloModule m

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  t = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) tuple(x, x)
  ROOT r = f32[256]{0:T(256)} sine(x)
}
)");
  EXPECT_EQ(Schedule(SchedulerKind::kGiven).computations.back().peak_bytes,
            2 * 1024 + 512);
}

// Both results of `two` die at `sum`; `other` would only wait.
TEST_F(ModuleSchedulerTest, AFusionWithTwoResultsStandsWhereTheyAreUsed) {
  Read(R"(HloModule m

fused {
  q = f32[256]{0:T(256)} parameter(0)
  n = f32[256]{0:T(256)} negate(q)
  s = f32[256]{0:T(256)} sine(q)
  ROOT both = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) tuple(n, s)
}

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  two = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) fusion(p), kind=kLoop, calls=fused
  other = f32[256]{0:T(256)} cosine(p)
  g0 = f32[256]{0:T(256)} get-tuple-element(two), index=0
  g1 = f32[256]{0:T(256)} get-tuple-element(two), index=1
  sum = f32[256]{0:T(256)} add(g0, g1)
  ROOT r = f32[256]{0:T(256)} add(sum, other)
}
)");
  const ModuleSchedule schedule = Schedule();
  // p, the two results and the table.
  EXPECT_EQ(schedule.computations.back().peak_bytes, 3 * 1024 + 512);
  EXPECT_TRUE(schedule.computations.back().is_proven());
  const std::vector<std::string> names = EntryNames(schedule);
  EXPECT_LT(std::find(names.begin(), names.end(), "sum"),
            std::find(names.begin(), names.end(), "other"));
}

// The body needs one array beside the state, the loop's result takes over what
// goes in.
TEST_F(ModuleSchedulerTest, ALoopNeedsWhatItsBodyNeeds) {
  Read(R"(HloModule m

cond {
  c = f32[256]{0:T(256)} parameter(0)
  ROOT yes = pred[]{:T(512)} constant(true)
}

body {
  s = f32[256]{0:T(256)} parameter(0)
  a = f32[256]{0:T(256)} sine(s)
  b = f32[256]{0:T(256)} dot(s, a), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={}, rhs_contracting_dims={}
  ROOT n = f32[256]{0:T(256)} negate(b)
}

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  ROOT w = f32[256]{0:T(256)} while(x), condition=cond, body=body
}
)");
  const ModuleSchedule schedule = Schedule();
  EXPECT_EQ(schedule.computations[1].peak_bytes, 3 * 1024);
  EXPECT_EQ(schedule.computations.back().peak_bytes, 4 * 1024);
}

// A donated argument dies at its last reader; the result takes its place.
TEST_F(ModuleSchedulerTest, ADonatedArgumentIsTakenOver) {
  constexpr absl::string_view kBody = R"(
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  ROOT r = f32[256]{0:T(256)} negate(p)
}
)";
  Read(absl::StrCat("HloModule m\n", kBody));
  EXPECT_EQ(Schedule().computations.back().peak_bytes, 2 * 1024);
  Read(absl::StrCat(
      "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n", kBody));
  EXPECT_EQ(Schedule().computations.back().peak_bytes, 1024);
}

TEST_F(ModuleSchedulerTest, ValuesOnHostCountNothingOnTheDevice) {
  Read(R"(HloModule m

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  h = f32[256]{0:T(256)S(5)} copy(p)
  ROOT r = f32[256]{0:T(256)} copy(h)
}
)");
  EXPECT_EQ(Schedule().computations.back().peak_bytes, 2 * 1024);
}

TEST_F(ModuleSchedulerTest, NamesAreThoseOfTheSchedulers) {
  EXPECT_EQ(SchedulerKindName(SchedulerKind::kPostOrder), "post-order");
  EXPECT_EQ(SchedulerKindFromName("reverse-list"), SchedulerKind::kReverseList);
  EXPECT_EQ(SchedulerKindFromName("magic"), std::nullopt);
}

TEST_F(ModuleSchedulerTest, AnOrderInWavesMustBeAskedFor) {
  Read(R"(HloModule m

ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  q = f32[256]{0:T(256)} parameter(1)
  a = f32[256]{0:T(256)} negate(p)
  a2 = f32[256]{0:T(256)} sine(a)
  b = f32[256]{0:T(256)} negate(q)
  b2 = f32[256]{0:T(256)} sine(b)
  ROOT r = f32[256]{0:T(256)} add(a2, b2)
}
)");
  EXPECT_THAT(EntryNames(Schedule(SchedulerKind::kBfs)),
              ElementsAre("p", "q", "a", "b", "a2", "b2", "r"));
}

}  // namespace
}  // namespace ferry
