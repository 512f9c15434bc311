// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Sets of buffers with a distance to the one that stands for each set. First
// what must be, then, in the order of time, what may be: whether a result can
// stand where an operand was depends on who comes to stand there later.

#include "ferry/memory/buffer_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "llvm/ADT/STLExtras.h"

namespace ferry {
namespace {

// Sets of buffers at known distances.
class DistanceSets {
 public:
  explicit DistanceSets(size_t count) : parents_(count), distances_(count, 0) {
    for (size_t i = 0; i < count; ++i) parents_[i] = static_cast<BufferId>(i);
  }
  // The one that stands for the set of `buffer`, and how far behind it
  // `buffer` is.
  std::pair<BufferId, int64_t> Find(BufferId buffer) {
    BufferId root = buffer;
    int64_t distance = 0;
    while (parents_[root] != root) {
      distance += distances_[root];
      root = parents_[root];
    }
    // Everything on the way now points at the root.
    int64_t rest = distance;
    while (parents_[buffer] != root && buffer != root) {
      const BufferId next = parents_[buffer];
      const int64_t step = distances_[buffer];
      parents_[buffer] = root;
      distances_[buffer] = rest;
      rest -= step;
      buffer = next;
    }
    return {root, distance};
  }
  // `b` is `distance` behind `a`. False, and nothing happens, if they are known
  // to be otherwise.
  bool Join(BufferId a, BufferId b, int64_t distance) {
    const auto [root_a, from_a] = Find(a);
    const auto [root_b, from_b] = Find(b);
    if (root_a == root_b) return from_b == from_a + distance;
    const int64_t b_behind_a = from_a + distance - from_b;
    if (root_a < root_b) {
      parents_[root_b] = root_a;
      distances_[root_b] = b_behind_a;
    } else {
      parents_[root_a] = root_b;
      distances_[root_a] = -b_behind_a;
    }
    return true;
  }

 private:
  std::vector<BufferId> parents_;
  std::vector<int64_t> distances_;
};

class Former {
 public:
  Former(const HloDataflowAnalysis& dataflow, const HloAliasAnalysis& aliases,
         const FlattenedSchedule& schedule, const HloLiveRange& live_ranges,
         absl::Span<const int64_t> sizes_bytes)
      : dataflow_(dataflow),
        aliases_(aliases),
        schedule_(schedule),
        live_ranges_(live_ranges),
        sizes_bytes_(sizes_bytes),
        sharing_(dataflow.module()),
        sets_(aliases.buffer_count()),
        arrivals_(aliases.buffer_count()) {}

  DistanceSets Run(bool hand_over) {
    for (const HloInstruction* instruction : schedule_.sequence()) {
      if (instruction->IsCustomCall("ConcatBitcast")) JoinParts(*instruction);
    }
    if (!hand_over) return std::move(sets_);
    CollectArrivals();
    for (const HloInstruction* instruction : schedule_.sequence()) {
      HandOver(*instruction);
    }
    return std::move(sets_);
  }

 private:
  // A value that comes to stand on the bytes [offset, offset + size), counted
  // from the root of its set.
  struct Arrival {
    ValueId value;
    int64_t size_bytes;
  };

  const Shape& ShapeOf(ValueId value) const {
    return dataflow_.position(value, 0).shape();
  }

  void JoinParts(const HloInstruction& concat) {
    if (concat.shape().IsTuple()) return;
    const ValueId whole = dataflow_.ValueAt(concat, 0);
    int64_t total = 0;
    for (const HloInstruction* operand : concat.operands()) {
      if (operand->shape().IsTuple()) return;
      const ValueId part = dataflow_.ValueAt(*operand, 0);
      if (ShapeOf(part).memory_space() != ShapeOf(whole).memory_space()) return;
      total += sizes_bytes_[part];
    }
    if (total > sizes_bytes_[whole]) return;
    int64_t offset = 0;
    for (const HloInstruction* operand : concat.operands()) {
      const ValueId part = dataflow_.ValueAt(*operand, 0);
      sets_.Join(aliases_.BufferOf(whole), aliases_.BufferOf(part), offset);
      offset += sizes_bytes_[part];
    }
  }

