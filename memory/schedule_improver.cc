// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_improver.h"

#include <algorithm>
#include <utility>

#include "ferry/memory/exact_scheduler.h"
#include "ferry/memory/schedule_tracker.h"
#include "ferry/memory/scheduling_takeovers.h"

// Outside of the places that a move touches, everything stays: the same nodes
// have run before them and after them. So a move costs what the distance is,
// and the count of places with the highest peak falls with every move that is
// made, which is why this ends.

namespace ferry {
namespace {

// Values waiting at the peak that are tried, the largest first.
constexpr size_t kMostValues = 24;

class ScheduleImprover {
 public:
  ScheduleImprover(const SchedulingProblem& problem, std::vector<int32_t> order,
                   const ScheduleImproverOptions& options)
      : problem_(problem),
        options_(options),
        order_(std::move(order)),
        place_(problem.size()),
        live_before_(problem.size()),
        running_(problem.size()),
        last_reader_(problem.buffers().size(), -1),
        readers_left_(problem.buffers().size(), 0),
        is_marked_(problem.size(), false),
        block_peak_((problem.size() + kBlock - 1) / kBlock, 0),
        number_in_window_(problem.buffers().size(), -1),
        takeovers_(problem) {
    for (int32_t at = 0; at < problem.size(); ++at) place_[order_[at]] = at;
    for (size_t i = 0; i < last_reader_.size(); ++i) SetLastReader(i);
    ScheduleTracker tracker(problem);
    for (int32_t at = 0; at < problem.size(); ++at) {
      live_before_[at] = tracker.live_bytes();
      tracker.Run(order_[at]);
      running_[at] = tracker.running_bytes();
    }
    SetBlockPeaks(0, problem.size());
    budget_ = options.budget - problem.size();
  }

  std::vector<int32_t> Run(int64_t enough_bytes) {
    if (order_.empty()) return {};
    while (budget_ > 0) {
      const int32_t at = PeakPlace();
      if (running_[at] <= std::max(enough_bytes, live_before_[0])) break;
      if (!ImproveAt(at)) break;
    }
    return std::move(order_);
  }

 private:
  static constexpr int32_t kBlock = 256;

  int32_t PeakPlace() {
    const size_t block =
        std::max_element(block_peak_.begin(), block_peak_.end()) -
        block_peak_.begin();
    const auto begin = running_.begin() + block * kBlock;
    const auto end =
        block + 1 == block_peak_.size() ? running_.end() : begin + kBlock;
    return std::max_element(begin, end) - running_.begin();
  }

  void SetBlockPeaks(int32_t begin, int32_t end) {
    if (begin >= end) return;
    for (int32_t block = begin / kBlock; block <= (end - 1) / kBlock; ++block) {
      const auto first = running_.begin() + block * kBlock;
      const int32_t size =
          std::min<int32_t>(kBlock, problem_.size() - block * kBlock);
      block_peak_[block] = *std::max_element(first, first + size);
    }
  }

  void SetLastReader(int32_t buffer) {
    int32_t last = -1;
    for (int32_t reader : problem_.readers(buffer)) {
      last = std::max(last, place_[reader]);
    }
    last_reader_[buffer] = last;
  }

  bool ImproveAt(int32_t at) {
    for (int32_t buffer : ValuesWaitingAt(at)) {
      if (MakeLater(buffer, at) || UseEarlier(buffer, at)) return true;
      if (budget_ <= 0) return false;
    }
    return MoveAlone(at) || ReorderAround(at);
  }

