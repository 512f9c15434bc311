// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/input_module.h"

#include <utility>

#include "absl/status/statusor.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"

namespace ferry {
namespace {

// The input is none: nothing there, no permission.
void SetUnreadable(const InputFile& input, const absl::Status& status,
                   InputModule& result) {
  DiagnosticPlace place;
  place.file = InputName(input);
  result.diagnostics.push_back(MakeDiagnostic(DiagnosticCode::kCannotReadFile,
                                              std::move(place),
                                              {std::string(status.message())}));
  result.status = status;
}

}  // namespace

std::string InputName(const InputFile& input) {
  return input.path == "-" ? "<stdin>" : input.path;
}

InputModule ReadInputModule(const InputFile& input, bool allow_unknown,
                            Judge judge, HloContext& context) {
  InputModule result;
  if (!input.status.ok()) {
    SetUnreadable(input, input.status, result);
    return result;
  }
  absl::StatusOr<std::shared_ptr<const SourceText>> source =
      ReadInput(input.path);
  if (!source.ok()) {
    SetUnreadable(input, source.status(), result);
    return result;
  }
  result.source = *std::move(source);
  result.crash_input = std::make_unique<CrashInput>(*result.source);
  HloParserOptions options;
  options.allow_unknown = allow_unknown;
  HloParseResult parsed = ReadHlo(result.source, context, options);
  result.diagnostics = std::move(parsed.diagnostics);
  result.module = std::move(parsed.module);
  if (result.module == nullptr) {
    result.status = StatusOf(result.diagnostics, judge);
  }
  return result;
}

}  // namespace ferry
