// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// All of a state follows from the lower bounds of the items that are not
// placed. Placing an item, or leaving a floor free, raises some; the sections
// of what was raised are marked, and Propagate() looks at each marked one. The
// trail remembers old values, so that a dead end costs what was changed.

#include "ferry/memory/canonical_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "ferry/memory/alignment.h"

namespace ferry {
namespace {

uint64_t Mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

void SearchKnowledge::Merge(const SearchKnowledge& learned,
                            const SearchKnowledge& base) {
  weights.resize(learned.weights.size(), 1);
  for (size_t s = 0; s < weights.size(); ++s) {
    const double before = s < base.weights.size() ? base.weights[s] : 1;
    weights[s] += learned.weights[s] - before;
  }
  if (dead_states.size() >= kMaxDeadStates) return;
  for (const auto& [hash, capacity] : learned.dead_states) {
    int64_t& known = dead_states.try_emplace(hash, capacity).first->second;
    known = std::max(known, capacity);
  }
}

CanonicalSearch::CanonicalSearch(const SectionModel& model) : model_(model) {
  for (const SectionModel::Item& item : model.items) {
    height_.push_back(item.height);
    is_uniform_.push_back(item.is_uniform);
  }
  by_bound_ = model.section_items;
  is_marked_.assign(model.section_count(), 0);
  FindNeighbours();
  FindTwins();
}

void CanonicalSearch::FindNeighbours() {
  std::vector<int32_t> seen(model_.item_count(), kNone);
  std::vector<std::vector<int32_t>> beginning(model_.section_count());
  for (int32_t i = 0; i < model_.item_count(); ++i) {
    for (const SectionModel::Span& span : model_.SpansOf(i)) {
      beginning[span.begin].push_back(i);
    }
  }
  for (int32_t i = 0; i < model_.item_count(); ++i) {
    neighbour_begin_.push_back(static_cast<int64_t>(neighbours_.size()));
    seen[i] = i;
    const auto add = [&](int32_t other) {
      if (seen[other] == i) return;
      seen[other] = i;
      neighbours_.push_back(other);
    };
    for (const SectionModel::Span& span : model_.SpansOf(i)) {
      for (int32_t other : model_.ItemsOf(span.begin)) add(other);
      for (int32_t s = span.begin + 1; s < span.end; ++s) {
        for (int32_t other : beginning[s]) add(other);
      }
    }
  }
  neighbour_begin_.push_back(static_cast<int64_t>(neighbours_.size()));
}

void CanonicalSearch::FindTwins() {
  using Signature = std::tuple<std::vector<int64_t>, int64_t, int64_t>;
  std::map<Signature, int32_t> known;
  for (int32_t i = 0; i < model_.item_count(); ++i) {
    const SectionModel::Item& item = model_.items[i];
    Signature signature;
    auto& [spans, size, alignment] = signature;
    if (item.fixed_offset != SectionModel::kNotFixed) spans = {-1, i};
    for (const SectionModel::Span& span : model_.SpansOf(i)) {
      spans.insert(spans.end(), {span.begin, span.end, span.height});
    }
    size = item.size_bytes;
    alignment = item.alignment;
    twin_.push_back(known.try_emplace(signature, i).first->second);
  }
}

void CanonicalSearch::RankItems(const SearchRules& rules) {
  std::vector<double> worth(model_.item_count());
  for (int32_t i = 0; i < model_.item_count(); ++i) {
    double sections = 0;
    for (const SectionModel::Span& span : model_.SpansOf(i)) {
      sections += span.end - span.begin;
    }
    const double height = static_cast<double>(height_[i]);
    switch (rules.what) {
      case SearchRules::What::kArea:
        worth[i] = height * sections;
        break;
      case SearchRules::What::kDuration:
        worth[i] = sections * (1 + height * 1e-20);
        break;
      case SearchRules::What::kSize:
        worth[i] = height * (1 + sections * 1e-9);
        break;
      case SearchRules::What::kSizeSquaredTimesDuration:
        worth[i] = height * height * sections;
        break;
    }
    const uint64_t noise =
        Mix(Mix(rules.seed) + static_cast<uint64_t>(i)) >> 11;
    const double uniform = static_cast<double>(noise) * 0x1p-53 - 0.5;
    worth[i] *= 1 + rules.jitter * uniform;
  }
  std::vector<int32_t> order(model_.item_count());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return worth[a] > worth[b]; });
  rank_.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    rank_[order[i]] = static_cast<int32_t>(i);
  }
}

