// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HLO_DATAFLOW_ANALYSIS_H_
#define FERRY_MEMORY_HLO_DATAFLOW_ANALYSIS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/hlo_value.h"

namespace ferry {

// Which value is at each position of a module, where each goes and who reads
// it, through calls, loops, branches and asynchronous calls. In what the entry
// reaches, bodies of fusions aside.
//
//   instruction       makes                 forwards
//   most              all nodes             -
//   tuple, copy       {}                    the elements
//   get-tuple-element, bitcast, domain, optimization-barrier,
//   add-dependency    -                     the operand
//   call, while, conditional, parameters of what they run
//                     a phi where ways      what comes from callers and roots
//                     differ
//   copy-start        {} {0} {2}            operand at {1}
//   copy-done         -                     {0} of its operand
//   async-start       tables, contexts      operands at {0,i}, root at {1}
//   async-done        tables                {1} of its operand
//   send              {} {1} {2}            operand at {0}
//   recv-done         {} {1}                {0} of its operand
//   all-gather-start, collective-permute-start
//                     tables, {1} ...       operands at {0} or {0,i}
//   their -done       -                     {1} of its operand
//   all-reduce-done   -                     the operand
//
// There are no more phis than must be: a value that a loop hands on unchanged
// is the same value inside and behind the loop.
//
// Linear in positions (but for loops that lie deep in one another, each of
// which is looked at again for those around it). Not for modules that call
// themselves. Tested by hlo_dataflow_analysis_test.cc.
class HloDataflowAnalysis {
 public:
  // ResourceExhausted beyond 2^31 positions. The module must outlive it.
  static absl::StatusOr<HloDataflowAnalysis> Run(const HloModule& module);

  const HloModule& module() const { return *module_; }
  ComputationStorage StorageOf(const HloComputation& computation) const {
    return storage_[computation.id()];
  }
  // Whether the positions of an instruction have values.
  bool IsAnalyzed(const HloInstruction& instruction) const {
    return first_[instruction.id()] != kNone;
  }

  size_t value_count() const { return definitions_.size(); }
  HloValue value(ValueId id) const;
  // The value at a node of an analysed instruction.
  ValueId ValueAt(const HloInstruction& instruction, int32_t ordinal) const {
    return values_[first_[instruction.id()] + ordinal];
  }
  // Those of all nodes of an analysed instruction.
  absl::Span<const ValueId> ValuesOf(const HloInstruction& instruction) const;

  // All positions, the one that makes the value first, then in the order of
  // the computations and their instructions.
  size_t position_count(ValueId id) const {
    return position_starts_[id + 1] - position_starts_[id];
  }
  HloPosition position(ValueId id, size_t i) const {
    return PositionAt(positions_[position_starts_[id] + i]);
  }
  // In the order of the computations and their instructions. A
  // get-tuple-element or copy reads only the table; a tuple reads nothing,
  // unless it is the root of its computation; call and while read what they
  // pass on.
  size_t use_count(ValueId id) const {
    return use_starts_[id + 1] - use_starts_[id];
  }
  HloUse use(ValueId id, size_t i) const;

 private:
  friend class DataflowBuilder;
  using PositionId = uint32_t;
  static constexpr PositionId kNone = UINT32_MAX;
  struct Definition {
    PositionId position;
    bool is_phi;
  };
  struct Use {
    InstructionId instruction;
    int32_t operand_number;
    int32_t operand_ordinal;
  };

  HloDataflowAnalysis() = default;
  HloPosition PositionAt(PositionId position) const {
    const InstructionId id = instructions_[position];
    return {module_->instruction(id),
            static_cast<int32_t>(position - first_[id])};
  }

  const HloModule* module_ = nullptr;
  std::vector<ComputationStorage> storage_;
  std::vector<PositionId> first_;            // by InstructionId: the node {}
  std::vector<InstructionId> instructions_;  // by PositionId
  std::vector<ValueId> values_;              // by PositionId
  std::vector<Definition> definitions_;      // by ValueId
  std::vector<uint32_t> position_starts_;    // by ValueId, and the end
  std::vector<PositionId> positions_;
  std::vector<uint32_t> use_starts_;  // by ValueId, and the end
  std::vector<Use> uses_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_HLO_DATAFLOW_ANALYSIS_H_
