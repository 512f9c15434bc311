// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/canonical_search.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "ferry/memory/packing_verifier.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max() / 1024;

SearchOutcome Search(const PackingProblem& problem, int64_t capacity,
                     SearchRules rules = {}) {
  const SectionModel model(problem);
  CanonicalSearch search(model);
  SearchKnowledge learned;
  const SearchOutcome outcome =
      search.Run(capacity, rules, kUnlimited, kUnlimited, SearchKnowledge(),
                 learned, nullptr);
  if (outcome == SearchOutcome::kFound) {
    EXPECT_TRUE(
        FindPackingViolations({problem.buffers, capacity}, search.offsets())
            .empty());
  }
  return outcome;
}

// A pinwheel: four planks around a hole, with no cut through it. Load 4.
const PackingProblem kPinwheel = {
    .buffers = {{.live = {0, 3}, .size_bytes = 1},
                {.live = {3, 4}, .size_bytes = 3},
                {.live = {1, 4}, .size_bytes = 1},
                {.live = {0, 1}, .size_bytes = 3},
                {.live = {1, 3}, .size_bytes = 2}}};

TEST(CanonicalSearchTest, AllRulesFindAPerfectPacking) {
  for (const auto where :
       {SearchRules::Where::kFewestOptions, SearchRules::Where::kLowest,
        SearchRules::Where::kFewestOptionsTightest,
        SearchRules::Where::kTightest}) {
    for (const auto what :
         {SearchRules::What::kArea, SearchRules::What::kDuration,
          SearchRules::What::kSize,
          SearchRules::What::kSizeSquaredTimesDuration}) {
      for (const bool avoids_overhangs : {false, true}) {
        const SearchRules rules = {.where = where,
                                   .what = what,
                                   .avoids_overhangs = avoids_overhangs,
                                   .jitter = 1};
        EXPECT_EQ(Search(kPinwheel, 4, rules), SearchOutcome::kFound);
        EXPECT_EQ(Search(kPinwheel, 3, rules), SearchOutcome::kProvedNone);
      }
    }
  }
}

// All four meet at 21 bytes, but a fixed one cuts them in 11 and 9.
TEST(CanonicalSearchTest, ProvesMoreThanTheLoad) {
  PackingProblem problem = {
      .buffers = {{.live = {0, 1}, .size_bytes = 1, .fixed_offset_bytes = 11}}};
  for (int64_t size : {4, 6, 4, 6}) {
    problem.buffers.push_back({.live = {0, 1}, .size_bytes = size});
  }
  EXPECT_EQ(Search(problem, 21), SearchOutcome::kProvedNone);
  EXPECT_EQ(Search(problem, 22), SearchOutcome::kFound);
}

TEST(CanonicalSearchTest, GivesUpAtItsLimits) {
  PackingProblem problem;
  for (int64_t i = 0; i < 40; ++i) {
    problem.buffers.push_back(
        {.live = {i % 7, i % 7 + 2 + i % 5}, .size_bytes = 5 + i % 11});
  }
  const SectionModel model(problem);
  CanonicalSearch search(model);
  SearchKnowledge learned;
  EXPECT_EQ(
      search.Run(200, {}, 3, kUnlimited, SearchKnowledge(), learned, nullptr),
      SearchOutcome::kProvedNone);
  const SearchOutcome outcome =
      search.Run(232, {}, 3, kUnlimited, SearchKnowledge(), learned, nullptr);
  EXPECT_NE(outcome, SearchOutcome::kProvedNone);
}

TEST(CanonicalSearchTest, WhatOneAttemptHasSeenAnotherNeedNotSee) {
  // Sizes that fill 21 in no way, at one moment, around a fixed one.
  PackingProblem problem = {
      .buffers = {{.live = {0, 1}, .size_bytes = 1, .fixed_offset_bytes = 11}}};
  for (int64_t size : {4, 6, 4, 6}) {
    problem.buffers.push_back({.live = {0, 1}, .size_bytes = size});
  }
  const SectionModel model(problem);
  CanonicalSearch search(model);
  SearchKnowledge none;
  SearchKnowledge first;
  EXPECT_EQ(search.Run(21, {}, kUnlimited, kUnlimited, none, first, nullptr),
            SearchOutcome::kProvedNone);
  SearchKnowledge known;
  known.Merge(first, none);
  EXPECT_EQ(known.dead_states.size(), first.dead_states.size());
  EXPECT_EQ(known.weights, first.weights);
  SearchKnowledge second;
  EXPECT_EQ(search.Run(21, {}, kUnlimited, kUnlimited, known, second, nullptr),
            SearchOutcome::kProvedNone);
  EXPECT_TRUE(second.dead_states.empty());
}

}  // namespace
}  // namespace ferry
