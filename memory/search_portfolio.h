// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SEARCH_PORTFOLIO_H_
#define FERRY_MEMORY_SEARCH_PORTFOLIO_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ferry/memory/canonical_search.h"
#include "ferry/memory/section_model.h"

namespace ferry {

// Many attempts of CanonicalSearch, with other rules each, none of them long:
// which rules find a packing at once and which are lost differs from problem
// to problem, and nobody can tell before. What an attempt learns, all later
// ones know. Limits of attempts grow, so in the end one sees everything, and
// the answer is proved.
//
// Attempts run in batches of a fixed size, which may go in parallel: those of
// a batch know what was known before it, and the first that finds a packing
// counts, as if the later ones had not run. So the result does not depend on
// threads.
//
// Tested by search_portfolio_test.cc.
class SearchPortfolio {
 public:
  using ParallelFor = std::function<void(
      size_t count, const std::function<void(size_t)>& work)>;

  // What the search is about: heights, and the steps it may take.
  struct Goal {
    // Proved: no packing is lower. Raised by proofs.
    int64_t lower_bound = 0;
    // A packing this low is wanted, lower ones are not: the capacity; or the
    // lower bound.
    int64_t target = 0;
    // How high the best packing known is; kTooHigh: none.
    int64_t height = kTooHigh;
    int64_t step_limit = 0;
  };
  static constexpr int64_t kTooHigh = INT64_MAX;

  // `model` must outlive this and not be too large for CanonicalSearch.
  SearchPortfolio(const SectionModel& model, ParallelFor run_in_parallel,
                  std::function<bool()> is_stopped);

  // Searches until goal.height <= goal.target, or that is proved impossible
  // (then goal.lower_bound > goal.target), or the steps are used up. Whether
  // offsets() are new.
  bool Run(Goal& goal);

  // By item: the packing of goal.height, if Run() found it.
  const std::vector<int64_t>& offsets() const { return offsets_; }
  int64_t steps() const { return steps_; }

 private:
  static constexpr size_t kBatchSize = 4;
  static constexpr size_t kMaxLevels = 6;

  struct Attempt {
    SearchRules rules;
    SearchKnowledge learned;
    SearchOutcome outcome = SearchOutcome::kGaveUp;
    int64_t steps = 0;
  };

  // `attempt_count` goes up.
  SearchOutcome RunBatch(int64_t capacity, int64_t& attempt_count,
                         int64_t step_limit);
  // How many levels there are, the target counted.
  size_t LevelCount(const Goal& goal) const;
  int64_t CapacityOf(const Goal& goal, size_t level) const;
  // The level to try after `level` gave up.
  size_t NextLevel(const Goal& goal, size_t level) const;

  const SectionModel& model_;
  ParallelFor run_in_parallel_;
  std::function<bool()> is_stopped_;
  std::vector<std::unique_ptr<CanonicalSearch>> searches_;  // one a slot
  SearchKnowledge knowledge_;
  // By level: how often its height was asked for.
  std::vector<int64_t> attempt_counts_;
  std::vector<int64_t> offsets_;
  int64_t steps_ = 0;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_SEARCH_PORTFOLIO_H_
