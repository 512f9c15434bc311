// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal_parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class LiteralParserTest : public ::testing::Test {
 protected:
  // "s32[2] {1,2}" as a constant, printed in full: "s32[2]{0} {1, 2}". The
  // message if it is refused.
  std::string Read(absl::string_view shape, absl::string_view literal) {
    const auto module =
        ParseHloText(absl::StrCat("HloModule m\nENTRY e { ROOT c = ", shape,
                                  " constant(", literal, ") }\n"),
                     context_);
    if (!module.ok()) return "refused";
    const std::string text = HloToString((*module)->entry().root());
    const size_t start = text.find(" = ") + 3;
    return absl::StrReplaceAll(text.substr(start, text.size() - start - 1),
                               {{"constant(", ""}});
  }
  // The value of a custom-call's `literal`.
  std::string ReadAttribute(absl::string_view literal) {
    const auto module = ParseHloText(
        absl::StrCat("HloModule m\nENTRY e { ROOT c = f32[] custom-call(), "
                     "custom_call_target=\"t\", literal=",
                     literal, " }\n"),
        context_);
    if (!module.ok()) return "refused";
    return std::string(
        (*module)->entry().root().attribute(HloAttributeKind::kLiteral));
  }

  HloContext context_;
};

TEST_F(LiteralParserTest, ValuesAreKeptAsTheyPrint) {
  EXPECT_EQ(Read("f32[]", "1.50"), "f32[] 1.5");
  EXPECT_EQ(Read("f32[]", "1e5"), "f32[] 100000");
  EXPECT_EQ(Read("bf16[]", "0.1"), "bf16[] 0.1001");
  EXPECT_EQ(Read("pred[]", "5"), "pred[] true");
  EXPECT_EQ(Read("pred[3]", "{true,0,-7}"), "pred[3]{0} {1, 0, 1}");
  EXPECT_EQ(Read("s32[2,2]", "{{1,2}{3 4}}"),
            "s32[2,2]{1,0} { { 1, 2 }, { 3, 4 } }");
  EXPECT_EQ(Read("c64[2]", "{(1,2)/*x*/(-0.0,nan)}"),
            "c64[2]{0} {(1, 2), (-0, nan)}");
  EXPECT_EQ(Read("f32[0]", "{...}"), "f32[0]{0} {}");
  EXPECT_EQ(Read("f32[1,1,1,1]", "{{{{5}}}}"),
            "f32[1,1,1,1]{3,2,1,0} { { /*i0=0*/ { /*i1=0*/ {5} } } }");
}

TEST_F(LiteralParserTest, CommasAreSkippedInArrays) {
  EXPECT_EQ(Read("s32[1]", "{,,1,,}"), "s32[1]{0} {1}");
  EXPECT_EQ(Read("s32[2]", "{1-2}"), "s32[2]{0} {1, -2}");
  EXPECT_EQ(Read("f32[2]", "{-nan-inf}"), "f32[2]{0} {-nan, -inf}");
  EXPECT_EQ(Read("f32[]", ","), "f32[] 0");
  EXPECT_EQ(Read("f32[]", ",1"), "refused");
  EXPECT_EQ(Read("f32[]", ""), "refused");
}

TEST_F(LiteralParserTest, ASingleValueFillsTheFirstElement) {
  EXPECT_EQ(Read("f32[2,2]", "5"), "f32[2,2]{1,0} { { 5, 0 }, { 0, 0 } }");
  EXPECT_EQ(Read("pred[2]", "true"), "pred[2]{0} {1, 0}");
  EXPECT_EQ(Read("c64[2]", "(1, 2)"), "refused");
  EXPECT_EQ(Read("f32[0]", "5"), "refused");
  // Not as many zeros as anyone may claim.
  EXPECT_EQ(Read("f32[1024,1024,1024]", "5"), "f32[1024,1024,1024]{2,1,0} 5");
}

TEST_F(LiteralParserTest, CountsMustBeThoseOfTheDimensions) {
  EXPECT_EQ(Read("s32[2]", "{1}"), "refused");
  EXPECT_EQ(Read("s32[2]", "{1,2,3}"), "refused");
  EXPECT_EQ(Read("s32[2,2]", "{{1,2},{3,4},{5,6}}"), "refused");
  EXPECT_EQ(Read("s32[2,2]", "{1,2,3,4}"), "refused");
  EXPECT_EQ(Read("s32[2]", "{{1},{2}}"), "refused");
  EXPECT_EQ(Read("s32[]", "{1}"), "refused");
  EXPECT_EQ(Read("s32[2]", "{1,2"), "refused");
  EXPECT_EQ(Read("s32[2]", "{1,2}}"), "refused");
  EXPECT_EQ(Read("s32[?]", "{1}"), "refused");
}

TEST_F(LiteralParserTest, ElidedArraysStayElided) {
  EXPECT_EQ(Read("f32[96,8,6,2048,2048]", "{ ... }"),
            "f32[96,8,6,2048,2048]{4,3,2,1,0} {...}");
  EXPECT_EQ(Read("s32[2]", "{1, ...}"), "s32[2]{0} {...}");
  EXPECT_EQ(Read("s32[2,2]", "{{1,2},...}"), "s32[2,2]{1,0} {...}");
  EXPECT_EQ(Read("s32[2,2]", "{5, ...}"), "s32[2,2]{1,0} {...}");
  EXPECT_EQ(Read("s32[2,2]", "{..., 5}"), "s32[2,2]{1,0} {...}");
  EXPECT_EQ(Read("s32[2]", "{..., 5}"), "refused");
  EXPECT_EQ(Read("s32[2,2]", "{{...},...}"), "refused");
  EXPECT_EQ(Read("s32[]", "..."), "refused");
  EXPECT_EQ(Read("f32[4611686018427387904]", "{...}"), "refused");
}

