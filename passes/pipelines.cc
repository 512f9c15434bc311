// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pipelines.h"
#include "ferry/hlo/did_you_mean.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

constexpr Pipeline kPipelines[] = {
    {.name = "check",
     .description = "what `ferry check` does: structure, then placement",
     .passes = "verify,check-host-offload"},
    {.name = "prepare",
     .description = "makes a module from before optimisation one that can be "
                    "measured, by estimate",
     .passes = "verify,inline-calls,remove-dead-code,place-host-values,"
               "partition-shapes,remove-dead-code,assign-layouts,"
               "estimate-fusion,schedule-instructions"},
};

// Where both passes run, the earlier has run once before the later first does.
struct PassOrder {
  absl::string_view earlier;
  absl::string_view later;
};

constexpr PassOrder kOrders[] = {
    // The tracker relies on operands, callees and aliases that fit.
    {.earlier = "verify", .later = "check-host-offload"},
    // Repairs run the tracker themselves, which relies on the same.
    {.earlier = "verify", .later = "repair-host-outputs"},
    // One calling context for each value: a layout can say where it is.
    {.earlier = "inline-calls", .later = "place-host-values"},
    // Shapes of parts need tuples read through, and memories known.
    {.earlier = "remove-dead-code", .later = "partition-shapes"},
    {.earlier = "place-host-values", .later = "partition-shapes"},
    // Tiles are those of the parts, and of the memory that holds them.
    {.earlier = "partition-shapes", .later = "assign-layouts"},
    // What moves nothing is known by layouts, what it saves by tiles.
    {.earlier = "assign-layouts", .later = "estimate-fusion"},
    // Fusions are what is ordered.
    {.earlier = "estimate-fusion", .later = "schedule-instructions"},
};

}  // namespace

absl::Span<const Pipeline> AllPipelines() { return kPipelines; }

absl::StatusOr<std::vector<PassSpec>> PassesOfPipeline(absl::string_view name) {
  std::vector<absl::string_view> known;
  for (const Pipeline& pipeline : kPipelines) {
    if (pipeline.name == name) return ParsePassList(pipeline.passes);
    known.push_back(pipeline.name);
  }
  return absl::InvalidArgumentError(absl::StrCat("there is no pipeline `", name,
                                                 "`", DidYouMean(name, known)));
}

absl::Status CheckPassOrder(absl::Span<const PassSpec> passes) {
  for (const PassOrder& order : kOrders) {
    const auto later = std::find_if(
        passes.begin(), passes.end(),
        [&](const PassSpec& pass) { return pass.name == order.later; });
    const bool is_wrong = std::any_of(
        later, passes.end(),
        [&](const PassSpec& pass) { return pass.name == order.earlier; });
    const bool runs_before = std::any_of(
        passes.begin(), later,
        [&](const PassSpec& pass) { return pass.name == order.earlier; });
    if (is_wrong && !runs_before) {
      return absl::FailedPreconditionError(absl::StrCat(
          "`", order.earlier, "` must run before `", order.later, "`"));
    }
  }
  return absl::OkStatus();
}

}  // namespace ferry
