// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_assignment.h"

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/memory/buffer_assignment_verifier.h"
#include "ferry/memory/memory_target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BufferAssignmentTest : public testing::Test {
 protected:
  absl::Status Assign(absl::string_view text,
                      absl::string_view header = "is_scheduled=true") {
    auto module = ParseHloText(
        absl::StrCat("HloModule m, ", header, "\n", text), context_);
    if (!module.ok()) return module.status();
    module_ = *std::move(module);
    auto assignment = BufferAssignment::Run(*module_, *FindMemoryTarget("v5e"));
    if (!assignment.ok()) return assignment.status();
    assignment_.emplace(*std::move(assignment));
    EXPECT_THAT(VerifyBufferAssignment(*assignment_), IsEmpty());
    return absl::OkStatus();
  }
  const AssignedValue& At(absl::string_view name,
                          const ShapeIndex& index = {}) const {
    const HloInstruction* i = module_->FindInstruction(name);
    return assignment_->SliceOf(*i, *i->shape().OrdinalOf(index));
  }
  const BufferAllocation& AllocationAt(absl::string_view name,
                                       const ShapeIndex& index = {}) const {
    return assignment_->allocations()[At(name, index).allocation];
  }
  bool IsSame(const AssignedValue& a, const AssignedValue& b) const {
    return a.allocation == b.allocation && a.offset_bytes == b.offset_bytes;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<BufferAssignment> assignment_;
};

// p*x, +y, -y: one block for all three, which is that of the result.
TEST_F(BufferAssignmentTest, ElementwiseChainsUseTheBlockOfTheResult) {
  ASSERT_TRUE(Assign(R"(
ENTRY main {
  p = f32[1024]{0:T(1024)} parameter(0)
  x = f32[1024]{0:T(1024)} parameter(1)
  y = f32[1024]{0:T(1024)} parameter(2)
  m = f32[1024]{0:T(1024)} multiply(p, x)
  a = f32[1024]{0:T(1024)} add(m, y)
  ROOT s = f32[1024]{0:T(1024)} subtract(a, y)
})")
                  .ok());
  EXPECT_TRUE(IsSame(At("m"), At("s")));
  EXPECT_TRUE(AllocationAt("s").is_live_out);
  EXPECT_EQ(AllocationAt("p").parameter->instruction->name(), "p");
  EXPECT_NE(At("p").allocation, At("s").allocation);
  const SpaceUsage& hbm = *assignment_->FindSpace(MemorySpace::kDefault);
  EXPECT_EQ(hbm.argument_bytes, 3 * 4096);
  EXPECT_EQ(hbm.output_bytes, 4096);
  EXPECT_EQ(hbm.total_bytes, 4 * 4096);
  EXPECT_EQ(hbm.lower_bound_bytes, ByteCount(4 * 4096));
}

TEST_F(BufferAssignmentTest, DonatedArgumentsAreReused) {
  ASSERT_TRUE(Assign(R"(
ENTRY main {
  p = f32[1024]{0:T(1024)} parameter(0)
  e = f32[1024]{0:T(1024)} exponential(p)
  ROOT n = f32[1024]{0:T(1024)} negate(e)
})",
                     "is_scheduled=true, input_output_alias={ {}: (0, {}, "
                     "may-alias) }")
                  .ok());
  EXPECT_EQ(assignment_->allocations().size(), 1);
  EXPECT_EQ(assignment_->FindSpace(MemorySpace::kDefault)->alias_bytes, 4096);
}

TEST_F(BufferAssignmentTest, ReduceIsApartFromItsInput) {
  ASSERT_TRUE(Assign(R"(
sum {
  e = f32[] parameter(0)
  f = f32[] parameter(1)
  ROOT h = f32[] add(e, f)
}
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  z = f32[]{:T(128)} constant(0)
  a = f32[1024]{0:T(1024)} exponential(x)
  r = f32[1024]{0:T(1024)} reduce-window(a, z), window={size=1}, to_apply=sum
  ROOT n = f32[1024]{0:T(1024)} negate(r)
})")
                  .ok());
  EXPECT_FALSE(IsSame(At("a"), At("r")));
  EXPECT_TRUE(AllocationAt("z").is_constant);
  EXPECT_TRUE(AllocationAt("h").is_thread_local);
}

