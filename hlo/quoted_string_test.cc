// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/quoted_string.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string Requoted(absl::string_view text) {
  HloLexer lexer(text);
  DecodedStrings strings;
  absl::string_view content;
  const absl::Status status = ReadStringOrBraces(lexer, strings, content);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  AppendQuotedOrBraces(content, out);
  return out;
}

TEST(QuotedStringTest, IsPrintedInDoubleQuotesWithOctalBytes) {
  EXPECT_EQ(Requoted("'it\"s'"), R"("it\"s")");
  EXPECT_EQ(Requoted(R"("\n\t\r\a\b\f\v\?\\")"),
            R"("\n\t\r\007\010\014\013?\\")");
  EXPECT_EQ(Requoted(R"("\101\x41\u00e9 it's")"), R"("AA\303\251 it\'s")");
}

TEST(QuotedStringTest, EscapesAreThoseOfC) {
  for (absl::string_view bad :
       {R"("\q")", R"("\777")", R"("\x4142")", R"("\ud800")", R"("\u12")"}) {
    EXPECT_NE(Requoted(bad).find("has an unknown escape"), std::string::npos)
        << bad;
  }
  EXPECT_EQ(Requoted("\"open"),
            "expected a string or `{...}`, but saw a string that does not end");
}

TEST(QuotedStringTest, BracesThatMatchToTheEndNeedNoQuotes) {
  EXPECT_EQ(Requoted(R"("{\"a\": \"}\"}")"), R"({"a": "}"})");
  EXPECT_EQ(Requoted(R"({"a": "}"})"), R"({"a": "}"})");
  EXPECT_EQ(Requoted(R"(" {a}")"), " {a}");
  EXPECT_EQ(Requoted(R"("{a}b")"), R"("{a}b")");
  EXPECT_EQ(Requoted(R"("{}{}")"), R"("{}{}")");
  EXPECT_EQ(Requoted("{a"), "this `{` has no matching `}`");
}

}  // namespace
}  // namespace ferry