void CanonicalSearch::Start(int64_t capacity, const SearchRules& rules) {
  rules_ = rules;
  failures_ = 0;
  const int32_t count = model_.item_count();
  highest_offset_.resize(count);
  bound_.assign(count, 0);
  offsets_.assign(count, 0);
  capacity_ = 0;
  for (int32_t i = 0; i < count; ++i) {
    const SectionModel::Item& item = model_.items[i];
    const int64_t room = capacity - item.size_bytes;
    highest_offset_[i] = room < 0 ? -1 : room - room % item.alignment;
    if (item.fixed_offset != SectionModel::kNotFixed) {
      bound_[i] = item.fixed_offset;
      highest_offset_[i] = room < item.fixed_offset ? -1 : item.fixed_offset;
    }
    capacity_ = std::max(capacity_, highest_offset_[i] + height_[i]);
  }
  sections_.assign(model_.section_count(), SectionState());
  hash_low_ = 0;
  hash_high_ = 0;
  left_ = count;
  trail_.clear();
  frames_.clear();
  candidates_.clear();
  for (int32_t s = 0; s < model_.section_count(); ++s) {
    is_marked_[s] = 1;
    marked_.push_back(s);
  }
  for (int32_t i = 0; i < count; ++i) {
    const uint64_t state = Mix(Mix(static_cast<uint64_t>(i) + 1) +
                               static_cast<uint64_t>(bound_[i]));
    hash_low_ += static_cast<int64_t>(state);
    hash_high_ += static_cast<int64_t>(Mix(state));
    for (const SectionModel::Span& span : model_.SpansOf(i)) {
      for (int32_t s = span.begin; s < span.end; ++s) {
        sections_[s].left_bytes += span.height;
      }
    }
  }
  RankItems(rules);
}

void CanonicalSearch::UndoTo(size_t trail_size) {
  while (trail_.size() > trail_size) {
    *trail_.back().where = trail_.back().old;
    trail_.pop_back();
  }
}

void CanonicalSearch::MarkSections(int32_t item) {
  for (const SectionModel::Span& span : model_.SpansOf(item)) {
    for (int32_t s = span.begin; s < span.end; ++s) {
      if (is_marked_[s]) continue;
      is_marked_[s] = 1;
      marked_.push_back(s);
    }
  }
}

bool CanonicalSearch::Raise(int32_t item, int64_t bound) {
  const int64_t alignment = model_.items[item].alignment;
  if (alignment > 1) bound = AlignUp(bound, alignment);
  if (bound > highest_offset_[item]) return false;
  const uint64_t seed = Mix(static_cast<uint64_t>(item) + 1);
  const uint64_t before = Mix(seed + static_cast<uint64_t>(bound_[item]));
  const uint64_t after = Mix(seed + static_cast<uint64_t>(bound));
  Set(hash_low_, hash_low_ + static_cast<int64_t>(after - before));
  Set(hash_high_, hash_high_ + static_cast<int64_t>(Mix(after) - Mix(before)));
  Set(bound_[item], bound);
  MarkSections(item);
  return true;
}

bool CanonicalSearch::Fail(int32_t section) {
  (*weights_)[section] += 1;
  for (int32_t s : marked_) is_marked_[s] = 0;
  marked_.clear();
  return false;
}

