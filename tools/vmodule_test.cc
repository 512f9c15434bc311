// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/vmodule.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(VModuleTest, MatchesGlobs) {
  EXPECT_TRUE(MatchesGlob("", ""));
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("host*", "host_offloader"));
  EXPECT_TRUE(MatchesGlob("*off*er", "host_offloader"));
  EXPECT_TRUE(MatchesGlob("h??t_*", "host_offloader"));
  EXPECT_TRUE(MatchesGlob("*a*b", "ababab"));
  EXPECT_FALSE(MatchesGlob("?", ""));
  EXPECT_FALSE(MatchesGlob("host", "host_offloader"));
  EXPECT_FALSE(MatchesGlob("*a*b", "ababa"));
}

// The time of a naive matcher would double with each star.
TEST(VModuleTest, ManyStarsTakeNoTime) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(MatchesGlob(pattern + "b", std::string(10000, 'a')));
}

TEST(VModuleTest, TheFirstMatchCounts) {
  VModule vmodule;
  vmodule.set_v(1);
  ASSERT_TRUE(vmodule.Add("host_offloader=3,host_*=2").ok());
  ASSERT_TRUE(vmodule.Add("*=5").ok());
  EXPECT_EQ(vmodule.LevelOf("host_offloader"), 3);
  EXPECT_EQ(vmodule.LevelOf("host_offload_legalize"), 2);
  EXPECT_EQ(vmodule.LevelOf("parser"), 5);
}

TEST(VModuleTest, OtherSitesHaveTheLevelOfV) {
  VModule vmodule;
  ASSERT_TRUE(vmodule.Add("host_offloader=1").ok());
  EXPECT_EQ(vmodule.LevelOf("parser"), 0);
  vmodule.set_v(2);
  EXPECT_EQ(vmodule.LevelOf("parser"), 2);
  EXPECT_EQ(vmodule.LevelOf("host_offloader"), 1);
}

TEST(VModuleTest, APatternWithASlashIsAPath) {
  VModule vmodule;
  ASSERT_TRUE(vmodule.Add("*/host_offloader=1,transforms=2").ok());
  EXPECT_EQ(vmodule.LevelOf("host_offloader"), 1);
  EXPECT_EQ(vmodule.LevelOf("other"), 0);
}

TEST(VModuleTest, ReadsWhatItCanAndNamesTheRest) {
  VModule vmodule;
  EXPECT_EQ(vmodule.Add("a=x,,b=2,c,=1").message(),
            "`a=x` is no PATTERN=LEVEL");
  EXPECT_EQ(vmodule.LevelOf("b"), 2);
}

}  // namespace
}  // namespace ferry
