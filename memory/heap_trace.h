// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HEAP_TRACE_H_
#define FERRY_MEMORY_HEAP_TRACE_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/live_range.h"

namespace ferry {

// Something that happens to one value of a heap.
struct HeapEvent {
  enum class Kind : uint8_t {
    kAlloc,      // takes bytes
    kFree,       // does not need its bytes any more
    kShareWith,  // stands in the bytes of `canonical`, which are taken
  };
  Kind kind = Kind::kAlloc;
  ValueId value = 0;
  ValueId canonical = 0;  // of kShareWith
  // What happens at a time does so before its instruction runs.
  LogicalTime time = 0;
};

// What happens in a heap over the time of the program, for those who count:
// bytes are taken by kAlloc and given back when the value and all that share
// with it are free. Each value comes once and goes once; what is within the
// bytes of a value of the same group (an operand and the result that is written
// over it, a part and the concatenation it becomes) is not counted twice.
//
// Near-linear in values; in a group, once more for each of its values that live
// side by side. Tested by heap_trace_test.cc.
std::vector<HeapEvent> HeapTraceOf(const BufferAssignment& assignment,
                                   const BufferAllocation& allocation);

}  // namespace ferry

#endif  // FERRY_MEMORY_HEAP_TRACE_H_
