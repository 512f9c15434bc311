// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frames.h"

#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// One instruction with the metadata, in a module with one frame:
// 1 is loss() at model.py:41.
UserSource SourceOf(const std::string& metadata) {
  HloContext context;
  HloModule module(context, SourceText::FromString("", "test"));
  StackFrames frames;
  frames.file_names = {"model.py"};
  frames.function_names = {"loss"};
  frames.file_locations = {{1, 1, 41, 3, 41, 9}, {7, 1, 5, 1, 5, 2}};
  frames.frames = {{1, 0}, {2, 0}, {9, 0}};
  module.set_stack_frames(frames);

  const HloAttribute attributes[] = {
      {HloAttributeKind::kMetadata, module.SaveText(metadata)}};
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kParameter;
  spec.name = "p";
  spec.shape = &context.GetArrayShape(PrimitiveType::kF32, {}, nullptr);
  spec.attributes = attributes;
  spec.number = 0;
  HloComputation& entry =
      module.AddComputation("main", HloInstruction::kNoSource);
  return FindUserSource(module.AddInstruction(entry, spec));
}

TEST(FindUserSourceTest, ReadsNameFileAndLine) {
  const UserSource source = SourceOf(
      R"({op_type="dot" op_name="jit(f)/dot" source_file="a.py" source_line=7})");
  EXPECT_EQ(source.op_name, "jit(f)/dot");
  EXPECT_EQ(source.file, "a.py");
  EXPECT_EQ(source.line, 7);
  EXPECT_EQ(source.function, "");
}

TEST(FindUserSourceTest, AFrameWinsOverTheFile) {
  const UserSource source = SourceOf(
      R"({op_name="x" source_file="a.py" source_line=7 stack_frame_id=1})");
  EXPECT_EQ(source.op_name, "x");
  EXPECT_EQ(source.file, "model.py");
  EXPECT_EQ(source.line, 41);
  EXPECT_EQ(source.function, "loss");
}

TEST(FindUserSourceTest, CommasMaySeparateToo) {
  const UserSource source =
      SourceOf(R"({ source_line= 7, op_name="x", source_file="a.py" })");
  EXPECT_EQ(source.op_name, "x");
  EXPECT_EQ(source.file, "a.py");
  EXPECT_EQ(source.line, 7);
}

TEST(FindUserSourceTest, StringsMayHoldSpacesBracesAndQuotes) {
  const UserSource source = SourceOf(
      R"({op_name="a \"b\" }, source_line=3" profile_type={1} source_file="c d"})");
  EXPECT_EQ(source.op_name, "a \"b\" }, source_line=3");
  EXPECT_EQ(source.file, "c d");
  EXPECT_EQ(source.line, 0);
}

TEST(FindUserSourceTest, ABadFrameReadsAsAbsent) {
  for (const char* id : {"0", "2", "3", "4", "-1", "99999999999", "x"}) {
    const UserSource source = SourceOf(
        "{source_file=\"a.py\" stack_frame_id=" + std::string(id) + "}");
    EXPECT_EQ(source.file, "a.py") << id;
  }
}

TEST(FindUserSourceTest, MalformedMetadataReadsAsAbsent) {
  for (const char* metadata : {"", "{", "{}", "{op_name", "{op_name=", "=",
                               "{,,}", "{source_line=9}", "{profile_type={1"}) {
    EXPECT_TRUE(SourceOf(metadata).empty()) << metadata;
  }
}

TEST(FindUserSourceTest, AStringWithoutEndReadsAsAbsent) {
  EXPECT_TRUE(SourceOf("{op_name=\"").empty());
}

}  // namespace
}  // namespace ferry
