// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_tables.h"

namespace ferry {
namespace {

// Ids count from 1.
template <typename T>
const T* Lookup(const std::vector<T>& table, int64_t id) {
  const bool exists = id >= 1 && id <= static_cast<int64_t>(table.size());
  return exists ? &table[id - 1] : nullptr;
}

}  // namespace

StackFrameTables::StackFrameTables(const StackFrames& old)
    : old_(old), new_ids_(old.frames.size(), kUnseen) {}

int32_t StackFrameTables::Enter(int64_t old_id) {
  // From the frame outwards to one that is known, or to the end.
  std::vector<int32_t> chain;
  int64_t at = old_id;
  int32_t parent = 0;
  bool is_good = true;
  while (at != 0 || chain.empty()) {
    if (Lookup(old_.frames, at) == nullptr || new_ids_[at - 1] == kOpen) {
      is_good = false;  // no such frame, or a cycle
      break;
    }
    if (new_ids_[at - 1] != kUnseen) {
      parent = new_ids_[at - 1];
      is_good = parent != 0;
      break;
    }
    new_ids_[at - 1] = kOpen;
    chain.push_back(static_cast<int32_t>(at));
    at = old_.frames[at - 1].parent_frame_id;
  }
  if (chain.empty()) return is_good ? parent : 0;
  for (auto one = chain.rbegin(); one != chain.rend(); ++one) {
    parent = is_good ? EnterOne(old_.frames[*one - 1], parent) : 0;
    is_good = parent != 0;
    new_ids_[*one - 1] = parent;
  }
  return parent;
}

// 0 if something that it names does not exist.
int32_t StackFrameTables::EnterOne(const StackFrames::Frame& frame,
                                   int32_t parent) {
  const auto* location = Lookup(old_.file_locations, frame.file_location_id);
  if (location == nullptr) return 0;
  const auto* file = Lookup(old_.file_names, location->file_name_id);
  const auto* function =
      Lookup(old_.function_names, location->function_name_id);
  if (file == nullptr || function == nullptr) return 0;
  StackFrames::FileLocation made = *location;
  made.file_name_id = EnterName(files_, made_.file_names, *file);
  made.function_name_id =
      EnterName(functions_, made_.function_names, *function);
  const auto [at, is_new_location] = locations_.try_emplace(
      LocationKey(made.file_name_id, made.function_name_id, made.line,
                  made.column, made.end_line, made.end_column),
      made_.file_locations.size() + 1);
  if (is_new_location) made_.file_locations.push_back(made);
  const auto [found, is_new] = frames_.try_emplace(
      std::pair(at->second, parent), made_.frames.size() + 1);
  if (is_new) {
    made_.frames.push_back(
        {.file_location_id = at->second, .parent_frame_id = parent});
  }
  return found->second;
}

int32_t StackFrameTables::EnterName(
    absl::flat_hash_map<std::string, int32_t>& ids,
    std::vector<std::string>& names, const std::string& name) {
  const auto [found, is_new] = ids.try_emplace(name, names.size() + 1);
  if (is_new) names.push_back(name);
  return found->second;
}

}  // namespace ferry
