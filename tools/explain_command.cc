// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/explain_command.h"

#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_explanation.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/output_file.h"

namespace ferry {
namespace {

constexpr char kExample[] =
    "Example:\n"
    "  ferry explain E1200\n"
    "says what the error means, shows a module that has it, and how to repair\n"
    "it. Without a CODE all codes are listed.";

std::string ListCodes() {
  std::string text;
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    absl::StrAppend(&text, DiagnosticId(code), "  ", DiagnosticName(code),
                    "\n");
  }
  return text;
}

std::string UnknownCode(absl::string_view id) {
  std::vector<absl::string_view> known;
  for (DiagnosticCode code : AllDiagnosticCodes()) {
    known.push_back(DiagnosticId(code));
  }
  return absl::StrCat("there is no code `", id, "`", DidYouMean(id, known));
}

}  // namespace

ExitCode RunExplainCommand(absl::Span<const std::string> arguments) {
  std::vector<std::string> ids;
  CommandLine line("ferry explain", "What does a diagnostic mean?", kExample);
  line.AddArguments("CODE", ids, "as in `error: E1200: ...`");
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  std::string text;
  for (const std::string& id : ids) {
    const std::optional<DiagnosticCode> code =
        DiagnosticFromId(absl::AsciiStrToUpper(id));
    if (!code.has_value()) return line.UsageError(UnknownCode(id));
    absl::StrAppend(&text, text.empty() ? "" : "\n", ExplainDiagnostic(*code));
    if (text.back() != '\n') text += '\n';
  }
  if (ids.empty()) text = ListCodes();
  return WriteOrComplain("-", text);
}

}  // namespace ferry
