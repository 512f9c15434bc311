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
  %d = f32[8]{0} call-done(%s), metadata={op_name="d" stack_frame_id=1}
  %t = (f32[8]{0}, f32[8]{0}, f32[8]{0}, f32[8]{0}, f32[8]{0}, /*index=5*/f32[8]{0}) tuple(%d, %d, %d, %d, %d, /*index=5*/%d)
  ROOT %g = f32[8]{0} get-tuple-element(%t), index=5, backend_config={"a":1}
}

)";

HloPrintOptions Without(bool HloPrintOptions::* field) {
  HloPrintOptions options = HloPrintOptions::Default();
  options.*field = false;
  return options;
}

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
  HloPrintOptions long_form = HloPrintOptions::Full();
  long_form.async_sugar = HloPrintOptions::AsyncSugar::kNone;
  const std::string text = HloToString(*module, long_form);
  EXPECT_THAT(text, HasSubstr("ROOT %call = f32[8]{0} call(%async_param), "
                              "to_apply=%inner, metadata={op_name=\"d\" "
                              "stack_frame_id=1}\n"));
  EXPECT_THAT(text, HasSubstr("async-start(%x), async_execution_thread="
                              "\"sparsecore\", calls=%async_wrapped"));
  EXPECT_THAT(text, HasSubstr("async-done(%s)"));
  // Both forms are one program.
  EXPECT_EQ(HloToString(*Read(text)), kModule);
}

TEST(HloPrinterTest, LargeConstantsMayBeElided) {
  EXPECT_THAT(HloToString(*Read(kModule), HloPrintOptions::Default()),
              HasSubstr("constant({...})"));
}

TEST(HloPrinterTest, WithoutMetadataTheFramesGoToo) {
  const std::string text =
      HloToString(*Read(kModule), Without(&HloPrintOptions::metadata));
  EXPECT_THAT(text, Not(HasSubstr("metadata")));
  EXPECT_THAT(text, Not(HasSubstr("FileNames")));
}

TEST(HloPrinterTest, OptionsLeaveOutOrAdd) {
  const auto module = Read(kModule);
  HloPrintOptions with_shapes;
  with_shapes.operand_shapes = true;
  EXPECT_THAT(HloToString(*module, Without(&HloPrintOptions::percent)),
              HasSubstr("  d = f32[8]{0} call-done(s)"));
  EXPECT_THAT(HloToString(*module, with_shapes),
              HasSubstr("get-tuple-element((f32[8]{0}, f32[8]{0}"));
  EXPECT_THAT(HloToString(*module, Without(&HloPrintOptions::backend_config)),
              Not(HasSubstr("backend_config")));
  EXPECT_THAT(
      HloToString(*module, Without(&HloPrintOptions::control_predecessors)),
      Not(HasSubstr("control-predecessors")));
  EXPECT_THAT(HloToString(*module, Without(&HloPrintOptions::signatures)),
              HasSubstr("ENTRY %main {"));
  EXPECT_THAT(HloToString(*module, Without(&HloPrintOptions::index_comments)),
              HasSubstr("tuple(%d, %d, %d, %d, %d, %d)"));
}

TEST(HloPrinterTest, OneInstructionIsOneLineWithoutEnd) {
  const auto module = Read(kModule);
  EXPECT_EQ(HloToString(module->entry().root()),
            "ROOT %g = f32[8]{0} get-tuple-element(%t), index=5, "
            "backend_config={\"a\":1}");
}

constexpr absl::string_view kLoop = R"(HloModule loop

double {
  b = f32[] parameter(0)
  ROOT s = f32[] add(b, b)
}, execution_thread="host"

less {
  p = f32[] parameter(0)
  ROOT t = pred[] constant(true)
}

ENTRY main {
  k = f32[2] constant({2, 3})
  x = f32[] parameter(0)
  ROOT w = f32[] while(x), condition=less, body=double
}
)";

TEST(HloPrinterTest, TheCanonicalFormHasNoNamesAndWritesBodiesInPlace) {
  EXPECT_THAT(HloToString(*Read(kLoop), HloPrintOptions::Canonical()),
              HasSubstr("ENTRY main {\n"
                        "  tmp_0 = f32[2]{0} constant({2, 3})\n"
                        "  tmp_1 = f32[] parameter(0)\n"
                        "  ROOT tmp_2 = f32[] while(f32[] tmp_1), condition=\n"
                        "  {\n"
                        "    tmp_0 = f32[] parameter(0)\n"
                        "    ROOT tmp_1 = pred[] constant(true)\n"
                        "  }, body=\n"
                        "  {\n"
                        "    tmp_0 = f32[] parameter(0)\n"
                        "    ROOT tmp_1 = f32[] add(f32[] tmp_0, f32[] tmp_0)\n"
                        "  }, execution_thread=\"host\"\n"
                        "}\n"));
}

