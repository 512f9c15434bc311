// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/async_threads.h"

#include <vector>

#include "ferry/hlo/printable_text.h"

namespace ferry {

void AsyncThreads::Enter(const HloInstruction& start) {
  const absl::string_view text =
      start.attribute(HloAttributeKind::kAsyncExecutionThread);
  const absl::string_view thread =
      text.empty() ? "main" : module_.SaveText(ReadString(text));
  std::vector<HloComputation*> left(start.called_computations().begin(),
                                    start.called_computations().end());
  while (!left.empty()) {
    HloComputation& computation = *left.back();
    left.pop_back();
    const auto [known, is_new] = entered_.try_emplace(&computation, thread);
    if (!is_new && known->second == thread) continue;
    known->second = thread;
    module_.set_execution_thread(computation, thread);
    for (HloInstruction& instruction : computation.instructions()) {
      const auto callees = instruction.called_computations();
      if (callees.empty()) continue;
      left.insert(left.end(), callees.begin(), callees.end());
      if (instruction.opcode() != HloOpcode::kAsyncStart) continue;
      if (text.empty()) {
        module_.RemoveAttribute(instruction,
                                HloAttributeKind::kAsyncExecutionThread);
      } else {
        module_.SetAttribute(instruction,
                             HloAttributeKind::kAsyncExecutionThread, text);
      }
    }
  }
}

}  // namespace ferry
