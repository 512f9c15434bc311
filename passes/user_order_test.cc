// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/user_order.h"

#include <string>
#include <vector>

#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The users of `name` in the compiler's order.
std::vector<std::string> Users(absl::string_view text, absl::string_view name) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  EXPECT_TRUE(module.ok()) << module.status();
  const UserOrder order(**module);
  std::vector<std::string> users;
  for (const HloInstruction& instruction : (*module)->entry().instructions()) {
    if (instruction.name() != name) continue;
    for (const HloInstruction* user : order.users(instruction)) {
      users.emplace_back(user->name());
    }
  }
  return users;
}

TEST(UserOrderTest, FollowsTheOperandsOfTheRootNotTheText) {
  EXPECT_THAT(Users(R"(
ENTRY main {
  x = f32[] parameter(0)
  a = f32[] sine(x)
  b = f32[] cosine(x)
  c = f32[] negate(x)
  ROOT r = tuple(c, b, a)
})",
                    "x"),
              ElementsAre("c", "b", "a"));
}

TEST(UserOrderTest, TheLastUserTakesThePlaceOfADeadOne) {
  EXPECT_THAT(Users(R"(
ENTRY main {
  x = f32[] parameter(0)
  dead = f32[] sine(x)
  b = f32[] cosine(x)
  c = f32[] negate(x)
  ROOT r = tuple(b, c)
})",
                    "x"),
              ElementsAre("c", "b"));
}

TEST(UserOrderTest, WhatOnlyDeadCodeUsesIsDead) {
  constexpr absl::string_view kText = R"(
ENTRY main {
  x = f32[] parameter(0)
  y = f32[] sine(x)
  z = f32[] cosine(y)
  ROOT r = f32[] negate(x)
})";
  EXPECT_THAT(Users(kText, "x"), ElementsAre("r"));
  EXPECT_THAT(Users(kText, "y"), IsEmpty());
}

TEST(UserOrderTest, AUserOfTwoOperandsStandsOnce) {
  EXPECT_THAT(Users(R"(
ENTRY main {
  x = f32[] parameter(0)
  ROOT r = f32[] add(x, x)
})",
                    "x"),
              ElementsAre("r"));
}

}  // namespace
}  // namespace ferry
