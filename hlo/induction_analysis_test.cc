// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/induction_analysis.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// The first while of the module.
const HloInstruction* FirstLoop(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (instruction.opcode() == HloOpcode::kWhile) return &instruction;
    }
  }
  return nullptr;
}

std::optional<int64_t> TripCountIn(const std::string& text) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  if (!module.ok()) {
    ADD_FAILURE() << module.status();
    return std::nullopt;
  }
  return FindTripCount(*FirstLoop(**module));
}

// A loop over (s32[] i, f32[] x): `init`, `step` and `condition` are the lines
// that make %i0, %next from %i, and ROOT %c from %i.
std::string Loop(const std::string& init, const std::string& step,
                 const std::string& condition) {
  return absl::Substitute(
      R"(HloModule m
condition {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  $2
}
body {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  $1
  ROOT t = (s32[], f32[]) tuple(next, x)
}
ENTRY main {
  x0 = f32[] parameter(0)
  $0
  init = (s32[], f32[]) tuple(i0, x0)
  ROOT w = (s32[], f32[]) while(init), condition=condition, body=body
}
)",
      init, step, condition);
}

// The loop that every scan makes, with other numbers and directions.
std::optional<int64_t> Count(const std::string& start, const std::string& step,
                             const std::string& bound,
                             const std::string& direction) {
  return TripCountIn(
      Loop("i0 = s32[] constant(" + start + ")",
           "d = s32[] constant(" + step + ")  next = s32[] add(i, d)",
           "n = s32[] constant(" + bound +
               ")  ROOT c = pred[] compare(i, n), direction=" + direction));
}

TEST(FindTripCountTest, CountsUpToABound) {
  EXPECT_EQ(Count("0", "1", "32", "LT"), 32);
  EXPECT_EQ(Count("0", "1", "32", "LE"), 33);
  EXPECT_EQ(Count("5", "3", "12", "LT"), 3);
  EXPECT_EQ(Count("5", "3", "11", "LE"), 3);
}

TEST(FindTripCountTest, CountsDownToABound) {
  EXPECT_EQ(Count("31", "-1", "0", "GE"), 32);
  EXPECT_EQ(Count("31", "-1", "0", "GT"), 31);
  EXPECT_EQ(Count("10", "-4", "-1", "GT"), 3);
}

TEST(FindTripCountTest, ALoopThatIsNeverEnteredRunsZeroTimes) {
  EXPECT_EQ(Count("5", "1", "5", "LT"), 0);
  EXPECT_EQ(Count("9", "1", "5", "LT"), 0);
  EXPECT_EQ(Count("5", "-1", "5", "NE"), 0);
  EXPECT_EQ(Count("0", "1", "5", "GT"), 0);
  EXPECT_EQ(Count("0", "1", "5", "EQ"), 0);
}

TEST(FindTripCountTest, AConstantConditionRunsNeverOrForever) {
  for (const std::string value : {"false", "true"}) {
    const std::optional<int64_t> never = 0;
    EXPECT_EQ(
        TripCountIn(Loop("i0 = s32[] parameter(1)", "next = s32[] copy(i)",
                         "ROOT c = pred[] constant(" + value + ")")),
        value == "false" ? never : std::nullopt);
  }
}

TEST(FindTripCountTest, EqualHoldsOnce) {
  EXPECT_EQ(Count("5", "1", "5", "EQ"), 1);
}

TEST(FindTripCountTest, UnequalMustMeetTheBoundExactly) {
  EXPECT_EQ(Count("0", "2", "8", "NE"), 4);
  EXPECT_EQ(Count("8", "-2", "0", "NE"), 4);
  EXPECT_EQ(Count("0", "2", "7", "NE"), std::nullopt);
  EXPECT_EQ(Count("0", "-2", "8", "NE"), std::nullopt);
}

TEST(FindTripCountTest, ALoopWithoutEndHasNoCount) {
  EXPECT_EQ(Count("0", "0", "8", "LT"), std::nullopt);
  EXPECT_EQ(Count("0", "-1", "8", "LT"), std::nullopt);
  EXPECT_EQ(Count("9", "1", "8", "GE"), std::nullopt);
}

// The counter would wrap around before it passes the bound.
TEST(FindTripCountTest, ACounterThatLeavesItsTypeHasNoCount) {
  EXPECT_EQ(Count("0", "2", "2147483647", "LT"), std::nullopt);
  EXPECT_EQ(Count("0", "1", "2147483647", "LE"), std::nullopt);
  EXPECT_EQ(Count("0", "1", "2147483647", "LT"), 2147483647);
}

