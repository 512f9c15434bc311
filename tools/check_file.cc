// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_file.h"

#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/stack_frames.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/memory/default_layout.h"
#include "ferry/memory/tiled_size.h"
#include "ferry/passes/repair_host_outputs.h"
#include "ferry/tools/input_module.h"

namespace ferry {
namespace {

void Append(std::vector<Diagnostic> more, std::vector<Diagnostic>& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()),
             std::make_move_iterator(more.end()));
}

// What the findings so far amount to.
void SetVerdict(CheckResult& result) {
  result.verdict = StatusOf(result.diagnostics, result.judge);
  if (HasError(result.diagnostics, result.judge) || !result.verdict.ok()) {
    result.exit_code = ExitCode::kFindings;
  }
}

// Before layouts are decided an array has no tiles: those of the default.
std::optional<int64_t> PaddedBytes(const Shape& shape, HloContext& context,
                                   const MemoryTarget& target) {
  const bool is_tiled =
      shape.layout() != nullptr && !shape.layout()->tiles().empty();
  const Shape& tiled = is_tiled || !shape.IsArray()
                           ? shape
                           : WithDefaultLayout(context, shape, target);
  const ByteCount bytes = GetTotalTiledSize(tiled, target).bytes;
  if (!bytes.FitsInt64()) return std::nullopt;
  return bytes.ToInt64();
}

void CopyFacts(const HostOffloadAnalysis& analysis, const MemoryTarget& target,
               CheckResult& result) {
  result.stage = std::string(OffloadStageName(analysis.stage()));
  for (const HostTransfer& transfer : analysis.transfers()) {
    result.transfers.push_back(
        {.direction = transfer.direction,
         .instruction = std::string(transfer.instruction->name()),
         .bytes = transfer.bytes,
         .padded_bytes = PaddedBytes(
             *transfer.shape, transfer.instruction->parent().module().context(),
             target),
         .trip_count = transfer.trip_count,
         .source = FindUserSource(*transfer.instruction)});
  }
  for (const HostComputation& computation : analysis.host_compute()) {
    result.host_compute.push_back(
        {.instruction = std::string(computation.instruction->name()),
         .why = computation.why,
         .source = FindUserSource(*computation.instruction)});
  }
}

// Repairs `module`, which passes the verifier.
absl::Status Repair(HloModule& module, const std::string& kind,
                    PassContext& context, CheckResult& result) {
  PassOptions options;
  options.Set("kind", kind);
  FERRY_ASSIGN_OR_RETURN(const std::unique_ptr<HloPass> repair,
                         RepairHostOutputs::Create(options));
  FERRY_RETURN_IF_ERROR(repair->Run(module, context).status());
  for (const std::string& remark : context.remarks) {
    // What the pass is called is no matter of the user's.
    const absl::string_view prefix = "repair-host-outputs: ";
    result.fixes_made.emplace_back(absl::StripPrefix(remark, prefix));
  }
  context.remarks.clear();
  FERRY_RETURN_IF_ERROR(StatusOf(VerifyHlo(module), context.judge));
  result.fixed_text = HloToString(module);
  return absl::OkStatus();
}

void CheckModule(HloModule& module, const CheckOptions& options, LogSink* log,
                 CheckResult& result) {
  result.module = std::string(module.name());
  Append(VerifyHlo(module), result.diagnostics);
  SetVerdict(result);
  // The tracker relies on what the verifier checks.
  if (result.exit_code != ExitCode::kOk) return;
  PassContext context;
  context.judge = options.judge;
  context.xla_flags = options.xla_flags;
  context.log = log;
  absl::Status status;
  if (!options.fix.empty()) {
    status = Repair(module, options.fix, context, result);
  }
  if (status.ok()) {
    const absl::StatusOr<HostOffloadAnalysis> analysis =
        HostOffloadAnalysis::Run(module, context);
    status = analysis.status();
    if (status.ok()) {
      CopyFacts(*analysis, options.memory_target, result);
      Append(analysis->diagnostics(), result.diagnostics);
    }
  }
  SetVerdict(result);
  if (!status.ok()) {
    result.verdict = status;
    result.exit_code = ExitCode::kFindings;
  }
}

}  // namespace

std::string CheckResult::ErrorId() const {
  const auto code = verdict.GetPayload(kDiagnosticCodePayload);
  if (!code.has_value()) return "";
  const std::string id(*code);
  return absl::StartsWith(id, "E") ? id : "";
}

CheckResult CheckFile(const InputFile& input, const CheckOptions& options,
                      LogSink* log) {
  CheckResult result;
  result.file = InputName(input);
  result.judge = options.judge;
  HloContext context;
  InputModule read =
      ReadInputModule(input, options.allow_unknown, options.judge, context);
  result.diagnostics = std::move(read.diagnostics);
  if (read.module == nullptr) {
    result.verdict = read.status;
    result.exit_code = ExitCode::kUnreadable;
    return result;
  }
  CheckModule(*read.module, options, log, result);
  return result;
}

}  // namespace ferry
