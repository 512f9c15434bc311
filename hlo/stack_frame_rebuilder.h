// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STACK_FRAME_REBUILDER_H_
#define FERRY_HLO_STACK_FRAME_REBUILDER_H_

#include <cstdint>

#include "ferry/hlo/hlo_module.h"

namespace ferry {

// What RebuildStackFrames could not keep.
struct DroppedStackFrames {
  int64_t instruction_count = 0;
  // The first of those instructions and the id that it gave.
  const HloInstruction* first = nullptr;
  int64_t first_id = 0;
};

// Makes the stack-frame tables anew from what uses them, as XLA does when it
// reads a module, and writes the new numbers into the metadata:
//
//   FileNames    1 "unused.py"        1 "a.py"
//                2 "a.py"        =>
//                3 "a.py"
//   metadata     stack_frame_id=7     stack_frame_id=1
//
// Computations come in stored order, their instructions too. A frame is entered
// when it is first used, behind the frame that called it; equal names,
// locations and frames become one. A frame without a file, a function or a
// location, or whose callers do not come to an end, is dropped: the metadata
// then names no frame. Linear. Tested by stack_frame_rebuilder_test.cc.
DroppedStackFrames RebuildStackFrames(HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_STACK_FRAME_REBUILDER_H_
