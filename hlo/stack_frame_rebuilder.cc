// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_rebuilder.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/stack_frames.h"

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

namespace {

constexpr absl::string_view kIdField = "stack_frame_id=";

// Where `stack_frame_id=` stands in metadata, outside of its strings; npos if
// nowhere. It is the last field in nearly all of them.
size_t FindIdField(absl::string_view metadata) {
  const size_t found = metadata.rfind(kIdField);
  if (found == absl::string_view::npos) return found;
  bool is_quoted = false;
  for (size_t i = 0; i < metadata.size(); ++i) {
    if (metadata[i] == '\\') {
      ++i;
    } else if (metadata[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && absl::StartsWith(metadata.substr(i), kIdField)) {
      return i;
    }
  }
  return absl::string_view::npos;
}

}  // namespace

std::optional<StackFrameIdField> FindStackFrameId(absl::string_view metadata) {
  const size_t at = FindIdField(metadata);
  if (at == absl::string_view::npos) return std::nullopt;
  StackFrameIdField field;
  field.begin = at + kIdField.size();
  field.end = field.begin;
  while (field.end < metadata.size() &&
         (metadata[field.end] == '-' ||
          absl::ascii_isdigit(metadata[field.end]))) {
    ++field.end;
  }
  const absl::string_view number =
      metadata.substr(field.begin, field.end - field.begin);
  if (!absl::SimpleAtoi(number, &field.id)) return std::nullopt;
  return field;
}

namespace {

// Whether XLA prints metadata that has no frame.
bool IsWorthPrinting(absl::string_view metadata) {
  bool is_quoted = false;
  for (size_t i = 0; i < metadata.size(); ++i) {
    if (metadata[i] == '\\') {
      ++i;
    } else if (metadata[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted) {
      const absl::string_view rest = metadata.substr(i);
      for (absl::string_view field :
           {"op_type=", "op_name=", "source_file=", "scheduling_name=",
            "metadata_payload="}) {
        if (absl::StartsWith(rest, field)) return true;
      }
    }
  }
  return false;
}

class Rebuilder {
 public:
  explicit Rebuilder(HloModule& module)
      : module_(module), tables_(module.stack_frames()) {}

  DroppedStackFrames Run() {
    for (HloComputation* computation : module_.computations()) {
      for (HloInstruction& instruction : computation->instructions()) {
        const absl::string_view metadata =
            instruction.attribute(HloAttributeKind::kMetadata);
        if (metadata.empty()) continue;
        const auto field = FindStackFrameId(metadata);
        if (field.has_value()) Renumber(instruction, metadata, *field);
      }
    }
    module_.set_stack_frames(tables_.Take());
    return dropped_;
  }

 private:
  void Renumber(HloInstruction& instruction, absl::string_view metadata,
                const StackFrameIdField& field) {
    size_t at = field.begin - kIdField.size();
    const size_t number = field.begin;
    size_t end = field.end;
    const int64_t old_id = field.id;
    const int32_t new_id = old_id == 0 ? 0 : tables_.Enter(old_id);
    if (new_id == old_id && new_id != 0) return;
    if (new_id != 0) {
      module_.SetAttribute(
          instruction, HloAttributeKind::kMetadata,
          module_.SaveText(absl::StrCat(metadata.substr(0, number), new_id,
                                        metadata.substr(end))));
      return;
    }
    if (old_id != 0 && dropped_.instruction_count++ == 0) {
      dropped_.first = &instruction;
      dropped_.first_id = old_id;
    }
    // The space goes with the field.
    if (at > 1) {
      --at;
    } else if (end < metadata.size() && metadata[end] == ' ') {
      ++end;
    }
    const std::string left =
        absl::StrCat(metadata.substr(0, at), metadata.substr(end));
    if (IsWorthPrinting(left)) {
      module_.SetAttribute(instruction, HloAttributeKind::kMetadata,
                           module_.SaveText(left));
    } else {
      module_.RemoveAttribute(instruction, HloAttributeKind::kMetadata);
    }
  }

  HloModule& module_;
  StackFrameTables tables_;
  DroppedStackFrames dropped_;
};

}  // namespace

DroppedStackFrames RebuildStackFrames(HloModule& module) {
  return Rebuilder(module).Run();
}

}  // namespace ferry