  void CollectArrivals() {
    for (ValueId value = 0; value < dataflow_.value_count(); ++value) {
      const LiveRange range = live_ranges_.RangeOf(value);
      if (range.IsEmpty()) continue;
      const BufferId buffer = aliases_.BufferOf(value);
      arrivals_[sets_.Find(buffer).first].emplace(
          range.start, Arrival{value, sizes_bytes_[value]});
    }
  }

  // An operand that nobody reads after this instruction.
  struct Dying {
    HloUse use;
    ValueId value;
    bool is_taken = false;
  };

  // Gives each array that the instruction makes the place of an operand that
  // dies with it, if that may be.
  void HandOver(const HloInstruction& instruction) {
    std::vector<Dying> dying;
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      if (!walk.node().IsArray()) continue;
      const int32_t ordinal = walk.ordinal();
      const ValueId value = dataflow_.ValueAt(instruction, ordinal);
      if (dataflow_.position(value, 0) != HloPosition{&instruction, ordinal}) {
        continue;
      }
      const BufferId buffer = aliases_.BufferOf(value);
      if (aliases_.ValuesOf(buffer).size() != 1) continue;
      // Alone so far; what came to stand behind it would come with it.
      if (arrivals_[buffer].size() != 1 || sets_.Find(buffer).first != buffer) {
        continue;
      }
      if (dying.empty()) dying = DyingOperands(instruction);
      if (dying.empty()) return;
      TakeOver(value, ordinal, walk.node(), dying);
    }
  }

  // Those whose bytes the instruction may write, if shape and place fit.
  std::vector<Dying> DyingOperands(const HloInstruction& instruction) {
    const LogicalTime time = schedule_.TimeOf(instruction);
    std::vector<Dying> dying;
    std::vector<ValueId> refused;
    for (size_t i = 0; i < instruction.operands().size(); ++i) {
      const HloInstruction& operand = instruction.operand(i);
      const auto values = dataflow_.ValuesOf(operand);
      for (size_t node = 0; node < values.size(); ++node) {
        const ValueId value = values[node];
        if (live_ranges_.XlaRangeOf(value).end != time) continue;
        const HloUse use = {&instruction, static_cast<int32_t>(i),
                            static_cast<int32_t>(node)};
        if (IsConstant(value) || !sharing_.CanWriteOver(use)) {
          refused.push_back(value);
        } else {
          dying.push_back({use, value});
        }
      }
    }
    // What is read in several places must be writable in each.
    std::sort(refused.begin(), refused.end());
    llvm::erase_if(dying, [&](const Dying& d) {
      return std::binary_search(refused.begin(), refused.end(), d.value);
    });
    return dying;
  }

  bool IsConstant(ValueId value) const {
    return dataflow_.position(value, 0).instruction->opcode() ==
           HloOpcode::kConstant;
  }

  void TakeOver(ValueId value, int32_t ordinal, const Shape& shape,
                std::vector<Dying>& dying) {
    const LiveRange live = live_ranges_.RangeOf(value);
    const BufferId buffer = aliases_.BufferOf(value);
    for (Dying& d : dying) {
      if (d.is_taken || &shape != &ShapeOf(d.value) ||
          !sharing_.CanShare(d.use, ordinal)) {
        continue;
      }
      const BufferId place = aliases_.BufferOf(d.value);
      if (sets_.Find(place).first == buffer || !IsFree(d.value, value, live))
        continue;
      Move(buffer, place);
      d.is_taken = true;
      return;
    }
  }

