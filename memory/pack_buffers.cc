// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// The bound first, then the greedy packers on every component: most problems
// end here, the packing being as low as the bound. Else the components that
// stand too high are searched and improved, as long as the effort lasts.

#include "ferry/memory/pack_buffers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "ferry/memory/canonical_search.h"
#include "ferry/memory/greedy_packer.h"
#include "ferry/memory/local_improvement.h"
#include "ferry/memory/packing_bounds.h"
#include "ferry/memory/packing_components.h"
#include "ferry/memory/search_portfolio.h"
#include "ferry/memory/section_model.h"
#include "ferry/memory/sweep_packer.h"

namespace ferry {
namespace {

// With more overlapping pairs than this, placing by size or duration takes
// minutes: then buffers are placed in order of time only.
constexpr double kMaxGreedyPairs = 1e9;
// With more than this, they are placed in XLA's two orders only.
constexpr double kMaxManyOrdersPairs = 1e8;
// Pieces that local improvement looks at in the time of a step.
constexpr int64_t kVisitsPerStep = 64;

// A component, with its own indices of buffers.
struct Part {
  PackingProblem problem;
  std::vector<int32_t> ids;  // in the whole problem
  int64_t lower_bound = 0;
  GreedyPacking packing;
};

class BufferPacker {
 public:
  BufferPacker(const PackingProblem& problem, const PackingOptions& options)
      : problem_(problem),
        options_(options),
        deadline_(absl::Now() + options.time_limit),
        capacity_(problem.capacity_bytes.value_or(GreedyPacker::kTooHigh - 1)),
        effort_left_(options.effort) {}

  Packing Run() {
    packing_.lower_bound_bytes = LoadBound(problem_).bytes;
    if (ByteCount(capacity_) < packing_.lower_bound_bytes) {
      return Infeasible();
    }
    SplitProblem();
    for (Part& part : parts_) {
      if (!PackGreedily(part)) return Infeasible();
    }
    SortParts();
    for (Part& part : parts_) {
      if (effort_left_ > 0) Improve(part);
    }
    return Finish();
  }

 private:
  bool IsStopped() {
    if (is_stopped_.load(std::memory_order_relaxed)) return true;
    if ((options_.is_cancelled && options_.is_cancelled()) ||
        (deadline_ != absl::InfiniteFuture() && absl::Now() >= deadline_)) {
      is_stopped_ = true;
    }
    return is_stopped_;
  }

  // The height below which nobody wants a packing.
  int64_t Target() const {
    return problem_.capacity_bytes.has_value()
               ? capacity_
               : packing_.lower_bound_bytes.ToInt64();
  }

  Packing Infeasible() {
    packing_.status = PackingStatus::kInfeasible;
    return packing_;
  }

  Packing Finish() {
    packing_.timed_out = is_stopped_;
    int64_t height = 0;
    for (const Part& part : parts_) {
      packing_.lower_bound_bytes =
          std::max(packing_.lower_bound_bytes, ByteCount(part.lower_bound));
      height = std::max(height, part.packing.height);
    }
    if (ByteCount(capacity_) < packing_.lower_bound_bytes) {
      return Infeasible();
    }
    if (height > capacity_) {
      packing_.status = PackingStatus::kUnknown;
      return packing_;
    }
    packing_.status = PackingStatus::kFeasible;
    packing_.offsets_bytes.resize(problem_.buffers.size());
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      packing_.offsets_bytes[i] =
          problem_.buffers[i].fixed_offset_bytes.value_or(0);
    }
    for (const Part& part : parts_) {
      for (size_t i = 0; i < part.ids.size(); ++i) {
        packing_.offsets_bytes[part.ids[i]] = part.packing.offsets[i];
      }
    }
    packing_.height_bytes = height;
    return packing_;
  }

  void SplitProblem() {
    PackingComponents components = FindPackingComponents(problem_);
    overlapping_pairs_ = components.overlapping_pairs;
    parts_.resize(components.components.size());
    for (size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      part.ids = std::move(components.components[i]);
      part.problem.buffers.reserve(part.ids.size());
      for (const int32_t b : part.ids) {
        part.problem.buffers.push_back(problem_.buffers[b]);
      }
      part.lower_bound = LoadBound(part.problem).bytes.ToInt64();
    }
  }

