// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_verifier.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "7: F1101: message" for each finding.
std::vector<std::string> Verify(const std::string& text) {
  HloContext context;
  const auto module = ParseHloText(text, context);
  if (!module.ok()) return {module.status().ToString()};
  std::vector<std::string> findings;
  for (const Diagnostic& diagnostic : VerifyHlo(**module)) {
    findings.push_back(absl::StrCat(diagnostic.place.line, ": ",
                                    DiagnosticId(diagnostic.code), ": ",
                                    diagnostic.message));
  }
  return findings;
}

// An entry with these lines, the first of which is line 3.
std::string Entry(const std::string& lines) {
  return "HloModule m\nENTRY main {\n" + lines + "\n}\n";
}

TEST(HloVerifierTest, ACorrectModuleHasNoFindings) {
  EXPECT_THAT(Verify(R"(HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY main {
  x = f32[8,4]{1,0} parameter(0)
  zero = f32[] constant(0)
  r = f32[8]{0} reduce(x, zero), dimensions={1}, to_apply=add
  t = (f32[8,4]{1,0}, f32[8]{0}) tuple(x, r)
  ROOT y = f32[8]{0} get-tuple-element(t), index=1
})"),
              IsEmpty());
}

// --- F1007: operand counts.

// XLA's reader takes them, and so do we.
TEST(HloVerifierTest, OperandsAreAsManyAsTheOpcodeTakes) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[] parameter(0)
  y = f32[8] rng(x), distribution=rng_uniform
  z = f32[8] ragged-all-to-all(), replica_groups={}
  ROOT s = () sort(), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = pred[] compare(a, b), direction=LT })")),
              ElementsAre("4: F1007: `rng` needs 2 operands, but has 1",
                          "5: F1007: `ragged-all-to-all` needs 6 operands, "
                          "but has 0",
                          "6: F1007: `sort` needs at least 1 operands, but "
                          "has 0"));
}

// --- F1102: called computations.

constexpr char kNegate[] = R"(HloModule m
f {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}
)";

TEST(HloVerifierTest, ACalleeTakesAsManyOperandsAsThereAre) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(ENTRY main {
  x = f32[8] parameter(0)
  ROOT c = f32[8] call(x, x), to_apply=f
})"),
              ElementsAre("8: F1102: Called computation must take 2 arguments; "
                          "`f` takes 1"));
}

TEST(HloVerifierTest, ACalleesParametersFitTheOperands) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(ENTRY main {
  x = f32[4] parameter(0)
  ROOT c = f32[8] fusion(x), kind=kLoop, calls=f
})"),
              ElementsAre("8: F1102: Shape mismatch between parameter number 0 "
                          "and its operand in c. (f32[8]{0} != f32[4]{0})"));
}

TEST(HloVerifierTest, ACallersResultIsTheCalleesRoot) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(ENTRY main {
  x = f32[8] parameter(0)
  ROOT c = f32[4] call(x), to_apply=f
})"),
              ElementsAre("8: F1102: Expected instruction to have shape equal "
                          "to f32[8]{0}, actual shape is f32[4]{0}"));
}

TEST(HloVerifierTest, ALoopHasOneShapeThroughout) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(cond {
  p = f32[4] parameter(0)
  ROOT c = pred[] constant(false)
}
ENTRY main {
  x = f32[8] parameter(0)
  ROOT w = f32[8] while(x), condition=cond, body=f
})"),
              ElementsAre("12: F1102: The parameter of condition and body, the "
                          "result of the body, and init must all have the same "
                          "shape; got Condition: f32[4]{0}; init: f32[8]{0}"));
}

TEST(HloVerifierTest, ALoopConditionIsABoolean) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(ENTRY main {
  x = f32[8] parameter(0)
  ROOT w = f32[8] while(x), condition=f, body=f
})"),
              ElementsAre("8: F1102: Condition must return a boolean; `f` "
                          "returns f32[8]{0}"));
}

TEST(HloVerifierTest, BranchesFitTheirOperandsAndTheResult) {
  EXPECT_THAT(Verify(std::string(kNegate) + R"(g {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p)
}
ENTRY main {
  x = f32[8] parameter(0)
  p = pred[] parameter(1)
  ROOT c = f32[8] conditional(p, x, x), true_computation=f, false_computation=g
})"),
              ElementsAre("13: F1102: branch operand 1 must match the shape of "
                          "the only parameter of branch computation 1: got "
                          "operand: f32[8]{0}; computation: f32[4]{0}",
                          "13: F1102: Expected instruction to have shape equal "
                          "to f32[4]{0}, actual shape is f32[8]{0}"));
}

