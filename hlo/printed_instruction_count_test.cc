// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printed_instruction_count.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

uint64_t Count(const std::string& text, const HloPrintOptions& options) {
  HloContext context;
  return PrintedInstructionCount(**ParseHloText(text, context), options);
}

// g0 has one instruction; each of the others calls the one before it twice.
std::string Chain(int length) {
  std::string text = "HloModule m\ng0 { ROOT p = f32[] parameter(0) }\n";
  for (int i = 1; i < length; ++i) {
    absl::StrAppend(&text, "g", i, " { p = f32[] parameter(0)  q = f32[] ",
                    "call(p), to_apply=g", i - 1,
                    "  ROOT d = f32[] call(q), to_apply=g", i - 1, " }\n");
  }
  return absl::StrCat(text, "ENTRY e { p = f32[] parameter(0)  ROOT q = f32[] ",
                      "call(p), to_apply=g", length - 1, " }\n");
}

TEST(PrintedInstructionCountTest, NamedComputationsCountOnce) {
  EXPECT_EQ(Count(Chain(2), HloPrintOptions::Full()), 6);
}

// g0: 1, g1: 3 + 2 * 1, e: 2 + 5.
TEST(PrintedInstructionCountTest, BodiesCountWhereverTheyAreWritten) {
  EXPECT_EQ(Count(Chain(2), HloPrintOptions::Canonical()), 1 + 5 + 7);
}

TEST(PrintedInstructionCountTest, WhatIsBeyondUint64IsItsLargest) {
  EXPECT_EQ(Count(Chain(70), HloPrintOptions::Canonical()), UINT64_MAX);
}

// The short form has the attributes of the wrapped operation, so the body of
// the reducer stands there and in the wrapped computation.
TEST(PrintedInstructionCountTest, TheShortFormRepeatsTheBodiesOfItsOperation) {
  const char text[] = R"(HloModule m
sum { a = f32[] parameter(0)  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
wrapped { x = f32[8] parameter(0)  z = f32[] parameter(1)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum }
ENTRY e { x = f32[8] parameter(0)  z = f32[] parameter(1)
  s = ((f32[8], f32[]), f32[], s32[]) async-start(x, z), calls=wrapped
  ROOT d = f32[] async-done(s) })";
  // sum: 3, wrapped: 3 + 3, e: 4 + 6 + 3.
  EXPECT_EQ(Count(text, HloPrintOptions::Canonical()), 3 + 6 + 13);
}

}  // namespace
}  // namespace ferry