  // Live while the node at `at` runs, and none of its business.
  std::vector<int32_t> ValuesWaitingAt(int32_t at) {
    std::vector<int32_t> values;
    budget_ -= problem_.buffers().size() / 8;
    const int32_t node = order_[at];
    const auto& reads = problem_.node(node).reads;
    for (int32_t buffer : reads) readers_left_[buffer] = 1;
    for (size_t i = 0; i < problem_.buffers().size(); ++i) {
      const SchedulingBuffer& buffer = problem_.buffers()[i];
      if (buffer.bytes == 0 || buffer.definer == node) continue;
      if (buffer.definer >= 0 && place_[buffer.definer] > at) continue;
      if (!buffer.lives_out && last_reader_[i] < at) continue;
      if (readers_left_[i] == 0) values.push_back(i);
    }
    for (int32_t buffer : reads) readers_left_[buffer] = 0;
    const auto larger = [&](int32_t a, int32_t b) {
      const int64_t x = problem_.buffers()[a].bytes;
      const int64_t y = problem_.buffers()[b].bytes;
      return x != y ? x > y : a < b;
    };
    const size_t kept = std::min(values.size(), kMostValues);
    std::partial_sort(values.begin(), values.begin() + kept, values.end(),
                      larger);
    values.resize(kept);
    return values;
  }

  // Moves the definer of `buffer`, with what depends on it, behind `at`.
  bool MakeLater(int32_t buffer, int32_t at) {
    const int32_t definer = problem_.buffers()[buffer].definer;
    if (definer == SchedulingBuffer::kAtStart) return false;
    const int32_t begin = place_[definer];
    if (at - begin > options_.most_distance) return false;
    std::vector<int32_t> staying;
    std::vector<int32_t> moving = {definer};
    is_marked_[definer] = true;
    int32_t first_user = problem_.size();
    const auto see_users = [&](int32_t node) {
      for (int32_t successor : problem_.successors(node)) {
        if (place_[successor] > at) {
          first_user = std::min(first_user, place_[successor]);
        }
      }
    };
    see_users(definer);
    for (int32_t i = begin + 1; i <= at; ++i) {
      const int32_t node = order_[i];
      const auto before = problem_.predecessors(node);
      is_marked_[node] = std::any_of(before.begin(), before.end(),
                                     [&](int32_t p) { return is_marked_[p]; });
      (is_marked_[node] ? moving : staying).push_back(node);
      if (is_marked_[node]) see_users(node);
    }
    const bool holds_peak = is_marked_[order_[at]];
    for (int32_t node : moving) is_marked_[node] = false;
    budget_ -= 2 * (at - begin + 1);
    if (holds_peak) return false;
    first_user = std::min(first_user, at + 1 + options_.most_distance);
    for (const int32_t end : {first_user, at + 1}) {
      std::vector<int32_t> changed = staying;
      changed.insert(changed.end(), order_.begin() + at + 1,
                     order_.begin() + end);
      changed.insert(changed.end(), moving.begin(), moving.end());
      if (Try(begin, changed)) return true;
      if (end == at + 1) break;
    }
    return false;
  }

  // Moves all readers of `buffer`, with what they need, in front of `at`.
  bool UseEarlier(int32_t buffer, int32_t at) {
    if (problem_.buffers()[buffer].lives_out) return false;
    const int32_t end = last_reader_[buffer] + 1;
    if (end - at > options_.most_distance) return false;
    std::vector<int32_t> staying;
    std::vector<int32_t> moving;
    for (int32_t reader : problem_.readers(buffer)) {
      if (place_[reader] > at) is_marked_[reader] = true;
    }
    for (int32_t i = end - 1; i >= at; --i) {
      const int32_t node = order_[i];
      if (!is_marked_[node]) {
        staying.push_back(node);
        continue;
      }
      moving.push_back(node);
      for (int32_t predecessor : problem_.predecessors(node)) {
        if (place_[predecessor] >= at) is_marked_[predecessor] = true;
      }
    }
    const bool holds_peak = is_marked_[order_[at]];
    for (int32_t node : moving) is_marked_[node] = false;
    budget_ -= 2 * (end - at);
    if (holds_peak) return false;
    std::reverse(moving.begin(), moving.end());
    std::reverse(staying.begin(), staying.end());
    int32_t last_need = -1;
    for (int32_t node : moving) {
      for (int32_t predecessor : problem_.predecessors(node)) {
        if (place_[predecessor] < at) {
          last_need = std::max(last_need, place_[predecessor]);
        }
      }
    }
    last_need = std::max(last_need, at - 1 - options_.most_distance);
    for (const int32_t begin : {last_need + 1, at}) {
      std::vector<int32_t> changed = moving;
      changed.insert(changed.end(), order_.begin() + begin,
                     order_.begin() + at);
      changed.insert(changed.end(), staying.begin(), staying.end());
      if (Try(begin, changed)) return true;
      if (begin == at) break;
    }
    return false;
  }