TEST(HloVerifierTest, AReducerTakesPairs) {
  EXPECT_THAT(
      Verify(R"(HloModule m
f {
  ROOT p = f32[] parameter(0)
}
ENTRY main {
  x = f32[8] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=f
})"),
      ElementsAre("8: F1109: Reduction function must take 2 parameters, "
                  "but takes 1 parameter(s)."));
}

// --- F1103, F1104: the header.

TEST(HloVerifierTest, TheEntryFitsItsLayout) {
  EXPECT_THAT(
      Verify(R"(HloModule m, entry_computation_layout={(f32[4]{0})->f32[2]{0}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
      ElementsAre("3: F1103: Shape of the entry computation parameter 0 is "
                  "f32[8]{0} should be compatible to the one specified in "
                  "module's entry computation layout f32[4]{0}",
                  "3: F1103: Shape of the root instruction of entry "
                  "computation (f32[8]{0}) should be compatible to one "
                  "specified in module's entry computation layout "
                  "(f32[2]{0})"));
}

TEST(HloVerifierTest, TheEntryLayoutHasEveryParameter) {
  EXPECT_THAT(Verify(R"(HloModule m, entry_computation_layout={()->f32[8]{0}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
              ElementsAre("2: F1103: Number of parameters in entry computation "
                          "layout (0) must be same as number of parameters of "
                          "entry computation (1)"));
}

TEST(HloVerifierTest, TheEntryLayoutDecidesWhereItsValuesAre) {
  EXPECT_THAT(
      Verify(
          R"(HloModule m, entry_computation_layout={(f32[8]{0:S(5)})->f32[8]{0:S(5)}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
      IsEmpty());
}

TEST(HloVerifierTest, TheEntryLayoutHasLayoutsThatCanBe) {
  EXPECT_THAT(
      Verify(R"(HloModule m, entry_computation_layout={(f32[8]{9})->f32[8]{0}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
      ElementsAre(
          ::testing::HasSubstr("F1107: entry_computation_layout: layout "
                               "minor_to_major field")));
}

TEST(HloVerifierTest, AMustAliasDoesNotCrossMemories) {
  EXPECT_THAT(
      Verify(
          R"(HloModule m, input_output_alias={ {}: (0, {}, must-alias) }, entry_computation_layout={(f32[8]{0:S(5)})->f32[8]{0}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
      ElementsAre("1: F1104: Shape and memory space of the result at index {} "
                  "(f32[8]{0}) must be the same as the shape and memory "
                  "spaceof aliased parameter 0 at index {} (f32[8]{0:S(5)})"));
}

TEST(HloVerifierTest, AMayAliasMayCrossMemories) {
  EXPECT_THAT(
      Verify(
          R"(HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0:S(5)})->f32[8]{0}}
ENTRY main {
  ROOT x = f32[8]{0} parameter(0)
})"),
      IsEmpty());
}

// The reader refuses such aliases; a pass may make them.
TEST(HloVerifierTest, AliasesNameWhatExists) {
  HloContext context;
  const auto module =
      ParseHloText(Entry("  ROOT x = f32[8] parameter(0)"), context);
  ASSERT_TRUE(module.ok()) << module.status();
  InputOutputAlias no_parameter;
  no_parameter.parameter_number = 3;
  InputOutputAlias no_output;
  no_output.output_index = {1};
  (*module)->set_input_output_aliases({no_parameter, no_output});
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : VerifyHlo(**module)) {
    messages.push_back(diagnostic.message);
  }
  EXPECT_THAT(messages,
              ElementsAre("output {} is aliased with parameter 3, but there "
                          "are 1",
                          "Trying to set up alias at {1} which is an invalid "
                          "index for shape f32[8]{0}"));
}

TEST(HloVerifierTest, AnInputServesOneOutput) {
  EXPECT_THAT(
      Verify(
          R"(HloModule m, input_output_alias={ {0}: (0, {}), {1}: (0, {}) }
ENTRY main {
  x = f32[8]{0} parameter(0)
  ROOT t = (f32[8]{0}, f32[8]{0}) tuple(x, x)
})"),
      ElementsAre("1: F1104: parameter 0 at {} is aliased with more than one "
                  "output"));
}

// --- F1105: asynchronous chains.

TEST(HloVerifierTest, AStartHasOneDone) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  s = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(x)
  ROOT y = f32[8]{0} negate(x))")),
              ElementsAre("4: F1105: The copy-start instruction requires one "
                          "consumer, found 0"));
}

TEST(HloVerifierTest, AStartEndsInADoneOfItsKind) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  s = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(x)
  ROOT y = f32[8]{0} get-tuple-element(s), index=0)")),
              ElementsAre("4: F1105: The consumer of a copy-start instruction "
                          "needs to be one of (copy-done), found "
                          "get-tuple-element"));
}

