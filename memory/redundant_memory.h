// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_REDUNDANT_MEMORY_H_
#define FERRY_MEMORY_REDUNDANT_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// A copy that changes nothing: same shape, layout and memory space.
//
//   y = f32[8]{0} copy(x)    needed if x is read again after y was changed in
//                            place, or if x may not be changed at all
struct VerbatimCopy {
  const HloInstruction* copy = nullptr;
  int64_t size_bytes = 0;
  // Whether something would be overwritten if both stood at one address.
  bool is_needed = false;
  // Why it is needed: "`x` is a constant"; empty if it is not.
  std::string reason;
};

// An argument that is given away in vain: its bytes are not those in which the
// result is made.
//
//   input_output_alias={ {}: (0, {}, may-alias) }
//   z = f32[8]{0} multiply(p, 2)    made elsewhere
//   w = f32[8]{0} add(z, p)         p is still read
//   ROOT r = f32[8]{0} copy(z)      only here the bytes of p are taken over
struct IneffectiveDonation {
  HloPosition parameter;
  HloPosition result;
  int64_t size_bytes = 0;
  // "`r` only copies `z` there, which has bytes of its own".
  std::string reason;
};

// What takes memory twice. Tested by redundant_memory_test.cc.
struct RedundantMemory {
  // In the order of the schedule.
  std::vector<VerbatimCopy> copies;
  // In the order of input_output_alias.
  std::vector<IneffectiveDonation> donations;
};

// Of global computations. For each copy linear in the values of the two
// buffers, else in the program.
RedundantMemory FindRedundantMemory(const BufferAssignment& assignment);

}  // namespace ferry

#endif  // FERRY_MEMORY_REDUNDANT_MEMORY_H_
