// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_tables.h"

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StackFrameTablesTest, CallersAreNumberedFirst) {
  const StackFrames old = {
      .file_names = {"unused.py", "a.py", "b.py"},
      .function_names = {"f"},
      .file_locations = {{.file_name_id = 2, .function_name_id = 1},
                         {.file_name_id = 3, .function_name_id = 1}},
      .frames = {{.file_location_id = 1, .parent_frame_id = 2},
                 {.file_location_id = 2}}};
  StackFrameTables tables(old);
  EXPECT_EQ(tables.Enter(1), 2);
  EXPECT_EQ(tables.Enter(2), 1);
  EXPECT_THAT(tables.made().file_names, ElementsAre("b.py", "a.py"));
  EXPECT_EQ(tables.made().frames[1].parent_frame_id, 1);
}

TEST(StackFrameTablesTest, EqualFramesBecomeOne) {
  const StackFrames old = {
      .file_names = {"a.py", "a.py"},
      .function_names = {"f"},
      .file_locations = {{.file_name_id = 1, .function_name_id = 1},
                         {.file_name_id = 2, .function_name_id = 1}},
      .frames = {{.file_location_id = 1}, {.file_location_id = 2}}};
  StackFrameTables tables(old);
  EXPECT_EQ(tables.Enter(1), 1);
  EXPECT_EQ(tables.Enter(2), 1);
  EXPECT_EQ(tables.made().frames.size(), 1);
}

// A cycle, what it is reached from, a missing file, an id beyond the table.
TEST(StackFrameTablesTest, FramesThatLeadNowhereAreNotEntered) {
  const StackFrames old = {
      .file_names = {"a.py"},
      .function_names = {"f"},
      .file_locations = {{.file_name_id = 1, .function_name_id = 1},
                         {.file_name_id = 2, .function_name_id = 1}},
      .frames = {{.file_location_id = 1, .parent_frame_id = 2},
                 {.file_location_id = 1, .parent_frame_id = 1},
                 {.file_location_id = 1, .parent_frame_id = 1},
                 {.file_location_id = 2}}};
  StackFrameTables tables(old);
  for (int64_t id : {1, 2, 3, 4, 5, -1}) EXPECT_EQ(tables.Enter(id), 0) << id;
  EXPECT_THAT(tables.made().frames, IsEmpty());
}

TEST(StackFrameTablesTest, AChainOfAMillionCallersIsFollowed) {
  StackFrames old = {
      .file_names = {"a.py"},
      .function_names = {"f"},
      .file_locations = {{.file_name_id = 1, .function_name_id = 1}}};
  constexpr int32_t kLength = 1000000;
  for (int32_t i = 1; i <= kLength; ++i) {
    old.frames.push_back(
        {.file_location_id = 1, .parent_frame_id = i < kLength ? i + 1 : 0});
  }
  StackFrameTables tables(old);
  EXPECT_EQ(tables.Enter(1), kLength);
}

}  // namespace
}  // namespace ferry
