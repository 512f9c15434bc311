// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_manager.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/passes/verify.h"

namespace ferry {
namespace {

class Stopwatch {
 public:
  double Seconds() const {
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    return std::chrono::duration<double>(elapsed).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

}  // namespace

PassManager::PassManager(std::vector<std::unique_ptr<HloPass>> passes,
                         PassManagerOptions options)
    : passes_(std::move(passes)), options_(std::move(options)) {}

absl::StatusOr<bool> PassManager::Run(HloModule& module, PassContext& context) {
  timings_.clear();
  verify_seconds_ = 0;
  if (options_.verify_each) {
    FERRY_RETURN_IF_ERROR(VerifyStructure(module, context));
  }
  Observe(0, /*changed=*/false, module);
  bool any_changed = false;
  for (size_t i = 0; i < passes_.size(); ++i) {
    HloPass& pass = *passes_[i];
    FERRY_ASSIGN_OR_RETURN(const bool changed, RunPass(pass, module, context));
    any_changed |= changed;
    if (changed && options_.verify_each) {
      const absl::Status status = VerifyStructure(module, context);
      if (!status.ok()) {
        return absl::InternalError(absl::StrCat(
            "pass `", pass.name(), "` broke the module: ", status.message()));
      }
    }
    Observe(i + 1, changed, module);
  }
  return any_changed;
}

absl::Status PassManager::VerifyStructure(HloModule& module,
                                          PassContext& context) {
  const Stopwatch stopwatch;
  const absl::Status status = Verify().Run(module, context).status();
  verify_seconds_ += stopwatch.Seconds();
  return status;
}

absl::StatusOr<bool> PassManager::RunPass(HloPass& pass, HloModule& module,
                                          PassContext& context) {
  const std::string before =
      options_.check_claims ? HloToString(module) : std::string();
  const Stopwatch stopwatch;
  absl::StatusOr<bool> changed = pass.Run(module, context);
  timings_.push_back({.pass = std::string(pass.name()),
                      .seconds = stopwatch.Seconds(),
                      .changed = changed.ok() && *changed});
  if (options_.check_claims && !timings_.back().changed) {
    FERRY_CHECK(HloToString(module) == before);
  }
  return changed;
}

void PassManager::Observe(size_t step, bool changed,
                          const HloModule& module) const {
  if (!options_.observer) return;
  PassBoundary boundary;
  boundary.step = static_cast<int>(step);
  boundary.after = step == 0 ? kPipelineStart : passes_[step - 1]->name();
  boundary.before =
      step == passes_.size() ? kPipelineEnd : passes_[step]->name();
  boundary.changed = changed;
  options_.observer(boundary, module);
}

}  // namespace ferry