  // Moves the node at `at` as far up, or down, as it can go.
  bool MoveAlone(int32_t at) {
    const int32_t node = order_[at];
    int32_t first = std::max(0, at - options_.most_distance);
    for (int32_t predecessor : problem_.predecessors(node)) {
      first = std::max(first, place_[predecessor] + 1);
    }
    int32_t end = std::min(problem_.size(), at + options_.most_distance);
    for (int32_t successor : problem_.successors(node)) {
      end = std::min(end, place_[successor]);
    }
    std::vector<int32_t> changed = {node};
    changed.insert(changed.end(), order_.begin() + first, order_.begin() + at);
    if (first < at && Try(first, changed)) return true;
    changed.assign(order_.begin() + at + 1, order_.begin() + end);
    changed.push_back(node);
    return end > at + 1 && Try(at, changed);
  }

  // The nodes around `at`, best order.
  bool ReorderAround(int32_t at) {
    const int32_t size = std::min(options_.window_nodes, problem_.size());
    // The peak in the middle, at the end and at the start of the window.
    for (const int32_t before : {size / 2, size - 1, 0}) {
      const int32_t begin = std::clamp(at - before, 0, problem_.size() - size);
      const ExactSchedule best = ScheduleExactly(
          Window(begin, begin + size), options_.window_budget, running_[at]);
      budget_ -= (best.opened + 1) * size;
      std::vector<int32_t> changed;
      for (int32_t node : best.order) changed.push_back(order_[begin + node]);
      if (!changed.empty() && Try(begin, changed)) return true;
    }
    return false;
  }

  // A part of the order as a problem of its own.
  SchedulingProblem Window(int32_t begin, int32_t end) {
    std::vector<SchedulingNode> nodes(end - begin);
    std::vector<SchedulingBuffer> buffers;
    std::vector<int32_t> seen;
    int64_t fixed = live_before_[begin];
    const auto number_of = [&](int32_t buffer) {
      if (number_in_window_[buffer] >= 0) return number_in_window_[buffer];
      SchedulingBuffer what = problem_.buffers()[buffer];
      const bool is_inside = what.definer >= 0 && place_[what.definer] >= begin;
      what.definer =
          is_inside ? place_[what.definer] - begin : SchedulingBuffer::kAtStart;
      what.lives_out = what.lives_out || last_reader_[buffer] >= end;
      if (!is_inside) fixed -= what.bytes;
      seen.push_back(buffer);
      number_in_window_[buffer] = buffers.size();
      buffers.push_back(what);
      return number_in_window_[buffer];
    };
    for (int32_t i = begin; i < end; ++i) {
      const SchedulingNode& from = problem_.node(order_[i]);
      SchedulingNode& to = nodes[i - begin];
      for (int32_t predecessor : problem_.predecessors(order_[i])) {
        if (place_[predecessor] < begin) continue;
        to.predecessors.push_back(place_[predecessor] - begin);
      }
      for (int32_t buffer : problem_.defines(order_[i])) number_of(buffer);
      for (int32_t buffer : from.reads) to.reads.push_back(number_of(buffer));
      for (const auto& [out, in] : from.takeovers) {
        to.takeovers.push_back({number_of(out), number_of(in)});
      }
      to.beside_bytes = from.beside_bytes;
      to.instead_bytes = from.instead_bytes;
    }
    for (int32_t buffer : seen) number_in_window_[buffer] = -1;
    return SchedulingProblem(std::move(nodes), std::move(buffers), fixed);
  }

