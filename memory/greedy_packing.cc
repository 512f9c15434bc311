// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What stands already is found by a segment tree over the moments at which
// something starts or ends: a piece is written at the O(log n) nodes that cover
// its life, and a query reads the nodes above and below those that cover it.

#include "ferry/memory/greedy_packing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/live_range.h"
#include "ferry/memory/piece_coverage.h"

namespace ferry {
namespace {

// Bytes [start, end) that are taken.
struct Taken {
  int64_t start;
  int64_t end;
};

class PlacedPieces {
 public:
  explicit PlacedPieces(std::vector<LogicalTime> times)
      : times_(std::move(times)) {
    while (leaves_ < times_.size()) leaves_ *= 2;
    here_.resize(2 * leaves_);
    is_below_.assign(2 * leaves_, false);
  }

  void Clear() {
    for (auto& node : here_) node.clear();
    is_below_.assign(is_below_.size(), false);
  }

  void Add(LiveRange live, Taken taken) {
    ForEachCover(live, [&](size_t node) {
      here_[node].push_back(taken);
      for (size_t up = node / 2; up > 0 && !is_below_[up]; up /= 2) {
        is_below_[up] = true;
      }
    });
  }

  // What is taken at some moment of `live`; some of it several times.
  void Find(LiveRange live, std::vector<Taken>& out) {
    ForEachCover(live, [&](size_t node) {
      for (size_t up = node / 2; up > 0; up /= 2) Append(up, out);
      stack_.push_back(node);
      while (!stack_.empty()) {
        const size_t at = stack_.back();
        stack_.pop_back();
        Append(at, out);
        if (at >= leaves_ || !is_below_[at]) continue;
        stack_.push_back(2 * at);
        stack_.push_back(2 * at + 1);
      }
    });
  }

 private:
  void Append(size_t node, std::vector<Taken>& out) const {
    out.insert(out.end(), here_[node].begin(), here_[node].end());
  }

  size_t IndexOf(LogicalTime time) const {
    return std::lower_bound(times_.begin(), times_.end(), time) -
           times_.begin();
  }

  template <typename Visit>
  void ForEachCover(LiveRange live, Visit visit) {
    size_t begin = IndexOf(live.start) + leaves_;
    size_t end = IndexOf(live.end) + leaves_;
    for (; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 == 1) visit(begin++);
      if (end % 2 == 1) visit(--end);
    }
  }

