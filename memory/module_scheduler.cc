// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/module_scheduler.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/call_graph.h"
#include "ferry/memory/bfs_scheduler.h"
#include "ferry/memory/computation_scheduling.h"
#include "ferry/memory/dfs_scheduler.h"
#include "ferry/memory/exact_scheduler.h"
#include "ferry/memory/list_scheduler.h"
#include "ferry/memory/schedule_lower_bound.h"
#include "ferry/memory/schedule_tracker.h"

namespace ferry {
namespace {

using Order = std::vector<int32_t>;

// What even the smallest share of a budget allows.
constexpr int64_t kLeastVisits = 10'000;
constexpr int64_t kLeastSets = 500;

constexpr std::pair<SchedulerKind, absl::string_view> kNames[] = {
    {SchedulerKind::kGiven, "given"},
    {SchedulerKind::kList, "list"},
    {SchedulerKind::kDfs, "dfs"},
    {SchedulerKind::kPostOrder, "post-order"},
    {SchedulerKind::kReverseList, "reverse-list"},
    {SchedulerKind::kBfs, "bfs"},
    {SchedulerKind::kImproved, "improved"},
    {SchedulerKind::kExact, "exact"},
};

class ComputationScheduler {
 public:
  ComputationScheduler(const HloComputation& computation,
                       const SchedulingProblem& problem,
                       const ModuleSchedulerOptions& options, double share)
      : problem_(problem), options_(options) {
    options_.improver.budget =
        std::max<int64_t>(kLeastVisits, options.improver.budget * share);
    options_.exact_budget =
        std::max<int64_t>(kLeastSets, options.exact_budget * share);
    for (const HloInstruction& instruction : computation.instructions()) {
      if (instruction.IsRoot()) root_ = instructions_.size();
      instructions_.push_back(&instruction);
    }
    found_.computation = &computation;
  }

  ComputationSchedule Run() {
    found_.lower_bound_bytes = LeastPeakBytes(problem_);
    const bool wants_all = !options_.only.has_value() ||
                           *options_.only == SchedulerKind::kImproved ||
                           *options_.only == SchedulerKind::kExact;
    for (const auto& [kind, name] : kNames) {
      if (kind == SchedulerKind::kImproved) break;
      // Waves save no memory; they must be asked for.
      const bool is_wanted =
          wants_all ? kind != SchedulerKind::kBfs : kind == *options_.only;
      if (!is_wanted) continue;
      Order order = OrderOf(kind);
      if (wants_all) starts_.push_back(order);
      Offer(kind, std::move(order));
    }
    if (wants_all) Improve();
    return found_;
  }

  std::vector<InstructionId> Sequence() const {
    std::vector<InstructionId> sequence;
    for (int32_t node : order_) sequence.push_back(instructions_[node]->id());
    return sequence;
  }

 private:
  Order OrderOf(SchedulerKind kind) const {
    switch (kind) {
      case SchedulerKind::kList:
        return ListSchedule(problem_);
      case SchedulerKind::kDfs:
        return DfsSchedule(problem_, root_, RankByName());
      case SchedulerKind::kPostOrder:
        return PostOrderSchedule(problem_, root_);
      case SchedulerKind::kReverseList:
        return ReverseListSchedule(problem_);
      case SchedulerKind::kBfs:
        return BfsSchedule(problem_);
      default: {
        Order order(problem_.size());
        std::iota(order.begin(), order.end(), 0);
        return order;
      }
    }
  }

  std::vector<int32_t> RankByName() const {
    Order by_name(problem_.size());
    std::iota(by_name.begin(), by_name.end(), 0);
    std::sort(by_name.begin(), by_name.end(), [&](int32_t a, int32_t b) {
      return instructions_[a]->name() < instructions_[b]->name();
    });
    std::vector<int32_t> rank(problem_.size());
    for (int32_t i = 0; i < problem_.size(); ++i) rank[by_name[i]] = i;
    return rank;
  }

  void Offer(SchedulerKind kind, Order order) {
    const int64_t peak = PeakOfOrder(problem_, order);
    if (!order_.empty() && peak >= found_.peak_bytes) return;
    found_.kind = kind;
    found_.peak_bytes = peak;
    order_ = std::move(order);
  }

  void Improve() {
    for (Order& start : starts_) {
      if (found_.is_proven()) return;
      Offer(SchedulerKind::kImproved,
            ImproveSchedule(problem_, std::move(start),
                            found_.lower_bound_bytes, options_.improver));
    }
    if (found_.is_proven() || problem_.size() > kMostExactNodes) return;
    ExactSchedule exact =
        ScheduleExactly(problem_, options_.exact_budget, found_.peak_bytes);
    found_.lower_bound_bytes =
        std::min(found_.peak_bytes,
                 std::max(found_.lower_bound_bytes, exact.lower_bound_bytes));
    if (!exact.order.empty()) {
      Offer(SchedulerKind::kExact, std::move(exact.order));
    }
  }

  const SchedulingProblem& problem_;
  ModuleSchedulerOptions options_;
  std::vector<const HloInstruction*> instructions_;
  int32_t root_ = -1;
  ComputationSchedule found_;
  std::vector<Order> starts_;
  Order order_;
};

}  // namespace

absl::string_view SchedulerKindName(SchedulerKind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "";
}

std::optional<SchedulerKind> SchedulerKindFromName(absl::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

absl::StatusOr<ModuleSchedule> ScheduleModule(
    const HloModule& module, const MemoryTarget& target,
    const ModuleSchedulerOptions& options) {
  const CallGraph graph = CallGraph::Build(module);
  if (!graph.cycle().empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "computation `", graph.cycle().front()->name(), "` calls itself"));
  }
  ModuleSchedule result;
  int64_t size = 0;
  for (const HloComputation* computation : graph.post_order()) {
    if (computation->IsFusionBody()) continue;
    const auto instructions = computation->instructions();
    size += std::distance(instructions.begin(), instructions.end());
  }
  ComputationScheduling scheduling(module, target, options.space);
  for (const HloComputation* computation : graph.post_order()) {
    if (computation->IsFusionBody()) continue;
    const SchedulingProblem problem = scheduling.Build(*computation);
    ComputationScheduler scheduler(*computation, problem, options,
                                   1.0 * problem.size() / size);
    result.computations.push_back(scheduler.Run());
    scheduling.set_peak(*computation, result.computations.back().peak_bytes);
    result.schedule.set_sequence(*computation, scheduler.Sequence());
  }
  return result;
}

}  // namespace ferry
