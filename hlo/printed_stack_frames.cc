// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printed_stack_frames.h"

#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/printed_lines.h"

namespace ferry {

StackFrameTables NumberStackFramesAsPrinted(
    const HloModule& module, absl::Span<HloComputation* const> order,
    AsyncSugar& sugar) {
  StackFrameTables tables(module.stack_frames());
  const auto enter = [&](const HloInstruction& instruction) {
    const auto field =
        FindStackFrameId(instruction.attribute(HloAttributeKind::kMetadata));
    if (field.has_value()) tables.Enter(field->id);
  };
  PrintedLines printed_lines(module, /*may_repeat=*/false);
  for (const HloComputation* computation : order) {
    if (sugar.OperationOf(*computation) != nullptr) continue;
    const auto lines = printed_lines.Of(*computation);
    // Operations in the short form come before the computation that starts
    // them.
    for (const HloInstruction* line : lines) {
      if (line->opcode() != HloOpcode::kAsyncStart) continue;
      const HloInstruction* wrapped = sugar.OperationOf(*line);
      if (wrapped != nullptr) enter(*wrapped);
    }
    for (const HloInstruction* line : lines) enter(*line);
  }
  return tables;
}

}  // namespace ferry
