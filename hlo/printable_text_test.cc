// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printable_text.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(PrintableTextTest, PlainTextStaysAsItIs) {
  EXPECT_EQ(ToPrintableLine("%sum.1 = f32[8]").text, "%sum.1 = f32[8]");
  EXPECT_EQ(ToPrintableLine("%sum.1 = f32[8]").width, 15);
  EXPECT_EQ(ToPrintableLine("").text, "");
}

TEST(PrintableTextTest, ControlCharactersBecomeMarks) {
  EXPECT_EQ(ToPrintableLine("\033[31mred").text, "?[31mred");
  EXPECT_EQ(ToPrintableLine("a\rb\x7f").text, "a?b?");
  EXPECT_EQ(ToPrintableLine(absl::string_view("a\0b", 3)).text, "a?b");
}

// U+009B is an escape sequence's start in one character.
TEST(PrintableTextTest, ControlCharactersAbove127BecomeMarks) {
  EXPECT_EQ(ToPrintableLine("\xc2\x9b"
                            "31m")
                .text,
            "?31m");
}

// U+202E writes what follows from right to left.
TEST(PrintableTextTest, CharactersThatTurnTheDirectionBecomeMarks) {
  EXPECT_EQ(ToPrintableLine("a\xe2\x80\xae"
                            "b")
                .text,
            "a?b");
}

TEST(PrintableTextTest, BytesThatAreNoUtf8BecomeMarks) {
  EXPECT_EQ(ToPrintableLine("\xff y").text, "? y");
  EXPECT_EQ(ToPrintableLine("cut \xe6\x97").text, "cut ??");
  EXPECT_EQ(ToPrintableLine("\x9b"
                            "31m")
                .text,
            "?31m");
}

TEST(PrintableTextTest, WidthCountsColumnsNotBytes) {
  const PrintableLine line = ToPrintableLine("\xc3\xa9\xe6\x97\xa5");
  EXPECT_EQ(line.text, "\xc3\xa9\xe6\x97\xa5");
  EXPECT_EQ(line.width, 3);
}

TEST(PrintableTextTest, TabsFillUpFromTheColumn) {
  EXPECT_EQ(ToPrintableLine("\tx").text, "    x");
  EXPECT_EQ(ToPrintableLine("\tx", /*column=*/3).text, " x");
}

TEST(PrintableTextTest, ALineEndStaysInTextOnly) {
  EXPECT_EQ(ToPrintableLine("a\nb").text, "a?b");
  EXPECT_EQ(ToPrintableText("a\n\033b\n"), "a\n?b\n");
}

}  // namespace
}  // namespace ferry
