// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/can_share_buffer.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class CanShareBufferTest : public testing::Test {
 protected:
  // Whether instruction `y` may write node `result` over operand `operand`.
  bool CanShare(absl::string_view text, int32_t operand, int32_t result = 0) {
    auto module = ParseHloText(absl::StrCat("HloModule m\n", text), context_);
    EXPECT_TRUE(module.ok()) << module.status();
    const HloInstruction* y = (*module)->FindInstruction("y");
    return BufferSharing(**module).CanShare({y, operand, 0}, result);
  }
  // The same for a fusion of `kind` whose body is `body`.
  bool FusionCanShare(absl::string_view kind, absl::string_view body,
                      int32_t operand) {
    return CanShare(absl::StrCat("f {\n", body, R"(
}
ENTRY main {
  x = f32[8,8] parameter(0)
  z = f32[8,8] parameter(1)
  ROOT y = f32[8,8] fusion(x, z), kind=)",
                                 kind, ", calls=f\n}"),
                    operand);
  }

  HloContext context_;
};

TEST_F(CanShareBufferTest, ElementwiseOperations) {
  constexpr char kText[] = R"(
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[8] parameter(1)
  ROOT y = f32[8] add(x, z)
})";
  EXPECT_TRUE(CanShare(kText, 0));
  EXPECT_TRUE(CanShare(kText, 1));
}

TEST_F(CanShareBufferTest, WhatMovesElementsDoesNot) {
  EXPECT_FALSE(CanShare(R"(
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[8] reverse(x), dimensions={0}
})",
                        0));
}

TEST_F(CanShareBufferTest, ACopyIsApartFromWhatItCopies) {
  EXPECT_FALSE(CanShare(R"(
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[8] copy(x)
})",
                        0));
}

TEST_F(CanShareBufferTest, LoopFusionsOfElementwiseOperations) {
  constexpr char kBody[] = R"(
  p = f32[8,8] parameter(0)
  q = f32[8,8] parameter(1)
  n = f32[8,8] negate(p)
  r = f32[8,8] reverse(q), dimensions={0}
  ROOT a = f32[8,8] add(n, r))";
  EXPECT_TRUE(FusionCanShare("kLoop", kBody, 0));
  EXPECT_TRUE(FusionCanShare("kInput", kBody, 0));
  EXPECT_FALSE(FusionCanShare("kLoop", kBody, 1));
  EXPECT_FALSE(FusionCanShare("kCustom", kBody, 0));
}

// What is behind the first use counts, too.
TEST_F(CanShareBufferTest, LoopFusionsThatMoveElementsLater) {
  EXPECT_FALSE(FusionCanShare("kLoop", R"(
  p = f32[8,8] parameter(0)
  q = f32[8,8] parameter(1)
  n = f32[8,8] negate(p)
  r = f32[8,8] reverse(n), dimensions={0}
  ROOT a = f32[8,8] add(n, r))",
                              0));
}

TEST_F(CanShareBufferTest, OutputFusionsThatAddToAProduct) {
  constexpr char kBody[] = R"(
  p = f32[8,8] parameter(0)
  q = f32[8,8] parameter(1)
  d = f32[8,8] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT a = f32[8,8] add(d, p))";
  EXPECT_TRUE(FusionCanShare("kOutput", kBody, 0));
  EXPECT_FALSE(FusionCanShare("kOutput", kBody, 1));
}

TEST_F(CanShareBufferTest, OutputFusionsThatReadItTwice) {
  EXPECT_FALSE(FusionCanShare("kOutput", R"(
  p = f32[8,8] parameter(0)
  q = f32[8,8] parameter(1)
  d = f32[8,8] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT a = f32[8,8] add(d, p))",
                              0));
}

TEST_F(CanShareBufferTest, SortsElementByElement) {
  constexpr char kText[] = R"(
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT l = pred[] compare(a, b), direction=LT
}
ENTRY main {
  x = f32[8] parameter(0)
  z = s32[8] parameter(1)
  ROOT y = (f32[8], s32[8]) sort(x, z), dimensions={0}, to_apply=less
})";
  EXPECT_TRUE(CanShare(kText, 0, 1));
  EXPECT_TRUE(CanShare(kText, 1, 2));
  EXPECT_FALSE(CanShare(kText, 0, 2));
}

TEST_F(CanShareBufferTest, SortsOfWhatOthersReadDoNot) {
  EXPECT_FALSE(CanShare(R"(
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT l = pred[] compare(a, b), direction=LT
}
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] sort(x), dimensions={0}, to_apply=less
  ROOT z = f32[8] add(x, y)
})",
                        0));
}

TEST_F(CanShareBufferTest, ReducesDoNot) {
  EXPECT_FALSE(CanShare(R"(
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[] parameter(1)
  ROOT y = f32[8] reduce-window(x, z), window={size=1}, to_apply=sum
})",
                        0));
}

TEST_F(CanShareBufferTest, AllReducesElementByElement) {
  constexpr char kText[] = R"(
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[8] parameter(1)
  ROOT y = (f32[8], f32[8]) all-reduce(x, z), to_apply=sum
})";
  EXPECT_TRUE(CanShare(kText, 1, 2));
  EXPECT_FALSE(CanShare(kText, 1, 1));
}

TEST_F(CanShareBufferTest, UpdatesOnlyOperandZero) {
  HloContext context;
  auto module = ParseHloText(R"(
HloModule m
ENTRY main {
  x = f32[8] parameter(0)
  i = s32[] parameter(1)
  ROOT y = f32[8] dynamic-update-slice(x, x, i)
})",
                             context);
  ASSERT_TRUE(module.ok()) << module.status();
  const HloInstruction& y = *(*module)->FindInstruction("y");
  EXPECT_TRUE(IsElementwiseOnOperand(y, 0));
  EXPECT_FALSE(IsElementwiseOnOperand(y, 1));
}

}  // namespace
}  // namespace ferry