TEST(FindTripCountTest, EitherOperandOfTheComparisonMayBeTheCounter) {
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] constant(0)",
                             "d = s32[] constant(1)  next = s32[] add(d, i)",
                             "n = s32[] constant(7)  ROOT c = pred[] "
                             "compare(n, i), direction=GT")),
            7);
}

TEST(FindTripCountTest, TheStepMayBeSubtracted) {
  EXPECT_EQ(
      TripCountIn(Loop("i0 = s32[] constant(7)",
                       "d = s32[] constant(1)  next = s32[] subtract(i, d)",
                       "n = s32[] constant(0)  ROOT c = pred[] "
                       "compare(i, n), direction=GT")),
      7);
}

TEST(FindTripCountTest, TheComparisonMayBeOfTheNextValue) {
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] constant(0)",
                             "d = s32[] constant(1)  next = s32[] add(i, d)",
                             "e = s32[] constant(1)  k = s32[] add(i, e)  n = "
                             "s32[] constant(8)  ROOT c = pred[] "
                             "compare(k, n), direction=LT")),
            7);
}

TEST(FindTripCountTest, CopiesBitcastsAndWideningConversionsKeepTheNumber) {
  EXPECT_EQ(
      TripCountIn(Loop("a = s32[1] constant({2})  i0 = s32[] reshape(a)",
                       "d = s32[] constant(1)  e = s32[] copy(d)  k = s32[] "
                       "copy(i)  next = s32[] add(k, e)",
                       "w = s64[] convert(i)  n = s64[] constant(9)  "
                       "ROOT c = pred[] compare(w, n), direction=LT")),
      7);
}

TEST(FindTripCountTest, ANarrowingConversionMayChangeTheNumber) {
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] constant(0)",
                             "d = s32[] constant(1)  next = s32[] add(i, d)",
                             "w = s8[] convert(i)  n = s8[] constant(9)  "
                             "ROOT c = pred[] compare(w, n), direction=LT")),
            std::nullopt);
}

TEST(FindTripCountTest, AComputedStepHasNoCount) {
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] constant(1)", "next = s32[] add(i, i)",
                             "n = s32[] constant(8)  ROOT c = pred[] "
                             "compare(i, n), direction=LT")),
            std::nullopt);
}

TEST(FindTripCountTest, AStartFromOutsideHasNoCount) {
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] parameter(1)",
                             "d = s32[] constant(1)  next = s32[] add(i, d)",
                             "n = s32[] constant(8)  ROOT c = pred[] "
                             "compare(i, n), direction=LT")),
            std::nullopt);
}

// `i < 8 && x < 9` may end earlier.
TEST(FindTripCountTest, AConditionOnMoreThanTheCounterHasNoCount) {
  EXPECT_EQ(
      TripCountIn(Loop(
          "i0 = s32[] constant(1)",
          "d = s32[] constant(1)  next = s32[] add(i, d)",
          "n = s32[] constant(8)  a = pred[] compare(i, n), direction=LT  "
          "x = f32[] get-tuple-element(s), index=1  y = f32[] constant(9)  "
          "b = pred[] compare(x, y), direction=LT  ROOT c = pred[] and(a, b)")),
      std::nullopt);
}

TEST(FindTripCountTest, TheCompilersOwnCountWins) {
  std::string text = Loop("i0 = s32[] parameter(1)", "next = s32[] copy(i)",
                          "ROOT c = pred[] constant(true)");
  const std::string loop = "body=body";
  text.replace(text.find(loop), loop.size(),
               R"(body=body, backend_config={"known_trip_count":{"n":"12"}})");
  EXPECT_EQ(TripCountIn(text), 12);
}

TEST(FindTripCountTest, AMalformedKnownCountIsIgnored) {
  std::string text = Loop("i0 = s32[] parameter(1)", "next = s32[] copy(i)",
                          "ROOT c = pred[] constant(true)");
  const std::string loop = "body=body";
  text.replace(text.find(loop), loop.size(),
               R"(body=body, backend_config={"known_trip_count":{"n":""}})");
  EXPECT_EQ(TripCountIn(text), std::nullopt);
}

// The state is the counter itself, not a tuple.
TEST(FindTripCountTest, TheStateMayBeOneNumber) {
  EXPECT_EQ(TripCountIn(R"(HloModule m
condition {
  i = u8[] parameter(0)
  n = u8[] constant(250)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  i = u8[] parameter(0)
  d = u8[] constant(5)
  ROOT next = u8[] add(i, d)
}
ENTRY main {
  i0 = u8[] constant(0)
  ROOT w = u8[] while(i0), condition=condition, body=body
}
)"),
            50);
}