TEST_F(LiteralParserTest, ParenthesesAreForComplexNumbersAndTuples) {
  EXPECT_EQ(Read("f32[]", "(1)"), "refused");
  EXPECT_EQ(Read("c64[]", "1"), "refused");
  EXPECT_EQ(Read("c64[]", "(1 2)"), "refused");
  EXPECT_EQ(Read("(f32[], (s32[2]), ())", "(1,({2,3}) ())"),
            "(f32[], (s32[2]{0}), ()) ( 1, ( {2, 3} ), (  ) )");
  EXPECT_EQ(Read("(f32[])", "{...}"), "refused");
  EXPECT_EQ(Read("(f32[], f32[])", "(1)"), "refused");
  EXPECT_EQ(Read("(f32[])", "(1,)"), "refused");
}

TEST_F(LiteralParserTest, TokensOfOtherKindsAreNoNumbers) {
  for (absl::string_view text :
       {"1x1", "0x10", "1_1", "nanx", "inf.5", "+1", ".5", "-.", "1e", "0x",
        "nan(1)", "nan( 0x1)", "nan(0x0)", "1e400", "true"}) {
    EXPECT_EQ(Read("f32[]", text), "refused") << text;
  }
}

TEST_F(LiteralParserTest, OnlyArraysAndTuplesHaveLiterals) {
  EXPECT_EQ(Read("token[]", "1"), "refused");
  EXPECT_EQ(Read("(f32[], token[])", "(1, 2)"), "refused");
}

// A literal is neither dynamic nor packed nor a buffer, unless it is elided.
TEST_F(LiteralParserTest, TheShapeOfTheConstantIsThatOfItsValues) {
  EXPECT_EQ(Read("f32[<=2]", "{1,2}"), "f32[2]{0} {1, 2}");
  EXPECT_EQ(Read("s4[2]{0:E(4)S(5)}", "{1,2}"), "s4[2]{0:S(5)} {1, 2}");
  EXPECT_EQ(Read("b(f32[2])", "{1,2}"), "f32[2]{0} {1, 2}");
  EXPECT_EQ(Read("(s4[1]{0:E(4)}, f32[<=1])", "({1},{2})"),
            "(s4[1]{0}, f32[1]{0}) ( {1}, {2} )");
  EXPECT_EQ(Read("s4[2]{0:E(4)}", "{...}"), "s4[2]{0:E(4)} {...}");
  EXPECT_EQ(Read("f32[]{:L(128)M(8)}", "1"), "f32[] 1");
  EXPECT_EQ(Read("(f32[]{:L(4)}, f32[1]{0:L(4)})", "(1, {2})"),
            "(f32[], f32[1]{0:L(4)}) ( 1, {2} )");
  EXPECT_EQ(Read("f32[]{:T(8)L(4)}", "1"), "f32[]{:T(8)L(4)} 1");
  EXPECT_EQ(Read("f32[]{:L(4)S(1)}", "1"), "f32[]{:L(4)S(1)} 1");
  EXPECT_EQ(Read("f32[2,2]{1,1}", "{{1,2},{3,4}}"), "refused");
}

TEST_F(LiteralParserTest, CustomCallsNameTheShapes) {
  EXPECT_EQ(ReadAttribute("f32[] 0.10"), "f32[] 0.1");
  EXPECT_EQ(ReadAttribute("s32[2]{0} {1,2}"), "s32[2]{0} {1, 2}");
  EXPECT_EQ(ReadAttribute("f32[2] {1.5,2}"), "f32[2]{0} {1.5, 2}");
  // The first braces are a layout.
  EXPECT_EQ(ReadAttribute("s32[2] {1,2}"), "refused");
  EXPECT_EQ(ReadAttribute("(s32[] 1 (pred[2]{0} {1,0},),())"),
            "( s32[] 1, ( pred[2]{0} {1, 0} ), (  ) )");
  EXPECT_EQ(ReadAttribute("(,)"), "refused");
}

TEST_F(LiteralParserTest, CanonicalTextGivesTheValuesBack) {
  const Shape& shape = *ParseShape("(f32[2], c64[])", context_).value();
  const absl::string_view text = "( {-0, 1.5}, (nan, 2) )";
  const auto literal = ParseLiteral(shape, text);
  ASSERT_TRUE(literal.ok()) << literal.status();
  EXPECT_EQ(literal->ToString(), text);
  EXPECT_EQ(literal->arrays()[0].DoubleAt(1), 1.5);
  EXPECT_TRUE(ParseLiteral(shape, "{...}")->arrays()[0].is_elided());
  EXPECT_FALSE(ParseLiteral(shape, "( {1, 2}, (3, 4) ) 5").ok());
  const Shape& huge = *ParseShape("f32[1024,1024,1024]", context_).value();
  EXPECT_FALSE(ParseLiteral(huge, "5").ok());
  const auto with_shapes =
      ParseLiteralWithShapes("( s32[] 1, f32[2]{0} {2, 3} )", context_);
  ASSERT_TRUE(with_shapes.ok()) << with_shapes.status();
  EXPECT_EQ(with_shapes->arrays()[1].DoubleAt(1), 3);
}

}  // namespace
}  // namespace ferry
