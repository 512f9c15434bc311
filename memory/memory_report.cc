// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_report.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/quoted_string.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/memory_profile.h"
#include "ferry/memory/memory_target.h"
#include "ferry/memory/redundant_memory.h"
#include "ferry/memory/tiled_size.h"

namespace ferry {
namespace {

// By buffer. What only stands in the allocation of a result, or of an argument
// that was given away, while that is not in use, is a temporary.
std::vector<MemoryCategory> CategoriesOf(const BufferAssignment& assignment) {
  const HloAliasAnalysis& aliases = assignment.aliases();
  std::vector<MemoryCategory> categories(aliases.buffer_count(),
                                         MemoryCategory::kTemporary);
  const auto set = [&](const HloInstruction& instruction,
                       MemoryCategory category) {
    for (const ValueId value : assignment.dataflow().ValuesOf(instruction)) {
      categories[aliases.BufferOf(value)] = category;
    }
  };
  const HloComputation& entry = assignment.module().entry();
  set(entry.root(), MemoryCategory::kOutput);
  for (const HloInstruction* parameter : entry.parameters()) {
    set(*parameter, MemoryCategory::kArgument);
  }
  for (const BufferAllocation& allocation : assignment.allocations()) {
    if (!allocation.is_constant) continue;
    for (const AssignedValue& assigned : allocation.values) {
      categories[aliases.BufferOf(assigned.value)] = MemoryCategory::kConstant;
    }
  }
  return categories;
}

// As the compiler's report says where an operation comes from.
std::string OperatorText(const UserSource& source) {
  std::vector<std::string> parts;
  const auto add = [&parts](absl::string_view name, absl::string_view value) {
    std::string text = absl::StrCat(name, "=");
    AppendQuoted(value, text);
    parts.push_back(std::move(text));
  };
  if (!source.op_name.empty()) add("op_name", source.op_name);
  if (!source.file.empty()) {
    add("source_file", source.file);
    parts.push_back(absl::StrCat("source_line=", source.line));
  }
  return absl::StrJoin(parts, " ");
}

// A value that is live at the peak of its space, while the module is there.
struct Live {
  const HloInstruction* instruction;
  LiveAtPeak fact;
};

class Reporter {
 public:
  Reporter(const BufferAssignment& assignment,
           const MemoryReportOptions& options)
      : assignment_(assignment),
        target_(assignment.target()),
        options_(options),
        categories_(CategoriesOf(assignment)),
        profile_(assignment) {}

  MemoryReport Make() {
    MemoryReport report;
    report.chip = target_.name;
    if (assignment_.FindSpace(MemorySpace::kDefault) == nullptr) {
      SpaceUsage nothing;
      AddSpace(nothing, report);
    }
    for (const SpaceUsage& usage : assignment_.spaces()) {
      AddSpace(usage, report);
    }
    AddTakenTwice(report);
    if (options_.with_values) AddValues(report);
    return report;
  }

 private:
  const BufferAllocation& AllocationOf(ValueId value) const {
    return assignment_.allocations()[assignment_.SliceOf(value).allocation];
  }

  int64_t UnpaddedBytes(const Shape& shape) const {
    return GetTiledSize(shape, target_).unpadded_bytes.ToInt64();
  }

  void AddSpace(const SpaceUsage& usage, MemoryReport& report) {
    MemorySpaceReport space;
    space.space = usage.space;
    space.name = target_.SpaceName(usage.space);
    if (const auto* known = target_.FindSpace(usage.space); known != nullptr) {
      space.capacity_bytes = known->usable_bytes;
      space.limit_bytes = known->limit_bytes();
    }
    space.argument_bytes = usage.argument_bytes;
    space.output_bytes = usage.output_bytes;
    space.alias_bytes = usage.alias_bytes;
    space.constant_bytes = usage.constant_bytes;
    space.temp_bytes = usage.heap_bytes + usage.thread_local_bytes;
    space.total_bytes = usage.total_bytes;
    space.lower_bound_bytes = usage.lower_bound_bytes.ToInt64();
    std::vector<Live> live;
    const SpaceProfile* profile = profile_.FindSpace(usage.space);
    if (profile != nullptr) {
      space.live_peak_bytes = profile->peak_bytes;
      live = LiveAtPeakOf(*profile);
    }
    space.fragmentation_bytes =
        std::max<int64_t>(0, space.total_bytes - space.live_peak_bytes);
    for (const Live& value : live) {
      space.padding_bytes +=
          std::max<int64_t>(0, value.fact.bytes - value.fact.unpadded_bytes);
    }
    if (!space.Fits()) {
      report.exhausted.push_back(
          UsageOf(space, usage.thread_local_bytes, live));
    }
    if (usage.space == MemorySpace::kDefault && profile != nullptr) {
      report.peak_time = profile->peak_time;
      report.peak_instruction = InstructionAt(profile->peak_time);
      for (Live& value : live) {
        report.live_at_peak.push_back(std::move(value.fact));
      }
    }
    report.spaces.push_back(std::move(space));
  }

