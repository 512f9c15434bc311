// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/fetch_paths.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// Whether `row`, a slice of a host stack, is a fetch if `rest` follows.
bool IsFetch(absl::string_view rest, Judge judge = Judge::kDocumented) {
  HloContext context;
  const auto module =
      ParseHloText(absl::StrCat("ENTRY main {\n  s = f32[8,4] parameter(0)\n"
                                "  i = s32[] parameter(1)\n"
                                "  row = f32[1,4] dynamic-slice(s, i, i), "
                                "dynamic_slice_sizes={1,4}\n",
                                rest, "}"),
                   context);
  EXPECT_TRUE(module.ok()) << module.status();
  const auto graph = OffloadGraph::Build(**module);
  EXPECT_TRUE(graph.ok()) << graph.status();
  for (const HloInstruction& instruction : (*module)->entry().instructions()) {
    if (instruction.name() == "row") {
      return FetchPaths(*graph, judge).IsFetch({0, &instruction, 0});
    }
  }
  return false;
}

constexpr absl::string_view kMove = "custom_call_target=\"MoveToDevice\"\n";

TEST(FetchPathsTest, AMoveToDeviceRightBehindMakesAFetch) {
  EXPECT_TRUE(
      IsFetch(absl::StrCat("  ROOT d = f32[1,4] custom-call(row), ", kMove)));
}

TEST(FetchPathsTest, LooksThroughWhatMovesNoData) {
  EXPECT_TRUE(IsFetch(
      absl::StrCat("  flat = f32[4] reshape(row)\n  t = (f32[4]) tuple(flat)\n"
                   "  b = (f32[4]) opt-barrier(t)\n"
                   "  g = f32[4] get-tuple-element(b), index=0\n"
                   "  ROOT d = f32[4] custom-call(g), ",
                   kMove)));
}

TEST(FetchPathsTest, ComputeInBetweenMakesHostCompute) {
  EXPECT_FALSE(IsFetch(absl::StrCat(
      "  y = f32[1,4] tanh(row)\n  ROOT d = f32[1,4] custom-call(y), ",
      kMove)));
}

TEST(FetchPathsTest, AllWaysMustEndAtAMove) {
  EXPECT_FALSE(
      IsFetch(absl::StrCat("  d = f32[1,4] custom-call(row), ", kMove,
                           "  y = f32[1,4] tanh(row)\n"
                           "  ROOT t = (f32[1,4], f32[1,4]) tuple(d, y)\n")));
}

TEST(FetchPathsTest, OnlyTheCompilerTakesAnOutputForAFetch) {
  constexpr absl::string_view kOutput = "  ROOT t = (f32[1,4]) tuple(row)\n";
  EXPECT_FALSE(IsFetch(kOutput));
  EXPECT_TRUE(IsFetch(kOutput, Judge::kCompiler));
}

}  // namespace
}  // namespace ferry
