// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SCHEDULING_PROBLEM_H_
#define FERRY_MEMORY_SCHEDULING_PROBLEM_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace ferry {

// Which nodes to run in which order, so that the least memory is live: what is
// left of a computation when only precedence and bytes count.
//
//   node  reads  defines    live while it runs
//   a            x:10       10
//   b     x      y:10       20, or 10 if y takes over the dying x
//   c     x y    z:1        21
//
// A buffer is live from its definer (or the start) to its last reader in the
// order (or the end, if it lives out); one that nobody reads is live while its
// definer runs. A node runs on what is live, then defines, then frees. What is
// live between two nodes thus depends only on which nodes have run.
struct SchedulingBuffer {
  static constexpr int32_t kAtStart = -1;
  int64_t bytes = 0;
  int32_t definer = kAtStart;
  bool lives_out = false;
  // There at the start, because the caller has put it there: nothing to do with
  // any choice of order, for keys that XLA lets it not count in.
  bool is_parameter = false;
};

struct SchedulingNode {
  // What must run before, in any order; may repeat.
  std::vector<int32_t> predecessors;
  // Buffers that it reads; each once.
  std::vector<int32_t> reads;
  // (defined, read): the first may be put into the bytes of the second if that
  // dies here, both have the same size, and neither is in use for another pair.
  // In order of preference.
  std::vector<std::pair<int32_t, int32_t>> takeovers;
  // While it runs: bytes beside what it defines, and bytes in place of that,
  // whichever is more. A loop needs its body's temporaries beside its results;
  // a call makes its results, and needs at some moment so many bytes in all.
  int64_t beside_bytes = 0;
  int64_t instead_bytes = 0;
  // Order of ready nodes that bytes do not decide: transfers that end come
  // first, those that begin late, scalars early.
  enum class Urgency : int8_t { kLast = -1, kNormal = 0, kScalar = 1, kFirst };
  Urgency urgency = Urgency::kNormal;
  // Instructions that use it, for ties.
  int32_t users = 0;
};

// Immutable; derived lists come ready. Tested by scheduling_problem_test.cc.
class SchedulingProblem {
 public:
  SchedulingProblem() = default;
  // `fixed_bytes` are live all along. Bytes beyond 4 TiB count as 4 TiB, or
  // less where so many would not fit a sum.
  SchedulingProblem(std::vector<SchedulingNode> nodes,
                    std::vector<SchedulingBuffer> buffers,
                    int64_t fixed_bytes = 0);

  int32_t size() const { return nodes_.size(); }
  const SchedulingNode& node(int32_t node) const { return nodes_[node]; }
  absl::Span<const SchedulingNode> nodes() const { return nodes_; }
  absl::Span<const SchedulingBuffer> buffers() const { return buffers_; }
  int64_t fixed_bytes() const { return fixed_bytes_; }
  // Each once, ascending.
  absl::Span<const int32_t> successors(int32_t node) const {
    return successors_.Of(node);
  }
  absl::Span<const int32_t> defines(int32_t node) const {
    return defines_.Of(node);
  }
  absl::Span<const int32_t> readers(int32_t buffer) const {
    return readers_.Of(buffer);
  }
  // Each once, ascending: predecessors without repetitions.
  absl::Span<const int32_t> predecessors(int32_t node) const {
    return predecessors_.Of(node);
  }

  // Whether `order` has each node once, behind its predecessors.
  bool IsLegal(absl::Span<const int32_t> order) const;

 private:
  // Rows of numbers, one behind the other.
  class Table {
   public:
    // Pairs (row, number), by row and in the order given.
    void Fill(int32_t rows, std::vector<std::pair<int32_t, int32_t>>& pairs);
    absl::Span<const int32_t> Of(int32_t row) const {
      return absl::MakeConstSpan(numbers_).subspan(
          starts_[row], starts_[row + 1] - starts_[row]);
    }

   private:
    std::vector<int32_t> starts_ = {0};
    std::vector<int32_t> numbers_;
  };

  std::vector<SchedulingNode> nodes_;
  std::vector<SchedulingBuffer> buffers_;
  int64_t fixed_bytes_ = 0;
  Table predecessors_;
  Table successors_;
  Table defines_;
  Table readers_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_SCHEDULING_PROBLEM_H_
