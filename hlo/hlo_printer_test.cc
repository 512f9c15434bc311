// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_printer.h"

#include <memory>
#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr absl::string_view kModule =
    R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0})->f32[8]{0}}, replica_count=2

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%inner (v: f32[8]) -> f32[8] {
  %v = f32[8]{0} parameter(0)
  ROOT %w = f32[8]{0} negate(%v)
}, execution_thread="sparsecore"

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %k = s32[12]{0} constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  %s = ((f32[8]{0}), f32[8]{0}, u32[]) call-start(%x), async_execution_thread="sparsecore", to_apply=%inner, control-predecessors={%k}
  %d = f32[8]{0} call-done(%s), metadata={op_name="d"}
  %t = (f32[8]{0}, f32[8]{0}, f32[8]{0}, f32[8]{0}, f32[8]{0}, /*index=5*/f32[8]{0}) tuple(%d, %d, %d, %d, %d, /*index=5*/%d)
  ROOT %g = f32[8]{0} get-tuple-element(%t), index=5, backend_config={"a":1}
}

)";

std::unique_ptr<HloModule> Read(absl::string_view text) {
  static HloContext& context = *new HloContext();
  auto module = ParseHloText(text, context);
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : nullptr;
}

TEST(HloPrinterTest, PrintsWhatXlaPrints) {
  EXPECT_EQ(HloToString(*Read(kModule)), kModule);
}

TEST(HloPrinterTest, WithoutAsyncSugarTheWrappedComputationIsPrinted) {
  const auto module = Read(kModule);
  const std::string text = HloToString(*module, {.async_sugar = false});
  EXPECT_THAT(text, HasSubstr("ROOT %call = f32[8]{0} call(%async_param), "
                              "to_apply=%inner\n"));
  EXPECT_THAT(text, HasSubstr("async-start(%x), async_execution_thread="
                              "\"sparsecore\", calls=%async_wrapped"));
  EXPECT_THAT(text, HasSubstr("async-done(%s)"));
  // Both forms are one program.
  EXPECT_EQ(HloToString(*Read(text)), kModule);
}

TEST(HloPrinterTest, LargeConstantsMayBeElided) {
  EXPECT_THAT(HloToString(*Read(kModule), {.large_constants = false}),
              HasSubstr("constant({...})"));
}

TEST(HloPrinterTest, WithoutMetadataTheFramesGoToo) {
  const std::string text = HloToString(*Read(kModule), {.metadata = false});
  EXPECT_THAT(text, Not(HasSubstr("metadata")));
  EXPECT_THAT(text, Not(HasSubstr("FileNames")));
}

TEST(HloPrinterTest, OptionsLeaveOutOrAdd) {
  const auto module = Read(kModule);
  EXPECT_THAT(HloToString(*module, {.percent = false}),
              HasSubstr("  d = f32[8]{0} call-done(s)"));
  EXPECT_THAT(HloToString(*module, {.operand_shapes = true}),
              HasSubstr("get-tuple-element((f32[8]{0}, f32[8]{0}"));
  EXPECT_THAT(HloToString(*module, {.backend_config = false}),
              Not(HasSubstr("backend_config")));
  EXPECT_THAT(HloToString(*module, {.control_predecessors = false}),
              Not(HasSubstr("control-predecessors")));
  EXPECT_THAT(HloToString(*module, {.signatures = false}),
              HasSubstr("ENTRY %main {"));
  EXPECT_THAT(HloToString(*module, {.index_comments = false}),
              HasSubstr("tuple(%d, %d, %d, %d, %d, %d)"));
}

TEST(HloPrinterTest, OneInstructionIsOneLineWithoutEnd) {
  const auto module = Read(kModule);
  EXPECT_EQ(HloToString(module->entry().root()),
            "ROOT %g = f32[8]{0} get-tuple-element(%t), index=5, "
            "backend_config={\"a\":1}");
}

}  // namespace
}  // namespace ferry
