// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ParallelTest, DoneComesInOrderAfterTheWork) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> worked(100);
    std::vector<size_t> order;
    const std::thread::id caller = std::this_thread::get_id();
    RunInParallel(
        worked.size(), threads, [&](size_t i) { ++worked[i]; },
        [&](size_t i) {
          EXPECT_EQ(worked[i], 1);
          EXPECT_EQ(std::this_thread::get_id(), caller);
          order.push_back(i);
        });
    ASSERT_EQ(order.size(), worked.size());
    for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(ParallelTest, NothingToDoIsDone) {
  RunInParallel(0, 4, [](size_t) { FAIL(); }, [](size_t) { FAIL(); });
}

}  // namespace
}  // namespace ferry
