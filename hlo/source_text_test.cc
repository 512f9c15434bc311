// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/source_text.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

std::string Temporary(const std::string& name) {
  return testing::TempDir() + "ferry_source_text_test_" + name;
}

TEST(SourceTextTest, CountsLinesAndColumnsFromOne) {
  const auto source = SourceText::FromString("ab\ncd\n", "a.hlo");
  EXPECT_EQ(source->PlaceOf(0).line, 1);
  EXPECT_EQ(source->PlaceOf(0).column, 1);
  EXPECT_EQ(source->PlaceOf(4).line, 2);
  EXPECT_EQ(source->PlaceOf(4).column, 2);
}

TEST(SourceTextTest, ALineEndBelongsToTheLineThatItEnds) {
  const auto source = SourceText::FromString("ab\ncd", "a.hlo");
  EXPECT_EQ(source->PlaceOf(2).line, 1);
  EXPECT_EQ(source->PlaceOf(2).column, 3);
}

TEST(SourceTextTest, APlaceBeyondTheEndIsTheEnd) {
  const auto source = SourceText::FromString("ab\ncd", "a.hlo");
  EXPECT_EQ(source->PlaceOf(UINT64_MAX).line, 2);
  EXPECT_EQ(source->PlaceOf(UINT64_MAX).column, 3);
}

TEST(SourceTextTest, ALineComesWithoutItsEndOfEitherKind) {
  const auto source = SourceText::FromString("ab\r\ncd\n", "a.hlo");
  EXPECT_EQ(source->Line(1), "ab");
  EXPECT_EQ(source->Line(2), "cd");
  EXPECT_EQ(source->Line(3), "");
}

TEST(SourceTextTest, LinesThatDoNotExistAreEmpty) {
  const auto source = SourceText::FromString("ab", "a.hlo");
  EXPECT_EQ(source->Line(0), "");
  EXPECT_EQ(source->Line(2), "");
}

TEST(SourceTextTest, ReadsAFileAsItStandsZeroBytesIncluded) {
  const std::string path = Temporary("zero.hlo");
  std::ofstream(path, std::ios::binary).write("a\0b", 3);
  const auto source = SourceText::FromFile(path);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->text(), absl::string_view("a\0b", 3));
  EXPECT_EQ((*source)->name(), path);
}

// A file that fills its last page has no zero behind it: it must be mapped
// and read all the same.
TEST(SourceTextTest, ReadsAFileOfWholePages) {
  const std::string path = Temporary("pages.hlo");
  const std::string text(1 << 20, 'x');
  std::ofstream(path, std::ios::binary) << text;
  const auto source = SourceText::FromFile(path);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->text(), text);
}

TEST(SourceTextTest, AMissingFileIsNotFound) {
  const auto source = SourceText::FromFile("no/such/file.hlo");
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(source.status().message(),
            "cannot read `no/such/file.hlo`: there is no such file");
}

TEST(SourceTextTest, AFolderIsAFailedPrecondition) {
  const auto source = SourceText::FromFile(testing::TempDir());
  EXPECT_EQ(source.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(source.status().message()),
              HasSubstr("it is a folder"));
}

TEST(SourceTextTest, APathThroughAFileIsNotFound) {
  const std::string path = Temporary("plain.hlo");
  std::ofstream(path) << "x";
  const auto source = SourceText::FromFile(path + "/inner.hlo");
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace ferry
