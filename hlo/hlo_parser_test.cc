// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_parser.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// One context for all modules of the tests.
HloContext& Context() {
  static HloContext& context = *new HloContext();
  return context;
}

HloParseResult Read(std::string text, bool allow_unknown = true) {
  return ParseHlo(SourceText::FromString(std::move(text), "test.hlo"),
                  Context(), {.allow_unknown = allow_unknown});
}

// "line:column: code: message" of each error.
std::vector<std::string> Errors(const std::string& text,
                                bool allow_unknown = true) {
  std::vector<std::string> errors;
  for (const Diagnostic& diagnostic : Read(text, allow_unknown).diagnostics) {
    if (SeverityOf(diagnostic.code) != Severity::kError) continue;
    errors.push_back(
        absl::StrCat(diagnostic.place.line, ":", diagnostic.place.column, ": ",
                     DiagnosticId(diagnostic.code), ": ", diagnostic.message));
  }
  return errors;
}

std::string Reprint(const std::string& text) {
  const HloParseResult result = Read(text);
  if (result.module == nullptr) return absl::StrJoin(Errors(text), "; ");
  return HloToString(*result.module);
}

const HloInstruction& Find(const HloModule& module, absl::string_view name) {
  for (InstructionId id = 0; id < module.id_limit(); ++id) {
    if (module.instruction(id)->name() == name) return *module.instruction(id);
  }
  ADD_FAILURE() << "no instruction " << name;
  return module.entry().root();
}

TEST(HloParserTest, ReadsHeaderFields) {
  const auto result = Read(R"(
HloModule step, is_scheduled=true, input_output_alias={ {0}: (1, {}, must-alias) }, entry_computation_layout={(f32[2]{0:S(5)}, f32[2])->(f32[2])}, replica_count=8
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT t = (f32[2]) tuple(y)
})");
  ASSERT_NE(result.module, nullptr);
  const HloModule& module = *result.module;
  EXPECT_EQ(module.name(), "step");
  EXPECT_TRUE(module.is_scheduled());
  EXPECT_EQ(module.entry_layout().parameters[0]->memory_space(),
            MemorySpace::kHost);
  ASSERT_EQ(module.input_output_aliases().size(), 1);
  EXPECT_EQ(module.input_output_aliases()[0].parameter_number, 1);
  EXPECT_TRUE(module.input_output_aliases()[0].must_alias);
  ASSERT_EQ(module.header_attributes().size(), 1);
  EXPECT_EQ(module.header_attributes()[0].first, "replica_count");
}

TEST(HloParserTest, TheEntryLayoutComesFromTheEntryIfTheHeaderHasNone) {
  const auto result = Read(
      "HloModule m\nENTRY e {\n  ROOT x = f32[2]{0:S(5)} parameter(0)\n}\n");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.module->entry_layout().result->ToString(), "f32[2]{0:S(5)}");
}

TEST(HloParserTest, SignaturesNameParametersWithOrWithoutAColon) {
  const auto errors = [](absl::string_view parameters) {
    return absl::StrJoin(
        Errors(absl::StrCat("HloModule m\nENTRY e (", parameters,
                            ") -> f32[] { ROOT p = f32[] parameter(0) }\n")),
        "; ");
  };
  for (absl::string_view parameters :
       {"", "p: f32[]", "p f32[]", "%p f32[]", "p:f32[], b (f32[])",
        "ENTRY: f32[]", "%f32 f32[]"}) {
    EXPECT_EQ(errors(parameters), "") << parameters;
  }
  for (absl::string_view parameters :
       {"%p: f32[]", "p : f32[]", "ENTRY f32[]", "p: f32[],", "p", "f32[]"}) {
    EXPECT_NE(errors(parameters), "") << parameters;
  }
}

TEST(HloParserTest, ACommaMayEndTheParametersOfTheEntryLayout) {
  const auto error = [](absl::string_view parameters) {
    return absl::StrJoin(
        Errors(absl::StrCat("HloModule m, entry_computation_layout={(",
                            parameters, ")->f32[]}\n",
                            "ENTRY e { ROOT p = f32[] parameter(0) }\n")),
        "; ");
  };
  EXPECT_EQ(error("f32[],"), "");
  EXPECT_THAT(error(","), HasSubstr("expected a shape"));
}

