// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_file.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/buffer_assignment_text.h"
#include "ferry/memory/live_range_text.h"
#include "ferry/memory/out_of_memory_text.h"
#include "ferry/memory/pack_buffers.h"
#include "ferry/tools/crash_report.h"

namespace ferry {
namespace {

// The input is none: nothing there, no permission.
void SetUnreadable(const absl::Status& status, MemoryResult& result) {
  DiagnosticPlace place;
  place.file = result.file;
  result.diagnostics.push_back(MakeDiagnostic(DiagnosticCode::kCannotReadFile,
                                              std::move(place),
                                              {std::string(status.message())}));
  result.verdict = status;
  result.exit_code = ExitCode::kUnreadable;
}

void Fail(absl::Status status, ExitCode exit_code, MemoryResult& result) {
  result.verdict = std::move(status);
  result.exit_code = exit_code;
}

absl::Status Assign(const HloModule& module, const MemoryOptions& options,
                    MemoryResult& result) {
  BufferAssignmentOptions assignment_options;
  FERRY_ASSIGN_OR_RETURN(
      const BufferAssignment assignment,
      BufferAssignment::Run(module, options.memory_target, assignment_options));
  result.report =
      MakeMemoryReport(assignment, {.with_values = options.wants_values});
  if (options.wants_dumps) {
    const std::string name(module.name());
    result.dumps.push_back({absl::StrCat(name, ".buffer-assignment.txt"),
                            BufferAssignmentToText(assignment)});
    result.dumps.push_back({absl::StrCat(name, ".live-range.txt"),
                            LiveRangesToText(assignment)});
    result.dumps.push_back({absl::StrCat(name, ".memory-usage-report.txt"),
                            MemoryUsageToText(assignment)});
  }
  return absl::OkStatus();
}

void MeasureModule(HloModule& module, const MemoryOptions& options,
                   MemoryResult& result) {
  result.module = std::string(module.name());
  for (Diagnostic& finding : VerifyHlo(module)) {
    result.diagnostics.push_back(std::move(finding));
  }
  absl::Status status = StatusOf(result.diagnostics, Judge::kDocumented);
  if (!status.ok()) return Fail(status, ExitCode::kFindings, result);
  result.stage = module.is_scheduled() ? "scheduled" : "before";
  status = Assign(module, options, result);
  if (!status.ok()) return Fail(status, ExitCode::kFindings, result);
  if (result.report->Fits()) return;
  constexpr absl::string_view kPrefix = "RESOURCE_EXHAUSTED: ";
  const std::string message =
      OutOfMemoryMessage(result.report->exhausted.front());
  Fail(absl::ResourceExhaustedError(
           absl::string_view(message).substr(kPrefix.size())),
       ExitCode::kInfeasible, result);
}

}  // namespace

MemoryResult MemoryOfFile(const InputFile& input,
                          const MemoryOptions& options) {
  MemoryResult result;
  result.file = input.path == "-" ? "<stdin>" : input.path;
  if (!input.status.ok()) {
    SetUnreadable(input.status, result);
    return result;
  }
  const absl::StatusOr<std::shared_ptr<const SourceText>> source =
      ReadInput(input.path);
  if (!source.ok()) {
    SetUnreadable(source.status(), result);
    return result;
  }
  const CrashInput crash_input(**source);
  HloContext context;
  HloParserOptions parser_options;
  parser_options.allow_unknown = options.allow_unknown;
  HloParseResult parsed = ReadHlo(*source, context, parser_options);
  result.diagnostics = std::move(parsed.diagnostics);
  if (parsed.module == nullptr) {
    Fail(StatusOf(result.diagnostics, Judge::kDocumented),
         ExitCode::kUnreadable, result);
    return result;
  }
  MeasureModule(*parsed.module, options, result);
  return result;
}

}  // namespace ferry
