// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Groups of buffers are what is placed. One that holds an argument, a result, a
// constant or scratch gets an allocation; the others of a space are packed into
// its heap and into the free time of those allocations that may be written.

#include "ferry/memory/buffer_assignment.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/buffer_groups.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/donations.h"
#include "ferry/memory/live_range.h"
#include "ferry/memory/pack_buffers.h"
#include "ferry/memory/space_packing.h"
#include "ferry/memory/tiled_size.h"

namespace ferry {

class Assigner {
 public:
  Assigner(const HloModule& module, const MemoryTarget& target,
           const BufferAssignmentOptions& options, BufferAssignment& out)
      : module_(module), target_(target), options_(options), out_(out) {
    if (options_.pack) return;
    options_.pack = [](const PackingProblem& problem) {
      return PackBuffers(problem, {.effort = 0});
    };
  }

  absl::Status Run() {
    absl::Status status = Analyze();
    if (!status.ok()) return status;
    status = MeasureValues();
    if (!status.ok()) return status;
    out_.groups_ = std::make_unique<BufferGroups>(BufferGroups::Form(
        *out_.dataflow_, *out_.aliases_, *out_.schedule_, *out_.live_ranges_,
        sizes_, {.hand_over = options_.hand_over}));
    status = CheckSpaces();
    if (!status.ok()) return status;
    DescribeGroups();
    AllocateWhatStands();
    status = PackHeaps();
    if (!status.ok()) return status;
    FillAllocations();
    SumUp();
    return absl::OkStatus();
  }

 private:
  // What a group holds.
  struct Group {
    MemorySpace space = MemorySpace::kDefault;
    int64_t size_bytes = 0;
    std::optional<HloPosition> parameter;
    bool is_donated = false;
    bool is_constant = false;
    bool is_thread_local = false;
    bool is_live_out = false;

    bool IsTemporary() const {
      return !parameter.has_value() && !is_constant && !is_thread_local &&
             !is_live_out;
    }
    // Whether others may use its bytes while it does not.
    bool IsRoom() const {
      return !is_constant && !is_thread_local &&
             (parameter.has_value() ? is_donated : is_live_out);
    }
  };

  absl::Status Analyze() {
    absl::StatusOr<HloDataflowAnalysis> dataflow =
        HloDataflowAnalysis::Run(module_);
    if (!dataflow.ok()) return dataflow.status();
    out_.target_ = &target_;
    out_.dataflow_ =
        std::make_unique<HloDataflowAnalysis>(*std::move(dataflow));
    out_.in_place_ =
        std::make_unique<InPlaceOperands>(InPlaceOperands::Find(module_));
    out_.aliases_ = std::make_unique<HloAliasAnalysis>(
        HloAliasAnalysis::Run(*out_.dataflow_, *out_.in_place_));
    out_.schedule_ =
        std::make_unique<FlattenedSchedule>(FlattenedSchedule::Build(module_));
    out_.live_ranges_ = std::make_unique<HloLiveRange>(
        HloLiveRange::Run(*out_.dataflow_, *out_.aliases_, *out_.schedule_));
    return absl::OkStatus();
  }

  HloValue ValueOf(ValueId value) const { return out_.dataflow_->value(value); }

  absl::Status MeasureValues() {
    ByteCount total;
    sizes_.reserve(out_.dataflow_->value_count());
    for (ValueId value = 0; value < out_.dataflow_->value_count(); ++value) {
      const Shape& shape = ValueOf(value).shape();
      const ByteCount bytes = GetTiledSize(shape, target_).bytes;
      // Room for what aligning adds.
      total =
          total + RoundUp(bytes, target_.OffsetAlignment(shape.memory_space()));
      sizes_.push_back(bytes.ToInt64());
      spaces_.push_back(shape.memory_space());
    }
    if (total > ByteCount(INT64_MAX / 4)) {
      return absl::OutOfRangeError(absl::StrCat(
          "the values of the program take ", total.ToString(),
          " bytes, more than the 2^61 for which buffers can be placed"));
    }
    return absl::OkStatus();
  }

  template <typename Visit>
  void ForEachValue(GroupId group, Visit visit) const {
    for (const BufferId buffer : out_.groups_->BuffersOf(group)) {
      for (const ValueId value : out_.aliases_->ValuesOf(buffer)) {
        visit(value, out_.groups_->OffsetOf(buffer));
      }
    }
  }

  absl::Status CheckSpaces() const {
    for (GroupId group = 0; group < out_.groups_->group_count(); ++group) {
      std::optional<ValueId> first;
      std::optional<ValueId> other;
      ForEachValue(group, [&](ValueId value, int64_t) {
        if (!first.has_value()) first = value;
        if (spaces_[value] != spaces_[*first] && !other.has_value()) {
          other = value;
        }
      });
      if (!other.has_value()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "`", ValueOf(*first).Name(), "` in ",
          target_.SpaceName(spaces_[*first]), " must share its bytes with `",
          ValueOf(*other).Name(), "` in ", target_.SpaceName(spaces_[*other])));
    }
    return absl::OkStatus();
  }

