// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CALL_GRAPH_H_
#define FERRY_HLO_CALL_GRAPH_H_

#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Which computation calls which, over all attributes that name computations
// (bodies of fusions and reducers too). A picture of one moment: edits of the
// module do not show.
//
// Text cannot make a computation call itself, because definitions stand above
// their uses; an embedder or a pass can, and whoever walks into called
// computations relies on it that nobody did.
//
// Who calls a computation is HloComputation::callers().
// Tested by call_graph_test.cc.
class CallGraph {
 public:
  // Linear in instructions; the depth of calls costs no stack.
  static CallGraph Build(const HloModule& module);

  // All computations, callees before callers: the order in which facts about
  // callees are there when a caller asks. With a cycle, some callee of it
  // stands behind its caller.
  absl::Span<HloComputation* const> post_order() const { return post_order_; }

  // The computations that `computation` calls, each once, in the order of its
  // instructions.
  absl::Span<HloComputation* const> callees(
      const HloComputation& computation) const {
    return callees_[computation.id()];
  }

  // Whether the entry calls it, directly or not. The entry itself is.
  bool IsReachable(const HloComputation& computation) const {
    return reachable_[computation.id()];
  }

  // One cycle, each computation calling the next and the last one the first;
  // empty if no computation calls itself.
  absl::Span<HloComputation* const> cycle() const { return cycle_; }

 private:
  CallGraph() = default;
  void Visit(HloComputation& start, std::vector<uint8_t>& state);

  std::vector<std::vector<HloComputation*>> callees_;  // by ComputationId
  std::vector<HloComputation*> post_order_;
  std::vector<bool> reachable_;
  std::vector<HloComputation*> cycle_;
};

}  // namespace ferry

#endif  // FERRY_HLO_CALL_GRAPH_H_
