// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_lexer.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(HloLexerTest, SkipsWhiteSpaceAndBothKindsOfComments) {
  HloLexer lexer(" \t\r\n/* one\n two */ a // three\n = /*four*/ b");
  EXPECT_EQ(lexer.ScanWord(), "a");
  EXPECT_TRUE(lexer.Consume('='));
  EXPECT_EQ(lexer.ScanWord(), "b");
  EXPECT_TRUE(lexer.AtEnd());
}

TEST(HloLexerTest, ALineCommentEndsAtACarriageReturnToo) {
  HloLexer lexer("a // one\rb // two\r\nc");
  EXPECT_EQ(lexer.ScanWord(), "a");
  EXPECT_EQ(lexer.ScanWord(), "b");
  EXPECT_EQ(lexer.ScanWord(), "c");
}

TEST(HloLexerTest, StopsInFrontOfACommentThatNeverEnds) {
  HloLexer lexer("a /* to the end");
  EXPECT_EQ(lexer.ScanWord(), "a");
  EXPECT_FALSE(lexer.AtEnd());
  EXPECT_EQ(lexer.Peek(), '/');
}

TEST(HloLexerTest, LeavesTheCursorWhenTheTokenIsAnother) {
  HloLexer lexer("12");
  EXPECT_EQ(lexer.ScanWord(), "");
  EXPECT_FALSE(lexer.Consume('{'));
  EXPECT_FALSE(lexer.Consume("->"));
  EXPECT_EQ(lexer.ScanInteger(), "12");
}

TEST(HloLexerTest, AWordIsNotConsumedFromALongerOne) {
  HloLexer lexer("ROOTS");
  EXPECT_FALSE(lexer.ConsumeWord("ROOT"));
  EXPECT_TRUE(lexer.ConsumeWord("ROOTS"));
}

TEST(HloLexerTest, AnAttributeNameTouchesItsEqualsSign) {
  HloLexer lexer("index=1 index =2");
  EXPECT_EQ(lexer.ScanAttributeName(), "index");
  EXPECT_EQ(lexer.ScanInteger(), "1");
  EXPECT_EQ(lexer.ScanAttributeName(), "");
  EXPECT_EQ(lexer.ScanWord(), "index");
}

TEST(HloLexerTest, ANameIsMarkedOrNotReserved) {
  HloLexer lexer("%true f32: x.1-y true a= % b");
  EXPECT_EQ(lexer.ScanName(), "true");
  EXPECT_EQ(lexer.ScanName(), "f32");
  EXPECT_EQ(lexer.ScanName(), "x.1-y");
  EXPECT_EQ(lexer.ScanName(), "");
  EXPECT_EQ(lexer.ScanWord(), "true");
  EXPECT_EQ(lexer.ScanName(), "");
  EXPECT_EQ(lexer.ScanAttributeName(), "a");
  EXPECT_EQ(lexer.ScanName(), "");
  EXPECT_TRUE(lexer.Consume('%'));
}

TEST(HloLexerTest, ReadsAllFormsOfNumbers) {
  for (absl::string_view number :
       {"4.2", "1.", "-.5", "3e+2", "1e-3", "-7", "inf", "-inf", "nan", "-nan",
        "nan(0x7f)", "-nan(0x1)"}) {
    HloLexer lexer(number);
    EXPECT_EQ(lexer.ScanNumber(), number);
  }
  for (absl::string_view no_number : {".5", "+1", "-", "infx", "nan(7)", ""}) {
    HloLexer lexer(no_number);
    EXPECT_EQ(lexer.ScanNumber(), "") << no_number;
    EXPECT_EQ(lexer.offset(), 0) << no_number;
  }
}

TEST(HloLexerTest, AStringEndsAtItsOwnQuoteThatIsNotEscaped) {
  HloLexer lexer(R"("a\"'b" 'c"d' "open\")");
  EXPECT_EQ(lexer.ScanString(), R"("a\"'b")");
  EXPECT_EQ(lexer.ScanString(), R"('c"d')");
  EXPECT_EQ(lexer.ScanString(), "");
}

TEST(HloLexerTest, BracesInDoubleQuotedStringsDoNotCount) {
  HloLexer lexer(R"({"a":{"}":1}} {"b")");
  EXPECT_EQ(lexer.ScanBraces(), R"({"a":{"}":1}})");
  EXPECT_EQ(lexer.ScanBraces(), "");
}

TEST(HloLexerTest, SaysThatACommentOrAStringDoesNotEnd) {
  EXPECT_EQ(HloLexer("/* to the end").DescribeNext(),
            "a comment that does not end");
  EXPECT_EQ(HloLexer("\"to the end").DescribeNext(),
            "a string that does not end");
  EXPECT_EQ(HloLexer("'a\" b").DescribeNext(), "a string that does not end");
  EXPECT_EQ(HloLexer("'ends' ").DescribeNext(), "`\\'ends\\'`");
}

TEST(HloLexerTest, DescribesTheNextTokenWithoutReadingIt) {
  HloLexer lexer(" negate(x)");
  EXPECT_EQ(lexer.DescribeNext(), "`negate`");
  EXPECT_EQ(lexer.ScanWord(), "negate");
  HloLexer end("  ");
  EXPECT_EQ(end.DescribeNext(), "the end of the text");
  const std::string nul("\0", 1);
  HloLexer zero(nul);
  EXPECT_EQ(zero.DescribeNext(), "`\\x00`");
}

TEST(HloLexerTest, IntegersAreSixtyFourBits) {
  EXPECT_EQ(IntegerValue("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(IntegerValue("18446744073709551615"), -1);
  EXPECT_EQ(IntegerValue("18446744073709551616"), std::nullopt);
  EXPECT_EQ(IntegerValue("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(IntegerValue(""), std::nullopt);
}

TEST(HloLexerTest, KeywordsAndElementTypesAreReserved) {
  EXPECT_TRUE(IsReservedWord("ROOT"));
  EXPECT_TRUE(IsReservedWord("bf16"));
  EXPECT_TRUE(IsReservedWord("token"));
  EXPECT_FALSE(IsReservedWord("tuple"));
  EXPECT_FALSE(IsReservedWord("buffer"));
}

}  // namespace
}  // namespace ferry
