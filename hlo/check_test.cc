// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/check.h"

#include <cstdlib>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(CheckDeathTest, AFalseConditionEndsTheProcess) {
  FERRY_CHECK(1 + 1 == 2);
  EXPECT_DEATH(FERRY_CHECK(1 + 1 == 3), "check_test.cc.*1 \\+ 1 == 3");
}

TEST(CheckDeathTest, AHandlerIsToldWhatAndWhere) {
  const auto fail = [] {
    SetCheckFailureHandler([](absl::string_view, int, absl::string_view what) {
      std::_Exit(what == "false" ? 70 : 1);
    });
    FERRY_CHECK(false);
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(70), "");
}

}  // namespace
}  // namespace ferry
