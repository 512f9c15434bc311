// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_COMPUTATION_SCHEDULING_H_
#define FERRY_MEMORY_COMPUTATION_SCHEDULING_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_module.h"
#include "ferry/memory/memory_target.h"
#include "ferry/memory/scheduling_problem.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// Turns computations into scheduling problems. Node i is the i-th instruction
// of the list; buffers are the arrays and tuple tables in one memory space:
//
//   tuple, get-tuple-element, bitcast,      forward buffers, so that the reader
//   opt-barrier, the ends of async ops      of an element reads what made it
//   elementwise, in-place updates, loops    may take over what dies at them
//   call, conditional, async-start          need what their callee's best order
//                                           needs, in place of their results
//   while                                   needs it beside its results, which
//                                           are the body's parameters
//
// Parameters are there at the start. Those of a loop's body, and entry
// parameters that are donated to an output, die at their last reader; all
// others stay, because the caller may go on using them. Constants stand all
// along whatever the order, and are left out.
//
// Callees first: after each Build, set_peak says what the order that was chosen
// needs. Linear in positions. Tested by computation_scheduling_test.cc.
class ComputationScheduling {
 public:
  // Both must outlive it; the module must be verified.
  ComputationScheduling(const HloModule& module, const MemoryTarget& target,
                        MemorySpace space = MemorySpace::kDefault);

  SchedulingProblem Build(const HloComputation& computation);
  // The peak of the problem that was built for `computation`.
  void set_peak(const HloComputation& computation, int64_t peak_bytes);

 private:
  static constexpr int32_t kNoBuffer = -1;
  // By ordinal, the buffer of each node of a shape.
  using Positions = std::vector<int32_t>;

  // Where a node of a callee's root comes from; parameter -1: made there.
  struct RootSource {
    int64_t parameter = -1;
    int32_t ordinal = 0;
  };
  struct Callee {
    // Beyond what is there when it starts.
    int64_t needed_bytes = 0;
    int64_t start_bytes = 0;
    std::vector<RootSource> root;  // by ordinal
  };

  class Builder;

  int64_t BytesOf(const Shape& node);

  const HloModule& module_;
  const MemoryTarget& target_;
  const MemorySpace space_;
  llvm::DenseMap<const Shape*, int64_t> bytes_;
  std::vector<Callee> callees_;  // by ComputationId
};

}  // namespace ferry

#endif  // FERRY_MEMORY_COMPUTATION_SCHEDULING_H_
