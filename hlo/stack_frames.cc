// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frames.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/op_metadata.h"

namespace ferry {
namespace {

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
  UserSource source;
  OpMetadata metadata;
  const absl::string_view text =
      instruction.attribute(HloAttributeKind::kMetadata);
  HloLexer lexer(text);
  Read(lexer, metadata).IgnoreError();  // what stands in front is good
  source.op_name = std::string(metadata.op_name);
  const StackFrames& tables = instruction.parent().module().stack_frames();
  if (ReadFrame(tables, metadata.stack_frame_id, source)) {
    return source;
  }
  source.file = std::string(metadata.source_file);
  if (!source.file.empty()) source.line = std::max(metadata.source_line, 0);
  return source;
}

}  // namespace ferry
