// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/greedy_packer.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "ferry/memory/alignment.h"

namespace ferry {
namespace {

constexpr LogicalTime kNever = std::numeric_limits<LogicalTime>::min();

}  // namespace

GreedyPacker::GreedyPacker(const PackingProblem& problem) : problem_(problem) {
  const int32_t count = static_cast<int32_t>(problem.buffers.size());
  for (int32_t b = 0; b < count; ++b) {
    BufferPiece storage;
    for (const BufferPiece& piece : problem.buffers[b].Pieces(storage)) {
      if (piece.live.IsEmpty() || piece.size_bytes == 0) continue;
      pieces_.push_back({piece.live, piece.offset_bytes, piece.size_bytes, b});
    }
  }
  std::stable_sort(pieces_.begin(), pieces_.end(),
                   [](const Piece& a, const Piece& b) {
                     return a.live.start < b.live.start;
                   });
  pieces_of_.resize(problem.buffers.size());
  for (size_t i = 0; i < pieces_.size(); ++i) {
    pieces_of_[pieces_[i].buffer].push_back(static_cast<int32_t>(i));
  }
  while (leaf_begin_ < pieces_.size()) leaf_begin_ *= 2;
}

std::vector<int32_t> GreedyPacker::Order(GreedyOrder order) const {
  using Key = std::tuple<bool, double, double, int32_t>;
  std::vector<Key> keys;
  const int32_t count = static_cast<int32_t>(problem_.buffers.size());
  keys.reserve(problem_.buffers.size());
  for (int32_t b = 0; b < count; ++b) {
    const PackingBuffer& buffer = problem_.buffers[b];
    const BufferPiece bounds = buffer.Bounds();
    const double size = static_cast<double>(bounds.size_bytes);
    const double duration = static_cast<double>(bounds.live.end) -
                            static_cast<double>(bounds.live.start);
    const bool is_free = !buffer.fixed_offset_bytes.has_value();
    switch (order) {
      case GreedyOrder::kSizeDuration:
        keys.push_back({is_free, -size, -duration, b});
        break;
      case GreedyOrder::kDurationSize:
        keys.push_back({is_free, -duration, -size, b});
        break;
      case GreedyOrder::kArea:
        keys.push_back({is_free, -size * duration, -size, b});
        break;
      case GreedyOrder::kStart:
        keys.push_back(
            {is_free, static_cast<double>(bounds.live.start), -size, b});
        break;
    }
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> result;
  result.reserve(keys.size());
  for (const Key& key : keys) result.push_back(std::get<int32_t>(key));
  return result;
}

void GreedyPacker::SetPlaced(int32_t buffer, bool is_placed) {
  for (const int32_t p : pieces_of_[buffer]) {
    size_t node = leaf_begin_ + static_cast<size_t>(p);
    latest_end_[node] = is_placed ? pieces_[p].live.end : kNever;
    for (node /= 2; node > 0; node /= 2) {
      const LogicalTime latest =
          std::max(latest_end_[2 * node], latest_end_[2 * node + 1]);
      if (latest_end_[node] == latest) break;
      latest_end_[node] = latest;
    }
  }
}

// Walks over placed pieces that are live together with `piece`: those that
// start before its end, where a subtree ends after its start.
void GreedyPacker::CollectAgainst(const Piece& piece,
                                  const std::vector<int64_t>& offsets) {
  size_t stack[64];
  size_t depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    const size_t node = stack[--depth];
    if (latest_end_[node] <= piece.live.start) continue;
    size_t first = node;  // leftmost leaf
    while (first < leaf_begin_) first *= 2;
    if (pieces_[first - leaf_begin_].live.start >= piece.live.end) continue;
    if (node < leaf_begin_) {
      stack[depth++] = 2 * node + 1;
      stack[depth++] = 2 * node;
      continue;
    }
    ++visits_;
    const Piece& other = pieces_[node - leaf_begin_];
    const int64_t at = offsets[other.buffer] + other.offset_bytes;
    forbidden_.push_back({at - piece.offset_bytes - piece.size_bytes,
                          at + other.size_bytes - piece.offset_bytes});
  }
}

void GreedyPacker::CollectForbidden(int32_t buffer,
                                    const std::vector<int64_t>& offsets) {
  forbidden_.clear();
  for (const int32_t p : pieces_of_[buffer]) {
    CollectAgainst(pieces_[p], offsets);
  }
  std::sort(forbidden_.begin(), forbidden_.end());
}

int64_t GreedyPacker::FindOffset(int32_t buffer, GreedyFit fit) const {
  const int64_t alignment = problem_.buffers[buffer].alignment_bytes;
  int64_t at = 0;  // the lowest offset above all rooms seen so far
  int64_t best = kTooHigh;
  int64_t best_room = kTooHigh;
  for (const auto& [below, above] : forbidden_) {
    if (below >= at) {
      const int64_t room = below - at;
      if (fit == GreedyFit::kFirst) return at;
      if (room < best_room) {
        best = at;
        best_room = room;
      }
    }
    if (above > at) at = AlignUp(above, alignment);
  }
  return best == kTooHigh ? at : best;
}

int64_t GreedyPacker::Pack(absl::Span<const int32_t> order, GreedyFit fit,
                           int64_t limit, std::vector<int64_t>& offsets) {
  latest_end_.assign(2 * leaf_begin_, kNever);
  int64_t height = 0;
  for (const int32_t buffer : order) {
    const PackingBuffer& b = problem_.buffers[buffer];
    if (b.fixed_offset_bytes.has_value()) {
      offsets[buffer] = *b.fixed_offset_bytes;
    } else {
      CollectForbidden(buffer, offsets);
      offsets[buffer] = FindOffset(buffer, fit);
    }
    if (pieces_of_[buffer].empty()) continue;
    height =
        std::max(height, SaturatedAdd(offsets[buffer], b.Bounds().size_bytes));
    if (height >= limit) return kTooHigh;
    SetPlaced(buffer, true);
  }
  return height;
}

bool GreedyPacker::HasFixedConflict() {
  latest_end_.assign(2 * leaf_begin_, kNever);
  std::vector<int64_t> offsets(problem_.buffers.size(), 0);
  const int32_t count = static_cast<int32_t>(problem_.buffers.size());
  for (int32_t buffer = 0; buffer < count; ++buffer) {
    const PackingBuffer& b = problem_.buffers[buffer];
    if (!b.fixed_offset_bytes.has_value()) continue;
    const int64_t offset = *b.fixed_offset_bytes;
    CollectForbidden(buffer, offsets);
    for (const auto& [below, above] : forbidden_) {
      if (below < offset && offset < above) return true;
    }
    offsets[buffer] = offset;
    SetPlaced(buffer, true);
  }
  return false;
}

}  // namespace ferry
