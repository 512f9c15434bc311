// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/printed_names.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(PrintedNamesTest, QuotesInNamesAreEscaped) {
  const auto origin = [](absl::string_view text) {
    return EscapePrintedNames(text, '"');
  };
  EXPECT_EQ(origin(R"({{"a"}})"), R"({{"a"}})");
  EXPECT_EQ(origin(R"({{"it"s" {1}}})"), R"({{"it\"s" {1}}})");
  EXPECT_EQ(origin(R"({({"""}, {"b\"})})"), R"({({"\""}, {"b\\"})})");
  EXPECT_EQ(origin(R"({{"open)"), R"({{"open)");
  const auto mesh = [](absl::string_view text) {
    return EscapePrintedNames(text, '\'');
  };
  EXPECT_EQ(mesh("{mesh['it's'=2,'b'=4], [{'it's':(1)2}]}"),
            R"({mesh['it\'s'=2,'b'=4], [{'it\'s':(1)2}]})");
  EXPECT_EQ(mesh(R"({manual metadata={op_name="it\'s \"a\""}})"),
            R"({manual metadata={op_name="it\'s \"a\""}})");
  EXPECT_EQ(mesh(R"(metadata={op_name="open)"), R"(metadata={op_name="open)");
}

TEST(PrintedNamesTest, TablesAreSplit) {
  const auto entries = SplitPrintedRecoveryTable(
      "{\n"
      "  {\"a {\"} : {\"b\"q\" {0,1}},\n"
      "  \"\n"
      "  HloModule x\n"
      "  ENTRY e { ROOT y = f32[] constant(0), metadata={op_name=\"u\"} }\n"
      "  \"\n"
      "  {\"c\" {2}} : {\"\"}\n"
      "}");
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 2u);
  const PrintedRecovery& first = (*entries)[0];
  EXPECT_EQ(first.old_name, "a {");
  EXPECT_EQ(first.old_index, "");
  EXPECT_EQ(first.new_name, "b\"q");
  EXPECT_EQ(first.new_index, "{0,1}");
  EXPECT_EQ(first.module_text,
            "  HloModule x\n"
            "  ENTRY e { ROOT y = f32[] constant(0), "
            "metadata={op_name=\"u\"} }");
  const PrintedRecovery& second = (*entries)[1];
  EXPECT_EQ(second.old_name, "c");
  EXPECT_EQ(second.old_index, "{2}");
  EXPECT_EQ(second.new_name, "");
  EXPECT_EQ(second.module_text, "");

  EXPECT_TRUE(SplitPrintedRecoveryTable("{\n}")->empty());
  for (const absl::string_view bad :
       {"", "{}", "{\n  {\"a\"} : {\"b\"}", "{\n  {\"a\"}\n}",
        "{\n  {\"a\"} : {\"b\"},\n  \"\nHloModule x\n}"}) {
    EXPECT_FALSE(SplitPrintedRecoveryTable(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace ferry
