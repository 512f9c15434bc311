// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PASS_REGISTRY_H_
#define FERRY_PASSES_PASS_REGISTRY_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/pass_options.h"

namespace ferry {

// One line of passes.def.
struct PassInfo {
  absl::string_view name;
  absl::string_view description;
};

// Every pass, in the order of passes.def.
absl::Span<const PassInfo> AllPasses();

// InvalidArgument for an unknown pass (with the nearest name), an unknown
// option or a bad value. Tested by pass_registry_test.cc.
absl::StatusOr<std::unique_ptr<HloPass>> CreatePass(const PassSpec& pass);
absl::StatusOr<std::vector<std::unique_ptr<HloPass>>> CreatePasses(
    absl::Span<const PassSpec> passes);

}  // namespace ferry

#endif  // FERRY_PASSES_PASS_REGISTRY_H_
