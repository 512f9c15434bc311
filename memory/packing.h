// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACKING_H_
#define FERRY_MEMORY_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

enum class PackingStatus {
  kFeasible,    // there are offsets
  kInfeasible,  // proved: the capacity cannot hold the buffers
  kUnknown,     // neither offsets nor a proof within the effort
};

// The answer to a PackingProblem: a number comes with its bound.
struct Packing {
  PackingStatus status = PackingStatus::kUnknown;
  // By buffer; empty unless feasible. A buffer without bytes stands
  // where it is fixed, else at 0.
  std::vector<int64_t> offsets_bytes;
  // The end of the highest byte used; 0 unless feasible.
  int64_t height_bytes = 0;
  // Proved: no packing is lower, whatever the capacity. (More than fits 63
  // bits is possible, and then infeasible.)
  ByteCount lower_bound_bytes;
  // The time limit or a cancellation struck: more effort was allowed.
  bool timed_out = false;

  // Whether `status` and height are the last word: lowest, or infeasible.
  bool IsProven() const {
    return status == PackingStatus::kInfeasible ||
           (status == PackingStatus::kFeasible &&
            lower_bound_bytes == ByteCount(height_bytes));
  }
};

// The end of the highest byte that any buffer uses at these offsets.
int64_t PackingHeight(const PackingProblem& problem,
                      absl::Span<const int64_t> offsets_bytes);

}  // namespace ferry

#endif  // FERRY_MEMORY_PACKING_H_
