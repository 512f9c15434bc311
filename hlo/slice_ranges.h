// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SLICE_RANGES_H_
#define FERRY_HLO_SLICE_RANGES_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

struct SliceRange {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
};

// What slice takes of each dimension: `{[0:4], [0:8]}`, and the stride behind
// it, `{[0:4:1], [0:8:2]}`, where one of them is not 1. Tested by
// slice_ranges_test.cc.
struct SliceRanges {
  absl::InlinedVector<SliceRange, 6> dimensions;

  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, SliceRanges& ranges);

}  // namespace ferry

#endif  // FERRY_HLO_SLICE_RANGES_H_
