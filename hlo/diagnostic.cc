// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/diagnostic.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {
namespace {

// What one judge makes of a finding.
struct Verdict {
  Severity severity;
  absl::StatusCode status;
};

// One row of diagnostics.def, in the order of the enum.
struct Row {
  absl::string_view id;
  absl::string_view name;
  absl::string_view text;
  Verdict documented;
  Verdict compiler;
};

constexpr Row kRows[] = {
#define FERRY_DIAGNOSTIC(code, name, severity, status, compiler_severity, \
                         compiler_status, text)                           \
  {#code,                                                                 \
   #name,                                                                 \
   text,                                                                  \
   {Severity::severity, absl::StatusCode::status},                        \
   {Severity::compiler_severity, absl::StatusCode::compiler_status}},
#include "ferry/hlo/diagnostics.def"
};

constexpr DiagnosticCode kCodes[] = {
#define FERRY_DIAGNOSTIC(code, name, severity, status, compiler_severity, \
                         compiler_status, text)                           \
  DiagnosticCode::k##name,
#include "ferry/hlo/diagnostics.def"
};

const Row& RowOf(DiagnosticCode code) {
  const size_t row = static_cast<size_t>(code);
  FERRY_CHECK(row < std::size(kRows));
  return kRows[row];
}

const Verdict& VerdictOf(DiagnosticCode code, Judge judge) {
  const Row& row = RowOf(code);
  return judge == Judge::kCompiler ? row.compiler : row.documented;
}

// In one pass, so that braces inside an argument stay as they are.
std::string FillText(absl::string_view text,
                     absl::Span<const std::string> arguments) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_placeholder = text[i] == '{' && i + 2 < text.size() &&
                                absl::ascii_isdigit(text[i + 1]) &&
                                text[i + 2] == '}';
    if (!is_placeholder) {
      out += text[i];
      continue;
    }
    const size_t argument = text[i + 1] - '0';
    FERRY_CHECK(argument < arguments.size());
    out += arguments[argument];
    i += 2;
  }
  return out;
}

// Sets line and column, and the part of the line that a caret needs: a line of
// HLO can hold megabytes of constants, and every finding keeps its own copy.
void SetPlace(const SourceText& source, uint64_t offset,
              DiagnosticPlace& place) {
  const SourceText::Place at = source.PlaceOf(offset);
  place.file = std::string(source.name());
  place.line = at.line;
  place.column = at.column;
  const absl::string_view line = source.Line(at.line);
  constexpr int64_t kMax = DiagnosticPlace::kMaxSourceLine;
  int64_t start = 0;
  if (static_cast<int64_t>(line.size()) > kMax) {
    start =
        std::clamp<int64_t>(at.column - 1 - kMax / 2, 0, line.size() - kMax);
  }
  place.source_line = std::string(line.substr(start, kMax));
  place.source_line_column = start + 1;
}

}  // namespace

absl::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

absl::string_view DiagnosticId(DiagnosticCode code) { return RowOf(code).id; }

absl::string_view DiagnosticName(DiagnosticCode code) {
  return RowOf(code).name;
}

absl::string_view DiagnosticText(DiagnosticCode code) {
  return RowOf(code).text;
}

Severity SeverityOf(DiagnosticCode code, Judge judge) {
  return VerdictOf(code, judge).severity;
}

absl::StatusCode StatusCodeOf(DiagnosticCode code, Judge judge) {
  return VerdictOf(code, judge).status;
}

absl::Span<const DiagnosticCode> AllDiagnosticCodes() { return kCodes; }

std::optional<DiagnosticCode> DiagnosticFromId(absl::string_view id) {
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    if (DiagnosticId(code) == id) return code;
  }
  return std::nullopt;
}

DiagnosticPlace PlaceOf(const HloInstruction& instruction) {
  DiagnosticPlace place;
  const HloComputation& computation = instruction.parent();
  const SourceText& source = computation.module().source();
  place.file = std::string(source.name());
  if (instruction.source_offset() != HloInstruction::kNoSource) {
    SetPlace(source, instruction.source_offset(), place);
  }
  place.computation = std::string(computation.name());
  place.instruction = std::string(instruction.name());
  place.user_source = FindUserSource(instruction);
  return place;
}

DiagnosticPlace PlaceOf(const HloComputation& computation) {
  DiagnosticPlace place;
  const SourceText& source = computation.module().source();
  place.file = std::string(source.name());
  if (computation.source_offset() != HloInstruction::kNoSource) {
    SetPlace(source, computation.source_offset(), place);
  }
  place.computation = std::string(computation.name());
  return place;
}

DiagnosticPlace PlaceOf(const SourceText& source, uint64_t offset) {
  DiagnosticPlace place;
  SetPlace(source, offset, place);
  return place;
}

Diagnostic MakeDiagnostic(DiagnosticCode code, DiagnosticPlace place,
                          absl::Span<const std::string> arguments) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = FillText(DiagnosticText(code), arguments);
  diagnostic.place = std::move(place);
  return diagnostic;
}

std::string StatusMessage(const Diagnostic& diagnostic) {
  if (diagnostic.code != DiagnosticCode::kOffloadOutputLocationMismatch) {
    return diagnostic.message;
  }
  // The three lines of https://openxla.org/xla/errors/error_1200.
  return absl::StrCat(
      "E1200: CompileTimeHostOffloadOutputLocationMismatch:\n",
      diagnostic.message,
      "\nSee https://openxla.org/xla/errors/error_1200 for more details.");
}

absl::Status StatusOf(absl::Span<const Diagnostic> diagnostics, Judge judge) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const absl::StatusCode code = StatusCodeOf(diagnostic.code, judge);
    if (code == absl::StatusCode::kOk) continue;
    absl::Status status(code, StatusMessage(diagnostic));
    status.SetPayload(kDiagnosticCodePayload,
                      absl::Cord(DiagnosticId(diagnostic.code)));
    const DiagnosticPlace& place = diagnostic.place;
    if (place.line > 0) {
      status.SetPayload(kDiagnosticPlacePayload,
                        absl::Cord(absl::StrCat(place.file, ":", place.line,
                                                ":", place.column)));
    }
    return status;
  }
  return absl::OkStatus();
}

bool HasError(absl::Span<const Diagnostic> diagnostics, Judge judge) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [judge](const Diagnostic& diagnostic) {
                       return SeverityOf(diagnostic.code, judge) ==
                              Severity::kError;
                     });
}

}  // namespace ferry