  void DescribeGroups() {
    described_.resize(out_.groups_->group_count());
    for (GroupId id = 0; id < described_.size(); ++id) {
      Group& group = described_[id];
      ForEachValue(id, [&](ValueId value, int64_t offset) {
        group.space = spaces_[value];
        group.size_bytes = std::max(group.size_bytes, offset + sizes_[value]);
        DescribeMaker(value, group);
      });
    }
    for (const ValueId value :
         out_.dataflow_->ValuesOf(module_.entry().root())) {
      GroupOf(value).is_live_out = true;
    }
    for (const Donation& donation : FindDonations(module_)) {
      GroupOf(out_.dataflow_->ValueAt(*donation.parameter.instruction,
                                      donation.parameter.ordinal))
          .is_donated = true;
    }
  }

  void DescribeMaker(ValueId value, Group& group) const {
    const HloPosition at = ValueOf(value).defining_position;
    const HloInstruction& maker = *at.instruction;
    if (maker.opcode() == HloOpcode::kConstant) {
      group.is_constant = true;
    } else if (out_.dataflow_->StorageOf(maker.parent()) ==
               ComputationStorage::kThreadLocal) {
      group.is_thread_local = true;
    } else if (maker.opcode() == HloOpcode::kParameter &&
               maker.parent().IsEntry()) {
      const auto order = [](const HloPosition& p) {
        return std::pair(p.instruction->parameter_number(), p.ordinal);
      };
      if (!group.parameter.has_value() || order(at) < order(*group.parameter)) {
        group.parameter = at;
      }
    }
  }

  Group& GroupOf(ValueId value) {
    return described_[out_.groups_->GroupOf(out_.aliases_->BufferOf(value))];
  }

  // An allocation for each group that is no temporary.
  void AllocateWhatStands() {
    std::vector<GroupId> standing;
    for (GroupId id = 0; id < described_.size(); ++id) {
      if (!described_[id].IsTemporary()) standing.push_back(id);
    }
    const auto order = [&](GroupId id) {
      const Group& group = described_[id];
      const int kind = group.parameter.has_value() ? 0
                       : group.is_live_out         ? 1
                       : group.is_constant         ? 2
                                                   : 3;
      return std::tuple(
          kind,
          kind == 0 ? group.parameter->instruction->parameter_number() : 0,
          kind == 0 ? group.parameter->ordinal : 0, id);
    };
    std::sort(standing.begin(), standing.end(),
              [&](GroupId a, GroupId b) { return order(a) < order(b); });
    allocation_of_.assign(described_.size(), 0);
    start_of_.assign(described_.size(), 0);
    for (const GroupId id : standing) {
      const Group& group = described_[id];
      allocation_of_[id] = out_.allocations_.size();
      BufferAllocation allocation;
      allocation.id = allocation_of_[id];
      allocation.space = group.space;
      allocation.size_bytes = group.size_bytes;
      allocation.parameter = group.parameter;
      allocation.is_constant = group.is_constant;
      allocation.is_thread_local = group.is_thread_local;
      allocation.is_live_out = group.is_live_out;
      out_.allocations_.push_back(std::move(allocation));
    }
  }

