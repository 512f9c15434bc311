// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_OFFLOAD_TRANSFERS_H_
#define FERRY_PASSES_OFFLOAD_TRANSFERS_H_

#include <optional>
#include <vector>

#include "ferry/passes/host_offload_analysis.h"
#include "ferry/passes/offload_walk.h"

namespace ferry {

// Collects transfers: one per instruction and direction, with the executions of
// all the contexts that it runs in.
// Tested by host_offload_analysis_test.cc.
class TransferList {
 public:
  explicit TransferList(const OffloadGraph& graph) : graph_(graph) {}

  // `at` moves the bytes of `moved`. Adding the same node twice changes
  // nothing.
  void Add(HostTransfer::Direction direction, const OffloadNode& at,
           const Shape& moved);
  // Ordered by instruction.
  std::vector<HostTransfer> Take();

 private:
  struct Entry {
    OffloadNode at;
    HostTransfer transfer;
  };
  const OffloadGraph& graph_;
  std::vector<Entry> entries_;
};

// The transfers that a compiler has to make of what a walk found: one out for
// every annotated value that is not on host already, one back for every move to
// device and every slice that is a fetch, one out for every device value that
// an output or a written buffer needs on host. Ordered by instruction.
std::vector<HostTransfer> PredictTransfers(const OffloadWalk& walk);

// What computes on the host: instructions marked so, all that is inside marked
// calls, and what `walk`, if there is one, turned into host compute. Ordered by
// instruction.
std::vector<HostComputation> ListHostCompute(const OffloadGraph& graph,
                                             const OffloadWalk* walk);

// Whether leaf `ordinal` of the program's result is declared in host memory
// while its value is computed in device memory.
bool IsDeviceValueAtHostOutput(const OffloadWalk& walk, int32_t ordinal);

// Executions a step of what stands in `context`; nullopt if a loop around it
// has no known trip count.
std::optional<int64_t> ExecutionsOf(const OffloadGraph& graph,
                                    ContextId context);

}  // namespace ferry

#endif  // FERRY_PASSES_OFFLOAD_TRANSFERS_H_
