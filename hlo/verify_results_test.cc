// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_verifier.h"

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

// --- F1101: results.

TEST(VerifyResultsTest, ATupleIsMadeOfItsOperands) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT t = (f32[8], f32[4]) tuple(x, x))")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to (f32[8]{0}, f32[8]{0}), actual shape is "
                          "(f32[8]{0}, f32[4]{0})"));
}

// A loop's state can have thousands of elements: the message is about one.
TEST(VerifyResultsTest, OfLargeTuplesTheFirstElementThatDiffersIsNamed) {
  std::string operands = "x";
  std::string shapes = "f32[8]{0}";
  for (int i = 1; i < 20; ++i) {
    operands += ", x";
    shapes += i == 17 ? ", f32[4]{0}" : ", f32[8]{0}";
  }
  EXPECT_THAT(Verify(Entry("  x = f32[8] parameter(0)\n  ROOT t = (" + shapes +
                           ") tuple(" + operands + ")")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to f32[8]{0}, actual shape is f32[4]{0} at index "
                          "{17}"));
}

TEST(VerifyResultsTest, ATupleElementIsTakenFromATuple) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT e = f32[8] get-tuple-element(x), index=0)")),
              ElementsAre("4: F1109: Cannot infer shape: attempting to index "
                          "into non-tuple: f32[8]{0}"));
}

TEST(VerifyResultsTest, ATupleElementExists) {
  EXPECT_THAT(Verify(Entry(R"(  x = (f32[8]) parameter(0)
  ROOT e = f32[8] get-tuple-element(x), index=1)")),
              ElementsAre("4: F1109: Cannot infer shape: attempt to index out "
                          "of tuple bounds: 1 >= 1 in shape (f32[8]{0})"));
}

TEST(VerifyResultsTest, ATupleElementHasTheShapeOfTheElement) {
  EXPECT_THAT(Verify(Entry(R"(  x = (f32[8]) parameter(0)
  ROOT e = f32[4] get-tuple-element(x), index=0)")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to f32[8]{0}, actual shape is f32[4]{0}"));
}

TEST(VerifyResultsTest, ElementwiseOperationsKeepTheSizes) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT y = f32[4] negate(x))")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to f32[8]{0}, actual shape is f32[4]{0}"));
}

TEST(VerifyResultsTest, ScalarsAreNotSpreadByThemselves) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  s = f32[] parameter(1)
  ROOT y = f32[8] add(x, s))")),
              ElementsAre("5: F1110: Implicit broadcast is not allowed in HLO. "
                          "Found different shapes for instruction add, output: "
                          "f32[8]{0}, operand: f32[]"));
}

TEST(VerifyResultsTest, SelectAndClampTakeScalars) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  s = f32[] parameter(1)
  p = pred[] parameter(2)
  y = f32[8] select(p, x, x)
  ROOT z = f32[8] clamp(s, y, s))")),
              IsEmpty());
}

TEST(VerifyResultsTest, ACompareGivesPredicates) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT y = s32[8] compare(x, x), direction=LT)")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to pred[8]{0}, actual shape is s32[8]{0}"));
}

// XLA mixes precisions from layout assignment on, and not before.
TEST(VerifyResultsTest, FloatingPointTypesMayDifferInScheduledModules) {
  const std::string body = R"(
ENTRY main {
  x = f32[8] parameter(0)
  y = bf16[8] parameter(1)
  ROOT z = bf16[8] add(x, y)
})";
  EXPECT_THAT(Verify("HloModule m, is_scheduled=true" + body), IsEmpty());
  EXPECT_THAT(
      Verify("HloModule m" + body),
      ElementsAre("5: F1101: Expected instruction to have shape equal to "
                  "f32[8]{0}, actual shape is bf16[8]{0}",
                  "5: F1101: Seen floating point types of different precisions "
                  "in z (f32[8]{0} and bf16[8]{0}), but mixed precision is "
                  "disallowed"));
}

TEST(VerifyResultsTest, LayoutsAndMemorySpacesMayDiffer) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8,2]{1,0} parameter(0)
  ROOT y = f32[8,2]{0,1:T(8,128)S(5)} copy(x))")),
              IsEmpty());
}

TEST(VerifyResultsTest, ACopyStartGivesDestinationSourceAndContext) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  s = (f32[8]{0:S(5)}, f32[8]{0}, u32[]{:S(2)}) copy-start(x)
  ROOT d = f32[8]{0:S(5)} copy-done(s))")),
              IsEmpty());
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  s = (f32[4]{0:S(5)}, f32[8]{0}, u32[]) copy-start(x)
  ROOT d = f32[4]{0:S(5)} copy-done(s))")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to (f32[8]{0}, f32[8]{0}, u32[]), actual shape is "
                          "(f32[4]{0:S(5)}, f32[8]{0}, u32[])",
                          "5: F1101: Source and destination buffers in "
                          "CopyDone arguments need to be the same shape found "
                          "f32[4]{0:S(5)} and f32[8]{0}"));
}

