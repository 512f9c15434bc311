// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/replica_groups_parser.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

// The canonical form of a text, or the first error.
std::string Read(absl::string_view text) {
  HloLexer lexer(text);
  const auto source = SourceText::FromString(std::string(text), "x");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, 1, diagnostics);
  ReplicaGroupsParser parser({lexer, errors});
  ReplicaGroups groups;
  if (!parser.Parse(groups)) return "error: " + diagnostics.at(0).message;
  return lexer.AtEnd() ? groups.ToString() : "not read to its end";
}

TEST(ReplicaGroupsParserTest, KeepsCanonicalTexts) {
  for (absl::string_view text :
       {"{}", "{{}}", "{{0,1},{2,3}}", "{{0,1},{},{2}}", "{{-1,0,0}}",
        "[2,4]<=[8]", "[2,4]<=[4,2]T(1,0)", "[2,4]<=[9]", "[0,4]<=[0]",
        "[-2,-4]<=[8]", "[2,4]<=[4,2]T(1,1)",
        "[1073741824,1073741824]<=[1152921504606846976]",
        "mesh['a'=2,'b'=4] {'a','b':(1)2}",
        "mesh['a'=2], device_ids=(1,0) {'a'}",
        "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}"}) {
    EXPECT_EQ(Read(text), text);
  }
}

TEST(ReplicaGroupsParserTest, PrintsOthersAsXlaDoes) {
  EXPECT_EQ(Read("{ {0, 1} , /*c*/ {2} }"), "{{0,1},{2}}");
  EXPECT_EQ(Read("[ 2 ,4]<=[2,2,2] T(0,1,2)"), "[2,4]<=[8]");
  EXPECT_EQ(Read("[2,4]<=[4,2]T(1,0,0)"), "[2,4]<=[4,2]T(1,0)");
  EXPECT_EQ(Read("mesh[\"a\"=2, 'b'=4], {'b', 'a'}"),
            "mesh['a'=2,'b'=4] {'b','a'}");
  EXPECT_EQ(Read("mesh['a'=2,'b'=4], device_ids=([8]) {'0'}"),
            "mesh['a'=2,'b'=4] {'a'}");
}

TEST(ReplicaGroupsParserTest, RefusesWhatXlaRefuses) {
  for (absl::string_view text : {"",
                                 "{0,1}",
                                 "{{0,1}{2,3}}",
                                 "{{0,1},}",
                                 "{{0,1,}}",
                                 "{{0}",
                                 "{{99999999999999999999}}",
                                 "[2,4]0,1,2,3,4,5,6,7",
                                 "[8]<=[8]",
                                 "[2,2,2]<=[8]",
                                 "[]<=[8]",
                                 "[2,4]<=[]",
                                 "[2,4]<=[4,2]",
                                 "[2,4]<=[4,2]T(1)",
                                 "[2,4]<=[4,2]T(1,2)",
                                 "[2,4]< =[8]",
                                 "mesh['a'=2,'b'=4] {}",
                                 "mesh['a'=2,'b'=4]",
                                 "mesh['a'=2,'b'=4] {'x'}",
                                 "mesh['a'=2,'b'=4],,{'a'}",
                                 "mesh['a'=2,'b'=4] {'a', ?}",
                                 "mesh['a'=2], device_ids=(1,0), {'a'}",
                                 "mesh[], {}",
                                 "mesh['a'=2,'b'=8] {'b':(1)2,'b':(2)2}",
                                 "mesh['a'=2,'b'=8] {'a','a'}",
                                 "mesh['a'=1] {'a'}",
                                 "maximal_mesh[device_id=5] {}",
                                 "{replicated}"}) {
    EXPECT_EQ(Read(text).substr(0, 6), "error:") << text;
  }
}

std::string ReadPairs(absl::string_view text) {
  HloLexer lexer(text);
  const auto source = SourceText::FromString(std::string(text), "x");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, 1, diagnostics);
  ReplicaGroupsParser parser({lexer, errors});
  ReplicaGroups pairs;
  return parser.ParsePairs(pairs) ? pairs.ToString()
                                  : diagnostics.at(0).message;
}

TEST(ReplicaGroupsParserTest, ReadsPairs) {
  EXPECT_EQ(ReadPairs("{}"), "{}");
  EXPECT_EQ(ReadPairs("{ {0, 1} ,{18446744073709551615,0}}"), "{{0,1},{-1,0}}");
  for (absl::string_view text : {"{{}}", "{{0}}", "{{0,1},{0,1,2}}"}) {
    EXPECT_EQ(ReadPairs(text),
              "expects 'source_target_pairs=' to be a list of pairs");
  }
  EXPECT_EQ(ReadPairs("{0,1}")[0], 'e');
}

TEST(ReplicaGroupsParserTest, ExpandsForFingerprints) {
  EXPECT_EQ(ExpandedReplicaGroups("[2,4]<=[4,2]T(1,0)"),
            "{{0,2,4,6},{1,3,5,7}}");
  EXPECT_EQ(ExpandedReplicaGroups("mesh['a'=2,'b'=2] {'a'}"), "{{0,2},{1,3}}");
  EXPECT_EQ(ExpandedReplicaGroups("{}"), "{}");
  EXPECT_EQ(ExpandedReplicaGroups("[0,4]<=[0]"), "{}");
  EXPECT_EQ(ExpandedReplicaGroups("[2,4]<=[9]"), "[2,4]<=[9]");
}

}  // namespace
}  // namespace ferry
