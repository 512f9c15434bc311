// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_verifier.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

// A piece at its place, as the sweep meets it.
struct PlacedPiece {
  int64_t buffer;
  int64_t start;
  int64_t end;
  absl::int128 first_byte;
  absl::int128 end_byte;
};

std::string Text(absl::int128 value) {
  if (value > INT64_MAX) return "2^63 or more";
  return absl::StrCat(static_cast<int64_t>(value));
}

class Sweep {
 public:
  explicit Sweep(std::vector<PackingViolation>& violations)
      : violations_(violations) {}

  void Run(std::vector<PlacedPiece> pieces) {
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const PlacedPiece& a, const PlacedPiece& b) {
                       return a.start < b.start;
                     });
    for (const PlacedPiece& piece : pieces) {
      EndUntil(piece.start);
      Start(piece);
    }
  }

 private:
  // Takes out what is dead at `time`.
  void EndUntil(int64_t time) {
    while (!ends_.empty() && ends_.begin()->first <= time) {
      live_.erase(ends_.begin()->second);
      ends_.erase(ends_.begin());
    }
  }

  void Start(const PlacedPiece& piece) {
    // Live pieces are disjoint, so the one that begins last before our end is
    // the only one that can reach furthest into us.
    auto next = live_.lower_bound(piece.end_byte);
    if (next != live_.begin()) {
      const PlacedPiece& below = std::prev(next)->second;
      if (below.end_byte > piece.first_byte) {
        Report(piece, below);
        if (below.end >= piece.end && below.first_byte <= piece.first_byte &&
            below.end_byte >= piece.end_byte) {
          return;  // stands for both
        }
        InsertAround(piece);
        return;
      }
    }
    Insert(piece);
  }

  void Insert(const PlacedPiece& piece) {
    live_[piece.first_byte] = piece;
    ends_.insert({piece.end, piece.first_byte});
  }

  // Keeps live pieces disjoint: what already stands there stays, and the new
  // piece gets the bytes between.
  void InsertAround(const PlacedPiece& piece) {
    absl::int128 at = piece.first_byte;
    auto next = live_.lower_bound(piece.first_byte);
    if (next != live_.begin() && std::prev(next)->second.end_byte > at) {
      at = std::prev(next)->second.end_byte;
    }
    std::vector<PlacedPiece> parts;
    for (; at < piece.end_byte; ++next) {
      const bool is_last = next == live_.end() || next->first >= piece.end_byte;
      PlacedPiece part = piece;
      part.first_byte = at;
      part.end_byte = is_last ? piece.end_byte : next->first;
      if (part.first_byte < part.end_byte) parts.push_back(part);
      if (is_last) break;
      at = next->second.end_byte;
    }
    for (const PlacedPiece& part : parts) Insert(part);
  }

  void Report(const PlacedPiece& piece, const PlacedPiece& other) {
    violations_.push_back(
        {PackingRule::kOverlap, piece.buffer, other.buffer,
         absl::StrCat("buffer ", piece.buffer, " at ", Text(piece.first_byte),
                      " to ", Text(piece.end_byte), " overlaps buffer ",
                      other.buffer, " at ", Text(other.first_byte), " to ",
                      Text(other.end_byte), " at time ", piece.start)});
  }

  std::vector<PackingViolation>& violations_;
  std::map<absl::int128, PlacedPiece> live_;  // by first byte
  std::multimap<int64_t, absl::int128> ends_;
};

// The pieces of one buffer as disjoint rectangles: they may overlap each other.
void AddDisjoint(const PlacedPiece& place, absl::Span<const BufferPiece> pieces,
                 std::vector<PlacedPiece>& placed) {
  std::vector<int64_t> cuts;
  for (const BufferPiece& piece : pieces) {
    cuts.push_back(piece.live.start);
    cuts.push_back(piece.live.end);
  }
  std::sort(cuts.begin(), cuts.end());
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] == cuts[i + 1]) continue;
    std::map<int64_t, int64_t> ranges;  // first byte to end, of one moment
    for (const BufferPiece& piece : pieces) {
      if (piece.live.start > cuts[i] || piece.live.end < cuts[i + 1]) continue;
      int64_t& end = ranges[piece.offset_bytes];
      end = std::max(end, piece.offset_bytes + piece.size_bytes);
    }
    int64_t told = 0;
    for (const auto& [begin, end] : ranges) {
      const int64_t first = std::max(begin, told);
      if (first >= end) continue;
      placed.push_back({place.buffer, cuts[i], cuts[i + 1],
                        place.first_byte + first, place.first_byte + end});
      told = end;
    }
  }
}

