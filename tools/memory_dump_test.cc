// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_dump.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(MemoryDumpNamesTest, NoTwoModulesHaveOneName) {
  MemoryDumpNames names;
  EXPECT_EQ(names.NameFor("jit_step"), "jit_step");
  EXPECT_EQ(names.NameFor("jit_step"), "jit_step.2");
  EXPECT_EQ(names.NameFor("jit_step.2"), "jit_step.2.2");
  EXPECT_EQ(names.NameFor("jit_step"), "jit_step.3");
  EXPECT_EQ(names.NameFor("JIT_step"), "JIT_step.4");
}

TEST(MemoryDumpNamesTest, StaysInTheFolder) {
  MemoryDumpNames names;
  EXPECT_EQ(names.NameFor("../x y"), "_.._x_y");
  EXPECT_EQ(names.NameFor("/etc/x"), "_etc_x");
  EXPECT_EQ(names.NameFor(".hidden"), "_.hidden");
  EXPECT_EQ(names.NameFor("-o"), "_-o");
  EXPECT_EQ(names.NameFor(""), "_");
  EXPECT_EQ(names.NameFor(std::string("a\0b\n", 4)), "a_b_");
}

TEST(MemoryDumpNamesTest, LongNamesAreCut) {
  MemoryDumpNames names;
  const std::string name(1000, 'x');
  EXPECT_EQ(names.NameFor(name), std::string(200, 'x'));
  EXPECT_EQ(names.NameFor(name), std::string(200, 'x') + ".2");
}

}  // namespace
}  // namespace ferry
