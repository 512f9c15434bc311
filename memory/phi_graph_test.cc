// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/phi_graph.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

std::vector<uint32_t> Resolve(
    uint32_t count, const std::vector<std::pair<uint32_t, uint32_t>>& inputs) {
  PhiGraph graph(count);
  for (const auto& [phi, input] : inputs) graph.AddInput(phi, input);
  return graph.Resolve();
}

TEST(PhiGraphTest, ALoopThatChangesNothingIsItsInput) {
  // 1 = phi(0, 1)
  EXPECT_THAT(Resolve(2, {{1, 0}, {1, 1}}), ElementsAre(0, 0));
}

TEST(PhiGraphTest, TwoInputsStay) {
  // 2 = phi(0, 1), 3 = phi(2)
  EXPECT_THAT(Resolve(4, {{2, 0}, {2, 1}, {3, 2}}), ElementsAre(0, 1, 2, 2));
}

TEST(PhiGraphTest, ACycleWithOneInputIsThatInput) {
  // 1 = phi(0, 2), 2 = phi(1, 0)
  EXPECT_THAT(Resolve(3, {{1, 0}, {1, 2}, {2, 1}, {2, 0}}),
              ElementsAre(0, 0, 0));
}

TEST(PhiGraphTest, ACycleOfTwoInputsStays) {
  // A loop that swaps: 2 = phi(0, 3), 3 = phi(1, 2)
  EXPECT_THAT(Resolve(4, {{2, 0}, {2, 3}, {3, 1}, {3, 2}}),
              ElementsAre(0, 1, 2, 3));
}

// 4 and 5 are an inner loop that hands on 2 and 3, which the outer one swaps;
// 6 reads both and stands behind them.
TEST(PhiGraphTest, WhatOnlyHandsOnWithinACycleGoes) {
  EXPECT_THAT(Resolve(7, {{2, 0},
                          {2, 5},
                          {3, 1},
                          {3, 4},
                          {4, 2},
                          {4, 4},
                          {5, 3},
                          {5, 5},
                          {6, 4},
                          {6, 2}}),
              ElementsAre(0, 1, 2, 3, 2, 3, 2));
}

// Nothing ever arrives.
TEST(PhiGraphTest, ACycleWithoutInputStays) {
  EXPECT_THAT(Resolve(2, {{0, 1}, {1, 0}}), ElementsAre(0, 1));
}

TEST(PhiGraphTest, KnowsWhoHasInputs) {
  PhiGraph graph(2);
  graph.AddInput(1, 0);
  EXPECT_THAT(graph.HasInput(), ElementsAre(false, true));
}

// A phi may only be what every walk over inputs meets: checked by brute force.
TEST(PhiGraphTest, RandomGraphsKeepTheirValues) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const uint32_t values = 1 + random() % 3;
    const uint32_t count = values + 1 + random() % 6;
    std::vector<std::pair<uint32_t, uint32_t>> inputs;
    for (uint32_t phi = values; phi < count; ++phi) {
      const int of_phi = 1 + random() % 3;
      for (int i = 0; i < of_phi; ++i)
        inputs.push_back({phi, random() % count});
    }
    const std::vector<uint32_t> is = Resolve(count, inputs);
    // Which values may arrive at each node.
    std::vector<std::set<uint32_t>> arrive(count);
    for (uint32_t v = 0; v < values; ++v) arrive[v] = {v};
    for (uint32_t i = 0; i < count; ++i) {
      for (const auto& [phi, input] : inputs) {
        arrive[phi].insert(arrive[input].begin(), arrive[input].end());
      }
    }
    // Cycles at which nothing arrives are another test.
    if (std::any_of(arrive.begin(), arrive.end(),
                    [](const auto& values) { return values.empty(); })) {
      continue;
    }
    for (uint32_t node = 0; node < count; ++node) {
      EXPECT_EQ(is[is[node]], is[node]);
      EXPECT_EQ(arrive[is[node]], arrive[node]) << "node " << node;
      if (arrive[node].size() == 1) {
        EXPECT_EQ(is[node], *arrive[node].begin());
      }
    }
  }
}

// A chain of phis, each of the one before: no stack may be used up.
TEST(PhiGraphTest, LongChainsCostNoStack) {
  constexpr uint32_t kCount = 300000;
  PhiGraph graph(kCount);
  for (uint32_t i = 1; i < kCount; ++i) graph.AddInput(i, i - 1);
  const std::vector<uint32_t> is = graph.Resolve();
  EXPECT_EQ(std::count(is.begin(), is.end(), 0u), kCount);
}

}  // namespace
}  // namespace ferry