TEST(HloVerifierTest, ADoneBelongsToAStart) {
  EXPECT_THAT(Verify(Entry(R"(  x = (f32[8]{0}, f32[8]{0}, u32[]) parameter(0)
  ROOT y = f32[8]{0} copy-done(x))")),
              ElementsAre("4: F1105: The operand of a copy-done instruction "
                          "needs to be copy-start, found parameter"));
}

constexpr char kAsync[] = R"(HloModule m
f {
  p = f32[8]{0} parameter(0)
  ROOT n = f32[8]{0} negate(p)
}
ENTRY main {
  x = f32[8]{0} parameter(0)
)";

TEST(HloVerifierTest, AnAsyncChainMayHaveUpdates) {
  EXPECT_THAT(Verify(std::string(kAsync) + R"(
  s = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(x), calls=f
  u = ((f32[8]{0}), f32[8]{0}, u32[]) async-update(s)
  ROOT d = f32[8]{0} async-done(u)
})"),
              IsEmpty());
}

TEST(HloVerifierTest, AnAsyncStartFitsItsOperandsAndComputation) {
  EXPECT_THAT(Verify(std::string(kAsync) + R"(
  s = ((f32[4]{0}), f32[2]{0}, u32[]) async-start(x), calls=f
  ROOT d = f32[2]{0} async-done(s)
})"),
              ElementsAre("9: F1105: The async-start expects the shape of "
                          "operand 0 to match the async shape at index {0} "
                          "(f32[8]{0} vs (f32[4]{0}))",
                          "9: F1105: The async-start expects the async shape "
                          "at index {0} to match async computation parameter "
                          "shape ((f32[4]{0}) vs (f32[8]{0}))",
                          "9: F1105: The async-start expects the async shape "
                          "at index {1} to match the async computation root "
                          "shape (f32[2]{0} vs f32[8]{0})"));
}

TEST(HloVerifierTest, AnAsyncDoneGivesTheResult) {
  EXPECT_THAT(Verify(std::string(kAsync) + R"(
  s = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(x), calls=f
  ROOT d = f32[4]{0} async-done(s)
})"),
              ElementsAre("10: F1105: The async-done expects the shape of "
                          "output to match the async shape at index {1} "
                          "(f32[4]{0} vs f32[8]{0})"));
}

// --- F1106 to F1108.

TEST(HloVerifierTest, ALayoutNamesEachDimensionOnce) {
  EXPECT_THAT(Verify(Entry("  ROOT x = f32[8,2]{0,0} parameter(0)")),
              ElementsAre("3: F1107: layout minor_to_major field has duplicate "
                          "values: {0, 0}; shape: f32[8,2]{0,0}"));
}

TEST(HloVerifierTest, OtherCustomCallsGiveWhatTheyLike) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  ROOT h = f32[4]{0} custom-call(x), custom_call_target="Kernel")")),
              IsEmpty());
}

TEST(HloVerifierTest, FindingsComeInTheOrderOfTheText) {
  EXPECT_THAT(
      Verify(
          R"(HloModule m, input_output_alias={ {}: (0, {}, must-alias) }, entry_computation_layout={(f32[4,4]{1,0:S(5)})->f32[4,4]{1,0}}
f {
  p = f32[4,4]{0,0} parameter(0)
  ROOT n = f32[4,4] negate(p)
}
ENTRY main {
  x = f32[4,4] parameter(0)
  ROOT c = f32[4,4] call(x, x), to_apply=f
})"),
      ElementsAre(testing::StartsWith("1: F1104"),
                  testing::StartsWith("3: F1107"),
                  testing::StartsWith("8: F1102")));
}

