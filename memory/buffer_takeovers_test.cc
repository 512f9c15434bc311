// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_takeovers.h"

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Takeover = std::tuple<int32_t, int64_t, int32_t>;

// Of the root.
std::vector<Takeover> TakeoversOf(absl::string_view text) {
  HloContext context;
  const std::unique_ptr<HloModule> module = *ParseHloText(text, context);
  std::vector<Takeover> takeovers;
  ForEachTakeover(module->entry().root(),
                  [&](int32_t ordinal, int64_t operand, int32_t from) {
                    takeovers.push_back({ordinal, operand, from});
                  });
  return takeovers;
}

TEST(BufferTakeoversTest, ElementwiseTakesOperandsOfItsShape) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
ENTRY main {
  c = pred[8]{0} parameter(0)
  a = f32[8]{0} parameter(1)
  b = f32[8]{0} parameter(2)
  ROOT s = f32[8]{0} select(c, a, b)
})"),
              ElementsAre(Takeover{0, 1, 0}, Takeover{0, 2, 0}));
}

TEST(BufferTakeoversTest, ACopyTakesNothing) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  ROOT s = f32[8]{0} copy(a)
})"),
              IsEmpty());
}

TEST(BufferTakeoversTest, AnUpdateIsWrittenIntoItsOperand) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  u = f32[2]{0} parameter(1)
  i = s32[] parameter(2)
  ROOT s = f32[8]{0} dynamic-update-slice(a, u, i)
})"),
              ElementsAre(Takeover{0, 0, 0}));
}

// `sum` of p and a broadcast: p is read element by element, row is not.
TEST(BufferTakeoversTest, ALoopFusionTakesWhatItReadsElementByElement) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
fused {
  p = f32[8,8]{1,0} parameter(0)
  q = f32[8,8]{1,0} parameter(1)
  t = f32[8,8]{1,0} transpose(q), dimensions={1,0}
  ROOT sum = f32[8,8]{1,0} add(p, t)
}
ENTRY main {
  a = f32[8,8]{1,0} parameter(0)
  b = f32[8,8]{1,0} parameter(1)
  ROOT f = f32[8,8]{1,0} fusion(a, b), kind=kLoop, calls=fused
})"),
              ElementsAre(Takeover{0, 0, 0}));
}

TEST(BufferTakeoversTest, AFusionThatEndsInAnUpdateIsOne) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
fused {
  p = f32[8]{0} parameter(0)
  u = f32[2]{0} parameter(1)
  i = s32[] parameter(2)
  n = f32[2]{0} negate(u)
  ROOT s = f32[8]{0} dynamic-update-slice(p, n, i)
}
ENTRY main {
  a = f32[8]{0} parameter(0)
  b = f32[2]{0} parameter(1)
  c = s32[] parameter(2)
  ROOT f = f32[8]{0} fusion(a, b, c), kind=kOutput, calls=fused
})"),
              ElementsAre(Takeover{0, 0, 0}));
}

TEST(BufferTakeoversTest, DeclaredAliasesCount) {
  EXPECT_THAT(TakeoversOf(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  ROOT f = (f32[8]{0}, f32[4]{0}) custom-call(a), custom_call_target="K", output_to_operand_aliasing={{0}: (0, {})}
})"),
              ElementsAre(Takeover{1, 0, 0}));
}

}  // namespace
}  // namespace ferry
