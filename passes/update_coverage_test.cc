// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/update_coverage.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// Whether the instruction `put`, wherever it is, hides what was there before.
bool Hides(absl::string_view text) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  EXPECT_TRUE(module.ok()) << module.status();
  const auto graph = OffloadGraph::Build(**module);
  EXPECT_TRUE(graph.ok()) << graph.status();
  for (ContextId id = 0; id < graph->contexts().size(); ++id) {
    for (const HloInstruction& instruction :
         graph->contexts()[id].computation->instructions()) {
      if (instruction.name() == "put") {
        return HidesInitialContents(*graph, {id, &instruction, 0});
      }
    }
  }
  ADD_FAILURE() << "no `put`";
  return false;
}

// A loop over i = 0 .. trips-1 that writes two rows of eight at `index`.
std::string Loop(int trips, absl::string_view index) {
  return absl::StrCat(R"(
body {
  p = (s32[], f32[8,4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  s = f32[8,4] get-tuple-element(p), index=1
  one = s32[] constant(1)
  two = s32[] constant(2)
  six = s32[] constant(6)
  zero = s32[] constant(0)
  j = s32[] add(i, one)
  twice = s32[] multiply(i, two)
  back = s32[] subtract(six, twice)
  f = f32[] constant(3)
  rows = f32[2,4] broadcast(f), dimensions={}
  put = f32[8,4] dynamic-update-slice(s, rows, )",
                      index, R"(, zero)
  ROOT r = (s32[], f32[8,4]) tuple(j, put)
}
more {
  q = (s32[], f32[8,4]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  n = s32[] constant()",
                      trips, R"()
  ROOT lt = pred[] compare(i, n), direction=LT
}
ENTRY main {
  zero = s32[] constant(0)
  f = f32[] constant(0)
  fill = f32[8,4] broadcast(f), dimensions={}
  init = (s32[], f32[8,4]) tuple(zero, fill)
  loop = (s32[], f32[8,4]) while(init), condition=more, body=body
  ROOT out = f32[8,4] get-tuple-element(loop), index=1
})");
}

TEST(UpdateCoverageTest, ALoopThatWritesEveryRowHidesTheRest) {
  EXPECT_TRUE(Hides(Loop(4, "twice")));
  EXPECT_TRUE(Hides(Loop(4, "back")));
}

TEST(UpdateCoverageTest, ALoopThatStopsEarlyDoesNot) {
  EXPECT_FALSE(Hides(Loop(3, "twice")));
  EXPECT_FALSE(Hides(Loop(3, "back")));
}

TEST(UpdateCoverageTest, StartsBeyondTheEndAreClamped) {
  // i = 0 .. 3 writes rows 0 to 4 only, and not in whole steps of two.
  EXPECT_FALSE(Hides(Loop(4, "i")));
  // Always the last two rows.
  EXPECT_FALSE(Hides(Loop(4, "six")));
}

// Were the sum not to wrap, the index would be i.
TEST(UpdateCoverageTest, ArithmeticThatWrapsProvesNothing) {
  std::string text = Loop(8, "index");
  const auto replace = [&](absl::string_view what, absl::string_view with) {
    const size_t at = text.find(std::string(what));
    ASSERT_NE(at, std::string::npos);
    text.replace(at, what.size(), std::string(with));
  };
  replace("  rows = f32[2,4]", R"(  large = s32[] constant(2147483647)
  sum = s32[] add(i, large)
  positive = pred[] compare(sum, zero), direction=GT
  index = s32[] select(positive, i, zero)
  rows = f32[1,4])");
  EXPECT_FALSE(Hides(text));
  replace("constant(2147483647)", "constant(1)");
  EXPECT_TRUE(Hides(text));
}

TEST(UpdateCoverageTest, ReadingJustWhatWasWrittenHidesTheRest) {
  constexpr absl::string_view kRead = R"(
ENTRY main {
  row = f32[1,4] parameter(0)
  i = s32[] parameter(1)
  k = s32[] parameter(2)
  zero = s32[] constant(0)
  f = f32[] constant(0)
  fill = f32[8,4] broadcast(f), dimensions={}
  put = f32[8,4] dynamic-update-slice(fill, row, i, zero)
  ROOT got = f32[1,4] dynamic-slice(put, )";
  EXPECT_TRUE(
      Hides(absl::StrCat(kRead, "i, zero), dynamic_slice_sizes={1,4}\n}")));
  EXPECT_FALSE(
      Hides(absl::StrCat(kRead, "k, zero), dynamic_slice_sizes={1,4}\n}")));
}

TEST(UpdateCoverageTest, AnUpdateOfTheWholeHidesEverything) {
  EXPECT_TRUE(Hides(R"(
ENTRY main {
  all = f32[8,4] parameter(0)
  i = s32[] parameter(1)
  f = f32[] constant(0)
  fill = f32[8,4] broadcast(f), dimensions={}
  ROOT put = f32[8,4] dynamic-update-slice(fill, all, i, i)
})"));
}

}  // namespace
}  // namespace ferry
