// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_INDEX_H_
#define FERRY_HLO_SHAPE_INDEX_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace ferry {

// A path of tuple element numbers into a shape; `{}` is the shape itself.
// Tested by shape_test.cc and value_reader_test.cc.
using ShapeIndex = absl::InlinedVector<int64_t, 2>;

// "{1,0}", as XLA prints it: no spaces.
std::string ShapeIndexToString(absl::Span<const int64_t> index);

}  // namespace ferry

#endif  // FERRY_HLO_SHAPE_INDEX_H_
