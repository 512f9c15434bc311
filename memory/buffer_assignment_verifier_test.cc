// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_assignment_verifier.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/memory_target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kLoop[] = R"(
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
c {
  r = (f32[1024]{0:T(1024)}) parameter(0)
  ROOT t = pred[]{:T(512)} constant(true)
}
b {
  q = (f32[1024]{0:T(1024)}) parameter(0)
  k = f32[1024]{0:T(1024)} get-tuple-element(q), index=0
  l = f32[1024]{0:T(1024)} reverse(k), dimensions={0}
  m = f32[1024]{0:T(1024)} reverse(l), dimensions={0}
  n = f32[1024]{0:T(1024)} add(l, m)
  ROOT u = (f32[1024]{0:T(1024)}) tuple(n)
}
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  y = f32[1024]{0:T(1024)} parameter(1)
  e = f32[1024]{0:T(1024)} add(x, y)
  a = (f32[1024]{0:T(1024)}) tuple(e)
  w = (f32[1024]{0:T(1024)}) while(a), condition=c, body=b
  ROOT g = f32[1024]{0:T(1024)} get-tuple-element(w), index=0
})";

class BufferAssignmentVerifierTest : public testing::Test {
 protected:
  void SetUp() override {
    auto module = ParseHloText(kLoop, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto assignment = BufferAssignment::Run(*module_, *FindMemoryTarget("v5e"));
    ASSERT_TRUE(assignment.ok()) << assignment.status();
    assignment_.emplace(*std::move(assignment));
    for (ValueId v = 0; v < assignment_->dataflow().value_count(); ++v) {
      slices_.push_back(assignment_->SliceOf(v));
    }
  }
  AssignedValue& At(absl::string_view name) {
    return slices_[assignment_->dataflow().ValueAt(
        *module_->FindInstruction(name), 0)];
  }
  std::vector<std::string> Verify() const {
    return VerifySlices(*assignment_, slices_);
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<BufferAssignment> assignment_;
  std::vector<AssignedValue> slices_;
};

TEST_F(BufferAssignmentVerifierTest, TheAssignmentIsRight) {
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(BufferAssignmentVerifierTest, Bounds) {
  At("l").offset_bytes += 1 << 20;
  EXPECT_THAT(Verify(), Contains(AllOf(HasSubstr("bounds: `l`"),
                                       HasSubstr("ends beyond"))));
}

TEST_F(BufferAssignmentVerifierTest, Sizes) {
  At("l").size_bytes /= 2;
  EXPECT_THAT(Verify(), Contains(HasSubstr("another size")));
}

TEST_F(BufferAssignmentVerifierTest, Aliases) {
  // The body's root elsewhere than the loop's state.
  At("n") = At("m");
  EXPECT_THAT(Verify(), Contains(HasSubstr("aliases: ")));
}

TEST_F(BufferAssignmentVerifierTest, Overlap) {
  AssignedValue& m = At("m");
  const ValueId id = m.value;
  m = At("l");
  m.value = id;
  EXPECT_THAT(Verify(), Contains(HasSubstr("overlap: `l`")));
}

TEST_F(BufferAssignmentVerifierTest, Alignment) {
  for (const char* name : {"l", "m"}) At(name).offset_bytes += 8;
  EXPECT_THAT(Verify(), Contains(AnyOf(HasSubstr("alignment: "),
                                       HasSubstr("ends beyond"))));
}

TEST_F(BufferAssignmentVerifierTest, ReadOnly) {
  // In the argument that is not donated.
  At("l").allocation = At("y").allocation;
  At("l").offset_bytes = 0;
  EXPECT_THAT(Verify(), Contains(HasSubstr("read-only: ")));
}

}  // namespace
}  // namespace ferry