TEST_F(BufferAssignmentTest, LoopStateIsOneBlockForEachIndex) {
  ASSERT_TRUE(Assign(R"(
c {
  r = (s32[]{:T(128)}, f32[1024]{0:T(1024)}) parameter(0)
  ROOT t = pred[]{:T(512)} constant(true)
}
b {
  q = (s32[]{:T(128)}, f32[1024]{0:T(1024)}) parameter(0)
  i = s32[]{:T(128)} get-tuple-element(q), index=0
  j = s32[]{:T(128)} negate(i)
  k = f32[1024]{0:T(1024)} get-tuple-element(q), index=1
  l = f32[1024]{0:T(1024)} negate(k)
  ROOT u = (s32[]{:T(128)}, f32[1024]{0:T(1024)}) tuple(j, l)
}
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  z = s32[]{:T(128)} constant(0)
  o = s32[]{:T(128)} copy(z)
  v = f32[1024]{0:T(1024)} copy(x)
  a = (s32[]{:T(128)}, f32[1024]{0:T(1024)}) tuple(o, v)
  w = (s32[]{:T(128)}, f32[1024]{0:T(1024)}) while(a), condition=c, body=b
  ROOT g = f32[1024]{0:T(1024)} get-tuple-element(w), index=1
})")
                  .ok());
  for (const char* name : {"a", "r", "q", "u", "w"}) {
    EXPECT_TRUE(IsSame(At(name, {1}), At("v"))) << name;
    EXPECT_TRUE(IsSame(At(name, {0}), At("o"))) << name;
    EXPECT_TRUE(IsSame(At(name), At("a"))) << name;
  }
  EXPECT_TRUE(AllocationAt("v").is_live_out);
  EXPECT_TRUE(AllocationAt("o").is_heap);
}

TEST_F(BufferAssignmentTest, BlocksOfOthersAreReused) {
  ASSERT_TRUE(Assign(R"(
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  k = f32[]{:T(128)} constant(0)
  a = f32[8192]{0:T(1024)} pad(x, k), padding=0_7168
  s = f32[1024]{0:T(1024)} slice(a), slice={[0:1024]}
  b = f32[8192]{0:T(1024)} pad(s, k), padding=7168_0
  ROOT r = f32[1024]{0:T(1024)} slice(b), slice={[7168:8192]}
})")
                  .ok());
  EXPECT_TRUE(IsSame(At("a"), At("b")));
}

TEST_F(BufferAssignmentTest, EachMemorySpaceHasItsHeap) {
  ASSERT_TRUE(Assign(R"(
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  s = (f32[1024]{0:T(1024)S(5)}, f32[1024]{0:T(1024)}, u32[]{:S(2)}) copy-start(x)
  d = f32[1024]{0:T(1024)S(5)} copy-done(s)
  t = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)S(5)}, u32[]{:S(2)}) copy-start(d)
  ROOT e = f32[1024]{0:T(1024)} copy-done(t)
})")
                  .ok());
  EXPECT_EQ(AllocationAt("d").space, MemorySpace::kHost);
  EXPECT_TRUE(AllocationAt("d").is_heap);
  EXPECT_EQ(AllocationAt("s", {2}).space, MemorySpace::kContext);
  EXPECT_EQ(assignment_->FindSpace(MemorySpace::kHost)->total_bytes, 4096);
  EXPECT_EQ(assignment_->FindSpace(MemorySpace::kContext)->total_bytes, 4);
}

TEST_F(BufferAssignmentTest, TuplesOfResultsHaveATable) {
  ASSERT_TRUE(Assign(R"(
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  a = f32[1024]{0:T(1024)} negate(x)
  ROOT t = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}) tuple(a, x)
})")
                  .ok());
  EXPECT_EQ(assignment_->FindSpace(MemorySpace::kDefault)->output_bytes,
            2 * 4096 + 512);
  // The argument is also a result: it is not written.
  EXPECT_TRUE(AllocationAt("x").is_live_out);
  EXPECT_EQ(AllocationAt("x").values.size(), 1);
}

TEST_F(BufferAssignmentTest, RefusesOneBlockInTwoMemorySpaces) {
  const absl::Status status = Assign(R"(
c {
  r = (f32[1024]{0:T(1024)}) parameter(0)
  ROOT t = pred[]{:T(512)} constant(true)
}
b {
  q = (f32[1024]{0:T(1024)}) parameter(0)
  n = f32[1024]{0:T(1024)S(1)} constant({...})
  ROOT u = (f32[1024]{0:T(1024)S(1)}) tuple(n)
}
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  a = (f32[1024]{0:T(1024)}) tuple(x)
  ROOT w = (f32[1024]{0:T(1024)}) while(a), condition=c, body=b
})");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("must share its bytes"));
}

TEST_F(BufferAssignmentTest, SaysWhatIsTooLargeToPlace) {
  const absl::Status status = Assign(R"(
ENTRY main {
  x = f32[1000000000,1000000000,1000]{2,1,0:T(8,128)} parameter(0)
  ROOT a = f32[1000000000,1000000000,1000]{2,1,0:T(8,128)} negate(x)
})");
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange) << status;
}

}  // namespace
}  // namespace ferry
