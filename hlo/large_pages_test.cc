// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/large_pages.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(UseLargePagesTest, TheTextStaysAsItIs) {
  for (size_t capacity : {size_t{100}, size_t{20} << 20}) {
    std::string text = "HloModule m";
    text.reserve(capacity);
    const char* const data = text.data();
    UseLargePages(text);
    EXPECT_EQ(text, "HloModule m");
    text.resize(capacity, 'x');
    EXPECT_EQ(text.data(), data);
    EXPECT_EQ(text.back(), 'x');
  }
}

}  // namespace
}  // namespace ferry
