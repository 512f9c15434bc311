// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/search_portfolio.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace ferry {
namespace {

using Where = SearchRules::Where;
using What = SearchRules::What;

struct PortfolioEntry {
  Where where;
  What what;
  bool avoids_overhangs;
};

// Those that find packings soon on most problems come first.
constexpr PortfolioEntry kPortfolio[] = {
    {Where::kLowest, What::kDuration, true},
    {Where::kFewestOptions, What::kSize, true},
    {Where::kLowest, What::kSize, true},
    {Where::kLowest, What::kArea, false},
    {Where::kLowest, What::kArea, true},
    {Where::kTightest, What::kSize, true},
    {Where::kFewestOptionsTightest, What::kSize, true},
    {Where::kLowest, What::kSize, false},
    {Where::kFewestOptions, What::kDuration, true},
    {Where::kLowest, What::kSizeSquaredTimesDuration, true},
    {Where::kLowest, What::kDuration, false},
    {Where::kFewestOptions, What::kSizeSquaredTimesDuration, false},
};
constexpr int64_t kPortfolioSize = std::size(kPortfolio);

// The rules of the n-th attempt at one capacity, and how long it may last.
SearchRules RulesOf(int64_t attempt) {
  const PortfolioEntry& entry = kPortfolio[attempt % kPortfolioSize];
  const int64_t round = attempt / kPortfolioSize;
  SearchRules rules;
  rules.where = entry.where;
  rules.what = entry.what;
  rules.avoids_overhangs = entry.avoids_overhangs;
  rules.jitter = round == 0 ? 0 : 1;
  rules.seed = static_cast<uint64_t>(round);
  return rules;
}

int64_t FailureLimit(int64_t attempt) {
  const int64_t round = attempt / kPortfolioSize;
  return int64_t{150} << std::min<int64_t>(round / 4, 40);
}

}  // namespace

SearchPortfolio::SearchPortfolio(const SectionModel& model,
                                 ParallelFor run_in_parallel,
                                 std::function<bool()> is_stopped)
    : model_(model),
      run_in_parallel_(std::move(run_in_parallel)),
      is_stopped_(std::move(is_stopped)) {
  const size_t slots = run_in_parallel_ ? kBatchSize : 1;
  for (size_t i = 0; i < slots; ++i) {
    searches_.push_back(std::make_unique<CanonicalSearch>(model));
  }
}

SearchOutcome SearchPortfolio::RunBatch(int64_t capacity,
                                        int64_t& attempt_count,
                                        int64_t step_limit) {
  std::vector<Attempt> attempts(kBatchSize);
  std::atomic<size_t> first_end = kBatchSize;  // attempt that ended the search
  const auto work = [&](size_t i) {
    if (first_end.load() < i) return;
    Attempt& attempt = attempts[i];
    const int64_t number = attempt_count + static_cast<int64_t>(i);
    CanonicalSearch& search = *searches_[i % searches_.size()];
    const int64_t before = search.steps();
    attempt.outcome = search.Run(
        capacity, RulesOf(number), FailureLimit(number), step_limit, knowledge_,
        attempt.learned,
        [&] { return first_end.load() < i || (is_stopped_ && is_stopped_()); });
    attempt.steps = 1 + search.steps() - before;
    if (attempt.outcome == SearchOutcome::kGaveUp) return;
    size_t known = first_end.load();
    while (i < known && !first_end.compare_exchange_weak(known, i)) {
    }
  };
  if (run_in_parallel_) {
    run_in_parallel_(kBatchSize, work);
  } else {
    for (size_t i = 0; i < kBatchSize; ++i) work(i);
  }
  attempt_count += static_cast<int64_t>(kBatchSize);
  const size_t end = std::min(first_end.load() + 1, kBatchSize);
  SearchKnowledge base;
  base.weights = knowledge_.weights;
  for (size_t i = 0; i < end; ++i) {
    knowledge_.Merge(attempts[i].learned, base);
    steps_ += attempts[i].steps;
  }
  const size_t last = end - 1;
  if (attempts[last].outcome == SearchOutcome::kFound) {
    offsets_ = searches_[last % searches_.size()]->offsets();
  }
  return attempts[last].outcome;
}

size_t SearchPortfolio::LevelCount(const Goal& goal) const {
  if (goal.height == kTooHigh) return 1;
  const int64_t way = goal.height - goal.target;
  size_t levels = 1;
  while (levels < kMaxLevels && (way >> levels) >= model_.unit) ++levels;
  return levels;
}

// Level 0 is the target; others are half, a quarter, an eighth of the way from
// the best packing down to it.
int64_t SearchPortfolio::CapacityOf(const Goal& goal, size_t level) const {
  if (level == 0) return goal.target;
  const int64_t way = goal.height - goal.target;
  return goal.height - std::max<int64_t>(way >> level, 1);
}

// All rules have one attempt at the target; then it is asked for less, and
// after the easiest again for the most.
size_t SearchPortfolio::NextLevel(const Goal& goal, size_t level) const {
  if (attempt_counts_[0] < kPortfolioSize) return 0;
  return (level + 1) % LevelCount(goal);
}

bool SearchPortfolio::Run(Goal& goal) {
  bool is_new = false;
  const int64_t last_step = steps_ + goal.step_limit;
  attempt_counts_.resize(kMaxLevels);
  size_t level = 0;
  // What is lower has been searched, to the end.
  int64_t floor = goal.lower_bound;
  while (goal.height > goal.target) {
    if (floor > goal.target && goal.height == kTooHigh) break;
    if (floor >= goal.height) break;
    if (steps_ >= last_step || (is_stopped_ && is_stopped_())) break;
    goal.target = std::max(goal.target, floor);
    level = std::min(level, LevelCount(goal) - 1);
    const int64_t capacity = CapacityOf(goal, level);
    switch (RunBatch(capacity, attempt_counts_[level], last_step - steps_)) {
      case SearchOutcome::kFound: {
        goal.height = 0;
        for (int32_t i = 0; i < model_.item_count(); ++i) {
          goal.height =
              std::max(goal.height, offsets_[i] + model_.items[i].size_bytes);
        }
        is_new = true;
        break;
      }
      case SearchOutcome::kProvedNone:
        floor = std::max(floor, model_.NextHeight(capacity));
        if (model_.is_exact) goal.lower_bound = floor;
        break;
      case SearchOutcome::kGaveUp:
        level = NextLevel(goal, level);
        break;
    }
  }
  return is_new;
}

}  // namespace ferry
