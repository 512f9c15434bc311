// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_MODULE_SCHEDULER_H_
#define FERRY_MEMORY_MODULE_SCHEDULER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/memory/hlo_schedule.h"
#include "ferry/memory/memory_target.h"
#include "ferry/memory/schedule_improver.h"

namespace ferry {

// Who made an order.
enum class SchedulerKind {
  kGiven,  // the order of the module's lists
  kList,   // XLA's three
  kDfs,
  kPostOrder,
  kReverseList,  // from the end backwards
  kBfs,          // wave by wave
  kImproved,     // moves that lower the peak of the best of these
  kExact,        // search: no order has less
};
absl::string_view SchedulerKindName(SchedulerKind kind);  // "list", ...
std::optional<SchedulerKind> SchedulerKindFromName(absl::string_view name);

struct ModuleSchedulerOptions {
  MemorySpace space = MemorySpace::kDefault;
  // One kind only; kImproved and kExact stand for all, as does nullopt.
  std::optional<SchedulerKind> only;
  // Budgets are for the module; a computation gets its share by size.
  ScheduleImproverOptions improver;
  // Sets that the exact search may open, in computations of up to
  // kMostExactNodes instructions.
  int64_t exact_budget = 300'000;
};

// What was found for one computation. Bytes are those of the space that are
// live at one moment, parameters and what callees need included, constants not.
struct ComputationSchedule {
  const HloComputation* computation = nullptr;
  SchedulerKind kind = SchedulerKind::kGiven;
  int64_t peak_bytes = 0;
  // No order has less, with the orders that its callees got.
  int64_t lower_bound_bytes = 0;
  bool is_proven() const { return peak_bytes == lower_bound_bytes; }
};

struct ModuleSchedule {
  HloSchedule schedule;
  // Callees before callers; the entry last, if it calls any.
  std::vector<ComputationSchedule> computations;
};

// An order for each computation, callees first: what they need counts where
// they are called. For each, all schedulers are asked, the lowest peak is
// improved, and up to kMostExactNodes instructions it is replaced by a best one
// or proved to be one. Ties go to the earlier kind.
//
// FailedPrecondition if a computation calls itself. `module` must be verified.
// Tested by module_scheduler_test.cc.
absl::StatusOr<ModuleSchedule> ScheduleModule(
    const HloModule& module, const MemoryTarget& target,
    const ModuleSchedulerOptions& options = {});

}  // namespace ferry

#endif  // FERRY_MEMORY_MODULE_SCHEDULER_H_
