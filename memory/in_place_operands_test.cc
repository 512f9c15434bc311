// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/in_place_operands.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class InPlaceOperandsTest : public testing::Test {
 protected:
  // Pairs of instruction `y`, as "result<-operand:node".
  std::vector<std::string> Pairs(absl::string_view text) {
    auto module = ParseHloText(absl::StrCat("HloModule m\n", text), context_);
    EXPECT_TRUE(module.ok()) << module.status();
    const InPlaceOperands in_place = InPlaceOperands::Find(**module);
    std::vector<std::string> pairs;
    for (const InPlacePair& pair :
         in_place.PairsOf(*(*module)->FindInstruction("y"))) {
      pairs.push_back(absl::StrCat(pair.result_ordinal, "<-",
                                   pair.operand_number, ":",
                                   pair.operand_ordinal));
    }
    return pairs;
  }

  HloContext context_;
};

TEST_F(InPlaceOperandsTest, DynamicUpdateSlice) {
  EXPECT_THAT(Pairs(R"(
ENTRY main {
  x = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  ROOT y = f32[8] dynamic-update-slice(x, u, i)
})"),
              ElementsAre("0<-0:0"));
}

TEST_F(InPlaceOperandsTest, OrdinaryOperationsAreNot) {
  EXPECT_THAT(Pairs(R"(
ENTRY main {
  x = f32[8] parameter(0)
  ROOT y = f32[8] negate(x)
})"),
              IsEmpty());
}

TEST_F(InPlaceOperandsTest, ScatterOfSeveralArrays) {
  EXPECT_THAT(Pairs(R"(
f {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT t = (f32[], f32[]) tuple(c, d)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[8] parameter(1)
  i = s32[1,1] parameter(2)
  u = f32[1] parameter(3)
  v = f32[1] parameter(4)
  ROOT y = (f32[8], f32[8]) scatter(x, z, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f
})"),
              ElementsAre("1<-0:0", "2<-1:0"));
}

TEST_F(InPlaceOperandsTest, SetDimensionSize) {
  EXPECT_THAT(Pairs(R"(
ENTRY main {
  x = f32[8] parameter(0)
  n = s32[] parameter(1)
  ROOT y = f32[<=8] set-dimension-size(x, n), dimensions={0}
})"),
              ElementsAre("0<-0:0"));
}

TEST_F(InPlaceOperandsTest, AllReduceStart) {
  constexpr char kText[] = R"(
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[4] parameter(1)
  y = (f32[8], f32[4]) all-reduce-start(x, z), to_apply=sum)";
  EXPECT_THAT(
      Pairs(absl::StrCat(
          kText, "\n  ROOT d = (f32[8], f32[4]) all-reduce-done(y)\n}")),
      ElementsAre("1<-0:0", "2<-1:0"));
  // Which has buffers of its own.
  EXPECT_THAT(Pairs(absl::StrCat(
                  kText, ", backend_config={\"backend\":\"nvshmem\"}",
                  "\n  ROOT d = (f32[8], f32[4]) all-reduce-done(y)\n}")),
              IsEmpty());
}

TEST_F(InPlaceOperandsTest, CustomCallsSayIt) {
  EXPECT_THAT(Pairs(R"(
ENTRY main {
  x = f32[8] parameter(0)
  p = (f32[8], f32[4]) parameter(1)
  ROOT y = (f32[4], f32[8]) custom-call(x, p), custom_call_target="c", output_to_operand_aliasing={{1}: (0, {}), {0}: (1, {1})}
})"),
              ElementsAre("1<-1:2", "2<-0:0"));
}

TEST_F(InPlaceOperandsTest, FusionsEndInAnUpdate) {
  EXPECT_THAT(Pairs(R"(
f {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  b = f32[8] bitcast(p)
  ROOT d = f32[8] dynamic-update-slice(b, u, i)
}
ENTRY main {
  x = f32[8] parameter(0)
  v = f32[2] parameter(1)
  j = s32[] parameter(2)
  ROOT y = f32[8] fusion(x, v, j), kind=kLoop, calls=f
})"),
              ElementsAre("0<-0:0"));
}

TEST_F(InPlaceOperandsTest, FusionsOfSeveralUpdates) {
  EXPECT_THAT(Pairs(R"(
f {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  u = f32[2] parameter(2)
  i = s32[] parameter(3)
  d = f32[8] dynamic-update-slice(q, u, i)
  n = f32[8] negate(p)
  e = f32[8] dynamic-update-slice(p, u, i)
  ROOT t = (f32[8], f32[8], f32[8]) tuple(d, n, e)
}
ENTRY main {
  x = f32[8] parameter(0)
  z = f32[8] parameter(1)
  v = f32[2] parameter(2)
  j = s32[] parameter(3)
  ROOT y = (f32[8], f32[8], f32[8]) fusion(x, z, v, j), kind=kLoop, calls=f
})"),
              ElementsAre("1<-1:0", "3<-0:0"));
}

// The inner update writes into the result of the outer one's operand.
TEST_F(InPlaceOperandsTest, ChainedUpdatesAreNot) {
  EXPECT_THAT(Pairs(R"(
f {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  d = f32[8] dynamic-update-slice(p, u, i)
  ROOT e = f32[8] dynamic-update-slice(d, u, i)
}
ENTRY main {
  x = f32[8] parameter(0)
  v = f32[2] parameter(1)
  j = s32[] parameter(2)
  ROOT y = f32[8] fusion(x, v, j), kind=kLoop, calls=f
})"),
              IsEmpty());
}

TEST_F(InPlaceOperandsTest, NestedFusionsAreSeenThrough) {
  EXPECT_THAT(Pairs(R"(
g {
  p = f32[8] parameter(0)
  u = f32[2] parameter(1)
  i = s32[] parameter(2)
  ROOT d = f32[8] dynamic-update-slice(p, u, i)
}
f {
  q = f32[8] parameter(0)
  w = f32[2] parameter(1)
  k = s32[] parameter(2)
  ROOT h = f32[8] fusion(q, w, k), kind=kLoop, calls=g
}
ENTRY main {
  x = f32[8] parameter(0)
  v = f32[2] parameter(1)
  j = s32[] parameter(2)
  ROOT y = f32[8] fusion(x, v, j), kind=kLoop, calls=f
})"),
              ElementsAre("0<-0:0"));
}

}  // namespace
}  // namespace ferry