TEST(HloParserTest, OperandsMayBeWrittenWithShapesAndPercentOrInPlace) {
  EXPECT_EQ(Reprint("HloModule m\nENTRY e {\n  a = f32[3] parameter(0)\n"
                    "  ROOT r = add(f32[3]{0} %a, negate(a))\n}\n"),
            R"(HloModule m, entry_computation_layout={(f32[3]{0})->f32[3]{0}}

ENTRY %e (a: f32[3]) -> f32[3] {
  %a = f32[3]{0} parameter(0)
  %negate.anon = f32[3]{0} negate(%a)
  ROOT %r = f32[3]{0} add(%a, %negate.anon)
}

)");
}

// XLA passes over commas, so a missing operand is only seen by its count.
TEST(HloParserTest, CommasBetweenOperandsMayBeTooMany) {
  const auto entry = [](absl::string_view operands) {
    return absl::StrCat("HloModule m\nENTRY e {\n  a = f32[] parameter(0)\n",
                        "  ROOT r = f32[] add(", operands, ")\n}\n");
  };
  const std::string plain = Reprint(entry("a, a"));
  EXPECT_EQ(Reprint(entry(",a,, a,")), plain);
  EXPECT_EQ(Reprint(entry("a:,a")), plain);
  EXPECT_THAT(Reprint(entry("a a")), HasSubstr("expected `,` or `)`"));
  EXPECT_THAT(Reprint(entry("a, % a")), HasSubstr("expected an operand"));
}

TEST(HloParserTest, ANameWinsOverAnOpcodeOfTheSameSpelling) {
  const auto result = Read(
      "HloModule m\nENTRY e {\n  add = f32[] parameter(0)\n"
      "  ROOT r = f32[] multiply(add, add)\n}\n");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.module->entry().root().operand(1).name(), "add");
}

TEST(HloParserTest, BodiesInPlaceBecomeComputationsBeforeTheirCaller) {
  const auto result = Read(R"(HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply={
    p = f32[] parameter(0)
    q = f32[] parameter(1)
    ROOT s = f32[] add(p, q)
  }
})");
  ASSERT_NE(result.module, nullptr);
  ASSERT_EQ(result.module->computations().size(), 2);
  const HloComputation& body = *result.module->computations()[0];
  EXPECT_EQ(body.name(), "_");
  EXPECT_EQ(body.id(), 0);
  EXPECT_TRUE(body.IsFusionBody());
  EXPECT_EQ(result.module->entry().root().called_computations()[0], &body);
}

TEST(HloParserTest, CalledComputationsComeInTheOrderOfTheirRoles) {
  const auto result = Read(R"(HloModule m
b {
  ROOT x = (s32[]) parameter(0)
}
c {
  y = (s32[]) parameter(0)
  ROOT p = pred[] constant(false)
}
ENTRY e {
  z = (s32[]) parameter(0)
  ROOT w = while(z), body=b, condition=c
})");
  ASSERT_NE(result.module, nullptr);
  const HloInstruction& loop = result.module->entry().root();
  EXPECT_EQ(loop.called_computations()[0]->name(), "c");
  EXPECT_EQ(loop.called_computations()[1]->name(), "b");
  EXPECT_FALSE(loop.called_computations()[1]->IsFusionBody());
}

TEST(HloParserTest, AsynchronousShortFormsGetAWrappedComputation) {
  const std::string text = R"(HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  s = ((f32[8]), f32[8], u32[]) negate-start(x), async_execution_thread="host"
  u = ((f32[8]), f32[8], u32[]) negate-update(s)
  ROOT d = f32[8] negate-done(u)
})";
  const auto result = Read(text);
  ASSERT_NE(result.module, nullptr);
  const HloInstruction& start = Find(*result.module, "s");
  EXPECT_EQ(start.opcode(), HloOpcode::kAsyncStart);
  const HloComputation& wrapped = *start.called_computations()[0];
  EXPECT_EQ(wrapped.name(), "async_wrapped");
  EXPECT_EQ(wrapped.execution_thread(), "host");
  EXPECT_EQ(wrapped.root().opcode(), HloOpcode::kNegate);
  EXPECT_THAT(Reprint(text), HasSubstr("negate-done(%u)"));
}