  std::string InstructionAt(LogicalTime time) const {
    const FlattenedSchedule& schedule = assignment_.schedule();
    if (time < 0 || time >= schedule.size()) return "";
    return std::string(schedule.At(time).name());
  }

  std::vector<Live> LiveAtPeakOf(const SpaceProfile& profile) const {
    std::vector<Live> list;
    for (const LiveBuffer& buffer :
         profile_.LiveAt(profile.space, profile.peak_time)) {
      list.push_back(Describe(buffer));
    }
    // What is there all the time.
    for (const BufferAllocation& allocation : assignment_.allocations()) {
      if (allocation.space != profile.space ||
          !(allocation.is_constant || allocation.is_thread_local)) {
        continue;
      }
      for (const AssignedValue& assigned : allocation.values) {
        LiveBuffer buffer;
        buffer.value = assigned.value;
        buffer.size_bytes = assigned.size_bytes;
        buffer.live = {0, assignment_.schedule().size()};
        list.push_back(Describe(buffer));
      }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Live& a, const Live& b) {
                       return a.fact.bytes > b.fact.bytes;
                     });
    return list;
  }

  Live Describe(const LiveBuffer& buffer) const {
    const HloValue value = assignment_.dataflow().value(buffer.value);
    LiveAtPeak live;
    live.name = value.Name();
    live.shape = value.shape().ToString();
    live.bytes = buffer.size_bytes;
    live.unpadded_bytes = UnpaddedBytes(value.shape());
    live.category = categories_[assignment_.aliases().BufferOf(buffer.value)];
    live.from = buffer.live.start;
    live.to = buffer.live.end;
    live.source = FindUserSource(value.instruction());
    const bool waits = buffer.last_touch != FlattenedSchedule::kNever &&
                       buffer.next_touch != FlattenedSchedule::kNever;
    if (waits) {
      live.idle_steps =
          std::max<int64_t>(0, buffer.next_touch - buffer.last_touch - 1);
    }
    live.why = Why(buffer, value.shape(), live);
    return {&value.instruction(), std::move(live)};
  }

  std::string Why(const LiveBuffer& buffer, const Shape& shape,
                  const LiveAtPeak& live) const {
    std::vector<std::string> reasons;
    const BufferAllocation& allocation = AllocationOf(buffer.value);
    if (live.category == MemoryCategory::kArgument && !allocation.is_live_out) {
      reasons.push_back("an argument that is not donated lives all the time");
    } else if (allocation.is_thread_local) {
      reasons.push_back("scratch of what runs once an element");
    } else if (live.category == MemoryCategory::kConstant) {
      reasons.push_back("a constant lives all the time");
    } else if (buffer.next_touch != FlattenedSchedule::kNever) {
      const std::string next = InstructionAt(buffer.next_touch);
      reasons.push_back(next.empty()
                            ? "a result of the program"
                            : absl::StrCat("waits for `", next, "` at step ",
                                           buffer.next_touch));
    }
    if (live.bytes > live.unpadded_bytes) {
      reasons.push_back(ExplainTiledSize(shape, target_));
    }
    return absl::StrJoin(reasons, "; ");
  }

  MemoryUsage UsageOf(const MemorySpaceReport& space, int64_t scratch_bytes,
                      const std::vector<Live>& live) const {
    MemoryUsage usage;
    usage.space_name = space.name;
    usage.limit_bytes = *space.limit_bytes;
    usage.reserved_bytes = *space.capacity_bytes - *space.limit_bytes;
    usage.argument_bytes = space.argument_bytes;
    usage.output_bytes = space.output_bytes;
    usage.alias_bytes = space.alias_bytes;
    usage.constant_bytes = space.constant_bytes;
    usage.scratch_bytes = scratch_bytes;
    usage.temp_bytes = space.temp_bytes - scratch_bytes;
    for (const auto& [instruction, fact] : live) {
      if (fact.category != MemoryCategory::kTemporary) continue;
      usage.temp_live_bytes += fact.bytes;
      usage.temp_unpadded_bytes += fact.unpadded_bytes;
      usage.program.push_back({.size_bytes = fact.bytes,
                               .unpadded_bytes = fact.unpadded_bytes,
                               .operator_text = OperatorText(fact.source),
                               .shape = fact.shape,
                               .label = HloToString(*instruction),
                               .allocation_type = "HLO temp"});
    }
    usage.temp_live_bytes = std::min(usage.temp_live_bytes, usage.temp_bytes);
    AddArguments(space.space, usage);
    AddOutputs(space.space, usage);
    std::stable_sort(
        usage.arguments_and_outputs.begin(), usage.arguments_and_outputs.end(),
        [](const ReportedAllocation& a, const ReportedAllocation& b) {
          return a.size_bytes > b.size_bytes;
        });
    return usage;
  }