TEST(VerifyResultsTest, ACopyStartDoesNotConvert) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8]{0} parameter(0)
  s = (bf16[8]{0}, bf16[8]{0}, u32[]) copy-start(x)
  ROOT d = bf16[8]{0} copy-done(s))")),
              ElementsAre("4: F1101: Expected instruction to have shape equal "
                          "to (f32[8]{0}, f32[8]{0}, u32[]), actual shape is "
                          "(bf16[8]{0}, bf16[8]{0}, u32[])"));
}

// That of the elements is checked on reading already.
TEST(VerifyResultsTest, AReshapeKeepsTheType) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT y = s32[2,4] reshape(x))")),
              ElementsAre("4: F1101: a reshape keeps type and number of "
                          "elements, but the operand is f32[8]{0} and the "
                          "result s32[2,4]{1,0}"));
}

TEST(VerifyResultsTest, ABroadcastPutsDimensionsWhereItSays) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT y = f32[4,8] broadcast(x), dimensions={0})")),
              ElementsAre("4: F1101: dimensions={0} do not take f32[8]{0} to "
                          "f32[4,8]{1,0}"));
}

TEST(VerifyResultsTest, AnUpdateIsAPartOfTheArray) {
  EXPECT_THAT(
      Verify(Entry(R"(  x = f32[8,4] parameter(0)
  u = f32[1,5] parameter(1)
  i = s32[] constant(0)
  ROOT y = f32[8,4] dynamic-update-slice(x, u, i, i))")),
      ElementsAre("6: F1109: Update dim size 5 greater than dynamic slice "
                  "dimension: 4."));
}

// What the reader would infer is what must stand there.
TEST(VerifyResultsTest, AReduceDropsItsDimensions) {
  EXPECT_THAT(Verify(R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[8,4] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[4] reduce(x, zero), dimensions={1}, to_apply=add
})"),
              ElementsAre("10: F1101: Expected instruction to have shape equal "
                          "to f32[8]{0}, actual shape is f32[4]{0}"));
}

TEST(VerifyResultsTest, ADotMaySumInAWiderType) {
  EXPECT_THAT(Verify(Entry(R"(  x = s8[8] parameter(0)
  ROOT y = s32[] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0})")),
              IsEmpty());
}

// --- F1109, F1110: operands that make no result.

TEST(VerifyResultsTest, OperandsMustFitTheOpcode) {
  EXPECT_THAT(
      Verify(Entry(R"(  x = f32[2,3] parameter(0)
  y = f32[4,5] parameter(1)
  ROOT d = f32[2,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0})")),
      ElementsAre("5: F1109: Cannot infer shape for dot operation: "
                  "f32[2,3] <dot> f32[4,5]. Contracting dimension sizes "
                  "are not compatible."));
  EXPECT_THAT(Verify(Entry(R"(  x = f32[8] parameter(0)
  ROOT s = f32[4] slice(x), slice={[6:12]})")),
              ElementsAre("4: F1109: limit index (12) must be less than or "
                          "equal to dimension size (8) in slice operation; "
                          "argument shape: f32[8]."));
  EXPECT_THAT(Verify(Entry(R"(  x = s32[8] parameter(0)
  ROOT s = s32[8] sine(x))")),
              ElementsAre("4: F1109: Expected element type in shape to be "
                          "floating or complex for sine operation; got S32."));
}

TEST(VerifyResultsTest, AComparisonIsOfTheKindOfItsOperands) {
  EXPECT_THAT(Verify(Entry(R"(  x = s32[8] parameter(0)
  ROOT c = pred[8] compare(x, x), direction=LT, type=FLOAT)")),
              ElementsAre("4: F1110: Expected comparison type SIGNED, actual: "
                          "FLOAT, operand: s32[8]{0}"));
}

// A finding with a plain remedy says which.
TEST(VerifyResultsTest, AnIotaCountsAlongOneOfItsDimensions) {
  EXPECT_THAT(Verify(Entry("  ROOT i = s32[4] iota(), iota_dimension=1")),
              ElementsAre("3: F1101: The iota dimension cannot go beyond the "
                          "operation rank or be negative: it is 1, the result "
                          "is s32[4]{0}"));
}

TEST(VerifyResultsTest, ABitcastKeepsItsBytes) {
  EXPECT_THAT(Verify(Entry(R"(  x = f32[4] parameter(0)
  ROOT b = bf16[4] bitcast(x))")),
              ElementsAre("4: F1101: b: Bitcast cannot have different shape "
                          "sizes of output (8) and operand (16) (bf16[4]{0}) "
                          "(f32[4]{0})"));
}

}  // namespace
}  // namespace ferry
