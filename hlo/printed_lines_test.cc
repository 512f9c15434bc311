// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printed_lines.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr absl::string_view kBody = R"(
fused {
  b = f32[] parameter(1)
  a = f32[] parameter(0)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  y = f32[] parameter(1)
  x = f32[] parameter(0)
  ROOT f = f32[] fusion(x, y), kind=kLoop, calls=fused
}
)";

std::string Names(absl::Span<const HloInstruction* const> lines) {
  std::string names;
  for (const HloInstruction* line : lines)
    absl::StrAppend(&names, line->name());
  return names;
}

TEST(PrintedLinesTest, AScheduleKeepsItsOrder) {
  HloContext context;
  const auto module = *ParseHloText(
      absl::StrCat("HloModule m, is_scheduled=true", kBody), context);
  PrintedLines lines(*module, /*may_repeat=*/false);
  EXPECT_EQ(Names(lines.Of(module->entry())), "yxf");
  EXPECT_EQ(Names(lines.Of(*module->computations()[0])), "abs");
}

TEST(PrintedLinesTest, WithoutAScheduleTheyComeInPostOrder) {
  HloContext context;
  const auto module =
      *ParseHloText(absl::StrCat("HloModule m", kBody), context);
  PrintedLines lines(*module, /*may_repeat=*/false);
  EXPECT_EQ(Names(lines.Of(module->entry())), "xyf");
}

TEST(PrintedLinesTest, PostOrdersMayBeKept) {
  HloContext context;
  const auto module = *ParseHloText(
      absl::StrCat("HloModule m, is_scheduled=true", kBody), context);
  PrintedLines lines(*module, /*may_repeat=*/true);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Names(lines.InPostOrder(module->entry())), "xyf");
  }
}

}  // namespace
}  // namespace ferry
