// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_FETCH_PATHS_H_
#define FERRY_PASSES_FETCH_PATHS_H_

#include "ferry/hlo/diagnostic.h"
#include "ferry/passes/offload_graph.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {

// Tells slices that are fetches from slices that compute on the host.
//
// A slice of a host array is itself the transfer to the device if everything
// made from it, without moving data, ends at a move to device (or is not used).
// The compiler also takes a value that leaves the program, or that an opaque
// kernel reads, for fetched.
//
// What is known to lead to a move is not walked again; a question that fails
// costs at most what the slice reaches.
//
// Tested by fetch_paths_test.cc.
class FetchPaths {
 public:
  FetchPaths(const OffloadGraph& graph, Judge judge);

  bool IsFetch(const OffloadNode& slice);

 private:
  // Whether the judge does not see the flow at all.
  bool IsIgnored(const OffloadFlow& flow) const;

  const OffloadGraph& graph_;
  const Judge judge_;
  llvm::BitVector good_;  // all ways from here end at a move to device
  llvm::BitVector bad_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_FETCH_PATHS_H_
