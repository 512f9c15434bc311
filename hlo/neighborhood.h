// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_NEIGHBORHOOD_H_
#define FERRY_HLO_NEIGHBORHOOD_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

// An instruction and what is near it: all that its computation has within
// `depth` steps from an instruction to an operand, a user, or one that either
// waits for the other.
//
//   a   b           depth 1 around x: a, x, y
//    \ / \          depth 2 around x: b too, by way of y
//     x   |
//      \ /
//       y
//
// Tested by neighborhood_test.cc.
class Neighborhood {
 public:
  Neighborhood(const HloInstruction& center, int64_t depth);

  const HloInstruction& center() const { return center_; }
  int64_t depth() const { return depth_; }
  const HloComputation& computation() const { return center_.parent(); }
  bool Contains(const HloInstruction& instruction) const {
    return instructions_.contains(&instruction);
  }

 private:
  const HloInstruction& center_;
  const int64_t depth_;
  absl::flat_hash_set<const HloInstruction*> instructions_;
};

}  // namespace ferry

#endif  // FERRY_HLO_NEIGHBORHOOD_H_