// Else the computation that the inner start calls would not be printed.
TEST(HloParserTest, AnAsynchronousOperationHasNoShortFormOfItsOwn) {
  EXPECT_EQ(Errors(R"(HloModule m
c {
  ROOT v = f32[8] parameter(0)
}
ENTRY e {
  x = f32[8] parameter(0)
  ROOT s = ((f32[8]), f32[8], u32[]) async-start-start(x), calls=c
})",
                   /*allow_unknown=*/false)[0],
            "7:38: F1002: unknown opcode `async-start-start`");
}

TEST(HloParserTest, NamesAreMadeUniqueOverTheModule) {
  const auto result = Read(R"(HloModule m
c {
  ROOT x = f32[] parameter(0)
}
ENTRY e {
  x = f32[] parameter(0)
  ROOT y = f32[] call(x), to_apply=c
})");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.module->entry().parameters()[0]->name(), "x.1");
}

TEST(HloParserTest, WithoutAHeaderTheEntryNamesTheModule) {
  const auto result = Read("ENTRY lone {\n  ROOT x = s32[] constant(4)\n}\n");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.module->name(), "module_lone");
}

TEST(HloParserTest, ASingleInstructionDeclaresItsOperands) {
  EXPECT_EQ(
      Reprint("r = f32[2] add(f32[2] x, f32[2] x)"),
      R"(HloModule _, is_scheduled=true, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

ENTRY %_ (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %r = f32[2]{0} add(%x, %x)
}

)");
}

TEST(HloParserTest, ASingleInstructionNeedsNoNames) {
  EXPECT_EQ(
      Reprint("f32[2] add(f32[2] x, f32[2])"),
      R"(HloModule _, is_scheduled=true, entry_computation_layout={(f32[2]{0}, f32[2]{0})->f32[2]{0}}

ENTRY %_ (x: f32[2], _1: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  %_1 = f32[2]{0} parameter(1)
  ROOT %_ = f32[2]{0} add(%x, %_1)
}

)");
}

// What XLA takes for an operand is declared even if it turns out to be an
// opcode; and names that could not stand in a module are changed.
TEST(HloParserTest, ASingleInstructionDeclaresAllThatLooksLikeAnOperand) {
  EXPECT_THAT(Reprint("ROOT r = f32[] add(f32[] __a, f32[] negate(f32[] b))"),
              HasSubstr("ENTRY %_ (a_a: f32[], negate: f32[], b: f32[])"));
  EXPECT_THAT(Reprint("r = f32[] add(f32[] _1, f32[])"),
              HasSubstr("(_1: f32[], _1.1: f32[])"));
}

TEST(HloParserTest, TheEntryLayoutOfASingleInstructionIsDescending) {
  EXPECT_THAT(Reprint("f32[2,3]{0,1:S(1)} negate(f32[2,3]{0,1:T(8,128)} a)"),
              HasSubstr("entry_computation_layout={(f32[2,3]{1,0:T(8,128)})->"
                        "f32[2,3]{1,0:S(1)}}\n"));
}

TEST(HloParserTest, IllegalNamesOfComputationsAreChanged) {
  const std::string text = Reprint(
      "HloModule m\n__c { ROOT x = f32[] parameter(0) }\n"
      "ENTRY %f32 { p = f32[] parameter(0) ROOT r = f32[] call(p), "
      "to_apply=__c }\n");
  EXPECT_THAT(text, HasSubstr("%a_c (x: f32[])"));
  EXPECT_THAT(text, HasSubstr("ENTRY %f32_ (p: f32[])"));
  EXPECT_THAT(text, HasSubstr("to_apply=%a_c"));
}

TEST(HloParserTest, OperandsOfASingleInstructionMustAgree) {
  EXPECT_THAT(Errors("f32[] add(f32[] a, f32[2] a)")[0],
              HasSubstr("declared operand shape"));
  EXPECT_THAT(Errors("x = f32[] negate(f32[] x)")[0], HasSubstr("`x`"));
  EXPECT_THAT(Errors("negate(f32[] a)")[0], HasSubstr("expected `=`"));
  EXPECT_THAT(Errors("f32[] call(f32[] a), to_apply={\n"
                     "  ROOT q = f32[] negate(f32[] a)\n}")[0],
              HasSubstr("`a`"));
}

