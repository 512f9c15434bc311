// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_SCHEDULE_INSTRUCTIONS_H_
#define FERRY_PASSES_SCHEDULE_INSTRUCTIONS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ferry/memory/module_scheduler.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/pass_options.h"

namespace ferry {

// Puts the module into the order in which least memory is live, and says that
// it is scheduled.
//
// Before: verified. A schedule that is there is replaced.
// After:  is_scheduled; order and peak of each computation are those of
//         ScheduleModule (memory/module_scheduler.h). The remarks say which
//         scheduler won, with the peak and what no order can be below.
// Cost:   O(n log n), and a counted budget for improvements.
//
// Tested by tests/passes/schedule_instructions.hlo.
class ScheduleInstructions final : public HloPass {
 public:
  explicit ScheduleInstructions(ModuleSchedulerOptions options = {})
      : options_(options) {}
  // scheduler=list (dfs, post-order, bfs, given, ...): that one alone.
  // space=5: least of memory space S(5) is live, instead of the default.
  static absl::StatusOr<std::unique_ptr<ScheduleInstructions>> Create(
      const PassOptions& options);

  absl::string_view name() const override { return "schedule-instructions"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;

 private:
  ModuleSchedulerOptions options_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_SCHEDULE_INSTRUCTIONS_H_
