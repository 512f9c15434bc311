// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_ESTIMATE_FUSION_H_
#define FERRY_PASSES_ESTIMATE_FUSION_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Puts values that a compiler would hardly write to memory into fusions with
// what reads them: a simple stand-in for its fusion passes, and the largest
// error of what is measured afterwards.
//
//   %b = broadcast(%bias)                 %f = fusion(%x, %w, %bias),
//   %d = dot(%x, %w)               =>              kind=kOutput
//   %s = add(%d, %b)
//
// - What is computed element by element, moved or padded (kLight) is made
//   inside the instruction that needs it, if that can read it so: another such
//   one, a product, a reduction, the update of a slice.
// - Needed in several places, it is made anew in each if that reads no more
//   memory than reading it would; else it is made once.
// - A product goes into the one chain of elementwise operations that reads it.
//
// Before: layouts assigned; not scheduled.
// After:  as above; no fusion holds more than 512 instructions or two products.
//         Modules that have fusions stay as they are.
// Cost:   O(n) in what comes out, at most 8 times the module.
//
// Tested by tests/passes/estimate_fusion.hlo.
class EstimateFusion final : public HloPass {
 public:
  absl::string_view name() const override { return "estimate-fusion"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_ESTIMATE_FUSION_H_
