// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/instruction_names.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class InstructionNamesTest : public testing::Test {
 protected:
  std::unique_ptr<HloModule> Read(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    return module.ok() ? *std::move(module) : nullptr;
  }

  static std::vector<std::string> NamesOf(const HloComputation& computation) {
    std::vector<std::string> names;
    for (const HloInstruction& instruction : computation.instructions()) {
      names.emplace_back(instruction.name());
    }
    return names;
  }

  HloContext context_;
};

using Names = std::vector<std::string>;

TEST_F(InstructionNamesTest, LaterComputationsGetNewNames) {
  const auto module = Read(R"(HloModule m
a {
  x = f32[] parameter(0)
  x.01 = f32[] negate(x)
  x.0 = f32[] negate(x.01)
  y.0 = f32[] negate(x.0)
  y = f32[] negate(y.0)
  ROOT x.1 = f32[] negate(y)
}
ENTRY b {
  x = f32[] parameter(0)
  x.1 = f32[] negate(x)
  free = f32[] negate(x.1)
  ROOT z = f32[] call(free), to_apply=a
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(NamesOf(*module->computations()[0]),
            Names({"x", "x.1", "x.2", "y.0", "y.1", "x.3"}));
  EXPECT_EQ(NamesOf(module->entry()), Names({"x.4", "x.5", "free", "z"}));
  EXPECT_EQ(module->FindInstruction("x.4"), module->entry().parameters()[0]);
  EXPECT_EQ(module->FindInstruction("gone"), nullptr);
}

// A body in place ends before the computation that it stands in.
TEST_F(InstructionNamesTest, BodiesInPlaceComeFirst) {
  const auto module = Read(R"(HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  q = f32[2] map(x), dimensions={0}, to_apply={
    x = f32[] parameter(0)
    ROOT q = f32[] negate(x)
  }
  ROOT r = f32[2] add(x, q)
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(NamesOf(*module->computations()[0]), Names({"x", "q"}));
  EXPECT_EQ(NamesOf(module->entry()), Names({"x.1", "q.1", "r"}));
  EXPECT_EQ(module->entry().root().operand(1).name(), "q.1");
}

TEST_F(InstructionNamesTest, NestedOperandsCanBeNamed) {
  const auto module = Read(R"(HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] add(negate(x), negate(negate(x)))
  ROOT z = f32[2] add(y, negate.anon.1)
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(
      NamesOf(module->entry()),
      Names({"x", "negate.anon", "negate.anon.1", "negate.anon.2", "y", "z"}));
}

TEST_F(InstructionNamesTest, WrappedOperationsAreNamedByTheirOpcode) {
  const auto module = Read(R"(HloModule m
ENTRY e {
  negate = f32[2] parameter(0)
  s = ((f32[2]), f32[2], u32[]) negate-start(negate)
  ROOT async_param = f32[2] negate-done(s)
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(NamesOf(*module->computations()[0]),
            Names({"async_param", "negate"}));
  EXPECT_EQ(NamesOf(module->entry()),
            Names({"negate.1", "s", "async_param.1"}));
}

// The same name in each of many bodies that stand within each other.
TEST_F(InstructionNamesTest, DeepBodiesStayLinear) {
  constexpr int kDepth = 20000;
  std::string text = "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n";
  for (int i = 0; i < kDepth; ++i) {
    absl::StrAppend(&text,
                    "  y = f32[] map(x), dimensions={}, to_apply={\n"
                    "  x = f32[] parameter(0)\n");
  }
  for (int i = 0; i < kDepth; ++i) {
    absl::StrAppend(&text, "  z = f32[] negate(x) }\n");
  }
  absl::StrAppend(&text, "}\n");
  const auto module = Read(text);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->computations().size(), kDepth + 1);
  EXPECT_EQ(module->entry().root().name(), absl::StrCat("y.", kDepth - 1));
}

TEST_F(InstructionNamesTest, RemovedNamesAreNotUsedAgain) {
  const auto module = Read(R"(HloModule m
ENTRY e {
  x = f32[] parameter(0)
  dead = f32[] negate(x)
  ROOT y = f32[] negate(x)
})");
  ASSERT_NE(module, nullptr);
  module->RemoveInstruction(*module->FindInstruction("dead"));
  EXPECT_EQ(module->FindInstruction("dead"), nullptr);
  EXPECT_EQ(module->UniqueName("dead"), "dead.1");
  EXPECT_EQ(module->UniqueName("dead"), "dead.2");
}

}  // namespace
}  // namespace ferry
