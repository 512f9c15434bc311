// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PASS_MANAGER_H_
#define FERRY_PASSES_PASS_MANAGER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/passes/hlo_pass.h"

namespace ferry {

// A moment between two passes, in the words of XLA's dump names.
struct PassBoundary {
  int step = 0;              // passes that have run
  absl::string_view after;   // kPipelineStart in front of the first pass
  absl::string_view before;  // kPipelineEnd behind the last
  bool changed = false;      // whether the pass in front changed the module
};
inline constexpr char kPipelineStart[] = "pipeline-start";
inline constexpr char kPipelineEnd[] = "pipeline-end";

struct PassManagerOptions {
  // Check the structure before the first pass and after each that changed
  // something.
  bool verify_each = true;
  // Compare prints of the module: a pass that failed or says that it changed
  // nothing must have left it as it was. Costs a print for each pass.
#ifdef NDEBUG
  bool check_claims = false;
#else
  bool check_claims = true;
#endif
  // Called at every boundary that is reached, once it is verified: to print, to
  // dump.
  std::function<void(const PassBoundary&, const HloModule&)> observer;
};

struct PassTiming {
  std::string pass;
  double seconds = 0;
  bool changed = false;
};

// Runs passes one after the other:
//
//   verify | pass 1 | verify | pass 2 | verify
//          0        1                 2          steps
//
// Tested by pass_manager_test.cc.
class PassManager {
 public:
  explicit PassManager(std::vector<std::unique_ptr<HloPass>> passes,
                       PassManagerOptions options = {});

  // Whether some pass changed `module`. Ends at the first pass that fails, with
  // its status; the module is then as the passes before left it. A module that
  // is broken at the start fails with the verdict of its findings, one that a
  // pass broke with Internal; the findings are in `context.diagnostics`.
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context);

  // Of the last run: each pass that ran, and what verification took in all.
  const std::vector<PassTiming>& timings() const { return timings_; }
  double verify_seconds() const { return verify_seconds_; }

 private:
  absl::Status VerifyStructure(HloModule& module, PassContext& context);
  absl::StatusOr<bool> RunPass(HloPass& pass, HloModule& module,
                               PassContext& context);
  void Observe(size_t step, bool changed, const HloModule& module) const;

  std::vector<std::unique_ptr<HloPass>> passes_;
  PassManagerOptions options_;
  std::vector<PassTiming> timings_;
  double verify_seconds_ = 0;
};

}  // namespace ferry

#endif  // FERRY_PASSES_PASS_MANAGER_H_
