// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/progress.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

using std::chrono::milliseconds;

// What the terminal gets while three inputs are done.
std::string Shown(Progress::Options options) {
  testing::internal::CaptureStderr();
  Progress progress(3, options);
  for (size_t done = 1; done <= 3; ++done) {
    progress.Clear();
    progress.Show(done);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, ReplacesItselfAndIsGoneAtTheEnd) {
  EXPECT_EQ(Shown({.is_on = true, .patience = milliseconds(0)}),
            "\r\x1b[K1 of 3 done\r\x1b[K"
            "\r\x1b[K2 of 3 done\r\x1b[K");
}

TEST(ProgressTest, SaysNothingAboutShortWork) {
  EXPECT_EQ(Shown({.is_on = true, .patience = milliseconds(60000)}), "");
}

TEST(ProgressTest, SaysNothingWhereNoTerminalReads) {
  EXPECT_EQ(Shown({.is_on = false, .patience = milliseconds(0)}), "");
}

}  // namespace
}  // namespace ferry
