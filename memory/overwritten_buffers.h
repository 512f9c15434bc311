// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_OVERWRITTEN_BUFFERS_H_
#define FERRY_MEMORY_OVERWRITTEN_BUFFERS_H_

#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// Replays a scheduled program over the places that an assignment gives to its
// values, and reports what would not be there when it is read.
//
//   time  instruction              bytes 0..63   64..127
//   0     a = parameter            a
//   1     b = negate(a)            a             b
//   2     c = exponential(a)       a             c         b is gone
//   3     d = add(b, c)                                    reads b: F2101
//
// | code  | holds
// | ----- | ---------------------------------------------------------------
// | F2101 | bytes that are still needed are not written: not by a later
// |       | instruction, not by what it calls or what runs at the same time,
// |       | not by the next round of a loop; constants and arguments that are
// |       | not given away, never
// | F2102 | a place lies in an allocation of its memory space, has the bytes
// |       | of its shape, and stands where the chip lets buffers start; what
// |       | an operation forwards, or a caller hands over, stands still
//
// F2101 is an error of the program, not of the assignment, if the program
// changes in a loop what it reads later and makes no copy: what must share an
// address then is live twice.
//
// Knows nothing of live ranges, aliases and packing: it has its own idea of
// what each instruction reads, writes and forwards. Only where the value of a
// node stands (by HloDataflowAnalysis), and what one instruction may do to its
// own operands (InPlaceOperands, BufferSharing), is taken from there. Each computation is replayed once: its callers see which bytes it
// writes. Near-linear in positions, but for what is written by computations
// that lie deep in one another. At most kMaxOverwrittenBuffers are reported.
// Tested by overwritten_buffers_test.cc.
inline constexpr size_t kMaxOverwrittenBuffers = 100;
std::vector<Diagnostic> FindOverwrittenBuffers(
    const BufferAssignment& assignment);

// The same for any slices, by ValueId, in the allocations of `assignment`.
std::vector<Diagnostic> FindOverwrittenBuffers(
    const BufferAssignment& assignment, absl::Span<const AssignedValue> slices);

}  // namespace ferry

#endif  // FERRY_MEMORY_OVERWRITTEN_BUFFERS_H_
