// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/neighborhood.h"

#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"

namespace ferry {
namespace {

// Instructions know what they wait for, not what waits for them.
using Successors =
    llvm::DenseMap<const HloInstruction*, std::vector<const HloInstruction*>>;

Successors ControlSuccessors(const HloComputation& computation) {
  Successors successors;
  for (const HloInstruction& instruction : computation.instructions()) {
    for (const HloInstruction* other : instruction.control_predecessors()) {
      successors[other].push_back(&instruction);
    }
  }
  return successors;
}

}  // namespace

Neighborhood::Neighborhood(const HloInstruction& center, int64_t depth)
    : center_(center), depth_(depth) {
  const Successors successors = ControlSuccessors(center.parent());
  instructions_.insert(&center);
  std::vector<const HloInstruction*> ring = {&center};
  for (int64_t step = 0; step < depth && !ring.empty(); ++step) {
    std::vector<const HloInstruction*> next;
    const auto add = [&](const auto& neighbors) {
      for (const HloInstruction* one : neighbors) {
        if (instructions_.insert(one).second) next.push_back(one);
      }
    };
    for (const HloInstruction* at : ring) {
      add(at->operands());
      add(at->users());
      add(at->control_predecessors());
      const auto found = successors.find(at);
      if (found != successors.end()) add(found->second);
    }
    ring = std::move(next);
  }
}

}  // namespace ferry
