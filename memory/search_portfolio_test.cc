// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/search_portfolio.h"

#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

// Two planks that cannot both be low.
const PackingProblem kProblem = {
    .buffers = {{.live = {0, 3}, .size_bytes = 1},
                {.live = {3, 4}, .size_bytes = 3},
                {.live = {1, 4}, .size_bytes = 1},
                {.live = {0, 1}, .size_bytes = 3},
                {.live = {1, 3}, .size_bytes = 2}}};

TEST(SearchPortfolioTest, GoesDownToTheBound) {
  const SectionModel model(kProblem);
  SearchPortfolio portfolio(model, nullptr, nullptr);
  SearchPortfolio::Goal goal = {
      .lower_bound = 3, .target = 3, .height = 9, .step_limit = 1000};
  EXPECT_TRUE(portfolio.Run(goal));
  EXPECT_EQ(goal.height, 4);
  EXPECT_EQ(goal.lower_bound, 4);
}

TEST(SearchPortfolioTest, StopsBelowACapacity) {
  const SectionModel model(kProblem);
  SearchPortfolio portfolio(model, nullptr, nullptr);
  SearchPortfolio::Goal goal = {
      .lower_bound = 3, .target = 6, .step_limit = 1000};
  EXPECT_TRUE(portfolio.Run(goal));
  EXPECT_LE(goal.height, 6);
}

TEST(SearchPortfolioTest, ProvesThatACapacityIsTooLow) {
  const SectionModel model(kProblem);
  SearchPortfolio portfolio(model, nullptr, nullptr);
  SearchPortfolio::Goal goal = {
      .lower_bound = 3, .target = 3, .step_limit = 1000};
  EXPECT_FALSE(portfolio.Run(goal));
  EXPECT_EQ(goal.lower_bound, 4);
}

TEST(SearchPortfolioTest, StopsWhenToldTo) {
  const SectionModel model(kProblem);
  SearchPortfolio portfolio(model, nullptr, [] { return true; });
  SearchPortfolio::Goal goal = {
      .lower_bound = 3, .target = 3, .height = 9, .step_limit = 1000};
  EXPECT_FALSE(portfolio.Run(goal));
}

}  // namespace
}  // namespace ferry
