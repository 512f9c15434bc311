// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/backend_config.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string Left(absl::string_view content) {
  std::string storage;
  return std::string(WithoutEmptyWaitList(content, storage));
}

TEST(BackendConfigTest, TakesOutTheListWithItsComma) {
  EXPECT_EQ(Left(R"({"a":1,"wait_on_operation_queues":[],"b":2})"),
            R"({"a":1,"b":2})");
  EXPECT_EQ(Left("{\"wait_on_operation_queues\" :\n[ ] , \"b\":2}"),
            R"({ "b":2})");
  EXPECT_EQ(Left(R"({"wait_on_operation_queues":[],)"
                 R"("wait_on_operation_queues":[],"b":2})"),
            R"({"b":2})");
}

TEST(BackendConfigTest, KeepsWhatIsNotTheEmptyListInFrontOfAComma) {
  for (const std::string kept :
       {"", "{}", R"({"a":1,"wait_on_operation_queues":[]})",
        R"({"wait_on_operation_queues":["1"],"b":2})",
        R"({"wait_on_operation_queues")",
        R"({wait_on_operation_queues:[],})"}) {
    EXPECT_EQ(Left(kept), kept);
  }
}

}  // namespace
}  // namespace ferry