TEST(HloParserTest, BodiesInASingleInstructionAreNamedAfterItsComputation) {
  EXPECT_THAT(Reprint("f32[] call(f32[] a), to_apply={ ROOT p = f32[] "
                      "parameter(0) }"),
              AllOf(HasSubstr("%_.1 (p: f32[])"), HasSubstr("ENTRY %_ (a:")));
}

// XLA takes the numbers for sizes, though everywhere else they are dimensions.
TEST(HloParserTest, ABroadcastWithoutAShapePrependsItsDimensions) {
  EXPECT_THAT(Reprint("r = broadcast(f32[4] a), dimensions={2,3}"),
              HasSubstr("f32[2,3,4]{2,1,0} broadcast(%a), dimensions={2,3}"));
  EXPECT_THAT(Errors("r = broadcast(f32[4] a), dimensions={-1}")[0],
              HasSubstr("failed to infer shape"));
}

TEST(HloParserTest, SendAndRecvHaveNoShortStart) {
  EXPECT_THAT(Errors("((f32[]), f32[]) send-start(f32[] a)",
                     /*allow_unknown=*/false)[0],
              HasSubstr("`send-start`"));
}

TEST(HloParserTest, ElidedConstantsStayElided) {
  const auto result = Read(
      "HloModule m\nENTRY e {\n  ROOT c = "
      "f32[96,8,6,2048,2048] constant({...})\n}\n");
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.module->entry().root().attribute(HloAttributeKind::kLiteral),
            "{...}");
}

TEST(HloParserTest, UnknownThingsAreCarriedThroughWithANote) {
  const std::string text =
      "HloModule m, new_flag={a=[1,2]}\nENTRY e {\n  x = f32[] parameter(0)\n"
      "  ROOT y = f32[] warp(x), speed={9,\"}\"}, metadata={op_name=\"w\"}\n"
      "}\n";
  const auto result = Read(text);
  ASSERT_NE(result.module, nullptr);
  EXPECT_EQ(result.diagnostics.size(), 3);
  EXPECT_EQ(result.module->entry().root().opcode(), HloOpcode::kUnknown);
  const std::string printed = HloToString(*result.module);
  EXPECT_THAT(printed, HasSubstr("new_flag={a=[1,2]}"));
  EXPECT_THAT(printed, HasSubstr("warp(%x), metadata={op_name=\"w\"}, "
                                 "speed={9,\"}\"}"));
  EXPECT_EQ(Read(text, /*allow_unknown=*/false).module, nullptr);
}

TEST(HloParserTest, StackFramesAreRead) {
  const auto result = Read(R"(HloModule m
FileNames
1 "a.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=9}
StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}
ENTRY e {
  ROOT x = f32[] parameter(0), metadata={op_name="p" stack_frame_id=2}
})");
  ASSERT_NE(result.module, nullptr);
  const StackFrames& frames = result.module->stack_frames();
  EXPECT_EQ(frames.file_names, std::vector<std::string>{"a.py"});
  EXPECT_EQ(frames.file_locations[0].line, 3);
  EXPECT_EQ(frames.frames[0].parent_frame_id, 0);
  EXPECT_EQ(frames.frames[1].parent_frame_id, 1);
}

TEST(HloParserTest, OneShardingOnATupleIsThatOfEachLeaf) {
  const std::string text =
      "HloModule m\nENTRY e {\n"
      "a = (f32[2], (s32[], token[])) parameter(0), sharding={ manual }\n"
      "b = () parameter(1), sharding={manual}\n"
      "c = f32[2] get-tuple-element(a), index=0, sharding={manual}\n"
      "ROOT t = tuple(c, a), sharding={manual}\n}\n";
  const HloParseResult result = Read(text);
  ASSERT_NE(result.module, nullptr);
  const auto sharding = [&](absl::string_view name) {
    return Find(*result.module, name).attribute(HloAttributeKind::kSharding);
  };
  EXPECT_EQ(sharding("a"), "{{manual}, {manual}, {manual}}");
  EXPECT_EQ(sharding("b"), "{{manual}}");
  EXPECT_EQ(sharding("c"), "{manual}");
  EXPECT_EQ(sharding("t"), "{{manual}, {manual}, {manual}, {manual}}");
}

}  // namespace
}  // namespace ferry
