// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STACK_FRAME_REBUILDER_H_
#define FERRY_HLO_STACK_FRAME_REBUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/stack_frames.h"

namespace ferry {

// Where the number of `stack_frame_id=7` stands in metadata.
struct StackFrameIdField {
  size_t begin = 0;  // of the digits
  size_t end = 0;
  int64_t id = 0;
};
// nullopt where the metadata names no frame.
std::optional<StackFrameIdField> FindStackFrameId(absl::string_view metadata);

// New tables, made from old ones by entering frames one by one: names,
// locations and frames are numbered when they are first used, and equal ones
// become one.
class StackFrameTables {
 public:
  // The reference must outlive this.
  explicit StackFrameTables(const StackFrames& old);

  // The new id of the old frame, entered behind its callers; 0 if it has no
  // file, function or location, or its callers do not come to an end.
  int32_t Enter(int64_t old_id);
  const StackFrames& made() const { return made_; }
  StackFrames Take() { return std::move(made_); }

 private:
  static constexpr int32_t kUnseen = -1;
  static constexpr int32_t kOpen = -2;

  int32_t EnterOne(const StackFrames::Frame& frame, int32_t parent);
  int32_t EnterName(absl::flat_hash_map<std::string, int32_t>& ids,
                    std::vector<std::string>& names, const std::string& name);

  const StackFrames& old_;
  StackFrames made_;
  std::vector<int32_t> new_ids_;  // of old frames, by id - 1
  absl::flat_hash_map<std::string, int32_t> files_;
  absl::flat_hash_map<std::string, int32_t> functions_;
  using LocationKey =
      std::tuple<int32_t, int32_t, int32_t, int32_t, int32_t, int32_t>;
  std::map<LocationKey, int32_t> locations_;
  std::map<std::pair<int32_t, int32_t>, int32_t> frames_;
};

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
