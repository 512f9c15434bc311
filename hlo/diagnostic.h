// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DIAGNOSTIC_H_
#define FERRY_HLO_DIAGNOSTIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/stack_frames.h"

namespace ferry {

// What kind of finding: one row of diagnostics.def.
enum class DiagnosticCode : uint16_t {
#define FERRY_DIAGNOSTIC(code, name, severity, status, compiler_severity, \
                         compiler_status, text)                           \
  k##name,
#include "ferry/hlo/diagnostics.def"
};

enum class Severity : uint8_t { kNote, kWarning, kError };

// "note", "warning", "error".
absl::string_view SeverityName(Severity severity);

// Whose rules decide severity and verdict.
enum class Judge : uint8_t {
  kDocumented,  // what the documentation promises: Ferry's default
  kCompiler,    // what the shipped TPU compiler does: --match-compiler
};

absl::string_view DiagnosticId(DiagnosticCode code);    // "E1200", "F4003"
absl::string_view DiagnosticName(DiagnosticCode code);  // "AliasMismatch"
absl::string_view DiagnosticText(DiagnosticCode code);  // with {0}, {1}
Severity SeverityOf(DiagnosticCode code, Judge judge = Judge::kDocumented);
// kOk where the finding stops nothing.
absl::StatusCode StatusCodeOf(DiagnosticCode code,
                              Judge judge = Judge::kDocumented);
absl::Span<const DiagnosticCode> AllDiagnosticCodes();
std::optional<DiagnosticCode> DiagnosticFromId(absl::string_view id);

// Where a diagnostic or note points: a place in the text, and the instruction
// it is about, if any. All strings are copies, so that diagnostics outlive the
// module.
struct DiagnosticPlace {
  std::string file;
  int64_t line = 0;  // counted from 1; 0 is unknown
  int64_t column = 0;
  // The text of that line, for the caret: at most kMaxSourceLine bytes around
  // the column, the first of them at column `source_line_column`.
  static constexpr int64_t kMaxSourceLine = 512;
  std::string source_line;
  int64_t source_line_column = 1;
  std::string computation;
  std::string instruction;
  UserSource user_source;
};

// An instruction or computation that a pass made has no place in the text.
DiagnosticPlace PlaceOf(const HloInstruction& instruction);
DiagnosticPlace PlaceOf(const HloComputation& computation);
DiagnosticPlace PlaceOf(const SourceText& source, uint64_t offset);

struct DiagnosticNote {
  std::string message;
  std::optional<DiagnosticPlace> place;
};

// A change that repairs the finding and that Ferry can make itself.
struct DiagnosticFix {
  std::string title;   // "return it on host"
  std::string kind;    // "return_on_host", "bring_back"
  std::string before;  // instruction in front of which it happens; may be empty
};

// One hop of the way that a value takes.
struct DiagnosticHop {
  std::string instruction;
  ShapeIndex shape_index;
  std::string opcode;
  std::string shape;
  std::string computation;
  int64_t line = 0;
  UserSource user_source;
};

// One finding about the user's module. Tested by diagnostic_test.cc.
struct Diagnostic {
  DiagnosticCode code;
  std::string message;  // the table's text with its arguments filled in
  DiagnosticPlace place;
  // For findings about an output of the program.
  std::optional<ShapeIndex> output_index;
  // For findings about an offloaded value: the annotation (or entry parameter)
  // that put it into host memory, and the way from there.
  std::optional<DiagnosticPlace> annotation;
  std::vector<DiagnosticHop> path;
  std::vector<DiagnosticNote> notes;
  std::vector<DiagnosticFix> fixes;
};

// Fills the table's text for `code`: `{0}` with the first argument.
Diagnostic MakeDiagnostic(DiagnosticCode code, DiagnosticPlace place,
                          absl::Span<const std::string> arguments);

// OK, or the status that `judge` gives for the first of the findings that
// stops a compiler. The message is XLA's, byte for byte, where XLA has one;
// the payloads kDiagnosticCodePayload ("E1200") and kDiagnosticPlacePayload
// ("a.hlo:9:3", if known) say the rest.
inline constexpr char kDiagnosticCodePayload[] = "ferry/code";
inline constexpr char kDiagnosticPlacePayload[] = "ferry/place";
absl::Status StatusOf(absl::Span<const Diagnostic> diagnostics, Judge judge);
// What StatusOf says for this one: the message of a compiler.
std::string StatusMessage(const Diagnostic& diagnostic);
bool HasError(absl::Span<const Diagnostic> diagnostics,
              Judge judge = Judge::kDocumented);

}  // namespace ferry

#endif  // FERRY_HLO_DIAGNOSTIC_H_
