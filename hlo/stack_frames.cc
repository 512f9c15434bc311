// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frames.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {
namespace {

bool IsSeparator(char c) { return absl::ascii_isspace(c) || c == ','; }

// One past the end of the value at the start of `text`: a quoted string, a
// brace of one level (`profile_type={1}`), or a word. npos if it has no end.
size_t ValueEnd(absl::string_view text) {
  if (!text.empty() && text[0] == '"') {
    for (size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"') {
        return i + 1;
      }
    }
    return absl::string_view::npos;
  }
  if (!text.empty() && text[0] == '{') {
    const size_t end = text.find('}');
    return end == absl::string_view::npos ? end : end + 1;
  }
  size_t end = 0;
  while (end < text.size() && !IsSeparator(text[end]) && text[end] != '}') {
    ++end;
  }
  return end;
}

// Takes `key=value` off the front of `text`; nullopt where none follows.
std::optional<std::pair<absl::string_view, absl::string_view>> NextField(
    absl::string_view& text) {
  size_t start = 0;
  while (start < text.size() && IsSeparator(text[start])) ++start;
  text.remove_prefix(start);
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos) return std::nullopt;
  const absl::string_view key =
      absl::StripAsciiWhitespace(text.substr(0, equals));
  text.remove_prefix(equals + 1);
  text = absl::StripLeadingAsciiWhitespace(text);
  const size_t end = ValueEnd(text);
  if (end == absl::string_view::npos) return std::nullopt;
  const absl::string_view value = text.substr(0, end);
  text.remove_prefix(value.size());
  return std::pair(key, value);
}

// The parts of `metadata` that speak of the user's source.
struct Metadata {
  absl::string_view op_name;
  absl::string_view source_file;
  absl::string_view source_line;
  absl::string_view stack_frame_id;
};

Metadata ReadMetadata(absl::string_view text) {
  if (!text.empty() && text.front() == '{') text.remove_prefix(1);
  Metadata metadata;
  while (const auto field = NextField(text)) {
    const auto& [key, value] = *field;
    if (key == "op_name") metadata.op_name = value;
    if (key == "source_file") metadata.source_file = value;
    if (key == "source_line") metadata.source_line = value;
    if (key == "stack_frame_id") metadata.stack_frame_id = value;
  }
  return metadata;
}

int32_t NumberOr0(absl::string_view text) {
  int32_t number = 0;
  return absl::SimpleAtoi(text, &number) && number > 0 ? number : 0;
}

// The entry that a 1-based id names, or null.
template <typename T>
const T* Lookup(const std::vector<T>& table, int32_t id) {
  const bool exists = id >= 1 && static_cast<size_t>(id) <= table.size();
  return exists ? &table[id - 1] : nullptr;
}

// Fills file, line and function from the tables. False if the id, or anything
// that it leads to, does not exist.
bool ReadFrame(const StackFrames& tables, int32_t frame_id,
               UserSource& source) {
  const StackFrames::Frame* frame = Lookup(tables.frames, frame_id);
  if (frame == nullptr) return false;
  const StackFrames::FileLocation* location =
      Lookup(tables.file_locations, frame->file_location_id);
  if (location == nullptr) return false;
  const std::string* file = Lookup(tables.file_names, location->file_name_id);
  if (file == nullptr || file->empty()) return false;
  source.file = *file;
  source.line = location->line;
  if (const std::string* function =
          Lookup(tables.function_names, location->function_name_id)) {
    source.function = *function;
  }
  return true;
}

}  // namespace

UserSource FindUserSource(const HloInstruction& instruction) {
  const Metadata metadata =
      ReadMetadata(instruction.attribute(HloAttributeKind::kMetadata));
  UserSource source;
  source.op_name = ReadString(metadata.op_name);
  const StackFrames& tables = instruction.parent().module().stack_frames();
  if (ReadFrame(tables, NumberOr0(metadata.stack_frame_id), source)) {
    return source;
  }
  source.file = ReadString(metadata.source_file);
  source.line = source.file.empty() ? 0 : NumberOr0(metadata.source_line);
  return source;
}

}  // namespace ferry
