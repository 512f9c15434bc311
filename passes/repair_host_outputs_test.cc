// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/repair_host_outputs.h"

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/passes/host_offload_analysis.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Repairs the module, sees that nothing is left to repair, also when what is
// printed is read again, and gives the print.
std::string Repair(absl::string_view text, absl::string_view kind,
                   std::vector<std::string>* remarks = nullptr) {
  HloContext shapes;
  const std::unique_ptr<HloModule> module = *ParseHloText(text, shapes);
  PassOptions options;
  options.Set("kind", kind);
  PassContext context;
  EXPECT_TRUE(*(*RepairHostOutputs::Create(options))->Run(*module, context));
  EXPECT_TRUE(VerifyHlo(*module).empty());
  const std::string printed = HloToString(*module);
  const std::unique_ptr<HloModule> again = *ParseHloText(printed, shapes);
  EXPECT_FALSE(
      HasError(HostOffloadAnalysis::Run(*again, context)->diagnostics()))
      << printed;
  EXPECT_FALSE(*(*RepairHostOutputs::Create(options))->Run(*again, context));
  if (remarks != nullptr) *remarks = context.remarks;
  return printed;
}

constexpr char kTuple[] = R"(
HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0}, f32[8]{0:S(5)})->(f32[8]{0}, f32[8]{0})}

ENTRY main {
  x = f32[8]{0} parameter(0)
  p = f32[8]{0} parameter(1)
  h = f32[8]{0} custom-call(x), custom_call_target="MoveToHost", metadata={op_name="save"}
  ROOT out = (f32[8]{0}, f32[8]{0}) tuple(x, h)
}
)";

TEST(RepairHostOutputsTest, ReturnsOnHostByTheEntryLayoutAlone) {
  std::vector<std::string> remarks;
  const std::string text = Repair(kTuple, "return_on_host", &remarks);
  EXPECT_THAT(text, HasSubstr("->(f32[8]{0}, f32[8]{0:S(5)})}"));
  EXPECT_THAT(text,
              HasSubstr("ROOT %out = (f32[8]{0}, f32[8]{0}) tuple(%x, %h"));
  // The buffer of x is in device memory.
  EXPECT_THAT(text, Not(HasSubstr("input_output_alias")));
  EXPECT_THAT(remarks,
              ElementsAre("repair-host-outputs: output {1} is returned in host "
                          "memory",
                          "repair-host-outputs: output {1} no longer shares "
                          "the buffer of parameter 0, which is in device "
                          "memory"));
}

TEST(RepairHostOutputsTest, BringsBackInFrontOfTheRoot) {
  const std::string text = Repair(kTuple, "bring_back");
  EXPECT_THAT(text, HasSubstr("  %move-to-device = f32[8]{0} custom-call(%h), "
                              "custom_call_target=\"MoveToDevice\", "
                              "metadata={op_name=\"save\"}\n"
                              "  ROOT %out = (f32[8]{0}, f32[8]{0}) tuple(%x, "
                              "%move-to-device)"));
  EXPECT_THAT(text, HasSubstr("input_output_alias"));
}

TEST(RepairHostOutputsTest, ModulesWithoutEntryLayoutGetOne) {
  const std::string text = Repair(R"(
HloModule m

ENTRY main {
  x = f32[8]{0} parameter(0)
  ROOT h = f32[8]{0} custom-call(x), custom_call_target="MoveToHost"
}
)",
                                  "return_on_host");
  EXPECT_THAT(text, HasSubstr("{(f32[8]{0})->f32[8]{0:S(5)}}"));
}

TEST(RepairHostOutputsTest, AnArrayRootGetsASuccessor) {
  const std::string text = Repair(R"(
HloModule m

ENTRY main {
  x = f32[8]{0} parameter(0)
  y = f32[8]{0} negate(x)
  h = f32[8]{0} custom-call(y), custom_call_target="MoveToHost"
  ROOT b = f32[8]{0} opt-barrier(h)
}
)",
                                  "bring_back");
  EXPECT_THAT(text,
              HasSubstr("  %b = f32[8]{0} opt-barrier(%h)\n"
                        "  ROOT %move-to-device = f32[8]{0} custom-call(%b)"));
}

TEST(RepairHostOutputsTest, AResultThatIsNoTupleInstructionIsTakenApart) {
  const std::string text = Repair(R"(
HloModule m

callee {
  x = f32[8]{0} parameter(0)
  h = f32[8]{0} custom-call(x), custom_call_target="MoveToHost"
  inner = (f32[8]{0}, f32[8]{0}) tuple(h, x)
  ROOT t = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) tuple(x, inner)
}

ENTRY main {
  y = f32[8]{0} parameter(0)
  ROOT c = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) call(y), to_apply=callee
}
)",
                                  "bring_back");
  EXPECT_THAT(
      text,
      HasSubstr(
          "  %get-tuple-element = f32[8]{0} get-tuple-element(%c), index=0\n"
          "  %get-tuple-element.1 = (f32[8]{0}, f32[8]{0}) "
          "get-tuple-element(%c), index=1\n"
          "  %get-tuple-element.2 = f32[8]{0} "
          "get-tuple-element(%get-tuple-element.1), index=0\n"
          "  %move-to-device = f32[8]{0} custom-call(%get-tuple-element.2), "
          "custom_call_target=\"MoveToDevice\"\n"
          "  %get-tuple-element.3 = f32[8]{0} "
          "get-tuple-element(%get-tuple-element.1), index=1\n"
          "  %tuple.1 = (f32[8]{0}, f32[8]{0}) tuple(%move-to-device, "
          "%get-tuple-element.3)\n"
          "  ROOT %tuple = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) "
          "tuple(%get-tuple-element, %tuple.1)"));
}

// The barrier must go on seeing the host value.
TEST(RepairHostOutputsTest, ATupleThatOthersUseStaysAsItIs) {
  const std::string text = Repair(R"(
HloModule m

ENTRY main {
  x = f32[8]{0} parameter(0)
  h = f32[8]{0} custom-call(x), custom_call_target="MoveToHost"
  inner = (f32[8]{0}, f32[8]{0}) tuple(h, x)
  g = f32[8]{0} get-tuple-element(inner), index=0
  back = f32[8]{0} custom-call(g), custom_call_target="MoveToDevice"
  ROOT t = ((f32[8]{0}, f32[8]{0}), f32[8]{0}) tuple(inner, back)
}
)",
                                  "bring_back");
  EXPECT_THAT(text, HasSubstr("%inner = (f32[8]{0}, f32[8]{0}) tuple(%h, %x)"));
  EXPECT_THAT(text, HasSubstr("%tuple = (f32[8]{0}, f32[8]{0}) "
                              "tuple(%move-to-device, %x)"));
  EXPECT_THAT(text, HasSubstr("tuple(%tuple, %back)"));
}

TEST(RepairHostOutputsTest, ACleanModuleStaysAsItIs) {
  HloContext shapes;
  const std::unique_ptr<HloModule> module = *ParseHloText(R"(
HloModule m

ENTRY main {
  x = f32[8]{0} parameter(0)
  ROOT y = f32[8]{0} negate(x)
}
)",
                                                          shapes);
  const std::string before = HloToString(*module);
  PassContext context;
  EXPECT_EQ(*RepairHostOutputs().Run(*module, context), false);
  EXPECT_EQ(HloToString(*module), before);
}

}  // namespace
}  // namespace ferry
