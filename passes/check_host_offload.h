// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_CHECK_HOST_OFFLOAD_H_
#define FERRY_PASSES_CHECK_HOST_OFFLOAD_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Follows every offloaded tensor (HostOffloadAnalysis), reports all that goes
// wrong, and fails if one of the findings stops a compiler under the judge of
// the run.
//
// Before: verified; any stage, annotated or lowered.
// After:  nothing changed; without a failure, no output breaks the rules.
// Cost:   O(n) in positions.
//
// Tested by tests/passes/check_host_offload_*.hlo.
class CheckHostOffload final : public HloPass {
 public:
  absl::string_view name() const override { return "check-host-offload"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_CHECK_HOST_OFFLOAD_H_
