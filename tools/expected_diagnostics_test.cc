// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/expected_diagnostics.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Diagnostic Error(int64_t line, std::string message) {
  DiagnosticPlace place;
  place.line = line;
  return MakeDiagnostic(DiagnosticCode::kSyntaxError, place, {message});
}

std::vector<std::string> Compare(std::string text,
                                 const std::vector<Diagnostic>& found) {
  const auto source = SourceText::FromString(std::move(text), "t.hlo");
  const absl::StatusOr<std::vector<ExpectedDiagnostic>> expected =
      ReadExpectedDiagnostics(*source);
  if (!expected.ok()) return {std::string(expected.status().message())};
  return CompareDiagnostics(*expected, found, Judge::kDocumented);
}

TEST(ExpectedDiagnosticsTest, FindsTheLine) {
  EXPECT_THAT(Compare("\n// expected-error@+1 {{F1001: oops}}\n",
                      {Error(3, "oops here")}),
              IsEmpty());
  EXPECT_THAT(Compare("\n// expected-error@-1 {{oops}}", {Error(1, "oops")}),
              IsEmpty());
  EXPECT_THAT(Compare("\n// expected-error@above {{oops}}", {Error(1, "oops")}),
              IsEmpty());
  EXPECT_THAT(Compare("\n// expected-error@below {{oops}}", {Error(3, "oops")}),
              IsEmpty());
  EXPECT_THAT(Compare("x // expected-error {{oops}}", {Error(1, "oops")}),
              IsEmpty());
  EXPECT_THAT(Compare("// expected-error@unknown {{oops}}", {Error(0, "oops")}),
              IsEmpty());
}

TEST(ExpectedDiagnosticsTest, EachIsMetOnce) {
  EXPECT_THAT(Compare("// expected-error {{oops}}",
                      {Error(1, "oops"), Error(1, "oops")}),
              ElementsAre("unexpected error at line 1: F1001: oops"));
  EXPECT_THAT(
      Compare("// expected-error {{oops}} expected-error {{oops}}",
              {Error(1, "oops")}),
      ElementsAre("line 1 expects this error at line 1, which never came: "
                  "oops"));
}

TEST(ExpectedDiagnosticsTest, SeverityLineAndTextMustFit) {
  for (const char* comment :
       {"// expected-warning {{oops}}", "// expected-error@+1 {{oops}}",
        "// expected-error {{other}}"}) {
    EXPECT_EQ(Compare(comment, {Error(1, "oops")}).size(), 2u) << comment;
  }
}

TEST(ExpectedDiagnosticsTest, NotesOfAFindingNeedNotBeExpected) {
  Diagnostic error = Error(1, "oops");
  error.notes.push_back({"because of this", std::nullopt});
  EXPECT_THAT(Compare("// expected-error {{oops}}", {error}), IsEmpty());
  EXPECT_THAT(
      Compare("// expected-error {{oops}} expected-note {{because}}", {error}),
      IsEmpty());
}

TEST(ExpectedDiagnosticsTest, MalformedOnesAreErrors) {
  for (const char* comment :
       {"// expected-eror {{x}}", "// expected-error@1 {{x}}",
        "// expected-error {x}", "// expected-error {{x"}) {
    EXPECT_THAT(Compare(comment, {}),
                ElementsAre("t.hlo:1: malformed expectation; write "
                            "expected-error@+1 {{text}}"))
        << comment;
  }
}

}  // namespace
}  // namespace ferry
