// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Overlap: values come and go in the order of time. Those that are live form
// segments, bytes without a gap; a new one is compared with all in the segments
// that it meets, which are few, since values seldom may overlap.

#include "ferry/memory/buffer_assignment_verifier.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/memory/can_share_buffer.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/tiled_size.h"

namespace ferry {
namespace {

class Verifier {
 public:
  Verifier(const BufferAssignment& assignment,
           absl::Span<const AssignedValue> slices)
      : assignment_(assignment),
        dataflow_(assignment.dataflow()),
        slices_(slices),
        sharing_(assignment.module()) {}

  std::vector<std::string> Run() {
    for (ValueId value = 0; value < slices_.size(); ++value) {
      CheckBounds(value);
    }
    if (!violations_.empty()) return std::move(violations_);
    for (const HloComputation* computation :
         assignment_.module().computations()) {
      if (!dataflow_.IsAnalyzed(computation->root())) continue;
      for (const HloInstruction& instruction : computation->instructions()) {
        CheckAliases(instruction);
      }
    }
    CheckDonations();
    CheckAlignment();
    CheckReadOnly();
    CheckOverlaps();
    return std::move(violations_);
  }

 private:
  template <typename... Args>
  void Report(const Args&... args) {
    if (violations_.size() < kMaxViolations) {
      violations_.push_back(absl::StrCat(args...));
    }
  }

  std::string NameOf(ValueId value) const {
    const AssignedValue& slice = slices_[value];
    return absl::StrCat("`", dataflow_.value(value).Name(), "` (allocation ",
                        slice.allocation, ", bytes [", slice.offset_bytes, ", ",
                        slice.offset_bytes + slice.size_bytes, "))");
  }

  const BufferAllocation& AllocationOf(ValueId value) const {
    return assignment_.allocations()[slices_[value].allocation];
  }

  void CheckBounds(ValueId value) {
    const AssignedValue& slice = slices_[value];
    const Shape& shape = dataflow_.value(value).shape();
    if (slice.allocation >= assignment_.allocations().size()) {
      Report("value ", value, " is in no allocation");
      return;
    }
    const BufferAllocation& allocation = AllocationOf(value);
    if (allocation.space != shape.memory_space()) {
      Report("bounds: ", NameOf(value), " is in another memory space");
    }
    if (ByteCount(slice.size_bytes) !=
        GetTiledSize(shape, assignment_.target()).bytes) {
      Report("bounds: ", NameOf(value), " has another size than its shape");
    }
    if (slice.offset_bytes < 0 ||
        slice.offset_bytes > allocation.size_bytes - slice.size_bytes) {
      Report("bounds: ", NameOf(value), " ends beyond its allocation of ",
             allocation.size_bytes, " bytes");
    }
  }

  // --- Aliases.

  void CheckSame(ValueId a, ValueId b) {
    if (slices_[a].allocation == slices_[b].allocation &&
        slices_[a].offset_bytes == slices_[b].offset_bytes) {
      return;
    }
    Report("aliases: ", NameOf(a), " and ", NameOf(b), " must share bytes");
  }

  void CheckSameNodes(const HloInstruction& a, const HloInstruction& b) {
    const auto of_a = dataflow_.ValuesOf(a);
    const auto of_b = dataflow_.ValuesOf(b);
    if (of_a.size() != of_b.size()) return;
    for (size_t i = 0; i < of_a.size(); ++i) CheckSame(of_a[i], of_b[i]);
  }

  void CheckAliases(const HloInstruction& instruction) {
    for (const InPlacePair& pair :
         assignment_.in_place().PairsOf(instruction)) {
      CheckSame(dataflow_.ValueAt(instruction, pair.result_ordinal),
                dataflow_.ValueAt(instruction.operand(pair.operand_number),
                                  pair.operand_ordinal));
    }
    const auto callees = instruction.called_computations();
    switch (instruction.opcode()) {
      case HloOpcode::kWhile:
        CheckSameNodes(instruction, instruction.operand(0));
        CheckSameNodes(instruction, callees.back()->root());
        if (dataflow_.StorageOf(instruction.parent()) !=
            ComputationStorage::kGlobal) {
          return;
        }
        for (const HloComputation* callee : callees) {
          CheckSameNodes(instruction, *callee->parameters()[0]);
        }
        return;
      case HloOpcode::kConditional:
      case HloOpcode::kCall:
        for (const HloComputation* callee : callees) {
          CheckSameNodes(instruction, callee->root());
        }
        return;
      default:
        return;
    }
  }

