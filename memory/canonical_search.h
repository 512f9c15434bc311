// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_CANONICAL_SEARCH_H_
#define FERRY_MEMORY_CANONICAL_SEARCH_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/section_model.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// What one attempt prefers. Any rules find the same answers in the end; which
// find them soon differs from problem to problem.
struct SearchRules {
  // The section to decide next.
  enum class Where {
    kFewestOptions,          // ties: the lowest
    kLowest,                 // ties: fewest options
    kFewestOptionsTightest,  // ties: least room to waste
    kTightest,               // by options times room to waste
  };
  // The buffer to try there first: the one with the most of this.
  enum class What { kArea, kDuration, kSize, kSizeSquaredTimesDuration };

  Where where = Where::kFewestOptions;
  What what = What::kArea;
  // First those that do not rise above the floor of a section beside them.
  bool avoids_overhangs = true;
  // Each buffer's worth is changed by up to a factor of e^(jitter / 2).
  double jitter = 0;
  uint64_t seed = 0;
};

// What attempts learn and hand on. Nothing in it depends on their rules.
struct SearchKnowledge {
  // By section: how often the capacity was exceeded there, and 1.
  std::vector<double> weights;
  // States from which no packing within the given capacity exists. A state is
  // known by 128 bits of hash.
  using StateHash = std::pair<uint64_t, uint64_t>;
  llvm::DenseMap<StateHash, int64_t> dead_states;

  // Adds what an attempt has learned that started from `base`.
  void Merge(const SearchKnowledge& learned, const SearchKnowledge& base);

  // More are forgotten.
  static constexpr size_t kMaxDeadStates = 1'000'000;
};

enum class SearchOutcome {
  kFound,
  kProvedNone,  // a proof only if SectionModel::is_exact
  kGaveUp,
};

// Depth-first search for a packing within a capacity, among canonical ones:
// those in which no buffer can be moved down.
//
// The state is a lower bound of the offset of each buffer that is not placed
// yet; the least in a section is the section's floor, below which everything is
// settled. A step takes a section and asks which buffer covers its floor: one
// of those that may stand there, or none, in which case each of those must
// stand on one that is not placed yet. So each packing is reached in one way
// only, and places far apart are decided in any order: where the fewest answers
// are possible, first. A section is taken if nothing fits under its answers any
// more (in the lowest section that is so):
//
//   capacity  -------------------------
//                 ####
//             ##########     ######       placed
//             ###########??????####    <- which buffer covers the floor here?
//             #########################
//
// A state is dead if in some section, for some height h, the buffers that must
// stand at or above h have more bytes together than lie between h and the
// capacity. If only one buffer of a section can still be its next, all others
// of it rise above that one.
//
// Source: the canonical packings are MiniMalloc's (Moffitt, ASPLOS 2023,
// doi:10.1145/3623278.3624752), which fixes them from the lowest offset up.
// Tested by canonical_search_test.cc.
class CanonicalSearch {
 public:
  // `model` must outlive this, and is not too large.
  explicit CanonicalSearch(const SectionModel& model);

  // One attempt. Gives up after `failure_limit` dead ends or `step_limit`
  // steps, or when `is_stopped`, asked now and then, says so. Starts from what
  // is `known`, and sets `learned` to what is new.
  SearchOutcome Run(int64_t capacity, const SearchRules& rules,
                    int64_t failure_limit, int64_t step_limit,
                    const SearchKnowledge& known, SearchKnowledge& learned,
                    const std::function<bool()>& is_stopped);

  // By item, after kFound.
  const std::vector<int64_t>& offsets() const { return offsets_; }
  // Work of all attempts, in steps of very roughly a microsecond.
  int64_t steps() const { return visits_ / kVisitsPerStep; }

  // Above this many pairs of items an attempt does not fit in memory.
  static constexpr int64_t kMaxPairs = 20'000'000;