  PackingBuffer PackingBufferOf(GroupId id) const {
    PackingBuffer buffer;
    ForEachValue(id, [&](ValueId value, int64_t offset) {
      buffer.pieces.push_back(
          {out_.live_ranges_->RangeOf(value), offset, sizes_[value]});
    });
    // What follows without a gap is one piece.
    auto& pieces = buffer.pieces;
    std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
      return std::tie(a.offset_bytes, a.size_bytes, a.live.start, a.live.end) <
             std::tie(b.offset_bytes, b.size_bytes, b.live.start, b.live.end);
    });
    size_t last = 0;
    for (size_t i = 1; i < pieces.size(); ++i) {
      if (pieces[i].offset_bytes == pieces[last].offset_bytes &&
          pieces[i].size_bytes == pieces[last].size_bytes &&
          pieces[i].live.start <= pieces[last].live.end) {
        pieces[last].live.end =
            std::max(pieces[last].live.end, pieces[i].live.end);
      } else {
        pieces[++last] = pieces[i];
      }
    }
    pieces.resize(last + 1);
    if (pieces.size() == 1 && pieces[0].offset_bytes == 0) {
      buffer.live = pieces[0].live;
      buffer.size_bytes = pieces[0].size_bytes;
      pieces.clear();
    }
    return buffer;
  }

  absl::Status PackHeaps() {
    struct Space {
      std::vector<GroupId> rooms;
      std::vector<GroupId> temporaries;
    };
    std::map<MemorySpace, Space> by_space;
    for (GroupId id = 0; id < described_.size(); ++id) {
      Space& space = by_space[described_[id].space];
      if (described_[id].IsTemporary()) {
        space.temporaries.push_back(id);
      } else if (described_[id].IsRoom() && described_[id].size_bytes > 0) {
        space.rooms.push_back(id);
      }
    }
    for (const auto& [id, space] : by_space) {
      std::vector<PackingBuffer> rooms;
      std::vector<PackingBuffer> temporaries;
      for (const GroupId group : space.rooms) {
        rooms.push_back(PackingBufferOf(group));
      }
      for (const GroupId group : space.temporaries) {
        temporaries.push_back(PackingBufferOf(group));
      }
      absl::StatusOr<SpacePacking> packing = PackSpace(
          rooms, temporaries, target_.OffsetAlignment(id), options_.pack);
      if (!packing.ok()) return packing.status();
      AllocateHeap(id, space.rooms, space.temporaries, *packing);
    }
    return absl::OkStatus();
  }

  void AllocateHeap(MemorySpace space, absl::Span<const GroupId> rooms,
                    absl::Span<const GroupId> temporaries,
                    const SpacePacking& packing) {
    const AllocationId heap = out_.allocations_.size();
    bool is_used = false;
    for (size_t i = 0; i < temporaries.size(); ++i) {
      const SpacePacking::Place& place = packing.places[i];
      const bool is_heap = place.room == SpacePacking::kHeap;
      is_used = is_used || is_heap;
      allocation_of_[temporaries[i]] =
          is_heap ? heap : allocation_of_[rooms[place.room]];
      start_of_[temporaries[i]] = place.offset_bytes;
    }
    heap_bounds_[space] = packing.heap_lower_bound_bytes;
    if (!is_used) return;
    BufferAllocation allocation;
    allocation.id = heap;
    allocation.space = space;
    allocation.size_bytes = packing.heap_bytes;
    allocation.is_heap = true;
    out_.allocations_.push_back(std::move(allocation));
  }

  void FillAllocations() {
    out_.slices_.resize(out_.dataflow_->value_count());
    for (ValueId value = 0; value < out_.slices_.size(); ++value) {
      const BufferId buffer = out_.aliases_->BufferOf(value);
      const GroupId group = out_.groups_->GroupOf(buffer);
      const AssignedValue slice = {
          value, allocation_of_[group],
          start_of_[group] + out_.groups_->OffsetOf(buffer), sizes_[value]};
      out_.slices_[value] = slice;
      out_.allocations_[slice.allocation].values.push_back(slice);
    }
  }

  void SumUp() {
    std::map<MemorySpace, SpaceUsage> usage;
    for (const BufferAllocation& allocation : out_.allocations_) {
      SpaceUsage& space = usage[allocation.space];
      const int64_t bytes = allocation.size_bytes;
      space.total_bytes += bytes;
      if (allocation.is_heap) {
        space.heap_bytes += bytes;
      } else if (allocation.parameter.has_value()) {
        space.parameter_allocation_bytes += bytes;
      } else if (allocation.is_live_out) {
        space.live_out_allocation_bytes += bytes;
      } else if (allocation.is_constant) {
        space.constant_bytes += bytes;
      } else {
        space.thread_local_bytes += bytes;
      }
    }
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      ForEachNode(*parameter, [&](const Shape& node, int64_t bytes) {
        usage[node.memory_space()].argument_bytes += bytes;
      });
    }
    ForEachNode(module_.entry().root(), [&](const Shape& node, int64_t bytes) {
      usage[node.memory_space()].output_bytes += bytes;
    });
    for (const auto& [parameter, result] : FindDonations(module_)) {
      const ValueId value =
          out_.dataflow_->ValueAt(*parameter.instruction, parameter.ordinal);
      usage[spaces_[value]].alias_bytes += sizes_[value];
    }
    for (auto& [id, space] : usage) {
      space.space = id;
      space.lower_bound_bytes =
          ByteCount(space.total_bytes - space.heap_bytes) + heap_bounds_[id];
      out_.spaces_.push_back(space);
    }
  }

  template <typename Visit>
  void ForEachNode(const HloInstruction& instruction, Visit visit) const {
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      visit(walk.node(), GetTiledSize(walk.node(), target_).bytes.ToInt64());
    }
  }

  const HloModule& module_;
  const MemoryTarget& target_;
  BufferAssignmentOptions options_;
  BufferAssignment& out_;
  std::vector<int64_t> sizes_;               // by ValueId
  std::vector<MemorySpace> spaces_;          // by ValueId
  std::vector<Group> described_;             // by GroupId
  std::vector<AllocationId> allocation_of_;  // by GroupId
  std::vector<int64_t> start_of_;            // by GroupId: in its allocation
  std::map<MemorySpace, ByteCount> heap_bounds_;
};

absl::StatusOr<BufferAssignment> BufferAssignment::Run(
    const HloModule& module, const MemoryTarget& target,
    const BufferAssignmentOptions& options) {
  BufferAssignment assignment;
  const absl::Status status =
      Assigner(module, target, options, assignment).Run();
  if (!status.ok()) return status;
  return assignment;
}

const SpaceUsage* BufferAssignment::FindSpace(MemorySpace space) const {
  for (const SpaceUsage& usage : spaces_) {
    if (usage.space == space) return &usage;
  }
  return nullptr;
}

}  // namespace ferry
