// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/schedule_instructions.h"

#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {

absl::StatusOr<std::unique_ptr<ScheduleInstructions>>
ScheduleInstructions::Create(const PassOptions& options) {
  FERRY_RETURN_IF_ERROR(options.ExpectOnly({"scheduler", "space"}));
  ModuleSchedulerOptions result;
  if (const auto name = options.Find("scheduler"); name.has_value()) {
    result.only = SchedulerKindFromName(*name);
    if (!result.only.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no scheduler `", *name, "`"));
    }
  }
  if (const auto text = options.Find("space"); text.has_value()) {
    int64_t space = 0;
    if (!absl::SimpleAtoi(*text, &space) || space < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", *text, "` is no memory space"));
    }
    result.space = static_cast<MemorySpace>(space);
  }
  return std::make_unique<ScheduleInstructions>(result);
}

absl::StatusOr<bool> ScheduleInstructions::Run(HloModule& module,
                                               PassContext& context) {
  FERRY_ASSIGN_OR_RETURN(const ModuleSchedule schedule,
                         ScheduleModule(module, context.target(), options_));
  const bool changed = !module.is_scheduled() ||
                       !(HloSchedule::FromModule(module) == schedule.schedule);
  FERRY_RETURN_IF_ERROR(schedule.schedule.ApplyTo(module));
  for (const ComputationSchedule& found : schedule.computations) {
    if (found.peak_bytes == 0) continue;
    context.remarks.push_back(
        absl::StrCat(name(), ": `", found.computation->name(), "` by ",
                     SchedulerKindName(found.kind), ", peak ", found.peak_bytes,
                     " bytes, no order below ", found.lower_bound_bytes));
  }
  return changed;
}

}  // namespace ferry
