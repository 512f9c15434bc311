// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/device_attribute_parser.h"

#include <gtest/gtest.h>

#include <deque>

namespace ferry {
namespace {

// A text with a parser in front of it.
struct Reader {
  explicit Reader(std::string text)
      : source(SourceText::FromString(std::move(text), "x")),
        lexer(source->text()),
        errors(*source, 1, diagnostics),
        parser(
            {lexer, errors},
            [this](std::string& metadata) {
              metadata = std::string(lexer.ScanBraces());
              return true;
            },
            [this](absl::string_view text) {
              return absl::string_view(saved.emplace_back(text));
            }) {}

  std::shared_ptr<const SourceText> source;
  HloLexer lexer;
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors;
  std::deque<std::string> saved;
  DeviceAttributeParser parser;
};

TEST(DeviceAttributeParserTest, CanonicalTextIsAViewIntoTheSource) {
  Reader reader("{manual}");
  absl::string_view text;
  ASSERT_TRUE(reader.parser.ParseSharding(text));
  EXPECT_EQ(text.data(), reader.source->text().data());
  EXPECT_TRUE(reader.saved.empty());
}

TEST(DeviceAttributeParserTest, TheSameTextIsSavedOnce) {
  Reader reader("{ manual } { manual } {manual}");
  absl::string_view first;
  absl::string_view second;
  absl::string_view third;
  ASSERT_TRUE(reader.parser.ParseSharding(first));
  ASSERT_TRUE(reader.parser.ParseSharding(second));
  ASSERT_TRUE(reader.parser.ParseSharding(third));
  EXPECT_EQ(first, "{manual}");
  EXPECT_EQ(second.data(), first.data());
  EXPECT_EQ(third, "{manual}");
  EXPECT_EQ(reader.saved.size(), 1u);
  EXPECT_TRUE(reader.lexer.AtEnd());
}

TEST(DeviceAttributeParserTest, ReadsTuplesElementByElement) {
  Reader reader(
      "{} {{manual}, { manual }} {{ manual },{manual},{manual},{manual},"
      "{manual},{maximal device=1}} {{}}");
  absl::string_view text;
  for (absl::string_view expected :
       {"{}", "{{manual}, {manual}}",
        "{{manual}, {manual}, {manual}, {manual}, {manual}, "
        "/*index=5*/{maximal device=1}}"}) {
    ASSERT_TRUE(reader.parser.ParseSharding(text));
    EXPECT_EQ(text, expected);
  }
  EXPECT_FALSE(reader.parser.ParseSharding(text));
}

// Braces in quotes and comments must not end a known text early.
TEST(DeviceAttributeParserTest, KnownTextsEndWhereTheyEnd) {
  Reader reader(
      "{mesh['}'=2], []}{mesh['}'=2], []}{manual /*}*/}{manual /*}*/}");
  absl::string_view text;
  for (absl::string_view expected :
       {"{mesh['}'=2], replicated}", "{mesh['}'=2], replicated}", "{manual}",
        "{manual}"}) {
    ASSERT_TRUE(reader.parser.ParseSharding(text));
    EXPECT_EQ(text, expected);
  }
  EXPECT_TRUE(reader.lexer.AtEnd());
}

TEST(DeviceAttributeParserTest, ReadsReplicaGroups) {
  Reader reader("{{0, 1}} {{0, 1}} [2,2]<=[2,2]T(0,1)");
  absl::string_view text;
  for (absl::string_view expected : {"{{0,1}}", "{{0,1}}", "[2,2]<=[4]"}) {
    ASSERT_TRUE(reader.parser.ParseReplicaGroups(text));
    EXPECT_EQ(text, expected);
  }
}

TEST(DeviceAttributeParserTest, PairsAndGroupsAreNotTakenForEachOther) {
  Reader reader("{{0}} {{0}}");
  absl::string_view text;
  EXPECT_TRUE(reader.parser.ParseReplicaGroups(text));
  EXPECT_FALSE(reader.parser.ParseSourceTargetPairs(text));
}

std::string Domain(std::string source) {
  Reader reader(std::move(source));
  absl::string_view text;
  const bool ok = reader.parser.ParseDomain(text);
  return ok ? std::string(text) : reader.diagnostics.at(0).message;
}

TEST(DeviceAttributeParserTest, ReadsDomains) {
  EXPECT_EQ(Domain("{,kind='sharding' exit={manual}, "
                   "entry={replicated metadata={op_name=\"x\"}}}"),
            "{kind=\"sharding\", entry={replicated}, exit={manual}}");
  EXPECT_EQ(Domain("{kind=\"sharding\", entry={}, exit={{manual}}}"),
            "{kind=\"sharding\", entry={}, exit={{manual}}}");
}

TEST(DeviceAttributeParserTest, RefusesDomainsInTheWordsOfXla) {
  EXPECT_EQ(Domain("{kind=\"sharding\", exit={manual}}"),
            "sub-attribute entry is expected but not seen");
  EXPECT_EQ(Domain("{kind=\"a\", kind=\"b\"}"),
            "attribute kind already exists");
  EXPECT_EQ(Domain("{kind=\"foo\", entry={manual}, exit={manual}}"),
            "unsupported domain kind: \"foo\"");
}

}  // namespace
}  // namespace ferry
