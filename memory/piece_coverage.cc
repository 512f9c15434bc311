// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/piece_coverage.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ferry {
namespace {

int64_t CoveredBytes(std::vector<BufferPiece>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const BufferPiece& a, const BufferPiece& b) {
              return a.offset_bytes < b.offset_bytes;
            });
  int64_t covered = 0;
  int64_t reached = 0;
  for (const BufferPiece& piece : pieces) {
    const int64_t end = piece.offset_bytes + piece.size_bytes;
    covered +=
        std::max<int64_t>(0, end - std::max(reached, piece.offset_bytes));
    reached = std::max(reached, end);
  }
  return covered;
}

}  // namespace

void AppendCoverageSteps(std::vector<BufferPiece> pieces,
                         std::vector<CoverageStep>& steps) {
  std::erase_if(pieces, [](const BufferPiece& piece) {
    return piece.live.IsEmpty() || piece.size_bytes == 0;
  });
  std::sort(pieces.begin(), pieces.end(),
            [](const BufferPiece& a, const BufferPiece& b) {
              return a.live.start < b.live.start;
            });
  std::vector<BufferPiece> open;
  int64_t covered = 0;
  const auto step_to = [&](LogicalTime time) {
    const int64_t now = CoveredBytes(open);
    if (now != covered) steps.push_back({time, now - covered});
    covered = now;
  };
  // Ends those that end up to `until`, one after another.
  const auto close = [&](LogicalTime until) {
    while (!open.empty()) {
      LogicalTime end = open[0].live.end;
      for (const BufferPiece& piece : open) {
        end = std::min(end, piece.live.end);
      }
      if (end > until) return;
      std::erase_if(open, [&](const BufferPiece& piece) {
        return piece.live.end == end;
      });
      // What begins at the same moment is one step with this.
      if (end < until) step_to(end);
    }
  };
  for (const BufferPiece& piece : pieces) {
    close(piece.live.start);
    open.push_back(piece);
    step_to(piece.live.start);
  }
  close(std::numeric_limits<LogicalTime>::max());
}

void SortCoverageSteps(std::vector<CoverageStep>& steps) {
  std::sort(steps.begin(), steps.end(),
            [](const CoverageStep& a, const CoverageStep& b) {
              return a.time < b.time;
            });
  size_t count = 0;
  for (const CoverageStep& step : steps) {
    if (count > 0 && steps[count - 1].time == step.time) {
      steps[count - 1].bytes += step.bytes;
    } else {
      steps[count++] = step;
    }
  }
  steps.resize(count);
  std::erase_if(steps, [](const CoverageStep& s) { return s.bytes == 0; });
}

}  // namespace ferry