TEST(HloPrinterTest, WithoutMetadataShardingsHaveNoneEither) {
  const auto module = Read(R"(HloModule m
ENTRY e {
  ROOT p = f32[4] parameter(0), parameter_replication={true}, sharding={replicated metadata={op_name="a"}}
})");
  EXPECT_THAT(HloToString(*module, HloPrintOptions::ShortParsable()),
              HasSubstr("parameter(0), parameter_replication={true}, "
                        "sharding={replicated}\n"));
  EXPECT_THAT(HloToString(*module, HloPrintOptions::Fingerprint()),
              HasSubstr("parameter(0), sharding={replicated}\n"));
}

TEST(HloPrinterTest, AFingerprintHasNeitherWeightsNorNames) {
  const std::string text =
      HloToString(*Read(kLoop), HloPrintOptions::Fingerprint());
  EXPECT_THAT(text, HasSubstr("HloModule , entry"));
  EXPECT_THAT(text, Not(HasSubstr("execution_thread")));
  EXPECT_THAT(text, HasSubstr("ENTRY {\n  tmp_0 = f32[2]{0} constant({...})"));
  EXPECT_THAT(text, HasSubstr("ROOT tmp_1 = pred[] constant(1)"));
}

// XLA's short form says nothing of the order of operands.
constexpr absl::string_view kSwapped = R"(HloModule swapped

wrapped {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT d = f32[] subtract(q, p)
}

ENTRY main {
  x = f32[] parameter(0)
  s = ((f32[], f32[]), f32[], u32[]) async-start(x, x), calls=wrapped
  ROOT e = f32[] async-done(s)
}
)";

TEST(HloPrinterTest, TheShortFormIsXlasUnlessItWouldLoseSomething) {
  const auto module = Read(kSwapped);
  EXPECT_THAT(HloToString(*module, HloPrintOptions::Default()),
              HasSubstr("subtract-start(%x, %x)\n"));
  EXPECT_THAT(HloToString(*module, HloPrintOptions::Full()),
              HasSubstr("async-start(%x, %x), calls=%wrapped\n"));
}

// Instructions of a schedule keep their places, those of fusions have none.
TEST(HloPrinterTest, FusionsOfAScheduledModuleComeInPostOrder) {
  const std::string text = HloToString(*Read(R"(HloModule m, is_scheduled=true
fused {
  b = f32[] parameter(1)
  a = f32[] parameter(0)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  y = f32[] parameter(1)
  x = f32[] parameter(0)
  ROOT f = f32[] fusion(x, y), kind=kLoop, calls=fused
}
)"));
  EXPECT_THAT(text, HasSubstr("  %a = f32[] parameter(0)\n  %b ="));
  EXPECT_THAT(text, HasSubstr("  %y = f32[] parameter(1)\n  %x ="));
}

TEST(HloPrinterTest, AttributesStandInTheOrderOfTheirOpcode) {
  EXPECT_THAT(
      HloToString(*Read(R"(HloModule m
ENTRY main {
  x = f32[4]{0} parameter(0)
  ROOT g = f32[8]{0} all-gather(x), metadata={op_name="g"}, use_global_device_ids=true, dimensions={0}, constrain_layout=true, replica_groups={{0,1}}, channel_id=1, frontend_attributes={a="b"}, sharding={replicated}
}
)")),
      HasSubstr("all-gather(%x), channel_id=1, replica_groups={{0,1}}, "
                "constrain_layout=true, dimensions={0}, "
                "use_global_device_ids=true, sharding={replicated}, "
                "frontend_attributes={a=\"b\"}, metadata={op_name=\"g\"}\n"));
}

// The callee is printed first though it is written last but one, so reading the
// print numbers its frame first.
TEST(HloPrinterTest, AFileThatIsReadAndWrittenStaysTheSame) {
  constexpr absl::string_view kFrames = R"(HloModule m, is_scheduled=true

FileNames
1 "a.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}
2 {file_name_id=1 function_name_id=1 line=2 end_line=2 column=1 end_column=2}
StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}

later {
  ROOT q = f32[] parameter(0), metadata={op_name="q" stack_frame_id=1}
}
sooner {
  ROOT p = f32[] parameter(0), metadata={op_name="p" stack_frame_id=2}
}
ENTRY main {
  x = f32[] parameter(0)
  a = f32[] call(x), to_apply=sooner
  ROOT b = f32[] call(a), to_apply=later
}
)";
  const auto module = Read(kFrames);
  const std::string once = HloToString(*module, HloPrintOptions::Full());
  EXPECT_THAT(once, HasSubstr("op_name=\"p\" stack_frame_id=1"));
  EXPECT_EQ(HloToString(*Read(once), HloPrintOptions::Full()), once);
  // XLA's print keeps the numbers that reading gave.
  EXPECT_THAT(HloToString(*module, HloPrintOptions::Default()),
              HasSubstr("op_name=\"p\" stack_frame_id=2"));
}

}  // namespace
}  // namespace ferry
