// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/diagnostic.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

Diagnostic Make(DiagnosticCode code, std::vector<std::string> arguments) {
  return MakeDiagnostic(code, {}, arguments);
}

TEST(DiagnosticTest, EveryRowHasItsOwnIdAndFindsItself) {
  std::set<std::string> ids;
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    EXPECT_TRUE(ids.insert(std::string(DiagnosticId(code))).second);
    EXPECT_EQ(DiagnosticFromId(DiagnosticId(code)), code);
  }
}

TEST(DiagnosticTest, AnUnknownIdIsNoCode) {
  EXPECT_EQ(DiagnosticFromId("F0000"), std::nullopt);
  EXPECT_EQ(DiagnosticFromId(""), std::nullopt);
}

TEST(DiagnosticTest, SeveritiesHaveTheNamesOfCompilers) {
  EXPECT_EQ(SeverityName(Severity::kNote), "note");
  EXPECT_EQ(SeverityName(Severity::kWarning), "warning");
  EXPECT_EQ(SeverityName(Severity::kError), "error");
}

// What compiles must not stop anybody; what does not must say so.
TEST(DiagnosticTest, AnErrorIsWhatHasAStatus) {
  for (Judge judge : {Judge::kDocumented, Judge::kCompiler}) {
    for (DiagnosticCode code : AllDiagnosticCodes()) {
      EXPECT_EQ(SeverityOf(code, judge) == Severity::kError,
                StatusCodeOf(code, judge) != absl::StatusCode::kOk)
          << DiagnosticId(code);
    }
  }
}

TEST(DiagnosticTest, FillsTheTextOfTheTable) {
  EXPECT_EQ(Make(DiagnosticCode::kOperandCount, {"add", "2", "1"}).message,
            "`add` needs 2 operands, but has 1");
}

TEST(DiagnosticTest, BracesOfAnArgumentStayAsTheyAre) {
  EXPECT_EQ(Make(DiagnosticCode::kUnknownName, {"{1}", "x"}).message,
            "{1} `x` does not exist");
}

TEST(DiagnosticTest, E1200IsThreeDocumentedLines) {
  const Diagnostic diagnostic =
      Make(DiagnosticCode::kOffloadOutputLocationMismatch, {"tuple.64"});
  const absl::Status status = StatusOf({diagnostic}, Judge::kDocumented);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "E1200: CompileTimeHostOffloadOutputLocationMismatch:\n"
            "Tensor which is moved to host (starting from tuple.64) is "
            "returned from the entry computation but the layout for this "
            "output is not set to host memory.\n"
            "See https://openxla.org/xla/errors/error_1200 for more details.");
}

TEST(DiagnosticTest, NoFindingIsOk) {
  EXPECT_TRUE(StatusOf({}, Judge::kDocumented).ok());
  EXPECT_FALSE(HasError({}));
}

TEST(DiagnosticTest, AWarningStopsNothing) {
  const Diagnostic warning = Make(DiagnosticCode::kRoundTrip, {"x", "y"});
  EXPECT_TRUE(StatusOf({warning}, Judge::kDocumented).ok());
  EXPECT_FALSE(HasError({warning}));
}

TEST(DiagnosticTest, TheFirstErrorGivesTheStatus) {
  const std::vector<Diagnostic> diagnostics = {
      Make(DiagnosticCode::kRoundTrip, {"x", "y"}),
      Make(DiagnosticCode::kAliasMismatch, {"first"}),
      Make(DiagnosticCode::kSyntaxError, {"second"})};
  const absl::Status status = StatusOf(diagnostics, Judge::kDocumented);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "first");
  EXPECT_EQ(status.GetPayload(kDiagnosticCodePayload), "F1104");
}

TEST(DiagnosticTest, TheStatusCarriesThePlaceIfItIsKnown) {
  const auto source = SourceText::FromString("ab\ncd", "a.hlo");
  const Diagnostic known = MakeDiagnostic(DiagnosticCode::kSyntaxError,
                                          PlaceOf(*source, 4), {"bad"});
  EXPECT_EQ(
      StatusOf({known}, Judge::kDocumented).GetPayload(kDiagnosticPlacePayload),
      "a.hlo:2:2");
  const Diagnostic unknown = Make(DiagnosticCode::kSyntaxError, {"bad"});
  EXPECT_EQ(StatusOf({unknown}, Judge::kDocumented)
                .GetPayload(kDiagnosticPlacePayload),
            absl::nullopt);
}

// The shipped compiler refuses 64-bit offloads; the documentation does not.
TEST(DiagnosticTest, JudgesDisagreeWhereTheTableSaysSo) {
  const Diagnostic diagnostic =
      Make(DiagnosticCode::kWideAnnotation, {"x", "f64[8]"});
  EXPECT_TRUE(StatusOf({diagnostic}, Judge::kDocumented).ok());
  EXPECT_EQ(StatusOf({diagnostic}, Judge::kCompiler).code(),
            absl::StatusCode::kUnimplemented);
}

TEST(DiagnosticPlaceTest, HoldsTheLineAndWhereItStands) {
  const auto source = SourceText::FromString("ab\n  cd\n", "a.hlo");
  const DiagnosticPlace place = PlaceOf(*source, 5);
  EXPECT_EQ(place.file, "a.hlo");
  EXPECT_EQ(place.line, 2);
  EXPECT_EQ(place.column, 3);
  EXPECT_EQ(place.source_line, "  cd");
  EXPECT_EQ(place.source_line_column, 1);
}

// A constant of megabytes is not copied into every finding about its line.
TEST(DiagnosticPlaceTest, KeepsOnlyThePartOfALongLineAroundTheColumn) {
  const std::string text =
      std::string(5000, 'x') + "y" + std::string(5000, 'x');
  const auto source = SourceText::FromString(text, "a.hlo");
  const DiagnosticPlace place = PlaceOf(*source, 5000);
  EXPECT_EQ(place.column, 5001);
  EXPECT_EQ(static_cast<int64_t>(place.source_line.size()),
            DiagnosticPlace::kMaxSourceLine);
  EXPECT_EQ(place.source_line[place.column - place.source_line_column], 'y');
}

}  // namespace
}  // namespace ferry