bool CanonicalSearch::Propagate() {
  while (!marked_.empty()) {
    const int32_t section = marked_.back();
    marked_.pop_back();
    is_marked_[section] = 0;
    if (!Refresh(section)) return Fail(section);
  }
  return true;
}

// Sorts the items of the section by lower bound, which they nearly are since
// the last time, and reads everything off that order.
bool CanonicalSearch::Refresh(int32_t section) {
  int32_t* const begin = by_bound_.data() + model_.section_begin[section];
  int32_t* const end = by_bound_.data() + model_.section_begin[section + 1];
  visits_ += end - begin;
  for (int32_t* i = begin; i != end; ++i) {
    const int32_t item = *i;
    const int64_t bound = bound_[item];
    int32_t* hole = i;
    for (; hole != begin && bound_[hole[-1]] > bound; --hole) *hole = hole[-1];
    *hole = item;
  }
  const int32_t* last = end;
  while (last != begin && bound_[last[-1]] == kPlaced) --last;
  SectionState& state = sections_[section];
  if (last == begin) {
    if (state.options != 0) Set(state.options, 0);
    return true;
  }
  int64_t above = 0;
  for (const int32_t* i = last; i-- != begin;) {
    const int32_t item = *i;
    if (is_uniform_[item]) {
      above += height_[item];
    } else {
      for (const SectionModel::Span& span : model_.SpansOf(item)) {
        if (span.begin <= section && section < span.end) above += span.height;
      }
    }
    if (bound_[item] + above > capacity_) return false;
  }
  const int64_t floor = bound_[*begin];
  const int32_t* next = begin;
  while (next != last && bound_[*next] == floor) ++next;
  const int64_t next_floor = next == last ? kPlaced : bound_[*next];
  if (state.floor != floor) Set(state.floor, floor);
  if (state.next_floor != next_floor) Set(state.next_floor, next_floor);
  if (state.options != next - begin) Set(state.options, next - begin);

  // Whether only the first can be the lowest here.
  const int64_t room = capacity_ - floor - state.left_bytes;
  if (next - begin == 1 && next_floor < kPlaced && next_floor > floor + room) {
    const int32_t first = *begin;
    for (const int32_t* i = next; i != last; ++i) {
      const int64_t bound = floor + HeightUnder(first, *i);
      if (bound_[*i] < bound && !Raise(*i, bound)) return false;
    }
  }
  return true;
}

bool CanonicalSearch::Place(int32_t item) {
  const int64_t offset = bound_[item];
  offsets_[item] = offset;
  const uint64_t state =
      Mix(Mix(static_cast<uint64_t>(item) + 1) + static_cast<uint64_t>(offset));
  Set(hash_low_, hash_low_ - static_cast<int64_t>(state));
  Set(hash_high_, hash_high_ - static_cast<int64_t>(Mix(state)));
  Set(bound_[item], kPlaced);
  for (const SectionModel::Span& span : model_.SpansOf(item)) {
    for (int32_t s = span.begin; s < span.end; ++s) {
      Set(sections_[s].left_bytes, sections_[s].left_bytes - span.height);
    }
  }
  MarkSections(item);
  const absl::Span<const int32_t> neighbours = NeighboursOf(item);
  visits_ += static_cast<int64_t>(neighbours.size());
  for (const int32_t other : neighbours) {
    const int64_t top = offset + HeightUnder(item, other);
    if (bound_[other] >= top) continue;
    if (!Raise(other, top)) return Fail(model_.SpansOf(other)[0].begin);
  }
  return Propagate();
}