TEST(FindTripCountTest, ComparisonAndStepMayStandInFusions) {
  EXPECT_EQ(TripCountIn(R"(HloModule m
fused_compare {
  n = s32[] parameter(0)
  i = s32[] parameter(1)
  ROOT c = pred[] compare(i, n), direction=LT
}
fused_step {
  i = s32[] parameter(0)
  d = s32[] constant(2)
  x = f32[] parameter(1)
  next = s32[] add(i, d)
  y = f32[] add(x, x)
  ROOT t = (f32[], s32[]) tuple(y, next)
}
condition {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(12)
  ROOT c = pred[] fusion(n, i), kind=kLoop, calls=fused_compare
}
body {
  s = (s32[], f32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[] get-tuple-element(s), index=1
  f = (f32[], s32[]) fusion(i, x), kind=kLoop, calls=fused_step
  y = f32[] get-tuple-element(f), index=0
  next = s32[] get-tuple-element(f), index=1
  ROOT t = (s32[], f32[]) tuple(next, y)
}
ENTRY main {
  x0 = f32[] parameter(0)
  i0 = s32[] constant(0)
  init = (s32[], f32[]) tuple(i0, x0)
  ROOT w = (s32[], f32[]) while(init), condition=condition, body=body
}
)"),
            6);
}

// The compiler hoists constants into slots of their own, of outer loops too:
// bound, step and start of the inner loop are slots of the outer one.
constexpr char kHoisted[] = R"(HloModule m
inner_condition {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=2
  ROOT c = pred[] compare(i, n), direction=LT
}
inner_body {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  d = s32[] get-tuple-element(s), index=1
  n = s32[] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], s32[], s32[]) tuple(next, d, n)
}
outer_condition {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT c = pred[] compare(i, three), direction=LT
}
outer_body {
  s = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  start = s32[] get-tuple-element(s), index=1
  n = s32[] get-tuple-element(s), index=2
  init = (s32[], s32[], s32[]) tuple(start, start, n)
  w = (s32[], s32[], s32[]) while(init), condition=inner_condition, body=inner_body
  kept = s32[] get-tuple-element(w), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], s32[], s32[]) tuple(next, start, $0)
}
ENTRY main {
  zero = s32[] constant(0)
  start = s32[] constant(2)
  n = s32[] constant(10)
  init = (s32[], s32[], s32[]) tuple(zero, start, n)
  ROOT w = (s32[], s32[], s32[]) while(init), condition=outer_condition, body=outer_body
}
)";

TEST(FindTripCountTest, NumbersMayComeThroughSlotsThatNoLoopChanges) {
  EXPECT_EQ(TripCountIn(absl::Substitute(kHoisted, "kept")), 8);
}

TEST(FindTripCountTest, ASlotThatAnOuterLoopChangesIsNoConstant) {
  EXPECT_EQ(TripCountIn(absl::Substitute(kHoisted, "next")), std::nullopt);
}

// Each sum doubles the number of ways to the parameter; the budget ends it.
TEST(FindTripCountTest, AnAdversarialConditionEndsSoon) {
  std::string sums = "k0 = s32[] add(i, i)";
  for (int n = 1; n < 2000; ++n) {
    absl::StrAppend(&sums, "\n  k", n, " = s32[] add(k", n - 1, ", k", n - 1,
                    ")");
  }
  EXPECT_EQ(TripCountIn(Loop("i0 = s32[] constant(0)",
                             "d = s32[] constant(1)  next = s32[] add(i, d)",
                             sums + "\n  n = s32[] constant(8)\n  ROOT c = "
                                    "pred[] compare(k1999, n), direction=LT")),
            std::nullopt);
}

TEST(FindInductionVariableTest, SaysSlotStartAndStep) {
  HloContext context;
  const auto module =
      ParseHloText(Loop("i0 = s32[] constant(3)",
                        "d = s32[] constant(2)  next = s32[] add(i, d)",
                        "n = s32[] constant(9)  ROOT c = pred[] compare(i, n), "
                        "direction=LT"),
                   context);
  ASSERT_TRUE(module.ok()) << module.status();
  const auto variable = FindInductionVariable(*FirstLoop(**module));
  ASSERT_TRUE(variable.has_value());
  EXPECT_EQ(variable->ordinal, 1);
  EXPECT_EQ(variable->start, 3);
  EXPECT_EQ(variable->step, 2);
}

}  // namespace
}  // namespace ferry
