// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BUFFER_GROUPS_H_
#define FERRY_MEMORY_BUFFER_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/can_share_buffer.h"
#include "ferry/memory/hlo_alias_analysis.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/hlo_live_range.h"

namespace ferry {

// Counted from 0 without gaps, in the order of their first buffers.
using GroupId = uint32_t;

// Buffers at fixed distances from one another, which are placed as one:
//
//   ConcatBitcast   the operands of the TPU compiler's custom call stand one
//                   after another in its result, which moves no bytes
//   hand-over       a result that may be written over a dying operand
//                   (BufferSharing) stands where that stood
//
// All buffers of a group are in one memory space. Where distances contradict
// one another (a ConcatBitcast of one value twice), the first one holds, and
// the other operands are apart.
// Tested by buffer_groups_test.cc.
class BufferGroups {
 public:
  struct Options {
    // Whether dying operands are handed over.
    bool hand_over = true;
  };

  // `sizes_bytes` and `spaces` by ValueId. Near-linear in uses.
  static BufferGroups Form(const HloDataflowAnalysis& dataflow,
                           const HloAliasAnalysis& aliases,
                           const FlattenedSchedule& schedule,
                           const HloLiveRange& live_ranges,
                           absl::Span<const int64_t> sizes_bytes,
                           const Options& options);

  size_t group_count() const { return starts_.size() - 1; }
  GroupId GroupOf(BufferId buffer) const { return groups_[buffer]; }
  // From the first byte of the group; not negative.
  int64_t OffsetOf(BufferId buffer) const { return offsets_[buffer]; }
  // In the order of their ids.
  absl::Span<const BufferId> BuffersOf(GroupId group) const {
    return absl::MakeConstSpan(buffers_).subspan(
        starts_[group], starts_[group + 1] - starts_[group]);
  }

 private:
  BufferGroups() = default;

  std::vector<GroupId> groups_;   // by BufferId
  std::vector<int64_t> offsets_;  // by BufferId
  std::vector<uint32_t> starts_;  // by GroupId, and the end
  std::vector<BufferId> buffers_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_BUFFER_GROUPS_H_
