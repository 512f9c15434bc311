// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_file.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/buffer_assignment_text.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/live_range_text.h"
#include "ferry/memory/out_of_memory_text.h"
#include "ferry/memory/overwritten_buffers.h"
#include "ferry/memory/pack_buffers.h"
#include "ferry/memory/proto/buffer_assignment_proto.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/pass_manager.h"
#include "ferry/passes/pass_options.h"
#include "ferry/passes/pass_registry.h"
#include "ferry/passes/pipelines.h"
#include "ferry/tools/input_module.h"

namespace ferry {
namespace {

void Fail(absl::Status status, ExitCode exit_code, MemoryResult& result) {
  result.verdict = std::move(status);
  result.exit_code = exit_code;
}

// Whether each computation that runs has one caller, as compilers leave them:
// else the calls share places that they would not have to.
bool IsFlat(const BufferAssignment& assignment) {
  for (const HloComputation* computation : assignment.module().computations()) {
    if (assignment.dataflow().StorageOf(*computation) ==
            ComputationStorage::kGlobal &&
        computation->callers().size() > 1) {
      return false;
    }
  }
  return true;
}

// An estimate has no copies of what must share an address in a loop.
absl::Status Assign(const HloModule& module, const MemoryOptions& options,
                    bool is_estimate, MemoryResult& result) {
  BufferAssignmentOptions assignment_options;
  assignment_options.pack = [&options](const PackingProblem& problem) {
    return PackBuffers(problem, {.effort = options.effort});
  };
  FERRY_ASSIGN_OR_RETURN(
      const BufferAssignment assignment,
      BufferAssignment::Run(module, options.memory_target, assignment_options));
  if (!is_estimate && IsFlat(assignment)) {
    for (Diagnostic& finding : FindOverwrittenBuffers(assignment)) {
      result.diagnostics.push_back(std::move(finding));
    }
  }
  result.report =
      MakeMemoryReport(assignment, {.with_values = options.wants_values});
  if (options.wants_dumps) {
    result.dumps.push_back(
        {".buffer-assignment.txt", BufferAssignmentToText(assignment)});
    result.dumps.push_back({".live-range.txt", LiveRangesToText(assignment)});
    result.dumps.push_back(
        {".memory-usage-report.txt", MemoryUsageToText(assignment)});
    FERRY_ASSIGN_OR_RETURN(std::string proto,
                           HloWithAssignmentToProto(assignment));
    result.dumps.push_back({".hlo.pb", std::move(proto)});
  }
  return absl::OkStatus();
}

// Makes a module from before optimisation one that can be measured.
absl::Status Prepare(HloModule& module, const MemoryOptions& options,
                     MemoryResult& result) {
  if (!options.prepare) {
    return absl::FailedPreconditionError(
        "the module has no schedule: it is from before optimisation, and "
        "--no-prepare refuses to estimate");
  }
  result.stage = "before";
  result.estimate =
      "layouts, fusion and schedule are the compiler's and not known yet";
  FERRY_ASSIGN_OR_RETURN(const std::vector<PassSpec> specs,
                         PassesOfPipeline("prepare"));
  FERRY_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<HloPass>> passes,
                         CreatePasses(specs));
  PassContext context;
  context.memory_target = &options.memory_target;
  return PassManager(std::move(passes)).Run(module, context).status();
}

void MeasureModule(HloModule& module, const MemoryOptions& options,
                   MemoryResult& result) {
  result.module = std::string(module.name());
  for (Diagnostic& finding : VerifyHlo(module)) {
    result.diagnostics.push_back(std::move(finding));
  }
  absl::Status status = StatusOf(result.diagnostics, Judge::kDocumented);
  if (!status.ok()) return Fail(status, ExitCode::kFindings, result);
  result.stage = "scheduled";
  if (!module.is_scheduled()) status = Prepare(module, options, result);
  const bool is_estimate = result.estimate.has_value();
  if (status.ok()) status = Assign(module, options, is_estimate, result);
  if (status.ok()) {
    status = StatusOf(result.diagnostics, Judge::kDocumented);
  }
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
  result.file = InputName(input);
  HloContext context;
  InputModule read = ReadInputModule(input, options.allow_unknown,
                                     Judge::kDocumented, context);
  result.diagnostics = std::move(read.diagnostics);
  if (read.module == nullptr) {
    result.verdict = read.status;
    result.exit_code = ExitCode::kUnreadable;
    return result;
  }
  MeasureModule(*read.module, options, result);
  return result;
}

}  // namespace ferry
