// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_GREEDY_PACKER_H_
#define FERRY_MEMORY_GREEDY_PACKER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// Which buffer is placed first. Ties go on to the next word, then to the id.
enum class GreedyOrder {
  kSizeDuration,  // biggest: XLA's spatial order
  kDurationSize,  // longest: XLA's temporal order
  kArea,          // most bytes times moments
  kStart,         // earliest, then biggest: as an allocator at run time
};

enum class GreedyFit {
  kBest,   // the smallest room that is large enough, the lowest of those
  kFirst,  // the lowest room that is large enough
};

// Places buffers one after another, each once, among those that stand already:
// XLA's GlobalDecreasingSizeBestFitHeap, with more orders.
//
// Of a placed buffer only the pieces that are live together with a new one are
// in its way, so slices that come later leave their room to others before.
// Placing is O(k log k), k the pieces that are in the way.
// Tested by greedy_packer_test.cc.
class GreedyPacker {
 public:
  // `problem` is valid and must outlive this.
  explicit GreedyPacker(const PackingProblem& problem);

  // The buffers in that order, fixed ones first.
  std::vector<int32_t> Order(GreedyOrder order) const;

  // Places all in `order`, writes offsets[buffer], and returns the height;
  // kTooHigh, with some offsets missing, if it would reach `limit` or more.
  int64_t Pack(absl::Span<const int32_t> order, GreedyFit fit, int64_t limit,
               std::vector<int64_t>& offsets);
  static constexpr int64_t kTooHigh = INT64_MAX;

  // Whether two fixed buffers are in each other's way.
  bool HasFixedConflict();

  // Pieces looked at so far.
  int64_t visits() const { return visits_; }

 private:
  // A placed piece could be in the way of another: sorted by start.
  struct Piece {
    LiveRange live;
    int64_t offset_bytes;
    int64_t size_bytes;
    int32_t buffer;
  };
  // Offsets that the buffer cannot have: strictly between the two.
  using Forbidden = std::pair<int64_t, int64_t>;

  void SetPlaced(int32_t buffer, bool is_placed);
  void CollectForbidden(int32_t buffer, const std::vector<int64_t>& offsets);
  void CollectAgainst(const Piece& piece, const std::vector<int64_t>& offsets);
  int64_t FindOffset(int32_t buffer, GreedyFit fit) const;

  const PackingProblem& problem_;
  std::vector<Piece> pieces_;
  std::vector<std::vector<int32_t>> pieces_of_;  // by buffer; indices
  // A tree over pieces_: leaf i at leaf_begin_ + i has the end of a placed
  // piece, an inner node the latest end below it.
  size_t leaf_begin_ = 1;
  std::vector<LogicalTime> latest_end_;
  std::vector<Forbidden> forbidden_;
  int64_t visits_ = 0;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_GREEDY_PACKER_H_
