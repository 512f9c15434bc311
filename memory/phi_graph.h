// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PHI_GRAPH_H_
#define FERRY_MEMORY_PHI_GRAPH_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace ferry {

// Places where ways may meet, and what may arrive there: says which of them
// are needed.
//
//   p = phi(a, p)                 is a
//   p = phi(a, q), q = phi(p, b)  are both needed
//
// Nodes are numbered by the caller; those without an input are values.
// Tested by phi_graph_test.cc.
class PhiGraph {
 public:
  explicit PhiGraph(uint32_t node_count) : node_count_(node_count) {}

  // `input` may arrive at `phi`.
  void AddInput(uint32_t phi, uint32_t input) {
    edges_.push_back({phi, input});
  }

  // What each node is: itself, or, for a phi at which only one thing can
  // arrive, that thing, which is a value or a phi that is needed. Linear in
  // nodes and inputs, once more for each phi of a cycle that is within the
  // cycles of others.
  //
  // The algorithm is that of Braun et al., "Simple and Efficient Construction
  // of Static Single Assignment Form" (CC 2013, doi:10.1007/978-3-642-37051-9_6
  // ), section 3.2: a strongly connected set of phis with one input from
  // outside is that input; else it is done again within the set, for those
  // without an input from outside.
  std::vector<uint32_t> Resolve();

  // Whether each node has an input.
  std::vector<bool> HasInput() const;

 private:
  uint32_t node_count_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_PHI_GRAPH_H_
