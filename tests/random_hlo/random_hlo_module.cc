// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/random_hlo_module.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/source_text.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"

namespace ferry {
namespace {

// All that the options allow. A family is drawn before its operation, so that
// a large family does not leave the others out.
std::vector<absl::Span<const Emitter>> Families(
    const RandomHloOptions& options) {
  std::vector<absl::Span<const Emitter>> families = {
      ElementwiseEmitters(), ElementwiseEmitters(), ElementwiseEmitters(),
      DataEmitters(),        DataEmitters(),        IndexEmitters()};
  const auto add = [&](bool allowed, absl::Span<const Emitter> family) {
    if (allowed) families.push_back(family);
  };
  add(options.callees, CalleeEmitters());
  add(options.control_flow, ControlEmitters());
  add(options.fusions, FusionEmitters());
  add(options.async, AsyncEmitters());
  add(options.linear_algebra, AlgebraEmitters());
  add(options.batch_norm, BatchNormEmitters());
  add(options.collectives, CollectiveEmitters());
  add(options.custom_calls, CustomCallEmitters());
  add(options.random_numbers, RandomNumberEmitters());
  add(options.host_offload, HostOffloadEmitters());
  add(options.host_offload, HostOffloadEmitters());
  return families;
}

bool IsScheduled(RandomSource& random, const RandomHloOptions& options) {
  switch (options.schedule) {
    case RandomHloOptions::Schedule::kAlways:
      return true;
    case RandomHloOptions::Schedule::kNever:
      return false;
    case RandomHloOptions::Schedule::kEither:
      return random.Chance(50);
  }
  return false;
}

// One call stack: the reader numbers frames by first use, and a single leaf
// is used first whatever the order of instructions.
StackFrames SomeStackFrames() {
  StackFrames frames;
  frames.file_names = {"model.py", "layers.py"};
  frames.function_names = {"step", "dense"};
  frames.file_locations = {{.file_name_id = 1,
                            .function_name_id = 1,
                            .line = 12,
                            .column = 3,
                            .end_line = 12,
                            .end_column = 40},
                           {.file_name_id = 2,
                            .function_name_id = 2,
                            .line = 7,
                            .column = 5,
                            .end_line = 9,
                            .end_column = 6}};
  frames.frames = {{.file_location_id = 1, .parent_frame_id = 0},
                   {.file_location_id = 2, .parent_frame_id = 1}};
  return frames;
}

// Pairs of an output and a parameter of one shape, each at most once.
std::vector<InputOutputAlias> SomeAliases(RandomSource& random,
                                          const EntryLayout& layout) {
  std::vector<InputOutputAlias> aliases;
  std::vector<bool> taken(layout.parameters.size());
  const auto match = [&](const Shape& shape, ShapeIndex index) {
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i] || !(*layout.parameters[i] == shape) || !shape.IsArray() ||
          !random.Chance(60)) {
        continue;
      }
      taken[i] = true;
      aliases.push_back({index,
                         static_cast<int64_t>(i),
                         {},
                         /*must_alias=*/random.Chance(50)});
      return;
    }
  };
  if (!layout.result->IsTuple()) {
    match(*layout.result, {});
    return aliases;
  }
  for (size_t i = 0; i < layout.result->tuple_shapes().size(); ++i) {
    match(*layout.result->tuple_shapes()[i], {static_cast<int64_t>(i)});
  }
  return aliases;
}

void SetHeader(RandomHloBuilder& b) {
  HloModule& module = b.module();
  EntryLayout layout;
  for (const HloInstruction* parameter : module.entry().parameters()) {
    layout.parameters.push_back(&parameter->shape());
  }
  layout.result = &module.entry().root().shape();
  if (b.options().header) {
    module.set_input_output_aliases(SomeAliases(b.random(), layout));
    if (!layout.parameters.empty() && b.random().Chance(20)) {
      const int64_t donor = layout.parameters.size() - 1;
      bool is_alias = false;
      for (const InputOutputAlias& alias : module.input_output_aliases()) {
        is_alias |= alias.parameter_number == donor;
      }
      if (!is_alias) {
        module.AddHeaderAttribute(
            "buffer_donor",
            module.SaveText(absl::StrCat("{ (", donor, ", {}) }")));
      }
    }
  }
  module.set_entry_layout(std::move(layout));
  if (!b.options().header) return;
  const auto maybe = [&](int percent, absl::string_view name,
                         std::string value) {
    if (!b.random().Chance(percent)) return;
    module.AddHeaderAttribute(name, module.SaveText(value));
  };
  maybe(10, "alias_passthrough_params", "true");
  maybe(10, "allow_spmd_sharding_propagation_to_parameters", "{true,false}");
  maybe(10, "allow_spmd_sharding_propagation_to_output", "{true}");
  maybe(30, "replica_count", "6");
  maybe(30, "num_partitions", "2");
  maybe(20, "frontend_attributes", RandomFrontendAttributes(b.random()));
}

}  // namespace

RandomHloOptions ExecutableRandomHlo(uint64_t seed) {
  RandomHloOptions options;
  options.seed = seed;
  options.max_rank = 3;
  options.max_dimension = 4;
  options.async = false;
  options.collectives = false;
  options.custom_calls = false;
  options.random_numbers = false;
  options.dynamic_dimensions = false;
  options.narrow_types = false;
  options.layouts = false;
  options.memory_spaces = false;
  options.annotations = false;
  options.header = false;
  options.stack_frames = false;
  return options;
}

RandomHloOptions HostOffloadRandomHlo(uint64_t seed) {
  RandomHloOptions options = ExecutableRandomHlo(seed);
  options.memory_spaces = true;
  options.stack_frames = true;
  options.annotations = true;
  options.host_offload = true;
  return options;
}

void RandomHloBuilder::AddOperations(int count) {
  const std::vector<absl::Span<const Emitter>> families = Families(options_);
  for (int i = 0; i < count; ++i) {
    const Emitter& emitter = random_.Pick(random_.Pick(families));
    emitter.emit(*this, emitter.opcode);
  }
}

std::unique_ptr<HloModule> RandomHloModule(const RandomHloOptions& options,
                                           HloContext& context) {
  auto module = std::make_unique<HloModule>(
      context, SourceText::FromString("", "random.hlo"));
  module->set_name(module->SaveText(absl::StrCat("random_", options.seed)));
  RandomHloOptions chosen = options;
  // Names are of other forms without: see NewName.
  if (options.seed % 4 == 3) chosen.async = false;
  RandomHloBuilder b(*module, chosen);
  module->set_is_scheduled(IsScheduled(b.random(), chosen));
  if (chosen.stack_frames && b.random().Chance(50)) {
    module->set_stack_frames(SomeStackFrames());
  }
  b.Begin("main", /*may_add_parameters=*/true);
  b.AddOperations(chosen.operations);
  HloInstruction* root = &b.SomeValue();
  if (b.random().Chance(70)) {
    Operands results;
    for (int64_t i = b.random().Between(1, 8); i > 0; --i) {
      results.push_back(&b.SomeArray(kAllTypes, 0, 9, true));
    }
    root = &b.AddTuple(results);
  }
  module->set_entry(b.End(*root));
  module->SetComputationOrder(b.finished());
  SetHeader(b);
  if (!b.uses_frames()) module->set_stack_frames({});
  return module;
}

}  // namespace ferry