// What text cannot say, built by hand: `main` calls itself, and its root
// stands above its operand.
TEST(HloVerifierTest, RecursionAndOrderAreChecked) {
  HloContext context;
  HloModule module(context, SourceText::FromString("", "test"));
  const Shape& shape = context.GetArrayShape(PrimitiveType::kF32, {}, nullptr);
  HloComputation& main =
      module.AddComputation("main", HloInstruction::kNoSource);
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kParameter;
  spec.name = "x";
  spec.shape = &shape;
  spec.number = 0;
  HloInstruction& x = module.AddInstruction(main, spec);
  HloInstruction* const operands[] = {&x};
  HloComputation* const callees[] = {&main};
  spec = {};
  spec.opcode = HloOpcode::kCall;
  spec.name = "c";
  spec.shape = &shape;
  spec.operands = operands;
  spec.called_computations = callees;
  HloInstruction& c = module.AddInstruction(main, spec, &x);
  module.set_root(main, c);
  module.set_entry(main);

  std::vector<std::string> findings;
  for (const Diagnostic& diagnostic : VerifyHlo(module)) {
    findings.push_back(
        absl::StrCat(DiagnosticId(diagnostic.code), ": ", diagnostic.message));
  }
  EXPECT_THAT(findings,
              ElementsAre("F1106: computation `main` calls itself: main -> "
                          "main",
                          "F1108: Instruction c is not scheduled after its "
                          "operand x"));
}

// A finding with a plain remedy says which.
TEST(HloVerifierTest, AWrongShapeHasAFix) {
  HloContext context;
  const auto module = ParseHloText(
      Entry("  x = f32[8] parameter(0)\n  ROOT y = f32[4] negate(x)"), context);
  ASSERT_TRUE(module.ok()) << module.status();
  const std::vector<Diagnostic> findings = VerifyHlo(**module);
  ASSERT_EQ(findings.size(), 1);
  ASSERT_EQ(findings[0].fixes.size(), 1);
  EXPECT_EQ(findings[0].fixes[0].title, "give it the shape f32[8]{0}");
}

// --- F1111: collectives.

TEST(HloVerifierTest, GroupsNameEachDeviceOnce) {
  const auto gather = [](const std::string& groups) {
    return Verify(
        "HloModule m, replica_count=2\nENTRY main {\n"
        "  x = f32[4] parameter(0)\n"
        "  ROOT g = f32[8] all-gather(x), dimensions={0}, "
        "replica_groups=" +
        groups + "\n}\n");
  };
  EXPECT_THAT(gather("{{0,1}}"), IsEmpty());
  EXPECT_THAT(gather("{{0,0}}"),
              ElementsAre("4: F1111: Replica 0 is repeated in instruction's "
                          "replica-groups: {{0,0}}"));
  EXPECT_THAT(gather("{{0,2}}"),
              ElementsAre("4: F1111: Replica 2 is out of range (should be in "
                          "[0, 2) range) in instruction's replica-groups: "
                          "{{0,2}}"));
  EXPECT_THAT(gather("{{0,1},{2}}"),
              ElementsAre("4: F1111: Replica groups expected to be of uniform "
                          "size: {{0,1},{2}}"));
  EXPECT_THAT(gather("[1,4]<=[4]"),
              ElementsAre("4: F1111: shard_count = 2, subgroup_size = 4: "
                          "f32[4]{0} becomes f32[8]{0}"));
}

TEST(HloVerifierTest, NoDeviceReceivesTwice) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[4] parameter(0)
  ROOT p = f32[4] collective-permute(x), source_target_pairs={{0,1},{1,1}})")),
              ElementsAre("4: F1111: Target 1 appears more than once in "
                          "instruction's source-target pairs: "
                          "{{0,1},{1,1}}"));
}

TEST(HloVerifierTest, AnAllToAllTakesAnOperandForEachDevice) {
  EXPECT_THAT(
      Verify("HloModule m, replica_count=2\nENTRY main {\n"
             "  x = f32[4] parameter(0)\n"
             "  ROOT a = (f32[4], f32[4], f32[4]) all-to-all(x, x, x), "
             "replica_groups={{0,1}}\n}\n"),
      ElementsAre("4: F1111: an all-to-all takes an operand for each of "
                  "the 2 devices of a group, but has 3"));
}

// --- F1104 within the program, F1112, F1113, F1114.

TEST(HloVerifierTest, AliasedOperandsExistAndFit) {
  const auto call = [](const std::string& alias) {
    return Verify(
        Entry("  x = f32[4] parameter(0)\n  ROOT c = f32[4] "
              "custom-call(x), custom_call_target=\"f\", "
              "output_to_operand_aliasing={" +
              alias + "}"));
  };
  EXPECT_THAT(call("{}: (0, {})"), IsEmpty());
  EXPECT_THAT(call("{}: (1, {})"),
              ElementsAre("4: F1104: Invalid aliasing operand index 1: there "
                          "are 1 operands."));
  EXPECT_THAT(call("{}: (0, {0})"),
              ElementsAre("4: F1104: Invalid aliasing operand shape index {0} "
                          "of f32[4]{0}."));
  EXPECT_THAT(call("{1}: (0, {})"),
              ElementsAre("4: F1104: Invalid aliasing output shape index {1} "
                          "of f32[4]{0}."));
}

