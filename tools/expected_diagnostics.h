// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_EXPECTED_DIAGNOSTICS_H_
#define FERRY_TOOLS_EXPECTED_DIAGNOSTICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// A comment of a golden file that says what Ferry must find:
//
//   // expected-error@+1 {{F4003: Host computation}}
//   ROOT out = f32[8] custom-call(x), ...
//
// `error`, `warning` or `note`; the line is this one, or `@+N`, `@-N`, `@below`,
// `@above`, `@unknown` (a finding without a line). The text is a part of
// "CODE: message".
struct ExpectedDiagnostic {
  Severity severity = Severity::kError;
  int64_t line = 0;  // 0: unknown
  std::string text;
  int64_t comment_line = 0;
};

// InvalidArgument, naming the line, for a comment that looks like one but is
// malformed.
absl::StatusOr<std::vector<ExpectedDiagnostic>> ReadExpectedDiagnostics(
    const SourceText& source);

// A sentence for each expectation that no finding meets, and for each finding
// that no expectation is left for; each expectation is met by one finding.
// Notes that belong to a finding may be expected but need not be. Empty if all
// is as it should be. Tested by expected_diagnostics_test.cc.
std::vector<std::string> CompareDiagnostics(
    absl::Span<const ExpectedDiagnostic> expected,
    absl::Span<const Diagnostic> found, Judge judge);

}  // namespace ferry

#endif  // FERRY_TOOLS_EXPECTED_DIAGNOSTICS_H_
