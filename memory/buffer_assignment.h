// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BUFFER_ASSIGNMENT_H_
#define FERRY_MEMORY_BUFFER_ASSIGNMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/memory/buffer_groups.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/flattened_schedule.h"
#include "ferry/memory/hlo_alias_analysis.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/hlo_live_range.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/in_place_operands.h"
#include "ferry/memory/memory_target.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// Counted from 0 without gaps.
using AllocationId = uint32_t;

// Where a value stands: bytes [offset, offset + size) of an allocation.
struct AssignedValue {
  ValueId value = 0;
  AllocationId allocation = 0;
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
};

// One block of memory of one space.
struct BufferAllocation {
  AllocationId id = 0;
  MemorySpace space = MemorySpace::kDefault;
  int64_t size_bytes = 0;

  // What it is for; several may hold: a donated argument is live out.
  std::optional<HloPosition> parameter;  // the node of an entry parameter
  bool is_constant = false;
  bool is_thread_local = false;
  bool is_live_out = false;  // a result of the program
  // The heap of its space, with all that is nothing of the above.
  bool is_heap = false;

  // In the order of their ids.
  std::vector<AssignedValue> values;
};

// The sums of one memory space. XLA's "Total bytes" is `total_bytes`.
struct SpaceUsage {
  MemorySpace space = MemorySpace::kDefault;
  // Entry parameters, and those of them that results are written into.
  int64_t argument_bytes = 0;
  int64_t alias_bytes = 0;
  // Results, tables of tuples included, donated or not.
  int64_t output_bytes = 0;
  // Allocations by what they are for: each byte counts once. The live-out ones
  // are those that are no parameters.
  int64_t parameter_allocation_bytes = 0;
  int64_t live_out_allocation_bytes = 0;
  int64_t constant_bytes = 0;
  int64_t thread_local_bytes = 0;
  int64_t heap_bytes = 0;
  int64_t total_bytes = 0;
  // Proved: no packing of these buffers has a smaller total.
  ByteCount lower_bound_bytes;
};

struct BufferAssignmentOptions {
  // Gives offsets to the buffers of one memory space; PackBuffers() without a
  // search if empty.
  std::function<absl::StatusOr<Packing>(const PackingProblem&)> pack;
  // Whether results are written over operands that die; see BufferGroups.
  bool hand_over = true;
};

// Where every value of a scheduled program stands.
//
//   each node of an entry parameter   an allocation of its own
//   each buffer of a result           an allocation, unless it is donated
//   constants, scratch of combiners   an allocation each
//   everything else                   one heap for each memory space, or the
//                                     time in which an allocation of a result
//                                     or of a donated argument is not in use
//
// As XLA has it, but for the last line: XLA puts one value at a time there, at
// offset 0.
//
// Owns its analyses; the module and the target must outlive it.
// Tested by buffer_assignment_test.cc.
class BufferAssignment {
 public:
  // The order of the instruction lists is the schedule. Near-linear in
  // positions but for the packing. InvalidArgument if values that must share
  // bytes are in different memory spaces; OutOfRange if sizes go beyond 2^62
  // bytes in sum; errors of `pack`.
  static absl::StatusOr<BufferAssignment> Run(
      const HloModule& module, const MemoryTarget& target,
      const BufferAssignmentOptions& options = {});

  const HloModule& module() const { return dataflow_->module(); }
  const MemoryTarget& target() const { return *target_; }
  const HloDataflowAnalysis& dataflow() const { return *dataflow_; }
  const InPlaceOperands& in_place() const { return *in_place_; }
  const HloAliasAnalysis& aliases() const { return *aliases_; }
  const FlattenedSchedule& schedule() const { return *schedule_; }
  const HloLiveRange& live_ranges() const { return *live_ranges_; }
  const BufferGroups& groups() const { return *groups_; }

  // Parameters by number and node, results, constants, scratch, heaps.
  absl::Span<const BufferAllocation> allocations() const {
    return allocations_;
  }
  const AssignedValue& SliceOf(ValueId value) const { return slices_[value]; }
  const AssignedValue& SliceOf(const HloInstruction& instruction,
                               int32_t ordinal) const {
    return slices_[dataflow_->ValueAt(instruction, ordinal)];
  }

  // All values of a group stand in one allocation.
  const BufferAllocation& AllocationOf(GroupId group) const {
    const BufferId buffer = groups_->BuffersOf(group)[0];
    return allocations_[SliceOf(aliases_->ValuesOf(buffer)[0]).allocation];
  }
  MemorySpace SpaceOf(GroupId group) const { return AllocationOf(group).space; }

  // By memory space, ascending; only those that hold something.
  absl::Span<const SpaceUsage> spaces() const { return spaces_; }
  const SpaceUsage* FindSpace(MemorySpace space) const;

 private:
  friend class Assigner;
  BufferAssignment() = default;

  const MemoryTarget* target_ = nullptr;
  std::unique_ptr<HloDataflowAnalysis> dataflow_;
  std::unique_ptr<InPlaceOperands> in_place_;
  std::unique_ptr<HloAliasAnalysis> aliases_;
  std::unique_ptr<FlattenedSchedule> schedule_;
  std::unique_ptr<HloLiveRange> live_ranges_;
  std::unique_ptr<BufferGroups> groups_;
  std::vector<BufferAllocation> allocations_;
  std::vector<AssignedValue> slices_;  // by ValueId
  std::vector<SpaceUsage> spaces_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_BUFFER_ASSIGNMENT_H_
