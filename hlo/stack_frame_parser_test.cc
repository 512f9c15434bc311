// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_parser.h"

#include <string>
#include <vector>

#include "ferry/hlo/source_text.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr absl::string_view kTables = R"(FileNames
1 "a \"b\".py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=2 end_line=3 column=4 end_column=5}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}


)";

bool Parse(absl::string_view text, StackFrames& frames) {
  const auto source = SourceText::FromString(std::string(text), "a.hlo");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, /*max_errors=*/5, diagnostics);
  HloLexer lexer(source->text());
  return ParseStackFrames({lexer, errors}, frames);
}

TEST(StackFrameParserTest, ReadsTheTables) {
  StackFrames frames;
  ASSERT_TRUE(Parse(kTables, frames));
  EXPECT_EQ(frames.file_names[0], "a \"b\".py");
  EXPECT_EQ(frames.file_locations[0].line, 2);
  EXPECT_EQ(frames.file_locations[0].end_column, 5);
  EXPECT_EQ(frames.frames[0].parent_frame_id, 0);
  EXPECT_EQ(frames.frames[1].parent_frame_id, 1);
}

TEST(StackFrameParserTest, PrintsWhatItRead) {
  StackFrames frames;
  ASSERT_TRUE(Parse(kTables, frames));
  std::string text;
  PrintStackFrames(frames, text);
  EXPECT_EQ(text + "\n", "\n" + std::string(kTables));
}

TEST(StackFrameParserTest, WithoutTablesThereAreNoFrames) {
  StackFrames frames;
  EXPECT_TRUE(Parse("ENTRY main {", frames));
  EXPECT_TRUE(frames.empty());
  std::string text;
  PrintStackFrames(frames, text);
  EXPECT_EQ(text, "");
}

TEST(StackFrameParserTest, ATableAloneIsAnError) {
  StackFrames frames;
  EXPECT_FALSE(Parse("FileNames\n1 \"a.py\"\n\nENTRY main {", frames));
}

TEST(StackFrameParserTest, AMissingStringIsEmpty) {
  StackFrames frames;
  EXPECT_TRUE(
      Parse("FileNames\n1 2 \"a\"\nFunctionNames\n1\nFileLocations\n"
            "StackFrames\n",
            frames));
  EXPECT_FALSE(
      Parse("FileNames\n\"a\"\nFunctionNames\nFileLocations\n"
            "StackFrames\n",
            frames));
}

TEST(StackFrameParserTest, IdsOutOfRangeAreKept) {
  StackFrames frames;
  EXPECT_TRUE(
      Parse("FileNames\n1 \"a\"\nFunctionNames\n1 \"f\"\nFileLocations\n"
            "1 {file_name_id=7 function_name_id=1 line=1 end_line=1 column=1 "
            "end_column=1}\nStackFrames\n"
            "1 {file_location_id=9 parent_frame_id=1}\n",
            frames));
  EXPECT_EQ(frames.file_locations[0].file_name_id, 7);
  EXPECT_EQ(frames.frames[0].file_location_id, 9);
}

}  // namespace
}  // namespace ferry
