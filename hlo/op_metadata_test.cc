// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/op_metadata.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  OpMetadata value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(OpMetadataTest, FieldsComeInTheOrderOfPrinting) {
  const std::string all =
      R"({op_type="t" op_name="n" source_file="f" source_line=1 )"
      R"(source_end_line=2 source_column=3 source_end_column=4 )"
      R"(profile_type={1,2} deduplicated_name="d" scheduling_name="s" )"
      R"(stack_frame_id=5 metadata_payload="p"})";
  EXPECT_EQ(Canonical(all), all);
  EXPECT_EQ(Canonical(R"({source_line=1,op_name="n", op_type='t'})"),
            R"({op_type="t" op_name="n" source_line=1})");
}

TEST(OpMetadataTest, ZerosAndEmptyTextsAreLeftOut) {
  EXPECT_EQ(Canonical(R"({op_type="" op_name="n" source_line=0})"),
            R"({op_name="n"})");
  EXPECT_EQ(Canonical(R"({op_name="n" profile_type={}})"), R"({op_name="n"})");
  EXPECT_EQ(Canonical(R"({metadata_payload=""})"), R"({metadata_payload=""})");
}

TEST(OpMetadataTest, IsPrintedOnlyIfItNamesSomething) {
  OpMetadata metadata;
  ASSERT_TRUE(
      ReadWhole(R"({source_line=3 deduplicated_name="d"})", metadata).ok());
  EXPECT_FALSE(metadata.IsPrinted());
  ASSERT_TRUE(ReadWhole(R"({source_file="f"})", metadata).ok());
  EXPECT_TRUE(metadata.IsPrinted());
  EXPECT_EQ(metadata.source_line, 0);
}

TEST(FindStackFrameIdTest, StringsAreNoFields) {
  const absl::string_view text =
      R"({op_name="stack_frame_id=3 \" stack_frame_id=4" stack_frame_id=12})";
  const auto field = FindStackFrameId(text);
  ASSERT_TRUE(field.has_value());
  EXPECT_EQ(field->id, 12);
  EXPECT_EQ(text.substr(field->begin, field->end - field->begin), "12");
  EXPECT_FALSE(FindStackFrameId(R"({op_name="stack_frame_id=3"})").has_value());
}

TEST(WithoutStackFrameIdTest, TheSpaceGoesWithTheField) {
  const auto without = [](absl::string_view text) {
    return WithoutStackFrameId(text, FindStackFrameId(text).value());
  };
  EXPECT_EQ(without(R"({op_name="n" stack_frame_id=1})"), R"({op_name="n"})");
  EXPECT_EQ(without(R"({op_name="n" stack_frame_id=1 metadata_payload=""})"),
            R"({op_name="n" metadata_payload=""})");
  EXPECT_EQ(without(R"({stack_frame_id=1 of_a_newer_one=2})"),
            "{of_a_newer_one=2}");
}

TEST(WithoutStackFrameIdTest, NothingIsLeftOfWhatXlaWouldNotPrint) {
  for (absl::string_view text :
       {"{stack_frame_id=1}", "{source_line=3 stack_frame_id=1}"}) {
    EXPECT_EQ(WithoutStackFrameId(text, FindStackFrameId(text).value()),
              std::nullopt);
  }
}

TEST(OpMetadataTest, EscapesAreDecodedAndPrintedInOctal) {
  OpMetadata metadata;
  ASSERT_TRUE(ReadWhole(R"({op_name="\x41\?" op_type="é"})", metadata).ok());
  EXPECT_EQ(metadata.op_name, "A?");
  EXPECT_EQ(Canonical(R"({op_name="it's é"})"),
            R"({op_name="it\'s \303\251"})");
}

TEST(OpMetadataTest, EachFieldStandsOnceAndFits) {
  EXPECT_EQ(Canonical(R"({op_name="a" op_name="b"})"),
            "attribute op_name already exists");
  EXPECT_EQ(Canonical("{source_line=2147483648}"),
            "an integer does not fit in 32 bits");
  EXPECT_EQ(Canonical("{profile_type={4}}"),
            "there is no profile type 4: they are 0 to 3");
  EXPECT_EQ(Canonical(R"({op_name="a",})"),
            "expected a field of metadata or `}`, but saw `}`");
}

TEST(OpMetadataTest, UnknownFieldsAreKeptWhereTheyMayBe) {
  const std::string old = R"({op_name="a" creation_pass_id=3})";
  EXPECT_EQ(Canonical(old), old);
  HloLexer lexer(old);
  OpMetadata metadata;
  EXPECT_EQ(Read(lexer, metadata, /*may_be_unknown=*/false).message(),
            "metadata has no field `creation_pass_id`");
}

}  // namespace
}  // namespace ferry