  void CheckDonations() {
    const HloModule& module = assignment_.module();
    const auto parameters = module.entry().parameters();
    for (const InputOutputAlias& alias : module.input_output_aliases()) {
      if (alias.parameter_number < 0 ||
          alias.parameter_number >= static_cast<int64_t>(parameters.size())) {
        continue;
      }
      const HloInstruction& root = module.entry().root();
      const HloInstruction& parameter = *parameters[alias.parameter_number];
      const auto output = root.shape().OrdinalOf(alias.output_index);
      const auto input = parameter.shape().OrdinalOf(alias.parameter_index);
      if (!output.has_value() || !input.has_value()) continue;
      CheckSame(dataflow_.ValueAt(root, *output),
                dataflow_.ValueAt(parameter, *input));
    }
  }

  // Whether `value` may be a part of `whole`, a ConcatBitcast, at this offset.
  bool IsPart(ValueId value, const HloInstruction& whole,
              int64_t offset) const {
    int64_t at = 0;
    for (const HloInstruction* operand : whole.operands()) {
      const ValueId part = dataflow_.ValueAt(*operand, 0);
      if (part == value && at == offset) return true;
      at += slices_[part].size_bytes;
    }
    return false;
  }

  // --- Alignment, read-only.

  void CheckAlignment() {
    std::vector<bool> is_part(slices_.size(), false);
    for (const HloInstruction* instruction :
         assignment_.schedule().sequence()) {
      if (!instruction->IsCustomCall("ConcatBitcast")) continue;
      for (const HloInstruction* operand : instruction->operands()) {
        is_part[dataflow_.ValueAt(*operand, 0)] = true;
      }
    }
    for (ValueId value = 0; value < slices_.size(); ++value) {
      const int64_t alignment =
          assignment_.target().OffsetAlignment(AllocationOf(value).space);
      if (is_part[value] || slices_[value].offset_bytes % alignment == 0) {
        continue;
      }
      Report("alignment: ", NameOf(value), " is at no multiple of ", alignment);
    }
  }

  void CheckReadOnly() {
    std::vector<std::optional<BufferId>> only(assignment_.allocations().size());
    for (ValueId value = 0; value < slices_.size(); ++value) {
      const BufferAllocation& allocation = AllocationOf(value);
      const bool is_read_only =
          allocation.is_constant || allocation.is_thread_local ||
          (allocation.parameter.has_value() && !allocation.is_live_out);
      if (!is_read_only) continue;
      std::optional<BufferId>& buffer = only[allocation.id];
      const BufferId mine = assignment_.aliases().BufferOf(value);
      if (buffer.has_value() && *buffer != mine) {
        Report("read-only: ", NameOf(value), " is not alone");
      }
      buffer = mine;
    }
  }

  // --- Overlap.

  struct Segment {
    int64_t end = 0;
    std::vector<ValueId> values;
  };
  using Segments = std::map<int64_t, Segment>;  // by first byte

  void CheckOverlaps() {
    std::vector<ValueId> by_start;
    for (ValueId value = 0; value < slices_.size(); ++value) {
      if (slices_[value].size_bytes > 0 &&
          !assignment_.live_ranges().RangeOf(value).IsEmpty()) {
        by_start.push_back(value);
      }
    }
    const auto range = [&](ValueId value) {
      return assignment_.live_ranges().RangeOf(value);
    };
    std::vector<ValueId> by_end = by_start;
    std::sort(by_start.begin(), by_start.end(), [&](ValueId a, ValueId b) {
      return std::tuple(range(a).start, a) < std::tuple(range(b).start, b);
    });
    std::sort(by_end.begin(), by_end.end(), [&](ValueId a, ValueId b) {
      return std::tuple(range(a).end, a) < std::tuple(range(b).end, b);
    });
    std::vector<Segments> live(assignment_.allocations().size());
    size_t ended = 0;
    for (const ValueId value : by_start) {
      while (range(by_end[ended]).end <= range(value).start) {
        Remove(by_end[ended], live[slices_[by_end[ended]].allocation]);
        ++ended;
      }
      Insert(value, live[slices_[value].allocation]);
    }
  }