TEST(HloVerifierTest, APinHasItsOperandsShape) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[4] parameter(0)
  b = b(f32[4]) custom-call(x), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  ROOT r = f32[4] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})})")),
              IsEmpty());
  EXPECT_THAT(Verify(Entry(R"(  x = f32[4] parameter(0)
  ROOT b = b(f32[5]) custom-call(x), custom_call_target="Pin")")),
              ElementsAre("4: F1112: custom-call to Pin must have the same "
                          "shape as the operand, but has b(f32[5]{0}) of "
                          "f32[4]{0}"));
}

TEST(HloVerifierTest, ASliceDoesNotMoveToHostOnceLayoutsAreDecided) {
  const std::string body = R"(
ENTRY main {
  x = f32[8]{0} parameter(0)
  i = s32[] parameter(1)
  ROOT d = f32[4]{0:S(5)} dynamic-slice(x, i), dynamic_slice_sizes={4}
})";
  EXPECT_THAT(Verify("HloModule m" + body), IsEmpty());
  EXPECT_THAT(Verify("HloModule m, is_scheduled=true" + body),
              ElementsAre("5: F1113: DynamicSlice instruction shouldn't change "
                          "layout memory space from device to host: d takes "
                          "f32[8]{0} to f32[4]{0:S(5)}"));
}

TEST(HloVerifierTest, ASliceDoesNotLeaveFastMemory) {
  const std::string body = R"(
  x = f32[8]{0:S(1)} parameter(0)
  i = s32[] parameter(1)
  y = f32[8]{0} parameter(2)
  c = f32[4]{0:S(1)} dynamic-slice(y, i), dynamic_slice_sizes={4}
  d = f32[4]{0} dynamic-slice(x, i), dynamic_slice_sizes={4}
  ROOT u = f32[8]{0} dynamic-update-slice(y, c, i)
})";
  EXPECT_THAT(
      Verify("HloModule m, is_scheduled=true\nENTRY main {" + body),
      ElementsAre("7: F1113: Instruction shouldn't change layout memory space "
                  "between generic fast memory space and others for "
                  "instruction: d takes f32[8]{0:S(1)} to f32[4]{0}",
                  "8: F1113: Instruction shouldn't change layout memory space "
                  "between generic fast memory space and others for "
                  "instruction: u takes f32[4]{0:S(1)} to f32[8]{0}"));
  EXPECT_THAT(Verify("HloModule m, is_scheduled=true\nf {" + body + R"(
ENTRY main {
  x = f32[8]{0:S(1)} parameter(0)
  i = s32[] parameter(1)
  y = f32[8]{0} parameter(2)
  ROOT r = f32[8]{0} fusion(x, i, y), kind=kLoop, calls=f
})"),
              IsEmpty());
}

TEST(HloVerifierTest, AShardingHasTheRankOfTheShape) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[4] parameter(0)
  ROOT y = f32[4] negate(x), sharding={devices=[2,1]0,1})")),
              ElementsAre("4: F1114: Invalid sharding for instruction: y: "
                          "Number of tile assignment dimensions (excluding "
                          "subgroups) is different than the input rank. "
                          "sharding={devices=[2,1]0,1}, input_shape=f32[4]"));
}

TEST(HloVerifierTest, ADonorIsNoAlias) {
  EXPECT_THAT(
      Verify("HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, "
             "buffer_donor={ (0, {}) }\nENTRY main {\n"
             "  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n"),
      ElementsAre("1: F1104: Input 0 at index {} is registered as a buffer "
                  "donor. However, it is also in the input output alias "
                  "config."));
}

TEST(HloVerifierTest, ACompositeCallHasAName) {
  EXPECT_THAT(Verify(R"(HloModule m
f { p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p) }
ENTRY main {
  x = f32[8] parameter(0)
  ROOT c = f32[8] call(x), to_apply=f, is_composite=true
})"),
              ElementsAre("6: F1102: A composite call op must have frontend "
                          "attributes with key composite.name whose value is "
                          "non-empty"));
}

}  // namespace
}  // namespace ferry
