// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_registry.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/passes/assign_layouts.h"
#include "ferry/passes/check_host_offload.h"
#include "ferry/passes/estimate_fusion.h"
#include "ferry/passes/inline_calls.h"
#include "ferry/passes/partition_shapes.h"
#include "ferry/passes/place_host_values.h"
#include "ferry/passes/remove_dead_code.h"
#include "ferry/passes/repair_host_outputs.h"
#include "ferry/passes/schedule_instructions.h"
#include "ferry/passes/verify.h"

namespace ferry {
namespace {

using PassOr = absl::StatusOr<std::unique_ptr<HloPass>>;

// A class without Create() takes no options.
template <typename Pass>
PassOr Create(const PassOptions& options) {
  if constexpr (requires { Pass::Create(options); }) {
    return Pass::Create(options);
  } else {
    FERRY_RETURN_IF_ERROR(options.ExpectOnly({}));
    return std::make_unique<Pass>();
  }
}

constexpr PassInfo kPasses[] = {
#define FERRY_PASS(name, Class, description) {name, description},
#include "ferry/passes/passes.def"
};

constexpr PassOr (*kCreate[])(const PassOptions&) = {
#define FERRY_PASS(name, Class, description) &Create<Class>,
#include "ferry/passes/passes.def"
};

absl::Status UnknownPass(absl::string_view name) {
  std::vector<absl::string_view> known;
  for (const PassInfo& pass : kPasses) known.push_back(pass.name);
  return absl::InvalidArgumentError(
      absl::StrCat("there is no pass `", name, "`", DidYouMean(name, known)));
}

}  // namespace

absl::Span<const PassInfo> AllPasses() { return kPasses; }

absl::StatusOr<std::unique_ptr<HloPass>> CreatePass(const PassSpec& pass) {
  for (size_t i = 0; i < std::size(kPasses); ++i) {
    if (kPasses[i].name != pass.name) continue;
    PassOr created = kCreate[i](pass.options);
    if (created.ok()) return created;
    return absl::InvalidArgumentError(
        absl::StrCat("pass `", pass.name, "`: ", created.status().message()));
  }
  return UnknownPass(pass.name);
}

absl::StatusOr<std::vector<std::unique_ptr<HloPass>>> CreatePasses(
    absl::Span<const PassSpec> passes) {
  std::vector<std::unique_ptr<HloPass>> created;
  for (const PassSpec& pass : passes) {
    FERRY_ASSIGN_OR_RETURN(std::unique_ptr<HloPass> one, CreatePass(pass));
    created.push_back(std::move(one));
  }
  return created;
}

}  // namespace ferry
