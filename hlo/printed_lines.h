// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PRINTED_LINES_H_
#define FERRY_HLO_PRINTED_LINES_H_

#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/post_order.h"

namespace ferry {

// The instructions of a computation in the order in which they are printed: a
// schedule keeps its order, all else comes in post-order, the bodies of fusions
// in a scheduled module too.
// Tested by printed_lines_test.cc.
class PrintedLines {
 public:
  // Each computation may be asked for once; `may_repeat` keeps the post-orders
  // for the next time. `module` must outlive this.
  PrintedLines(const HloModule& module, bool may_repeat)
      : module_(module), may_repeat_(may_repeat), post_order_(module) {}

  // Valid until the next call.
  absl::Span<const HloInstruction* const> Of(const HloComputation& computation);
  // Whether there is a schedule or not.
  absl::Span<const HloInstruction* const> InPostOrder(
      const HloComputation& computation);

 private:
  const HloModule& module_;
  const bool may_repeat_;
  InstructionPostOrder post_order_;
  std::vector<const HloInstruction*> scheduled_;
  std::vector<std::vector<const HloInstruction*>> kept_;  // by ComputationId
};

}  // namespace ferry

#endif  // FERRY_HLO_PRINTED_LINES_H_
