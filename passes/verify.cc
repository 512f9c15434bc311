// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/verify.h"

#include <iterator>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_verifier.h"

namespace ferry {

absl::StatusOr<bool> Verify::Run(HloModule& module, PassContext& context) {
  std::vector<Diagnostic> found = VerifyHlo(module);
  const absl::Status status = StatusOf(found, context.judge);
  context.diagnostics.insert(context.diagnostics.end(),
                             std::make_move_iterator(found.begin()),
                             std::make_move_iterator(found.end()));
  if (!status.ok()) return status;
  return false;
}

}  // namespace ferry
