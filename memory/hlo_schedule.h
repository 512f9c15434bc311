// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HLO_SCHEDULE_H_
#define FERRY_MEMORY_HLO_SCHEDULE_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/MapVector.h"

namespace ferry {

// In which order the instructions of each computation run: a sequence for every
// computation but those that are part of an instruction (HloComputation::
// IsFusionBody). It stands beside the module, so that there may be several, and
// names instructions by id, so that it outlives edits:
//
//   schedule = FromModule(module)     edit the module     schedule.Update(module)
//
// A scheduled module keeps its order itself; ApplyTo makes it one.
// Tested by hlo_schedule_test.cc.
class HloSchedule {
 public:
  // The order of the text, or of the module's lists.
  static HloSchedule FromModule(const HloModule& module);

  // Nullopt if the computation has none.
  std::optional<absl::Span<const InstructionId>> sequence(
      const HloComputation& computation) const;
  void set_sequence(const HloComputation& computation,
                    std::vector<InstructionId> sequence);
  void remove_sequence(const HloComputation& computation) {
    sequences_.erase(&computation);
  }
  size_t size() const { return sequences_.size(); }

  // All that is wrong with it, in XLA's words: a sequence is missing or is of
  // nothing in the module, an instruction is missing, there twice, or in front
  // of what it waits for. Code F1108, in the module's order. Linear.
  std::vector<Diagnostic> Verify(const HloModule& module) const;

  // Fits the schedule to the edited module. Instructions that are still there
  // keep their order, new ones stand as early as what they wait for lets them,
  // and so do those whose old place contradicts what they wait for now. New
  // computations get the order of their lists. If `threads` are given, only
  // computations on these change. Linear.
  //
  // InvalidArgument if instructions wait for each other in a circle; the
  // schedule is then as it was.
  absl::Status Update(const HloModule& module,
                      absl::Span<const absl::string_view> threads = {});

  // Orders the module's lists and says that it is scheduled. Internal, and no
  // change, if Verify finds anything.
  absl::Status ApplyTo(HloModule& module) const;

  friend bool operator==(const HloSchedule& a, const HloSchedule& b);

 private:
  llvm::MapVector<const HloComputation*, std::vector<InstructionId>> sequences_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_HLO_SCHEDULE_H_