  // Whether all nodes from `begin` on run with less than the peak if they are
  // put into the order `nodes`; if so, they are.
  bool Try(int32_t begin, const std::vector<int32_t>& nodes) {
    const int64_t limit =
        *std::max_element(block_peak_.begin(), block_peak_.end());
    const int32_t end = begin + nodes.size();
    budget_ -= nodes.size();
    for (int32_t node : nodes) {
      for (int32_t buffer : problem_.node(node).reads) ++readers_left_[buffer];
    }
    running_try_.clear();
    live_try_.clear();
    int64_t live = live_before_[begin];
    bool is_less = true;
    for (int32_t node : nodes) {
      live_try_.push_back(live);
      const auto [during, change] = Effect(node, end);
      running_try_.push_back(live + during);
      is_less = is_less && live + during < limit;
      live += change;
    }
    if (!is_less) return false;
    for (size_t i = 0; i < nodes.size(); ++i) {
      order_[begin + i] = nodes[i];
      place_[nodes[i]] = begin + i;
      running_[begin + i] = running_try_[i];
      live_before_[begin + i] = live_try_[i];
    }
    for (int32_t node : nodes) {
      for (int32_t buffer : problem_.node(node).reads) {
        // Seen in their new order, so that the last one stays.
        if (last_reader_[buffer] < end) last_reader_[buffer] = place_[node];
      }
    }
    SetBlockPeaks(begin, end);
    return true;
  }

  // Runs `node` in a part of the order that ends at `end`; counts down the
  // readers of what it reads.
  std::pair<int64_t, int64_t> Effect(int32_t node, int32_t end) {
    const SchedulingNode& what = problem_.node(node);
    const auto dies = [&](int32_t buffer) {
      return readers_left_[buffer] == 0 && last_reader_[buffer] < end &&
             !problem_.buffers()[buffer].lives_out;
    };
    int64_t defined = 0;
    int64_t freed = 0;
    for (int32_t buffer : what.reads) --readers_left_[buffer];
    for (int32_t buffer : what.reads) {
      if (dies(buffer)) freed += problem_.buffers()[buffer].bytes;
    }
    for (int32_t buffer : problem_.defines(node)) {
      defined += problem_.buffers()[buffer].bytes;
      if (problem_.readers(buffer).empty() && dies(buffer)) {
        freed += problem_.buffers()[buffer].bytes;
      }
    }
    const int64_t taken = takeovers_.BytesOf(node, dies);
    return {std::max(defined - taken + what.beside_bytes, what.instead_bytes),
            defined - freed};
  }

  const SchedulingProblem& problem_;
  const ScheduleImproverOptions& options_;
  std::vector<int32_t> order_;
  std::vector<int32_t> place_;         // by node
  std::vector<int64_t> live_before_;   // by place
  std::vector<int64_t> running_;       // by place
  std::vector<int32_t> last_reader_;   // by buffer, its place; -1: none
  std::vector<int32_t> readers_left_;  // by buffer, of a move being tried
  std::vector<bool> is_marked_;        // by node, of a move being made
  std::vector<int64_t> block_peak_;    // of kBlock places each
  std::vector<int64_t> running_try_;
  std::vector<int64_t> live_try_;
  std::vector<int32_t> number_in_window_;  // by buffer; -1: not there
  SchedulingTakeovers takeovers_;
  int64_t budget_ = 0;
};

}  // namespace

std::vector<int32_t> ImproveSchedule(const SchedulingProblem& problem,
                                     std::vector<int32_t> order,
                                     int64_t enough_bytes,
                                     const ScheduleImproverOptions& options) {
  return ScheduleImprover(problem, std::move(order), options).Run(enough_bytes);
}

}  // namespace ferry