  void AddArguments(MemorySpace space, MemoryUsage& usage) const {
    for (const BufferAllocation& allocation : assignment_.allocations()) {
      if (!allocation.parameter.has_value() || allocation.space != space ||
          !allocation.parameter->shape().IsArray()) {
        continue;
      }
      const HloPosition& position = *allocation.parameter;
      usage.arguments_and_outputs.push_back(
          {.size_bytes = allocation.size_bytes,
           .unpadded_bytes = UnpaddedBytes(position.shape()),
           .operator_text = OperatorText(FindUserSource(*position.instruction)),
           .shape = position.shape().ToString(),
           .label = absl::StrCat(
               "Argument ", position.instruction->parameter_number(), " index ",
               ShapeIndexToString(position.index()))});
    }
  }

  // But those that stand where arguments stood.
  void AddOutputs(MemorySpace space, MemoryUsage& usage) const {
    const HloInstruction& root = assignment_.module().entry().root();
    for (ShapeWalk walk(root.shape()); !walk.AtEnd(); walk.Next()) {
      if (!walk.node().IsArray()) continue;
      const AssignedValue& slice = assignment_.SliceOf(root, walk.ordinal());
      const BufferAllocation& allocation =
          assignment_.allocations()[slice.allocation];
      if (allocation.space != space || allocation.parameter.has_value()) {
        continue;
      }
      const HloPosition position = {&root, walk.ordinal()};
      usage.arguments_and_outputs.push_back(
          {.size_bytes = slice.size_bytes,
           .unpadded_bytes = UnpaddedBytes(walk.node()),
           .shape = walk.node().ToString(),
           .label = absl::StrCat("Output index ",
                                 ShapeIndexToString(position.index()))});
    }
  }

  void AddTakenTwice(MemoryReport& report) const {
    const RedundantMemory redundant = FindRedundantMemory(assignment_);
    for (const VerbatimCopy& copy : redundant.copies) {
      if (copy.is_needed) continue;
      report.taken_twice.push_back(
          {.name = std::string(copy.copy->name()),
           .bytes = copy.size_bytes,
           .why = "a copy that changes nothing and that nothing needs",
           .source = FindUserSource(*copy.copy)});
    }
    for (const IneffectiveDonation& donation : redundant.donations) {
      const HloInstruction& parameter = *donation.parameter.instruction;
      report.taken_twice.push_back(
          {.name =
               absl::StrCat(parameter.name(),
                            parameter.shape().IsTuple()
                                ? ShapeIndexToString(donation.parameter.index())
                                : ""),
           .bytes = donation.size_bytes,
           .why = absl::StrCat("given away in vain: ", donation.reason),
           .source = FindUserSource(parameter)});
    }
  }

  void AddValues(MemoryReport& report) const {
    const HloDataflowAnalysis& dataflow = assignment_.dataflow();
    for (ValueId id = 0; id < dataflow.value_count(); ++id) {
      const AssignedValue& slice = assignment_.SliceOf(id);
      const HloValue value = dataflow.value(id);
      report.values.push_back({.name = value.Name(),
                               .space = AllocationOf(id).space,
                               .bytes = slice.size_bytes,
                               .unpadded_bytes = UnpaddedBytes(value.shape()),
                               .allocation = slice.allocation,
                               .offset_bytes = slice.offset_bytes});
    }
  }

  const BufferAssignment& assignment_;
  const MemoryTarget& target_;
  const MemoryReportOptions& options_;
  std::vector<MemoryCategory> categories_;  // by BufferId
  MemoryProfile profile_;
};

}  // namespace

absl::string_view MemoryCategoryName(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::kArgument:
      return "argument";
    case MemoryCategory::kOutput:
      return "output";
    case MemoryCategory::kTemporary:
      return "temp";
    case MemoryCategory::kConstant:
      return "constant";
  }
  return "";
}

MemoryReport MakeMemoryReport(const BufferAssignment& assignment,
                              const MemoryReportOptions& options) {
  return Reporter(assignment, options).Make();
}

}  // namespace ferry
