// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_assignment_text.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class BufferAssignmentTextTest : public ::testing::Test {
 protected:
  const BufferAssignment& Assign(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = std::move(*module);
    absl::StatusOr<BufferAssignment> assignment =
        BufferAssignment::Run(*module_, target_);
    EXPECT_TRUE(assignment.ok()) << assignment.status();
    assignment_ = std::make_unique<BufferAssignment>(std::move(*assignment));
    return *assignment_;
  }

  HloContext context_;
  MemoryTarget target_ = *FindMemoryTarget("v5e");
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<BufferAssignment> assignment_;
};

TEST_F(BufferAssignmentTextTest, HeadsSayWhatAnAllocationIsFor) {
  EXPECT_EQ(BufferAssignmentToText(Assign(R"(
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {1}) }
ENTRY main {
  p = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}) parameter(0)
  a = f32[1024]{0:T(1024)} get-tuple-element(p), index=0
  b = f32[1024]{0:T(1024)} get-tuple-element(p), index=1
  v = f32[1024]{0:T(1024)S(1)} copy(a)
  k = f32[1024]{0:T(1024)} negate(b)
  n = f32[1024]{0:T(1024)} add(v, k)
  ROOT t = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}) tuple(k, n)
}
)")),
            R"(BufferAssignment:
allocation 0: size 512, parameter 0, shape |(f32[1024], f32[1024])| at ShapeIndex {}:
 value: <0 p{} @0> (size=512,offset=0): (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)})
allocation 1: size 4096, parameter 0, shape |f32[1024]| at ShapeIndex {0}:
 value: <1 p{0} @0> (size=4096,offset=0): f32[1024]{0:T(1024)}
allocation 2: size 4096, parameter 0, shape |f32[1024]| at ShapeIndex {1}, maybe-live-out:
 value: <2 p{1} @0> (size=4096,offset=0): f32[1024]{0:T(1024)}
 value: <4 k @0> (size=4096,offset=0): f32[1024]{0:T(1024)}
allocation 3: size 4096, maybe-live-out:
 value: <5 n @0> (size=4096,offset=0): f32[1024]{0:T(1024)}
allocation 4: size 512, maybe-live-out:
 value: <6 t{} @0> (size=512,offset=0): (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)})
allocation 5: size 4096, color 1, preallocated-temp:
 value: <3 v @1> (size=4096,offset=0): f32[1024]{0:T(1024)S(1)}
)");
}

TEST_F(BufferAssignmentTextTest, ResultAndConstant) {
  const std::string text = BufferAssignmentToText(Assign(R"(
HloModule m, is_scheduled=true
ENTRY main {
  k = f32[4]{0:T(128)} constant({1, 2, 3, 4})
  p = f32[4]{0:T(128)} parameter(0)
  ROOT r = f32[4]{0:T(128)} add(p, k)
}
)"));
  EXPECT_NE(text.find("allocation 1: size 512, output shape is |f32[4]|, "
                      "maybe-live-out:\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("allocation 2: size 512, constant:\n value: <0 k @0>"),
            std::string::npos)
      << text;
}

TEST_F(BufferAssignmentTextTest, ReportHasATableForEachAllocation) {
  EXPECT_EQ(MemoryUsageToText(Assign(R"(
HloModule m, is_scheduled=true
ENTRY main {
  p = f32[2048]{0:T(1024)} parameter(0)
  a = f32[2048]{0:T(1024)S(1)} copy(p)
  b = f32[1024]{0:T(1024)S(1)} slice(a), slice={[0:1024]}
  c = f32[1024]{0:T(1024)S(1)} slice(a), slice={[1024:2048]}
  ROOT d = f32[1024]{0:T(1024)} add(b, c)
}
)")),
            R"(Memory Space: default (color=0)
Total bytes: 12288 (12.0KiB)
  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------
     8.0KiB(100%);     8.0KiB;            0;                1; f32[2048]

  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------
     4.0KiB(100%);     4.0KiB;            0;                1; f32[1024]


Memory Space: vmem (color=1)
Total bytes: 16384 (16.0KiB)
  cumulative_size;       size;       offset; used_by_n_values; shapes_list
  ------------------------------------------------------------
     8.0KiB( 50%);     8.0KiB;            0;                1; f32[2048]
    12.0KiB( 75%);     4.0KiB;         8192;                1; f32[1024]
    16.0KiB(100%);     4.0KiB;        12288;                1; f32[1024]


)");
}

// After 50 rows, what is less than 5 % in sum is left out.
TEST_F(BufferAssignmentTextTest, ManySmallValuesAreCutOff) {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY main {\n"
      "  p = f32[1048576]{0:T(1024)} parameter(0)\n"
      "  a = f32[1048576]{0:T(1024)S(1)} copy(p)\n";
  std::string operands = "a";
  for (int i = 0; i < 60; ++i) {
    absl::StrAppend(&text, "  v", i,
                    " = f32[1024]{0:T(1024)S(1)} slice(a), slice={[0:1024]}\n");
    absl::StrAppend(&operands, ", v", i);
  }
  absl::StrAppend(&text, "  ROOT r = f32[1024]{0:T(1024)} custom-call(",
                  operands, "), custom_call_target=\"use\"\n}\n");
  const std::string report = MemoryUsageToText(Assign(text));
  EXPECT_NE(report.find("  The rest 11 values are less than 5% of the total "
                        "size and not shown.\n"),
            std::string::npos)
      << report;
}

}  // namespace
}  // namespace ferry
