// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

std::string MessageOf(absl::string_view text) {
  return std::string(ParsePassList(text).status().message());
}

TEST(PassOptionsTest, ReadsPassesWithOptions) {
  const absl::StatusOr<std::vector<PassSpec>> passes =
      ParsePassList(" verify , repair-host-outputs{kind=bring_back, fast} ");
  ASSERT_TRUE(passes.ok()) << passes.status();
  ASSERT_EQ(passes->size(), 2u);
  EXPECT_EQ((*passes)[0].name, "verify");
  EXPECT_TRUE((*passes)[0].options.empty());
  EXPECT_EQ((*passes)[1].name, "repair-host-outputs");
  EXPECT_EQ((*passes)[1].options.Find("kind"), "bring_back");
  EXPECT_EQ((*passes)[1].options.Find("fast"), "true");
  EXPECT_EQ((*passes)[1].options.Find("slow"), std::nullopt);
}

TEST(PassOptionsTest, PrintsWhatItRead) {
  constexpr char kText[] = "a,b{x=1,y=two},c";
  EXPECT_EQ(PassListToString(*ParsePassList(kText)), kText);
}

TEST(PassOptionsTest, EmptyBracesAreNoOptions) {
  EXPECT_EQ(PassListToString(*ParsePassList("a{ }")), "a");
}

TEST(PassOptionsTest, RefusesWhatIsNoList) {
  EXPECT_THAT(MessageOf(""), HasSubstr("column 1: expected a pass"));
  EXPECT_THAT(MessageOf("a,,b"), HasSubstr("column 3: expected a pass"));
  EXPECT_THAT(MessageOf("a,"), HasSubstr("column 3: expected a pass"));
  EXPECT_THAT(MessageOf("a{x=1"), HasSubstr("column 2: this brace is never"));
  EXPECT_THAT(MessageOf("a{x={1}}"), HasSubstr("column 2: this brace is"));
  EXPECT_THAT(MessageOf("a}"), HasSubstr("column 2: expected `,`"));
  EXPECT_THAT(MessageOf("a{x=1}b"), HasSubstr("column 7: expected `,`"));
  EXPECT_THAT(MessageOf("a{=1}"), HasSubstr("an option has no name"));
  EXPECT_THAT(MessageOf("a{x=1,x=2}"), HasSubstr("`x` is given twice"));
}

TEST(PassOptionsTest, NamesTheUnknownOptionAndTheNearest) {
  PassOptions options;
  options.Set("kin", "bring_back");
  EXPECT_EQ(options.ExpectOnly({"kind"}).message(),
            "there is no option `kin`; did you mean `kind`?");
}

TEST(PassOptionsTest, ReadsBools) {
  PassOptions options;
  options.Set("on", "true");
  options.Set("off", "false");
  options.Set("odd", "perhaps");
  EXPECT_EQ(*options.GetBool("on", false), true);
  EXPECT_EQ(*options.GetBool("off", true), false);
  EXPECT_EQ(*options.GetBool("absent", true), true);
  EXPECT_FALSE(options.GetBool("odd", true).ok());
}

}  // namespace
}  // namespace ferry
