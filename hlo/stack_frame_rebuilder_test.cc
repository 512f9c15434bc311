// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_rebuilder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StackFrameRebuilderTest : public ::testing::Test {
 protected:
  // One constant for each id, in this order.
  const StackFrames& Rebuild(StackFrames frames,
                             const std::vector<int32_t>& ids) {
    std::string text = "HloModule m\nENTRY e {\n";
    for (int32_t id : ids) {
      absl::StrAppend(&text, "c", id, " = f32[] constant(0)\n");
    }
    module_ = *ParseHloText(text + "}\n", context_);
    size_t i = 0;
    for (HloInstruction& instruction : module_->entry().instructions()) {
      module_->SetAttribute(
          instruction, HloAttributeKind::kMetadata,
          module_->SaveText(absl::StrCat("{op_name=\"stack_frame_id=3\" "
                                         "stack_frame_id=",
                                         ids[i++], "}")));
    }
    module_->set_stack_frames(std::move(frames));
    dropped_ = RebuildStackFrames(*module_);
    return module_->stack_frames();
  }

  std::vector<std::string> Metadata() {
    std::vector<std::string> texts;
    for (const HloInstruction& instruction : module_->entry().instructions()) {
      texts.emplace_back(instruction.attribute(HloAttributeKind::kMetadata));
    }
    return texts;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  DroppedStackFrames dropped_;
};

std::string With(int32_t id) {
  return absl::StrCat("{op_name=\"stack_frame_id=3\" stack_frame_id=", id, "}");
}
constexpr char kWithout[] = "{op_name=\"stack_frame_id=3\"}";

TEST_F(StackFrameRebuilderTest, NumbersFollowTheFirstUseCallersFirst) {
  const StackFrames& made =
      Rebuild({.file_names = {"a.py", "b.py"},
               .function_names = {"f"},
               .file_locations = {{.file_name_id = 1, .function_name_id = 1},
                                  {.file_name_id = 2, .function_name_id = 1}},
               .frames = {{.file_location_id = 1, .parent_frame_id = 2},
                          {.file_location_id = 2}}},
              {1, 2});
  EXPECT_THAT(made.file_names, ElementsAre("b.py", "a.py"));
  EXPECT_EQ(made.frames[1].parent_frame_id, 1);
  EXPECT_THAT(Metadata(), ElementsAre(With(2), With(1)));
  EXPECT_EQ(dropped_.instruction_count, 0);
}

TEST_F(StackFrameRebuilderTest, MetadataKeepsItsTextWithoutAFrame) {
  const StackFrames& made =
      Rebuild({.frames = {{.file_location_id = 1}}}, {1, 5});
  EXPECT_THAT(made.frames, IsEmpty());
  EXPECT_THAT(Metadata(), ElementsAre(kWithout, kWithout));
  EXPECT_EQ(dropped_.instruction_count, 2);
  EXPECT_EQ(dropped_.first_id, 1);
}

}  // namespace
}  // namespace ferry
