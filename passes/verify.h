// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_VERIFY_H_
#define FERRY_PASSES_VERIFY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Checks the structure of the module, and fails if something is wrong with it.
//
// Before: anything that the reader accepts.
// After:  what every other pass may rely on (codes F11xx); nothing changed.
// Cost:   O(n) in instructions.
//
// Tested by tests/hlo/verifier.hlo.
class Verify final : public HloPass {
 public:
  absl::string_view name() const override { return "verify"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_VERIFY_H_
