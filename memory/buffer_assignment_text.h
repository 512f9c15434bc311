// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BUFFER_ASSIGNMENT_TEXT_H_
#define FERRY_MEMORY_BUFFER_ASSIGNMENT_TEXT_H_

#include <string>

#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// The assignment as XLA dumps it (`NAME-buffer-assignment.txt`):
//
//   BufferAssignment:
//   allocation 2: size 8192, color 5, preallocated-temp:
//    value: <7 t{1} (phi) @5> (size=4096,offset=4096): f32[1024]{0:S(5)}
//
// Numbers of values and allocations are Ferry's. Tested by
// buffer_assignment_text_test.cc.
std::string BufferAssignmentToText(const BufferAssignment& assignment);

// How each memory is used, as the TPU compiler dumps it
// (`NAME-memory-usage-report.txt`): for each space its allocations, largest
// first, and what stands at each offset of them.
std::string MemoryUsageToText(const BufferAssignment& assignment);

}  // namespace ferry

#endif  // FERRY_MEMORY_BUFFER_ASSIGNMENT_TEXT_H_
