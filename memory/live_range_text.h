// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_LIVE_RANGE_TEXT_H_
#define FERRY_MEMORY_LIVE_RANGE_TEXT_H_

#include <string>

#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// The live ranges as XLA dumps them (`NAME-live-range.txt`):
//
//   HloLiveRange (max 7):
//     InstructionSequence:
//       0:p0
//     BufferLiveRange:
//       p0{}:0-7
//     Live ranges at 3 (peak):
//       add.1{}: 4096 bytes (cumulative: 4096 bytes)
//     Stack trace breakdown for peak usage: 4 096 bytes
//       main (100.0%, total: 4 096 bytes, current: 0 bytes, remaining: ...)
//         └── add.1 (100.0%, ...)
//
// All memories together, without padding, and 8 bytes for each element of a
// tuple, as there; ends are those of the last reader. The tree goes from the
// entry through calls to the operation that the user wrote, or to the value.
// Tested by live_range_text_test.cc.
std::string LiveRangesToText(const BufferAssignment& assignment);

}  // namespace ferry

#endif  // FERRY_MEMORY_LIVE_RANGE_TEXT_H_
