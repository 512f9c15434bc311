// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_REPAIR_HOST_OUTPUTS_H_
#define FERRY_PASSES_REPAIR_HOST_OUTPUTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/pass_options.h"

namespace ferry {

struct RepairHostOutputsOptions {
  enum class Kind {
    // Declare the output in host memory: S(5) in the entry layout.
    kReturnOnHost,
    // Move the value back to the device in front of the root.
    kBringBack,
  };
  Kind kind = Kind::kReturnOnHost;

  // What the pass's option `kind` may be: those kinds of DiagnosticFix that the
  // pass can make.
  static constexpr absl::string_view kKindNames[] = {"return_on_host",
                                                     "bring_back"};
  static bool IsKindName(absl::string_view name);
};

// Makes E1200 go away: every host value that leaves the program at an output
// declared in device memory is returned on host, or brought back. So is one
// that the shipped compiler brings back silently, which is F4008 for its judge.
//
//   return_on_host   entry_computation_layout={..->(f32[8]{0}, f32[8]{0:S(5)})}
//   bring_back       %back = f32[8]{0} custom-call(%saved), "MoveToDevice"
//                    ROOT %out = tuple(%y, %back)
//
// Before: verified.
// After:  no E1200, and no F4008 at an output. An output that is now on host shares no buffer with a
//         parameter on the device: such pairs of input_output_alias are gone,
//         with a remark. Nothing else changed.
// Cost:   O(n) in positions, to find the outputs.
//
// Tested by repair_host_outputs_test.cc and
// tests/passes/repair_host_outputs.hlo.
class RepairHostOutputs final : public HloPass {
 public:
  explicit RepairHostOutputs(RepairHostOutputsOptions options = {})
      : options_(options) {}
  // kind=return_on_host (the default) or kind=bring_back.
  static absl::StatusOr<std::unique_ptr<HloPass>> Create(
      const PassOptions& options);

  absl::string_view name() const override { return "repair-host-outputs"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;

 private:
  RepairHostOutputsOptions options_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_REPAIR_HOST_OUTPUTS_H_
