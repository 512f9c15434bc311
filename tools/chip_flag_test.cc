// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/chip_flag.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "ferry/memory/memory_target.h"
#include "ferry/tools/output_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

TEST(ChipFlagTest, FindsAChipByName) {
  ASSERT_TRUE(ReadChip("v6e").ok());
  EXPECT_EQ(ReadChip("v6e")->name, "v6e");
  EXPECT_THAT(std::string(ReadChip("v9").status().message()),
              HasSubstr("there is no chip `v9`; one of v2, v3, v4"));
}

TEST(ChipFlagTest, ReadsAFile) {
  const std::string path = ::testing::TempDir() + "/chip.json";
  ASSERT_TRUE(WriteOutput(path, R"({"name":"mine","base":"v5p"})").ok());
  ASSERT_TRUE(ReadChip(path).ok()) << ReadChip(path).status();
  EXPECT_EQ(ReadChip(path)->name, "mine");
  ASSERT_TRUE(WriteOutput(path, R"({"nam":"mine"})").ok());
  EXPECT_THAT(std::string(ReadChip(path).status().message()),
              HasSubstr("field `nam` is unknown"));
  EXPECT_FALSE(ReadChip("/nowhere/chip.json").ok());
}

TEST(ChipFlagTest, SetsALimit) {
  MemoryTarget target = *ReadChip("v5e");
  const auto limit = [&target](absl::string_view text) {
    EXPECT_TRUE(
        SetLimit("--hbm-limit", text, MemorySpace::kDefault, target).ok());
    return *target.FindSpace(MemorySpace::kDefault)->limit_bytes();
  };
  EXPECT_EQ(limit(""), 16909334528);
  EXPECT_EQ(limit("50%"), 8454667264);
  EXPECT_EQ(limit("1MiB"), 1048576);
}

TEST(ChipFlagTest, SetsALimitOfASpaceThatTheChipDoesNotHave) {
  MemoryTarget target = *ReadChip("v5e");
  EXPECT_TRUE(SetLimit("--x", "4096", MemorySpace{9}, target).ok());
  EXPECT_EQ(target.FindSpace(MemorySpace{9})->limit_bytes(), 4096);
}

TEST(ChipFlagTest, RefusesWhatIsNoLimit) {
  MemoryTarget target = *ReadChip("v5e");
  for (const char* text : {"0%", "101%", "nan%", "x", "-1", "%"}) {
    const absl::Status status =
        SetLimit("--hbm-limit", text, MemorySpace::kDefault, target);
    EXPECT_THAT(std::string(status.message()), HasSubstr("--hbm-limit: "))
        << text;
  }
}

}  // namespace
}  // namespace ferry