  // Whether `value`, live during `live`, can stand on the bytes of `dying`:
  // nobody else comes to stand there, but for one that may be written over it.
  bool IsFree(ValueId dying, ValueId value, LiveRange live) {
    const BufferId place = aliases_.BufferOf(dying);
    const auto [root, offset] = sets_.Find(place);
    const auto& arrivals = arrivals_[root];
    for (auto it = arrivals.lower_bound(live.start);
         it != arrivals.end() && it->first < live.end; ++it) {
      const Arrival& arrival = it->second;
      const int64_t at = sets_.Find(aliases_.BufferOf(arrival.value)).second;
      if (at >= offset + sizes_bytes_[dying] ||
          offset >= at + arrival.size_bytes) {
        continue;
      }
      if (it->first + 1 == live.end && at == offset &&
          IsWrittenOver(value, arrival.value)) {
        continue;
      }
      return false;
    }
    return true;
  }

  // Whether `later`, which is made when `value` is read for the last time, may
  // be written over it.
  bool IsWrittenOver(ValueId value, ValueId later) const {
    const HloPosition maker = dataflow_.position(later, 0);
    if (&maker.shape() != &ShapeOf(value)) return false;
    bool is_read = false;
    for (size_t i = 0; i < dataflow_.use_count(value); ++i) {
      const HloUse use = dataflow_.use(value, i);
      if (use.instruction != maker.instruction) continue;
      if (!sharing_.CanShare(use, maker.ordinal)) return false;
      is_read = true;
    }
    return is_read;
  }

  void Move(BufferId buffer, BufferId place) {
    const BufferId root = sets_.Find(place).first;
    std::multimap<LogicalTime, Arrival> mine = std::move(arrivals_[buffer]);
    std::multimap<LogicalTime, Arrival> theirs = std::move(arrivals_[root]);
    arrivals_[buffer].clear();
    arrivals_[root].clear();
    sets_.Join(place, buffer, 0);
    theirs.merge(mine);
    arrivals_[sets_.Find(place).first] = std::move(theirs);
  }

  const HloDataflowAnalysis& dataflow_;
  const HloAliasAnalysis& aliases_;
  const FlattenedSchedule& schedule_;
  const HloLiveRange& live_ranges_;
  absl::Span<const int64_t> sizes_bytes_;
  BufferSharing sharing_;
  DistanceSets sets_;
  // By root.
  std::vector<std::multimap<LogicalTime, Arrival>> arrivals_;
};

}  // namespace

BufferGroups BufferGroups::Form(const HloDataflowAnalysis& dataflow,
                                const HloAliasAnalysis& aliases,
                                const FlattenedSchedule& schedule,
                                const HloLiveRange& live_ranges,
                                absl::Span<const int64_t> sizes_bytes,
                                const Options& options) {
  DistanceSets sets =
      Former(dataflow, aliases, schedule, live_ranges, sizes_bytes)
          .Run(options.hand_over);
  BufferGroups result;
  const size_t count = aliases.buffer_count();
  result.groups_.resize(count);
  result.offsets_.resize(count);
  // The root of a set is its first buffer.
  GroupId groups = 0;
  std::vector<int64_t> least;
  for (BufferId buffer = 0; buffer < count; ++buffer) {
    const auto [root, distance] = sets.Find(buffer);
    if (root == buffer) {
      result.groups_[buffer] = groups++;
      least.push_back(0);
    } else {
      result.groups_[buffer] = result.groups_[root];
    }
    int64_t& first = least[result.groups_[buffer]];
    first = std::min(first, distance);
    result.offsets_[buffer] = distance;
  }
  result.starts_.assign(groups + 1, 0);
  for (BufferId buffer = 0; buffer < count; ++buffer) {
    result.offsets_[buffer] -= least[result.groups_[buffer]];
    ++result.starts_[result.groups_[buffer] + 1];
  }
  for (GroupId g = 0; g < groups; ++g)
    result.starts_[g + 1] += result.starts_[g];
  result.buffers_.resize(count);
  std::vector<uint32_t> next(result.starts_.begin(), result.starts_.end() - 1);
  for (BufferId buffer = 0; buffer < count; ++buffer) {
    result.buffers_[next[result.groups_[buffer]]++] = buffer;
  }
  return result;
}

}  // namespace ferry
