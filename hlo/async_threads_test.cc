// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/async_threads.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Reprint(absl::string_view text) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  return module.ok() ? HloToString(**module) : module.status().ToString();
}

// `inner` is started by `outer`, which the entry starts.
std::string TwoLevels(absl::string_view thread) {
  return absl::StrCat(R"(HloModule m
inner {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p)
}
outer {
  q = f32[4] parameter(0)
  s = ((f32[4]), f32[4]) call-start(q), to_apply=inner, async_execution_thread="u"
  ROOT d = f32[4] call-done(s)
}
ENTRY e {
  a = f32[4] parameter(0)
  t = ((f32[4]), f32[4]) call-start(a), to_apply=outer)",
                      thread, R"(
  ROOT r = f32[4] call-done(t)
})");
}

TEST(AsyncThreadsTest, WhatIsStartedRunsOnTheThreadOfTheStart) {
  const std::string text =
      Reprint(TwoLevels(", async_execution_thread=\"host\""));
  EXPECT_THAT(text, HasSubstr("negate(%p)\n}, execution_thread=\"host\""));
  EXPECT_THAT(text, HasSubstr("call-done(%s)\n}, execution_thread=\"host\""));
  EXPECT_THAT(text, Not(HasSubstr("\"u\"")));
}

TEST(AsyncThreadsTest, AStartWithoutAThreadIsOnTheMainOne) {
  EXPECT_THAT(Reprint(TwoLevels("")), Not(HasSubstr("execution_thread")));
}

}  // namespace
}  // namespace ferry