 private:
  static constexpr int64_t kVisitsPerStep = 256;
  static constexpr size_t kMaxDeadStates = SearchKnowledge::kMaxDeadStates;
  // The lower bound of what is placed.
  static constexpr int64_t kPlaced = int64_t{1} << 62;
  static constexpr int32_t kNone = -1;

  // What is known of a section; all of it is derived from lower bounds.
  struct SectionState {
    int64_t floor = 0;
    // The least lower bound above the floor; kPlaced if there is none.
    int64_t next_floor = 0;
    int64_t options = 0;     // items that may cover the floor
    int64_t left_bytes = 0;  // of items not placed
  };
  // A decision: which of candidates_[begin, end) covers the section's floor?
  struct Frame {
    int32_t section;
    int32_t begin;
    int32_t end;
    int32_t next;  // end: none of them; end + 1: all was tried
    int32_t placed = kNone;
    size_t trail;
    SearchKnowledge::StateHash hash;
  };
  struct Change {
    int64_t* where;
    int64_t old;
  };

  void FindNeighbours();
  void FindTwins();
  void Start(int64_t capacity, const SearchRules& rules);
  void RankItems(const SearchRules& rules);

  absl::Span<const int32_t> NeighboursOf(int32_t item) const {
    return absl::MakeConstSpan(neighbours_)
        .subspan(neighbour_begin_[item],
                 neighbour_begin_[item + 1] - neighbour_begin_[item]);
  }
  int64_t HeightUnder(int32_t lower, int32_t upper) const {
    if (is_uniform_[lower]) return height_[lower];
    return model_.HeightUnder(lower, upper);
  }

  void Set(int64_t& where, int64_t value) {
    trail_.push_back({&where, where});
    where = value;
  }
  void UndoTo(size_t trail_size);
  // False, if the item cannot stand at `bound` or above.
  bool Raise(int32_t item, int64_t bound);
  void MarkSections(int32_t item);
  // Draws all conclusions from changed lower bounds; false if dead.
  bool Propagate();
  bool Refresh(int32_t section);
  bool Fail(int32_t section);

  bool Place(int32_t item);
  bool LeaveFloorFree(const Frame& frame);
  bool IsSettledBelow(int32_t item);
  // Whether a decision in `section` splits all packings.
  bool CollectOptions(int32_t section);
  int CountOverhangs(int32_t item) const;
  void SortOptions(std::vector<int32_t>& options) const;
  bool IsDead(const SearchKnowledge& knowledge,
              SearchKnowledge::StateHash hash) const;
  bool PushFrame(const SearchKnowledge& known, const SearchKnowledge& learned);
  bool TryNext(Frame& frame);
  double Score(int32_t section) const;

  const SectionModel& model_;
  std::vector<int64_t> height_;
  std::vector<char> is_uniform_;
  std::vector<int64_t> neighbour_begin_;
  std::vector<int32_t> neighbours_;
  // Interchangeable items have the same number.
  std::vector<int32_t> twin_;

  // Of one attempt.
  int64_t capacity_ = 0;
  SearchRules rules_;
  std::vector<int64_t> highest_offset_;  // by item
  std::vector<int32_t> rank_;            // by item: 0 is tried first
  std::vector<double>* weights_ = nullptr;
  int64_t failures_ = 0;
  int64_t visits_ = 0;

  // Of one state.
  std::vector<int64_t> bound_;  // by item
  std::vector<SectionState> sections_;
  int64_t hash_low_ = 0;
  int64_t hash_high_ = 0;
  int32_t left_ = 0;  // items not placed
  std::vector<Change> trail_;
  std::vector<int64_t> offsets_;

  std::vector<Frame> frames_;
  std::vector<int32_t> candidates_;
  std::vector<int32_t> options_;
  std::vector<int32_t> marked_;
  std::vector<char> is_marked_;
  std::vector<int32_t> by_bound_;  // per section, nearly sorted
};

}  // namespace ferry

#endif  // FERRY_MEMORY_CANONICAL_SEARCH_H_
