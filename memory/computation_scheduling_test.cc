// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/computation_scheduling.h"

#include <memory>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ComputationSchedulingTest : public ::testing::Test {
 protected:
  SchedulingProblem Build(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    ComputationScheduling scheduling(*module_, *FindMemoryTarget("v5e"));
    return scheduling.Build(module_->entry());
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

TEST_F(ComputationSchedulingTest, ReadersOfElementsReadWhatMadeThem) {
  const SchedulingProblem problem = Build(R"(HloModule m
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  t = (f32[256]{0:T(256)}) tuple(x)
  g = f32[256]{0:T(256)} get-tuple-element(t), index=0
  ROOT r = f32[256]{0:T(256)} bitcast(g)
})");
  // p, x and the table.
  ASSERT_EQ(problem.buffers().size(), 3);
  EXPECT_TRUE(problem.buffers()[0].is_parameter);
  EXPECT_TRUE(problem.buffers()[1].lives_out);
  EXPECT_EQ(problem.buffers()[1].bytes, 1024);
  EXPECT_EQ(problem.buffers()[2].bytes, 512);
  EXPECT_THAT(problem.node(1).reads, ElementsAre(0));
  EXPECT_THAT(problem.node(2).reads, IsEmpty());
  EXPECT_THAT(problem.node(3).reads, ElementsAre(2));
}

TEST_F(ComputationSchedulingTest, ACopyHoldsItsSourceUntilItIsDone) {
  const SchedulingProblem problem = Build(R"(HloModule m
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  s = (f32[256]{0:T(256)S(5)}, f32[256]{0:T(256)}, u32[]{:S(2)}) copy-start(x)
  ROOT d = f32[256]{0:T(256)S(5)} copy-done(s)
})");
  // p, x and the table of s: the rest is not on the device.
  ASSERT_EQ(problem.buffers().size(), 3);
  EXPECT_THAT(problem.readers(1), ElementsAre(2, 3));
}

TEST_F(ComputationSchedulingTest, ASendHoldsWhatItSends) {
  const SchedulingProblem problem = Build(R"(HloModule m
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  x = f32[256]{0:T(256)} negate(p)
  begin = token[] after-all()
  s = (f32[256]{0:T(256)}, u32[]{:S(2)}, token[]) send(x, begin), channel_id=1, is_host_transfer=true
  done = token[] send-done(s), channel_id=1, is_host_transfer=true
  ROOT r = f32[256]{0:T(256)} cosine(p)
})");
  EXPECT_THAT(problem.readers(1), ElementsAre(3, 4));
}

TEST_F(ComputationSchedulingTest, AnAsynchronousUpdateIsInPlace) {
  const SchedulingProblem problem = Build(R"(HloModule m
update {
  a = f32[256]{0:T(256)} parameter(0)
  b = f32[8]{0:T(128)} parameter(1)
  i = s32[]{:T(128)} parameter(2)
  ROOT u = f32[256]{0:T(256)} dynamic-update-slice(a, b, i)
}
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  q = f32[8]{0:T(128)} parameter(1)
  i = s32[]{:T(128)} parameter(2)
  x = f32[256]{0:T(256)} negate(p)
  s = ((f32[256]{0:T(256)}, f32[8]{0:T(128)}, s32[]{:T(128)}), f32[256]{0:T(256)}, u32[]{:S(2)}) async-start(x, q, i), calls=update
  ROOT d = f32[256]{0:T(256)} async-done(s), calls=update
})");
  // p, q, i, x and two tables: the result is x.
  ASSERT_EQ(problem.buffers().size(), 6);
  EXPECT_TRUE(problem.buffers()[3].lives_out);
}

// Sizes that do not fit are as good as infinite, and sums of them still sums.
TEST_F(ComputationSchedulingTest, HugeArraysFit) {
  Build(R"(HloModule m
callee {
  a = f32[1048576,1048576,1048576]{2,1,0} parameter(0)
  ROOT b = f32[1048576,1048576,1048576]{2,1,0} negate(a)
}
ENTRY main {
  p = f32[1048576,1048576,1048576]{2,1,0} parameter(0)
  ROOT c = f32[1048576,1048576,1048576]{2,1,0} call(p), to_apply=callee
})");
  ComputationScheduling scheduling(*module_, *FindMemoryTarget("v5e"));
  const SchedulingProblem callee =
      scheduling.Build(*module_->computations()[0]);
  scheduling.set_peak(*module_->computations()[0], int64_t{2} << 42);
  EXPECT_EQ(callee.buffers()[0].bytes, int64_t{1} << 42);
  const SchedulingProblem problem = scheduling.Build(module_->entry());
  EXPECT_EQ(problem.node(1).instead_bytes, int64_t{1} << 42);
}

TEST_F(ComputationSchedulingTest, CallsHandOnWhatTheirCalleeHandsOn) {
  Build(R"(HloModule m
callee {
  a = f32[256]{0:T(256)} parameter(0)
  b = f32[256]{0:T(256)} negate(a)
  ROOT t = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) tuple(a, b)
}
ENTRY main {
  p = f32[256]{0:T(256)} parameter(0)
  ROOT c = (f32[256]{0:T(256)}, f32[256]{0:T(256)}) call(p), to_apply=callee
})");
  ComputationScheduling scheduling(*module_, *FindMemoryTarget("v5e"));
  scheduling.Build(*module_->computations()[0]);
  scheduling.set_peak(*module_->computations()[0], 5000);
  const SchedulingProblem problem = scheduling.Build(module_->entry());
  // p, the table and b.
  ASSERT_EQ(problem.buffers().size(), 3);
  EXPECT_TRUE(problem.buffers()[0].lives_out);
  EXPECT_EQ(problem.node(1).instead_bytes, 5000 - 1024);
}

}  // namespace
}  // namespace ferry
