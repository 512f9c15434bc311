// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_target.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

TEST(MemoryTargetTest, KnowsTheLimitOfEachGeneration) {
  const auto limit = [](absl::string_view chip) {
    return *FindMemoryTarget(chip)
                ->FindSpace(MemorySpace::kDefault)
                ->limit_bytes();
  };
  EXPECT_EQ(limit("v4"), 16372985856);
  EXPECT_EQ(limit("v5e"), 16909334528);
  EXPECT_EQ(limit("v5p"), 102803437568);
  EXPECT_EQ(limit("v6e"), 33550235648);
  EXPECT_EQ(limit("7x"), 101732839424);
  EXPECT_EQ(KnownMemoryTargets().size(), 7);
  EXPECT_EQ(FindMemoryTarget("v9"), nullptr);
}

TEST(MemoryTargetTest, NamesItsSpaces) {
  const MemoryTarget& v4 = *FindMemoryTarget("v4");
  EXPECT_EQ(v4.SpaceName(MemorySpace{3}), "cmem");
  EXPECT_EQ(v4.SpaceName(MemorySpace{9}), "S(9)");
  EXPECT_EQ(v4.OffsetAlignment(MemorySpace::kDefault), 16384);
  EXPECT_EQ(v4.OffsetAlignment(MemorySpace::kScalar), 512);
}

TEST(MemoryTargetTest, ComesBackFromJson) {
  for (const MemoryTarget& target : KnownMemoryTargets()) {
    const absl::StatusOr<MemoryTarget> read =
        MemoryTargetFromJson(MemoryTargetToJson(target));
    ASSERT_TRUE(read.ok()) << read.status();
    // What v4 alone has stays with it; what v5e has, the text says.
    EXPECT_EQ(*read, target);
  }
}

TEST(MemoryTargetTest, ChangesABase) {
  const absl::StatusOr<MemoryTarget> half = MemoryTargetFromJson(
      R"({"name":"half","base":"v6e","spaces":[{"space":0,"usable_bytes":8}, )"
      R"({"space":9,"name":"new"}]})");
  ASSERT_FALSE(half.ok());
  EXPECT_THAT(std::string(half.status().message()),
              HasSubstr("hbm: field `reserved_bytes` is more than"));
  const absl::StatusOr<MemoryTarget> more = MemoryTargetFromJson(
      R"({"name":"more","base":"v6e","spaces":[{"space":9,"name":"new"}]})");
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(more->SpaceName(MemorySpace{9}), "new");
  EXPECT_EQ(more->tuple_table_alignment_bytes, 32);
}

TEST(MemoryTargetTest, NamesAFieldThatIsWrong) {
  const auto error = [](absl::string_view json) {
    return std::string(MemoryTargetFromJson(json).status().message());
  };
  EXPECT_THAT(error("["), HasSubstr("memory target"));
  EXPECT_THAT(error("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(error(R"({"base":"v9"})"), HasSubstr("names no known target"));
  EXPECT_THAT(error(R"({"hbm":1})"), HasSubstr("field `hbm` is unknown"));
  EXPECT_THAT(error(R"({"tuple_entry_bytes":-1})"),
              HasSubstr("`tuple_entry_bytes` has no valid value"));
  EXPECT_THAT(error(R"({"spaces":[{"name":"x"}]})"),
              HasSubstr("field `space` is missing"));
  EXPECT_THAT(error(R"({"spaces":[{"space":0,"offset_alignment_bytes":0}]})"),
              HasSubstr("`offset_alignment_bytes` is not positive"));
}

}  // namespace
}  // namespace ferry