// Each that might have covered the floor stands on something that is not placed
// yet, and is live together with it.
bool CanonicalSearch::LeaveFloorFree(const Frame& frame) {
  std::vector<std::pair<int32_t, int64_t>> raised;
  for (int32_t c = frame.begin; c < frame.end; ++c) {
    const int32_t item = candidates_[c];
    if (model_.items[item].fixed_offset != SectionModel::kNotFixed) {
      return Fail(frame.section);
    }
    int64_t bound = kPlaced;
    const absl::Span<const int32_t> neighbours = NeighboursOf(item);
    visits_ += static_cast<int64_t>(neighbours.size());
    for (const int32_t other : neighbours) {
      if (bound_[other] >= bound) continue;
      bound = std::min(bound, bound_[other] + HeightUnder(other, item));
    }
    raised.push_back({item, bound});
  }
  for (const auto& [item, bound] : raised) {
    if (bound > bound_[item] && !Raise(item, bound)) {
      return Fail(frame.section);
    }
  }
  return Propagate();
}

bool CanonicalSearch::IsSettledBelow(int32_t item) {
  const int64_t offset = bound_[item];
  const absl::Span<const int32_t> neighbours = NeighboursOf(item);
  visits_ += static_cast<int64_t>(neighbours.size());
  for (const int32_t other : neighbours) {
    if (bound_[other] < offset &&
        bound_[other] + HeightUnder(other, item) <= offset) {
      return false;
    }
  }
  return true;
}

bool CanonicalSearch::CollectOptions(int32_t section) {
  options_.clear();
  const int64_t floor = sections_[section].floor;
  const absl::Span<const int32_t> items = model_.ItemsOf(section);
  visits_ += static_cast<int64_t>(items.size());
  for (const int32_t item : items) {
    if (bound_[item] != floor) continue;
    if (!IsSettledBelow(item)) return false;
    options_.push_back(item);
  }
  return true;
}

double CanonicalSearch::Score(int32_t section) const {
  const SectionState& state = sections_[section];
  const int64_t room = capacity_ - state.floor - state.left_bytes;
  double options = static_cast<double>(state.options);
  if (state.next_floor < kPlaced && state.next_floor - state.floor <= room) {
    options += 1;
  } else if (room > 0) {
    options += 0.5;
  }
  const double weight = (*weights_)[section];
  const double capacity = static_cast<double>(capacity_);
  switch (rules_.where) {
    case SearchRules::Where::kFewestOptions:
      return options / weight +
             static_cast<double>(state.floor) / capacity * 1e-3;
    case SearchRules::Where::kLowest:
      return static_cast<double>(state.floor) / capacity * 1e6 + options * 1e-3;
    case SearchRules::Where::kFewestOptionsTightest:
      return options / weight + static_cast<double>(room) / capacity * 1e-2;
    case SearchRules::Where::kTightest:
      return (static_cast<double>(room) + capacity * 1e-6) / capacity *
             options / weight;
  }
  return 0;
}

// At how many sides the item would rise above the floor beside it.
int CanonicalSearch::CountOverhangs(int32_t item) const {
  const absl::Span<const SectionModel::Span> spans = model_.SpansOf(item);
  const int64_t top = bound_[item] + height_[item];
  const auto is_passed = [&](int32_t section) {
    if (section < 0 || section >= model_.section_count()) return false;
    const SectionState& state = sections_[section];
    return state.options != 0 && bound_[item] < state.floor &&
           state.floor < top;
  };
  return (is_passed(spans.front().begin - 1) ? 1 : 0) +
         (is_passed(spans.back().end) ? 1 : 0);
}

void CanonicalSearch::SortOptions(std::vector<int32_t>& options) const {
  const auto key = [&](int32_t item) {
    const int overhangs = rules_.avoids_overhangs ? CountOverhangs(item) : 0;
    return std::make_pair(overhangs, rank_[item]);
  };
  std::sort(options.begin(), options.end(),
            [&](int32_t a, int32_t b) { return key(a) < key(b); });
}

bool CanonicalSearch::IsDead(const SearchKnowledge& knowledge,
                             SearchKnowledge::StateHash hash) const {
  const auto known = knowledge.dead_states.find(hash);
  return known != knowledge.dead_states.end() && known->second >= capacity_;
}

