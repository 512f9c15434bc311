// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_HLO_PASS_H_
#define FERRY_PASSES_HLO_PASS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/log.h"
#include "ferry/memory/memory_target.h"

namespace ferry {

// What the caller hands to every pass of a run, and what passes hand back.
// Tested by pass_manager_test.cc.
struct PassContext {
  // Whose rules decide severities and verdicts.
  Judge judge = Judge::kDocumented;
  // Options of XLA that passes honour, as `--xla-flags` gives them.
  struct XlaFlags {
    // xla_disable_automatic_host_compute_offload
    bool disable_automatic_host_compute_offload = false;
    // xla_allow_h2h_copy_when_automatic_host_compute_offload_disabled
    bool allow_host_to_host_copy = false;
  } xla_flags;
  // The chip that memory is measured for; null: v5e.
  const MemoryTarget* memory_target = nullptr;
  const MemoryTarget& target() const {
    return memory_target != nullptr ? *memory_target : *FindMemoryTarget("v5e");
  }
  // Null drops log lines.
  LogSink* log = nullptr;

  // Findings about the module, in the order found.
  std::vector<Diagnostic> diagnostics;
  // Why passes chose what they did, a line each: `pass: remark`.
  std::vector<std::string> remarks;
};

// Module in, module out: one transformation, or one check that changes nothing.
//
// A pass analyses fully and then rewrites, so that it leaves the module as it
// was when it fails. It keeps no state between runs and prints nothing.
class HloPass {
 public:
  virtual ~HloPass() = default;
  // As in passes.def.
  virtual absl::string_view name() const = 0;
  // Whether `module` changed.
  virtual absl::StatusOr<bool> Run(HloModule& module, PassContext& context) = 0;
};

}  // namespace ferry

#endif  // FERRY_PASSES_HLO_PASS_H_
