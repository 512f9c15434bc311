// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SLICE_BOUNDS_H_
#define FERRY_HLO_SLICE_BOUNDS_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"

namespace ferry {

// One dimension of the attribute `slice` of slice: the elements start,
// start + stride, ... below limit. Tested by slice_bounds_test.cc.
struct SliceBounds {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
};

// `{[0:4], [2:8:2]}`, as the reader left it; nullopt for anything else.
std::optional<absl::InlinedVector<SliceBounds, 6>> ReadSliceBounds(
    absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_SLICE_BOUNDS_H_
