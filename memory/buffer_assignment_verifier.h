// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BUFFER_ASSIGNMENT_VERIFIER_H_
#define FERRY_MEMORY_BUFFER_ASSIGNMENT_VERIFIER_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// Checks where values stand, against the module and the live ranges alone:
//
//   bounds     each value lies within an allocation of its memory space, and
//              takes the bytes of its shape
//   alignment  in a heap, and in the free time of other allocations, it starts
//              at a multiple of the alignment of the space, but for parts of a
//              ConcatBitcast
//   aliases    loops, results of conditionals and calls, operations in place
//              and donations have the same bytes on both sides; the parts of a ConcatBitcast
//              follow one another in it, or stand elsewhere
//   read-only  constants, arguments that are not donated and scratch share
//              their allocation with nothing
//   overlap    no two values are live on the same byte, unless they must share
//              it, or the later one may be written over the earlier one, which
//              dies there
//
// What is wrong, up to `kMaxViolations`, in words; empty if nothing is.
// O(n log n) in values. Tested by buffer_assignment_verifier_test.cc.
inline constexpr size_t kMaxViolations = 100;
std::vector<std::string> VerifyBufferAssignment(
    const BufferAssignment& assignment);

// The same for any slices, by ValueId, in the allocations of `assignment`.
std::vector<std::string> VerifySlices(const BufferAssignment& assignment,
                                      absl::Span<const AssignedValue> slices);

}  // namespace ferry

#endif  // FERRY_MEMORY_BUFFER_ASSIGNMENT_VERIFIER_H_