  std::vector<LogicalTime> times_;  // ascending
  size_t leaves_ = 1;
  std::vector<std::vector<Taken>> here_;
  std::vector<bool> is_below_;
  std::vector<size_t> stack_;
};

absl::Span<const BufferPiece> PiecesOf(const PackingBuffer& buffer,
                                       BufferPiece& storage) {
  if (!buffer.pieces.empty()) return buffer.pieces;
  storage = {buffer.live, 0, buffer.size_bytes};
  return absl::MakeConstSpan(&storage, 1);
}

bool IsNothing(const BufferPiece& piece) {
  return piece.live.IsEmpty() || piece.size_bytes == 0;
}

// What orders look at.
struct Summary {
  int64_t size_bytes = 0;
  LogicalTime duration = 0;
};

Summary Summarize(const PackingBuffer& buffer) {
  Summary summary;
  BufferPiece storage;
  for (const BufferPiece& piece : PiecesOf(buffer, storage)) {
    if (IsNothing(piece)) continue;
    summary.size_bytes =
        std::max(summary.size_bytes, piece.offset_bytes + piece.size_bytes);
    summary.duration += piece.live.end - piece.live.start;
  }
  return summary;
}

std::vector<LogicalTime> TimesOf(const PackingProblem& problem) {
  std::vector<LogicalTime> times;
  for (const PackingBuffer& buffer : problem.buffers) {
    BufferPiece storage;
    for (const BufferPiece& piece : PiecesOf(buffer, storage)) {
      if (IsNothing(piece)) continue;
      times.push_back(piece.live.start);
      times.push_back(piece.live.end);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// The most bytes that are live at once.
ByteCount MostLive(const PackingProblem& problem) {
  std::vector<CoverageStep> steps;
  for (const PackingBuffer& buffer : problem.buffers) {
    BufferPiece storage;
    const absl::Span<const BufferPiece> pieces = PiecesOf(buffer, storage);
    AppendCoverageSteps({pieces.begin(), pieces.end()}, steps);
  }
  SortCoverageSteps(steps);
  int64_t live = 0;
  int64_t most = 0;
  for (const CoverageStep& step : steps) {
    live += step.bytes;
    most = std::max(most, live);
  }
  return ByteCount(most);
}

int64_t AlignUp(int64_t offset, int64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// The start of the smallest gap that holds `size` bytes.
int64_t BestFit(std::vector<Taken>& taken, int64_t size, int64_t alignment) {
  std::sort(taken.begin(), taken.end(),
            [](const Taken& a, const Taken& b) { return a.start < b.start; });
  int64_t best = -1;
  int64_t best_gap = 0;
  int64_t reached = 0;
  for (const Taken& t : taken) {
    const int64_t start = AlignUp(reached, alignment);
    if (t.start >= start && t.start - start >= size &&
        (best < 0 || t.start - start < best_gap)) {
      best = start;
      best_gap = t.start - start;
    }
    reached = std::max(reached, t.end);
  }
  return best < 0 ? AlignUp(reached, alignment) : best;
}

class Packer {
 public:
  explicit Packer(const PackingProblem& problem)
      : problem_(problem), placed_(TimesOf(problem)) {}

  std::vector<int64_t> Pack(absl::Span<const uint32_t> order) {
    placed_.Clear();
    offsets_.assign(problem_.buffers.size(), 0);
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      const auto& fixed = problem_.buffers[i].fixed_offset_bytes;
      if (fixed.has_value()) Place(i, *fixed);
    }
    for (const uint32_t i : order) Place(i, FindOffset(problem_.buffers[i]));
    return std::move(offsets_);
  }

 private:
  // All gaps that suit every piece are those between what the pieces meet,
  // moved down by the offset of the piece.
  int64_t FindOffset(const PackingBuffer& buffer) {
    taken_.clear();
    BufferPiece storage;
    // In the frame of a buffer that is as large as all its pieces.
    const int64_t size = Summarize(buffer).size_bytes;
    for (const BufferPiece& piece : PiecesOf(buffer, storage)) {
      if (IsNothing(piece)) continue;
      const size_t first = taken_.size();
      placed_.Find(piece.live, taken_);
      // The buffer may start from where the piece clears what it meets.
      const int64_t below = piece.offset_bytes;
      const int64_t above = size - piece.offset_bytes - piece.size_bytes;
      for (size_t i = first; i < taken_.size(); ++i) {
        taken_[i].start += above;
        taken_[i].end = std::max<int64_t>(taken_[i].end - below, 0);
      }
    }
    return BestFit(taken_, size, buffer.alignment_bytes);
  }

  void Place(uint32_t index, int64_t offset) {
    offsets_[index] = offset;
    BufferPiece storage;
    for (const BufferPiece& piece :
         PiecesOf(problem_.buffers[index], storage)) {
      if (IsNothing(piece)) continue;
      const int64_t start = offset + piece.offset_bytes;
      placed_.Add(piece.live, {start, start + piece.size_bytes});
    }
  }

  const PackingProblem& problem_;
  PlacedPieces placed_;
  std::vector<int64_t> offsets_;
  std::vector<Taken> taken_;
};

int64_t HeightOf(const PackingProblem& problem,
                 absl::Span<const int64_t> offsets) {
  int64_t height = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    BufferPiece storage;
    for (const BufferPiece& piece : PiecesOf(problem.buffers[i], storage)) {
      if (IsNothing(piece)) continue;
      height =
          std::max(height, offsets[i] + piece.offset_bytes + piece.size_bytes);
    }
  }
  return height;
}

}  // namespace

absl::StatusOr<Packing> PackGreedily(const PackingProblem& problem) {
  std::vector<Summary> summaries;
  std::vector<uint32_t> spatial;
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    summaries.push_back(Summarize(problem.buffers[i]));
    if (summaries.back().size_bytes > 0 &&
        !problem.buffers[i].fixed_offset_bytes.has_value()) {
      spatial.push_back(i);
    }
  }
  std::vector<uint32_t> temporal = spatial;
  std::sort(spatial.begin(), spatial.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(-summaries[a].size_bytes, -summaries[a].duration, a) <
           std::tuple(-summaries[b].size_bytes, -summaries[b].duration, b);
  });
  std::sort(temporal.begin(), temporal.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(-summaries[a].duration, -summaries[a].size_bytes, a) <
           std::tuple(-summaries[b].duration, -summaries[b].size_bytes, b);
  });
  Packer packer(problem);
  Packing best;
  best.lower_bound_bytes = MostLive(problem);
  for (const auto* order : {&spatial, &temporal}) {
    std::vector<int64_t> offsets = packer.Pack(*order);
    const int64_t height = HeightOf(problem, offsets);
    if (best.status == PackingStatus::kFeasible &&
        height >= best.height_bytes) {
      continue;
    }
    best.status = PackingStatus::kFeasible;
    best.offsets_bytes = std::move(offsets);
    best.height_bytes = height;
  }
  if (problem.capacity_bytes.has_value() &&
      best.height_bytes > *problem.capacity_bytes) {
    best.status = ByteCount(*problem.capacity_bytes) < best.lower_bound_bytes
                      ? PackingStatus::kInfeasible
                      : PackingStatus::kUnknown;
    best.offsets_bytes.clear();
    best.height_bytes = 0;
  }
  return best;
}

}  // namespace ferry
