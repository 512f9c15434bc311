// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/check_host_offload.h"

#include "ferry/hlo/status_macros.h"
#include "ferry/passes/host_offload_analysis.h"

namespace ferry {

absl::StatusOr<bool> CheckHostOffload::Run(HloModule& module,
                                           PassContext& context) {
  FERRY_ASSIGN_OR_RETURN(const HostOffloadAnalysis analysis,
                         HostOffloadAnalysis::Run(module, context));
  context.diagnostics.insert(context.diagnostics.end(),
                             analysis.diagnostics().begin(),
                             analysis.diagnostics().end());
  const absl::Status status = StatusOf(analysis.diagnostics(), context.judge);
  if (!status.ok()) return status;
  return false;
}

}  // namespace ferry
