// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/foreign_text.h"

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ForeignTextTest, NamesWhatIsNoText) {
  EXPECT_EQ(DescribeNoText(""), "the input is empty");
  EXPECT_THAT(DescribeNoText(" \n// nothing\n/* more */\n"),
              HasSubstr("nothing but white space and comments"));
  EXPECT_THAT(DescribeNoText("\xef\xbb\xbfHloModule m"),
              HasSubstr("byte order mark"));
}

TEST(ForeignTextTest, KnowsUtf16WithAndWithoutMark) {
  for (absl::string_view bytes :
       {absl::string_view("\xff\xfeH\0", 4),
        absl::string_view("\xfe\xff\0H", 4), absl::string_view("H\0l\0o\0", 6),
        absl::string_view("\0H\0l\0o", 6)}) {
    EXPECT_THAT(DescribeNoText(bytes), HasSubstr("UTF-16"));
  }
  EXPECT_EQ(DescribeNoText(absl::string_view("\0\0\0\0x", 5)), "");
  EXPECT_EQ(DescribeNoText(absl::string_view("HloModule m\0", 12)), "");
}

TEST(ForeignTextTest, LeavesTextToTheReader) {
  for (absl::string_view text :
       {"HloModule m", "hi", "x = f32[] parameter(0)", "import os", "\xff"}) {
    EXPECT_EQ(DescribeNoText(text), "") << text;
  }
}

TEST(ForeignTextTest, SuggestsTheNearWord) {
  EXPECT_THAT(HowHloBegins("// a comment\nHloModul m\n"),
              HasSubstr("did you mean `HloModule`?"));
  EXPECT_THAT(HowHloBegins("import os"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(HowHloBegins("%%%"), HasSubstr("begins with `HloModule`"));
}

}  // namespace
}  // namespace ferry
