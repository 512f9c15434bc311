// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printed_lines.h"

namespace ferry {
namespace {

bool IsScheduled(const HloComputation& computation) {
  if (!computation.module().is_scheduled()) return false;
  for (const HloInstruction* caller : computation.callers()) {
    if (caller->opcode() == HloOpcode::kFusion) return false;
  }
  return true;
}

}  // namespace

absl::Span<const HloInstruction* const> PrintedLines::Of(
    const HloComputation& computation) {
  if (!IsScheduled(computation)) return InPostOrder(computation);
  scheduled_.clear();
  for (const HloInstruction& instruction : computation.instructions()) {
    scheduled_.push_back(&instruction);
  }
  return scheduled_;
}

absl::Span<const HloInstruction* const> PrintedLines::InPostOrder(
    const HloComputation& computation) {
  if (!may_repeat_) return post_order_.Of(computation);
  if (kept_.empty()) kept_.resize(module_.computations().size());
  std::vector<const HloInstruction*>& kept = kept_[computation.id()];
  if (kept.empty()) {
    const auto order = post_order_.Of(computation);
    kept.assign(order.begin(), order.end());
  }
  return kept;
}

}  // namespace ferry