bool CanonicalSearch::PushFrame(const SearchKnowledge& known,
                                const SearchKnowledge& learned) {
  const SearchKnowledge::StateHash hash = {static_cast<uint64_t>(hash_low_),
                                           static_cast<uint64_t>(hash_high_)};
  if (IsDead(known, hash) || IsDead(learned, hash)) return false;
  Frame frame;
  frame.section = kNone;
  double best = std::numeric_limits<double>::infinity();
  std::vector<int32_t> options;
  for (int32_t s = 0; s < model_.section_count(); ++s) {
    if (sections_[s].options == 0) continue;
    const double score = Score(s);
    if (score >= best || !CollectOptions(s)) continue;
    best = score;
    frame.section = s;
    options = options_;
  }
  visits_ += model_.section_count();
  SortOptions(options);
  frame.begin = static_cast<int32_t>(candidates_.size());
  for (const int32_t item : options) {
    const bool has_twin =
        std::any_of(candidates_.begin() + frame.begin, candidates_.end(),
                    [&](int32_t other) { return twin_[other] == twin_[item]; });
    if (!has_twin) candidates_.push_back(item);
  }
  frame.end = static_cast<int32_t>(candidates_.size());
  frame.next = frame.begin;
  frame.trail = trail_.size();
  frame.hash = hash;
  frames_.push_back(frame);
  return true;
}

// Takes the frame's next answer; false if that is a dead end or there is none.
bool CanonicalSearch::TryNext(Frame& frame) {
  UndoTo(frame.trail);
  if (frame.placed != kNone) {
    frame.placed = kNone;
    ++left_;
  }
  const int32_t next = frame.next++;
  if (next < frame.end) {
    frame.placed = candidates_[next];
    --left_;
    return Place(frame.placed);
  }
  const SectionState& state = sections_[frame.section];
  if (capacity_ - state.floor <= state.left_bytes) return false;
  return LeaveFloorFree(frame);
}

SearchOutcome CanonicalSearch::Run(int64_t capacity, const SearchRules& rules,
                                   int64_t failure_limit, int64_t step_limit,
                                   const SearchKnowledge& known,
                                   SearchKnowledge& learned,
                                   const std::function<bool()>& is_stopped) {
  learned.weights = known.weights;
  learned.weights.resize(model_.section_count(), 1);
  learned.dead_states.clear();
  weights_ = &learned.weights;
  Start(capacity, rules);
  const int64_t last_visit = visits_ + step_limit * kVisitsPerStep;
  for (const int64_t offset : highest_offset_) {
    if (offset < 0) return SearchOutcome::kProvedNone;
  }
  if (!Propagate()) return SearchOutcome::kProvedNone;
  bool is_alive = true;  // not a dead end
  for (int64_t turn = 0;; ++turn) {
    if (left_ == 0 && is_alive) return SearchOutcome::kFound;
    if (is_alive && !PushFrame(known, learned)) {
      is_alive = false;
      ++failures_;
    }
    if (frames_.empty()) return SearchOutcome::kProvedNone;
    if (failures_ >= failure_limit || visits_ >= last_visit) break;
    if (turn % 64 == 0 && is_stopped && is_stopped()) break;
    Frame& frame = frames_.back();
    if (frame.next > frame.end) {
      UndoTo(frame.trail);
      if (frame.placed != kNone) ++left_;
      if (learned.dead_states.size() < kMaxDeadStates) {
        learned.dead_states[frame.hash] = capacity_;
      }
      candidates_.resize(frame.begin);
      frames_.pop_back();
      if (frames_.empty()) return SearchOutcome::kProvedNone;
      is_alive = false;
      continue;
    }
    is_alive = TryNext(frame);
    if (!is_alive) ++failures_;
  }
  return SearchOutcome::kGaveUp;
}

}  // namespace ferry
