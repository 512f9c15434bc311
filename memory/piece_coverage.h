// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PIECE_COVERAGE_H_
#define FERRY_MEMORY_PIECE_COVERAGE_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/live_range.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// A moment at which the bytes that something takes change, and by how much.
struct CoverageStep {
  LogicalTime time = 0;
  int64_t bytes = 0;

  friend bool operator==(const CoverageStep&, const CoverageStep&) = default;
};

// How many bytes rigid pieces cover together, over time; where they stand on
// one another, bytes count once.
//
//   pieces [0, 9) bytes 0..32, [4, 9) bytes 0..64    +32 at 0, +32 at 4, -64
//                                                    at 9
//
// Appends steps in ascending times. O(n log n), and what overlaps in time.
// Tested by piece_coverage_test.cc.
void AppendCoverageSteps(std::vector<BufferPiece> pieces,
                         std::vector<CoverageStep>& steps);

// Orders steps by time and joins those of one moment. The sum of all up to a
// moment is then what is covered from it on.
void SortCoverageSteps(std::vector<CoverageStep>& steps);

}  // namespace ferry

#endif  // FERRY_MEMORY_PIECE_COVERAGE_H_