  void Insert(ValueId value, Segments& live) {
    const AssignedValue& slice = slices_[value];
    int64_t start = slice.offset_bytes;
    Segment segment = {slice.offset_bytes + slice.size_bytes, {value}};
    auto it = live.upper_bound(start);
    if (it != live.begin() && std::prev(it)->second.end > start) --it;
    while (it != live.end() && it->first < segment.end) {
      for (const ValueId other : it->second.values) CheckPair(other, value);
      start = std::min(start, it->first);
      segment.end = std::max(segment.end, it->second.end);
      segment.values.insert(segment.values.end(), it->second.values.begin(),
                            it->second.values.end());
      it = live.erase(it);
    }
    live[start] = std::move(segment);
  }

  void Remove(ValueId value, Segments& live) {
    const auto it = std::prev(live.upper_bound(slices_[value].offset_bytes));
    std::erase(it->second.values, value);
    if (it->second.values.empty()) live.erase(it);
  }

  // `earlier` is still live when `later` comes.
  void CheckPair(ValueId earlier, ValueId later) {
    const AssignedValue& a = slices_[earlier];
    const AssignedValue& b = slices_[later];
    if (a.offset_bytes >= b.offset_bytes + b.size_bytes ||
        b.offset_bytes >= a.offset_bytes + a.size_bytes ||
        assignment_.aliases().BufferOf(earlier) ==
            assignment_.aliases().BufferOf(later) ||
        IsHandOver(earlier, later)) {
      return;
    }
    const HloInstruction& maker = dataflow_.value(later).instruction();
    if (maker.IsCustomCall("ConcatBitcast") &&
        IsPart(earlier, maker, a.offset_bytes - b.offset_bytes)) {
      return;
    }
    Report("overlap: ", NameOf(earlier), " is live up to ",
           assignment_.live_ranges().XlaRangeOf(earlier).end, ", and ",
           NameOf(later), " from ",
           assignment_.live_ranges().XlaRangeOf(later).start);
  }

  bool IsHandOver(ValueId dying, ValueId made) const {
    const HloLiveRange& ranges = assignment_.live_ranges();
    const HloPosition at = dataflow_.value(made).defining_position;
    if (ranges.XlaRangeOf(dying).end != ranges.XlaRangeOf(made).start ||
        slices_[dying].offset_bytes != slices_[made].offset_bytes ||
        &dataflow_.value(dying).shape() != &at.shape()) {
      return false;
    }
    bool is_read = false;
    for (size_t i = 0; i < dataflow_.use_count(dying); ++i) {
      const HloUse use = dataflow_.use(dying, i);
      if (use.instruction != at.instruction) continue;
      if (!sharing_.CanShare(use, at.ordinal)) return false;
      is_read = true;
    }
    return is_read;
  }

  const BufferAssignment& assignment_;
  const HloDataflowAnalysis& dataflow_;
  absl::Span<const AssignedValue> slices_;
  const BufferSharing sharing_;
  std::vector<std::string> violations_;
};

}  // namespace

std::vector<std::string> VerifySlices(const BufferAssignment& assignment,
                                      absl::Span<const AssignedValue> slices) {
  return Verifier(assignment, slices).Run();
}

std::vector<std::string> VerifyBufferAssignment(
    const BufferAssignment& assignment) {
  std::vector<AssignedValue> slices;
  for (ValueId value = 0; value < assignment.dataflow().value_count();
       ++value) {
    slices.push_back(assignment.SliceOf(value));
  }
  return VerifySlices(assignment, slices);
}

}  // namespace ferry
