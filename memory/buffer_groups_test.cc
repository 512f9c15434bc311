// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_groups.h"

#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class BufferGroupsTest : public testing::Test {
 protected:
  // Every array of `text`, an entry computation, takes its elements' bytes.
  void Form(absl::string_view text, bool hand_over = true) {
    auto module = ParseHloText(
        absl::StrCat("HloModule m, is_scheduled=true\n", text), context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto dataflow = HloDataflowAnalysis::Run(*module_);
    ASSERT_TRUE(dataflow.ok()) << dataflow.status();
    dataflow_.emplace(*std::move(dataflow));
    aliases_.emplace(
        HloAliasAnalysis::Run(*dataflow_, InPlaceOperands::Find(*module_)));
    const FlattenedSchedule schedule = FlattenedSchedule::Build(*module_);
    std::vector<int64_t> sizes;
    for (ValueId value = 0; value < dataflow_->value_count(); ++value) {
      sizes.push_back(
          dataflow_->value(value).shape().LogicalBytes().value_or(8));
    }
    groups_.emplace(
        BufferGroups::Form(*dataflow_, *aliases_, schedule,
                           HloLiveRange::Run(*dataflow_, *aliases_, schedule),
                           sizes, {.hand_over = hand_over}));
  }
  BufferId At(absl::string_view name) const {
    return aliases_->BufferOf(
        dataflow_->ValueAt(*module_->FindInstruction(name), 0));
  }
  GroupId GroupAt(absl::string_view name) const {
    return groups_->GroupOf(At(name));
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<HloDataflowAnalysis> dataflow_;
  std::optional<HloAliasAnalysis> aliases_;
  std::optional<BufferGroups> groups_;
};

constexpr char kChain[] = R"(
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] exponential(x)
  b = f32[8] tanh(a)
  c = f32[8] exponential(b)
  ROOT d = f32[8] negate(c)
})";

TEST_F(BufferGroupsTest, AChainHandsOver) {
  Form(kChain);
  EXPECT_EQ(GroupAt("a"), GroupAt("b"));
  EXPECT_EQ(GroupAt("a"), GroupAt("d"));
  // An argument lives to the end.
  EXPECT_NE(GroupAt("a"), GroupAt("x"));
  EXPECT_EQ(groups_->group_count(), 2);
}

TEST_F(BufferGroupsTest, UnlessItMayNot) {
  Form(kChain, /*hand_over=*/false);
  EXPECT_EQ(groups_->group_count(), 5);
}

TEST_F(BufferGroupsTest, WhatIsReadLaterIsKept) {
  Form(R"(
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] exponential(x)
  b = f32[8] tanh(a)
  ROOT d = f32[8] add(a, b)
})");
  EXPECT_NE(GroupAt("a"), GroupAt("b"));
  // Only one of the two that die is taken.
  EXPECT_EQ(GroupAt("d"), GroupAt("a"));
}

TEST_F(BufferGroupsTest, OnlyOneResultTakesAnOperand) {
  Form(R"(
f {
  p = f32[8] parameter(0)
  e = f32[8] exponential(p)
  n = f32[8] negate(p)
  ROOT t = (f32[8], f32[8]) tuple(e, n)
}
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] exponential(x)
  u = (f32[8], f32[8]) fusion(a), kind=kLoop, calls=f
  g = f32[8] get-tuple-element(u), index=0
  h = f32[8] get-tuple-element(u), index=1
  ROOT d = f32[8] dot(g, h), lhs_contracting_dims={}, rhs_contracting_dims={}, lhs_batch_dims={0}, rhs_batch_dims={0}
})");
  EXPECT_EQ(GroupAt("g"), GroupAt("a"));
  EXPECT_NE(GroupAt("h"), GroupAt("a"));
  EXPECT_NE(GroupAt("d"), GroupAt("g"));
}

TEST_F(BufferGroupsTest, OtherShapesAreApart) {
  Form(R"(
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] exponential(x)
  ROOT b = bf16[8] convert(a)
})");
  EXPECT_NE(GroupAt("a"), GroupAt("b"));
}

TEST_F(BufferGroupsTest, OtherMemorySpacesAreApart) {
  Form(R"(
ENTRY main {
  x = f32[8]{0} parameter(0)
  a = f32[8]{0:S(1)} exponential(x)
  ROOT b = f32[8]{0} negate(a)
})");
  EXPECT_NE(GroupAt("a"), GroupAt("b"));
}

TEST_F(BufferGroupsTest, ConcatBitcastHoldsItsOperands) {
  Form(R"(
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] reverse(x), dimensions={0}
  b = f32[16] concatenate(x, x), dimensions={0}
  ROOT w = f32[24] custom-call(a, b), custom_call_target="ConcatBitcast"
})");
  EXPECT_EQ(GroupAt("a"), GroupAt("w"));
  EXPECT_EQ(groups_->OffsetOf(At("w")), 0);
  EXPECT_EQ(groups_->OffsetOf(At("a")), 0);
  EXPECT_EQ(groups_->OffsetOf(At("b")), 32);
}

// One value cannot be in two places: the second part is a copy.
TEST_F(BufferGroupsTest, ConcatBitcastOfOneValueTwice) {
  Form(R"(
ENTRY main {
  x = f32[8] parameter(0)
  a = f32[8] reverse(x), dimensions={0}
  ROOT w = f32[16] custom-call(a, a), custom_call_target="ConcatBitcast"
})");
  EXPECT_EQ(GroupAt("a"), GroupAt("w"));
  EXPECT_EQ(groups_->OffsetOf(At("a")), 0);
}

}  // namespace
}  // namespace ferry
