// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACKING_VERIFIER_H_
#define FERRY_MEMORY_PACKING_VERIFIER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// What is wrong with an offset. The rules:
enum class PackingRule {
  kCount,      // there is one offset for each buffer
  kNegative,   // no offset is below 0
  kAlignment,  // an offset is a multiple of the alignment of its buffer
  kFixed,      // a fixed buffer stands where it must
  kCapacity,   // no byte is at or above the capacity, or 2^63 - 1
  kOverlap,    // no two buffers are ever live on the same byte
};

struct PackingViolation {
  PackingRule rule;
  int64_t buffer = -1;
  int64_t other = -1;  // kOverlap only
  // For people, in terms of "buffer 3" and "buffer 7".
  std::string message;
};

// All violations, those of kOverlap in order of time: of buffers that lie on
// one another, each that starts while another holds its bytes is told once.
// A sweep over time, O(n log n) in pieces; shares no code with any packer.
// Tested by packing_verifier_test.cc.
std::vector<PackingViolation> FindPackingViolations(
    const PackingProblem& problem, absl::Span<const int64_t> offsets_bytes);

// OK if a feasible packing violates no rule and says its height and a bound
// that is not above it, and if no other packing has offsets. FailedPrecondition
// with the first violation.
absl::Status VerifyPacking(const PackingProblem& problem,
                           const Packing& packing);

}  // namespace ferry

#endif  // FERRY_MEMORY_PACKING_VERIFIER_H_
