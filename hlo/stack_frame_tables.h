// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STACK_FRAME_TABLES_H_
#define FERRY_HLO_STACK_FRAME_TABLES_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ferry/hlo/stack_frames.h"

namespace ferry {

// Stack-frame tables, made from old ones by entering frames one by one: names,
// locations and frames are numbered when they are first used, and equal ones
// become one.
//
//   old  FileNames  1 "unused.py"  2 "a.py"  3 "a.py"
//   new  FileNames  1 "a.py"
//
// Linear. Tested by stack_frame_tables_test.cc.
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

}  // namespace ferry

#endif  // FERRY_HLO_STACK_FRAME_TABLES_H_