// The rules that a buffer can break alone.
void CheckAlone(const PackingProblem& problem, int64_t i, int64_t offset,
                std::vector<PackingViolation>& violations) {
  const PackingBuffer& buffer = problem.buffers[i];
  const auto report = [&](PackingRule rule, const std::string& what) {
    violations.push_back({rule, i, -1, absl::StrCat("buffer ", i, what)});
  };
  if (offset < 0) {
    report(PackingRule::kNegative, absl::StrCat(" has offset ", offset));
  }
  if (offset % buffer.alignment_bytes != 0) {
    report(PackingRule::kAlignment,
           absl::StrCat(" has offset ", offset, ", no multiple of ",
                        buffer.alignment_bytes));
  }
  if (buffer.fixed_offset_bytes.value_or(offset) != offset) {
    report(PackingRule::kFixed,
           absl::StrCat(" has offset ", offset, ", but is fixed at ",
                        *buffer.fixed_offset_bytes));
  }
}

}  // namespace

std::vector<PackingViolation> FindPackingViolations(
    const PackingProblem& problem, absl::Span<const int64_t> offsets_bytes) {
  std::vector<PackingViolation> violations;
  if (offsets_bytes.size() != problem.buffers.size()) {
    violations.push_back({PackingRule::kCount, -1, -1,
                          absl::StrCat(problem.buffers.size(), " buffers have ",
                                       offsets_bytes.size(), " offsets")});
    return violations;
  }
  std::vector<PlacedPiece> pieces;
  for (size_t i = 0; i < offsets_bytes.size(); ++i) {
    const PackingBuffer& buffer = problem.buffers[i];
    const int64_t offset = offsets_bytes[i];
    const int64_t index = static_cast<int64_t>(i);
    CheckAlone(problem, index, offset, violations);
    const auto add = [&](LiveRange live, int64_t begin, int64_t size) {
      if (live.start >= live.end || size <= 0) return;
      const absl::int128 first = absl::int128(offset) + begin;
      pieces.push_back({index, live.start, live.end, first, first + size});
    };
    if (buffer.pieces.empty()) add(buffer.live, 0, buffer.size_bytes);
    AddDisjoint({index, 0, 0, offset, offset}, buffer.pieces, pieces);
  }
  // Without one, what an offset can say is the limit.
  const int64_t capacity = problem.capacity_bytes.value_or(INT64_MAX);
  int64_t last = -1;
  for (const PlacedPiece& piece : pieces) {
    if (piece.end_byte <= capacity || piece.buffer == last) continue;
    last = piece.buffer;
    violations.push_back(
        {PackingRule::kCapacity, piece.buffer, -1,
         absl::StrCat("buffer ", piece.buffer, " ends at ",
                      Text(piece.end_byte), ", the capacity is ", capacity)});
  }
  Sweep(violations).Run(std::move(pieces));
  return violations;
}

absl::Status VerifyPacking(const PackingProblem& problem,
                           const Packing& packing) {
  if (packing.status != PackingStatus::kFeasible) {
    if (packing.offsets_bytes.empty()) return absl::OkStatus();
    return absl::FailedPreconditionError("there are offsets, but no packing");
  }
  const std::vector<PackingViolation> violations =
      FindPackingViolations(problem, packing.offsets_bytes);
  if (!violations.empty()) {
    return absl::FailedPreconditionError(violations.front().message);
  }
  absl::int128 height = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const PackingBuffer& buffer = problem.buffers[i];
    const auto add = [&](LiveRange live, int64_t end) {
      if (live.start >= live.end) return;
      height = std::max(height, absl::int128(packing.offsets_bytes[i]) + end);
    };
    if (buffer.pieces.empty() && buffer.size_bytes > 0) {
      add(buffer.live, buffer.size_bytes);
    }
    for (const BufferPiece& piece : buffer.pieces) {
      if (piece.size_bytes > 0) {
        add(piece.live, piece.offset_bytes + piece.size_bytes);
      }
    }
  }
  if (height != packing.height_bytes) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the height is ", Text(height), ", not ", packing.height_bytes));
  }
  if (ByteCount(packing.height_bytes) < packing.lower_bound_bytes) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the height ", packing.height_bytes, " is below the lower bound ",
        packing.lower_bound_bytes.ToString()));
  }
  return absl::OkStatus();
}

}  // namespace ferry
