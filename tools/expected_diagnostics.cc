// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/expected_diagnostics.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

constexpr absl::string_view kStart = "expected-";

std::optional<Severity> TakeSeverity(absl::string_view& text) {
  for (Severity severity :
       {Severity::kError, Severity::kWarning, Severity::kNote}) {
    if (absl::ConsumePrefix(&text, SeverityName(severity))) return severity;
  }
  return std::nullopt;
}

// The line that `@+1` and its like mean, seen from `line`.
std::optional<int64_t> TakeLine(absl::string_view& text, int64_t line) {
  if (!absl::ConsumePrefix(&text, "@")) return line;
  if (absl::ConsumePrefix(&text, "below")) return line + 1;
  if (absl::ConsumePrefix(&text, "above")) return line - 1;
  if (absl::ConsumePrefix(&text, "unknown")) return 0;
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const size_t end =
      std::min(text.find_first_not_of("0123456789", 1), text.size());
  int64_t offset = 0;
  if (!absl::SimpleAtoi(text.substr(1, end - 1), &offset)) return std::nullopt;
  if (text[0] == '-') offset = -offset;
  text.remove_prefix(end);
  return line + offset;
}

// `text` begins behind "expected-" and goes on behind the expectation.
std::optional<ExpectedDiagnostic> TakeExpectation(absl::string_view& text,
                                                  int64_t line) {
  const std::optional<Severity> severity = TakeSeverity(text);
  if (!severity.has_value()) return std::nullopt;
  const std::optional<int64_t> place = TakeLine(text, line);
  if (!place.has_value()) return std::nullopt;
  text = absl::StripLeadingAsciiWhitespace(text);
  if (!absl::ConsumePrefix(&text, "{{")) return std::nullopt;
  const size_t end = text.find("}}");
  if (end == absl::string_view::npos) return std::nullopt;
  ExpectedDiagnostic expected = {*severity, *place,
                                 std::string(text.substr(0, end)), line};
  text.remove_prefix(end + 2);
  return expected;
}

// A finding, or a note of one.
struct Found {
  Severity severity;
  int64_t line;
  std::string text;
  bool must_be_expected;
};

std::vector<Found> ListFindings(absl::Span<const Diagnostic> diagnostics,
                                Judge judge) {
  std::vector<Found> all;
  for (const Diagnostic& diagnostic : diagnostics) {
    const int64_t line = diagnostic.place.line;
    all.push_back(
        {SeverityOf(diagnostic.code, judge), line,
         absl::StrCat(DiagnosticId(diagnostic.code), ": ", diagnostic.message),
         /*must_be_expected=*/true});
    for (const DiagnosticNote& note : diagnostic.notes) {
      all.push_back({Severity::kNote,
                     note.place.has_value() ? note.place->line : line,
                     note.message, /*must_be_expected=*/false});
    }
  }
  return all;
}

bool Meets(const Found& found, const ExpectedDiagnostic& expected) {
  return found.severity == expected.severity && found.line == expected.line &&
         absl::StrContains(found.text, expected.text);
}

std::string LineText(int64_t line) {
  return line == 0 ? "no line" : absl::StrCat("line ", line);
}

}  // namespace

absl::StatusOr<std::vector<ExpectedDiagnostic>> ReadExpectedDiagnostics(
    const SourceText& source) {
  std::vector<ExpectedDiagnostic> all;
  int64_t line_number = 0;
  for (absl::string_view line : absl::StrSplit(source.text(), '\n')) {
    ++line_number;
    const size_t comment = line.find("//");
    if (comment == absl::string_view::npos) continue;
    line.remove_prefix(comment);
    for (size_t at = line.find(kStart); at != absl::string_view::npos;
         at = line.find(kStart)) {
      line.remove_prefix(at + kStart.size());
      const std::optional<ExpectedDiagnostic> expected =
          TakeExpectation(line, line_number);
      if (!expected.has_value()) {
        return absl::InvalidArgumentError(absl::StrCat(
            source.name(), ":", line_number,
            ": malformed expectation; write expected-error@+1 {{text}}"));
      }
      all.push_back(*expected);
    }
  }
  return all;
}

std::vector<std::string> CompareDiagnostics(
    absl::Span<const ExpectedDiagnostic> expected,
    absl::Span<const Diagnostic> found, Judge judge) {
  std::vector<bool> is_met(expected.size(), false);
  std::vector<std::string> problems;
  for (const Found& finding : ListFindings(found, judge)) {
    size_t i = 0;
    while (i < expected.size() && (is_met[i] || !Meets(finding, expected[i]))) {
      ++i;
    }
    if (i < expected.size()) {
      is_met[i] = true;
    } else if (finding.must_be_expected) {
      problems.push_back(
          absl::StrCat("unexpected ", SeverityName(finding.severity), " at ",
                       LineText(finding.line), ": ", finding.text));
    }
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (is_met[i]) continue;
    problems.push_back(absl::StrCat(
        "line ", expected[i].comment_line, " expects this ",
        SeverityName(expected[i].severity), " at ", LineText(expected[i].line),
        ", which never came: ", expected[i].text));
  }
  return problems;
}

}  // namespace ferry
