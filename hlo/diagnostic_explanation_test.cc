// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/diagnostic_explanation.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Explain(DiagnosticCode code) {
  return std::string(ExplainDiagnostic(code));
}

TEST(DiagnosticExplanationTest, EveryCodeHasACauseAndAFix) {
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    EXPECT_THAT(Explain(code), HasSubstr("Cause"));
    EXPECT_THAT(Explain(code), HasSubstr("Fix"));
  }
}

TEST(DiagnosticExplanationTest, IsPlainText) {
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    EXPECT_THAT(Explain(code), Not(HasSubstr("**")));
    EXPECT_THAT(Explain(code), Not(HasSubstr("```")));
    EXPECT_THAT(Explain(code), Not(HasSubstr("](")));
  }
}

TEST(DiagnosticExplanationTest, BeginsWithNameSeverityAndText) {
  EXPECT_THAT(Explain(DiagnosticCode::kWideAnnotation),
              StartsWith("F4014 WideAnnotation: warning; error with "
                         "--match-compiler\n\n"
                         "    `{0}` moves the 64-bit array {1}"));
}

TEST(DiagnosticExplanationTest, EndsBeforeTheNextCode) {
  EXPECT_THAT(Explain(DiagnosticCode::kSyntaxError), Not(HasSubstr("F1002")));
}

TEST(DiagnosticExplanationTest, IndentsTheSample) {
  EXPECT_THAT(Explain(DiagnosticCode::kUnknownOpcode),
              HasSubstr("\n      ROOT y = f32[8] negative(x)\n"));
}

// E1200 has a page of its own, which says more than a section.
TEST(DiagnosticExplanationTest, UsesThePageOfACodeIfThereIsOne) {
  EXPECT_THAT(Explain(DiagnosticCode::kOffloadOutputLocationMismatch),
              HasSubstr("CompileTimeHostOffloadOutputLocationMismatch"));
}

}  // namespace
}  // namespace ferry
