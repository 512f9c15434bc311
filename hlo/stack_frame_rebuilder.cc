// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_rebuilder.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/stack_frame_tables.h"

namespace ferry {
namespace {

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
    const int32_t id = field.id == 0 ? 0 : tables_.Enter(field.id);
    if (id == 0) return Drop(instruction, metadata, field);
    if (id == field.id) return;
    module_.SetAttribute(
        instruction, HloAttributeKind::kMetadata,
        module_.SaveText(absl::StrCat(metadata.substr(0, field.begin), id,
                                      metadata.substr(field.end))));
  }

  void Drop(HloInstruction& instruction, absl::string_view metadata,
            const StackFrameIdField& field) {
    if (field.id != 0 && dropped_.instruction_count++ == 0) {
      dropped_.first = &instruction;
      dropped_.first_id = field.id;
    }
    const auto left = WithoutStackFrameId(metadata, field);
    if (left.has_value()) {
      module_.SetAttribute(instruction, HloAttributeKind::kMetadata,
                           module_.SaveText(*left));
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
