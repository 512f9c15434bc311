// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PIPELINES_H_
#define FERRY_PASSES_PIPELINES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/passes/pass_options.h"

namespace ferry {

// A list of passes with a name. Tested by pipelines_test.cc.
struct Pipeline {
  absl::string_view name;
  absl::string_view description;
  absl::string_view passes;  // as ParsePassList reads it
};

absl::Span<const Pipeline> AllPipelines();
// InvalidArgument, with the nearest name, if there is none.
absl::StatusOr<std::vector<PassSpec>> PassesOfPipeline(absl::string_view name);

// FailedPrecondition if a pass stands behind one that must come after it: the
// table of orders is in pipelines.cc, with a reason for each. Every pipeline is
// tested against it by pipelines_test.cc.
absl::Status CheckPassOrder(absl::Span<const PassSpec> passes);

}  // namespace ferry

#endif  // FERRY_PASSES_PIPELINES_H_
