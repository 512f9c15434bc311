// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/version.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

// CMakeLists.txt and release scripts split it at the dots.
TEST(VersionTest, IsThreeNumbers) {
  int dots = 0;
  for (const char c : std::string(kFerryVersion)) {
    EXPECT_TRUE((c >= '0' && c <= '9') || c == '.') << c;
    dots += c == '.';
  }
  EXPECT_EQ(dots, 2);
}

}  // namespace
}  // namespace ferry
