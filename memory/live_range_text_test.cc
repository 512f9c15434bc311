// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/live_range_text.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string Text(absl::string_view text) {
  HloContext context;
  absl::StatusOr<std::unique_ptr<HloModule>> module =
      ParseHloText(text, context);
  EXPECT_TRUE(module.ok()) << module.status();
  const MemoryTarget target = *FindMemoryTarget("v5e");
  const absl::StatusOr<BufferAssignment> assignment =
      BufferAssignment::Run(**module, target);
  EXPECT_TRUE(assignment.ok()) << assignment.status();
  return LiveRangesToText(*assignment);
}

TEST(LiveRangeTextTest, OrderRangesPeakAndTree) {
  EXPECT_EQ(Text(R"(
HloModule m, is_scheduled=true
ENTRY main {
  p = f32[1024]{0} parameter(0)
  b = f32[1024]{0} negate(p), metadata={op_name="jit(f)/neg"}
  a = f32[512]{0} slice(b), slice={[0:512]}
  c = f32[512]{0} slice(b), slice={[512:1024]}
  ROOT r = f32[512]{0} add(a, c)
}
)"),
            R"(HloLiveRange (max 5):
  InstructionSequence:
    0:p
    1:b
    2:a
    3:c
    4:r
  BufferLiveRange:
    p{}:0-5
    b{}:1-3
    a{}:2-4
    c{}:3-4
    r{}:4-5
  Live ranges at 3 (peak):
    b{}: 4096 bytes (cumulative: 4096 bytes)
    p{}: 4096 bytes (cumulative: 8192 bytes)
    a{}: 2048 bytes (cumulative: 10240 bytes)
    c{}: 2048 bytes (cumulative: 12288 bytes)
  Stack trace breakdown for peak usage: 12 288 bytes
    main (100.0%, total: 12 288 bytes, current: 0 bytes, remaining: 12 288 bytes)
      ├── jit(f)/neg (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 8 192 bytes)
      ├── p (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 4 096 bytes)
      ├── a (16.7%, total: 2 048 bytes, current: 2 048 bytes, remaining: 2 048 bytes)
      └── c (16.7%, total: 2 048 bytes, current: 2 048 bytes, remaining: 0 bytes)
)");
}

// A call stands in the tree with what it calls; a tuple is 8 bytes an element;
// a child that comes last has no line beside it.
TEST(LiveRangeTextTest, BranchesStandBelowTheirCallers) {
  const std::string text = Text(R"(
HloModule m, is_scheduled=true
body {
  q = (f32[1024]{0}, s32[]) parameter(0)
  v = f32[1024]{0} get-tuple-element(q), index=0
  i = s32[] get-tuple-element(q), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  big = f32[4096]{0} broadcast(j), dimensions={}
  s = f32[1024]{0} slice(big), slice={[0:1024]}
  w = f32[1024]{0} add(v, s)
  ROOT t = (f32[1024]{0}, s32[]) tuple(w, j)
}
cond {
  q = (f32[1024]{0}, s32[]) parameter(0)
  i = s32[] get-tuple-element(q), index=1
  n = s32[] constant(3)
  ROOT l = pred[] compare(i, n), direction=LT
}
ENTRY main {
  p = f32[1024]{0} parameter(0)
  z = s32[] constant(0)
  c = f32[1024]{0} copy(p)
  t = (f32[1024]{0}, s32[]) tuple(c, z)
  loop = (f32[1024]{0}, s32[]) while(t), condition=cond, body=body, metadata={op_name="jit(f)/while"}
  ROOT r = f32[1024]{0} get-tuple-element(loop), index=0
}
)");
  EXPECT_NE(text.find("      ├── jit(f)/while ("), std::string::npos) << text;
  EXPECT_NE(text.find("      │   └── body ("), std::string::npos) << text;
  EXPECT_NE(text.find("      │       ├── big ("), std::string::npos) << text;
  EXPECT_NE(text.find("    q{0}: 4096 bytes"), std::string::npos) << text;
}

}  // namespace
}  // namespace ferry
