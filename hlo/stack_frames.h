// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STACK_FRAMES_H_
#define FERRY_HLO_STACK_FRAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace ferry {

class HloInstruction;

// The four tables that stand between the header and the first computation:
// the user's call stacks, which `metadata={... stack_frame_id=N}` refers to.
// Ids count from 1; 0 is none.
struct StackFrames {
  struct FileLocation {
    int32_t file_name_id = 0;
    int32_t function_name_id = 0;
    int32_t line = 0;
    int32_t column = 0;
    int32_t end_line = 0;
    int32_t end_column = 0;
  };
  struct Frame {
    int32_t file_location_id = 0;
    // As in protos: 0 is no parent. (The text has this number plus one.)
    int32_t parent_frame_id = 0;
  };
  std::vector<std::string> file_names;
  std::vector<std::string> function_names;
  std::vector<FileLocation> file_locations;
  std::vector<Frame> frames;

  bool empty() const { return file_names.empty(); }
};

// The user's own line for an instruction: what a person recognises.
struct UserSource {
  std::string op_name;   // "jit(step)/transpose/dot_general"
  std::string file;      // "model.py"; empty if the dump does not say
  int32_t line = 0;      // 0 if the dump does not say
  std::string function;  // "loss"

  bool empty() const { return op_name.empty() && file.empty(); }
};

// From the instruction's metadata: its stack frame's innermost location if it
// has one, else `source_file` and `source_line`. Bad ids and malformed metadata
// read as absent. Tested by stack_frames_test.cc.
UserSource FindUserSource(const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_STACK_FRAMES_H_
