// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PROTO_BUFFER_ASSIGNMENT_PROTO_H_
#define FERRY_MEMORY_PROTO_BUFFER_ASSIGNMENT_PROTO_H_

#include <string>

#include "absl/status/statusor.h"
#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// The assignment as a serialized BufferAssignmentProto of XLA:
//
//   logical_buffers        each value, by the id of the instruction in the
//                          module's own proto
//   buffer_aliases         the other positions that a value has
//   buffer_allocations     as they are
//   heap_simulator_traces  one for each heap (HeapTraceOf)
//
// Near-linear in positions. Tested by buffer_assignment_proto_test.cc.
std::string BufferAssignmentToProto(const BufferAssignment& assignment);

// A serialized HloProto with the module and its assignment, which is what
// viewers of memory read. Errors are those of HloToProto().
absl::StatusOr<std::string> HloWithAssignmentToProto(
    const BufferAssignment& assignment);

}  // namespace ferry

#endif  // FERRY_MEMORY_PROTO_BUFFER_ASSIGNMENT_PROTO_H_