  // False if two fixed buffers are in each other's way.
  bool PackGreedily(Part& part) {
    GreedyPacker packer(part.problem);
    if (packer.HasFixedConflict()) return false;
    part.packing.offsets.assign(part.ids.size(), 0);
    part.packing.order = packer.Order(GreedyOrder::kSizeDuration);
    if (overlapping_pairs_ > kMaxGreedyPairs) {
      PackByTime(part);
      return true;
    }
    Try(part, packer, GreedyOrder::kSizeDuration, GreedyFit::kBest);
    Try(part, packer, GreedyOrder::kDurationSize, GreedyFit::kBest);
    if (overlapping_pairs_ > kMaxManyOrdersPairs) return true;
    Try(part, packer, GreedyOrder::kArea, GreedyFit::kFirst);
    Try(part, packer, GreedyOrder::kSizeDuration, GreedyFit::kFirst);
    Try(part, packer, GreedyOrder::kDurationSize, GreedyFit::kFirst);
    Try(part, packer, GreedyOrder::kArea, GreedyFit::kBest);
    Try(part, packer, GreedyOrder::kStart, GreedyFit::kBest);
    return true;
  }

  void PackByTime(Part& part) {
    std::vector<int64_t> offsets = PackInOrderOfTime(part.problem);
    if (offsets.empty()) return;
    part.packing.height = PackingHeight(part.problem, offsets);
    part.packing.offsets = std::move(offsets);
  }

  void Try(Part& part, GreedyPacker& packer, GreedyOrder order_by,
           GreedyFit fit) {
    if (part.packing.height <= std::max(Target(), part.lower_bound)) return;
    GreedyPacking trial;
    trial.order = packer.Order(order_by);
    trial.fit = fit;
    trial.offsets = part.packing.offsets;
    trial.height =
        packer.Pack(trial.order, fit, part.packing.height, trial.offsets);
    if (trial.height < part.packing.height) part.packing = std::move(trial);
  }

  // The part that needs most comes first: what it cannot do without, the
  // others may use as well.
  void SortParts() {
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const Part& a, const Part& b) {
                       return a.lower_bound > b.lower_bound;
                     });
  }

  void Improve(Part& part) {
    const int64_t target = std::max({Target(), part.lower_bound, settled_});
    if (part.packing.height > target && overlapping_pairs_ <= kMaxGreedyPairs) {
      Search(part, target, effort_left_ / 4 * 3);
      ImproveLocally(part, std::max(target, part.lower_bound), effort_left_);
    }
    if (!problem_.capacity_bytes.has_value()) {
      settled_ = std::max(settled_, part.packing.height);
    }
  }

  void ImproveLocally(Part& part, int64_t target, int64_t effort) {
    if (!options_.use_local_improvement || part.packing.height <= target) {
      return;
    }
    if (part.packing.height == GreedyPacker::kTooHigh) return;
    if (part.lower_bound > capacity_) return;
    GreedyPacker packer(part.problem);
    const int64_t visits =
        ImproveByReordering(part.problem, packer,
                            {.target = target,
                             .visit_limit = effort * kVisitsPerStep,
                             .is_stopped = [this] { return IsStopped(); }},
                            part.packing);
    effort_left_ -= 1 + visits / kVisitsPerStep;
  }

  void Search(Part& part, int64_t target, int64_t effort) {
    if (!options_.use_search || part.packing.height <= target) return;
    const SectionModel model(part.problem);
    if (model.is_too_large || model.CountPairs() > CanonicalSearch::kMaxPairs) {
      return;
    }
    SearchPortfolio portfolio(model, options_.run_in_parallel,
                              [this] { return IsStopped(); });
    SearchPortfolio::Goal goal;
    goal.lower_bound = part.lower_bound;
    goal.target = target;
    if (!problem_.capacity_bytes.has_value()) {
      goal.height = part.packing.height;
    }
    goal.step_limit = effort;
    if (portfolio.Run(goal)) {
      part.packing.offsets = portfolio.offsets();
      part.packing.height = goal.height;
    }
    part.lower_bound = goal.lower_bound;
    effort_left_ -= portfolio.steps();
  }

  const PackingProblem& problem_;
  const PackingOptions& options_;
  const absl::Time deadline_;
  const int64_t capacity_;
  int64_t effort_left_;
  std::vector<Part> parts_;
  double overlapping_pairs_ = 0;
  // Without a capacity: how high finished parts are.
  int64_t settled_ = 0;
  std::atomic<bool> is_stopped_ = false;
  Packing packing_;
};

}  // namespace

absl::StatusOr<Packing> PackBuffers(const PackingProblem& problem,
                                    const PackingOptions& options) {
  if (absl::Status status = ValidatePackingProblem(problem); !status.ok()) {
    return status;
  }
  return BufferPacker(problem, options).Run();
}

}  // namespace ferry
