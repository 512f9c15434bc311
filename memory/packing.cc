// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing.h"

#include <algorithm>

namespace ferry {

int64_t PackingHeight(const PackingProblem& problem,
                      absl::Span<const int64_t> offsets_bytes) {
  int64_t height = 0;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const BufferPiece bounds = problem.buffers[i].Bounds();
    if (bounds.live.IsEmpty() || bounds.size_bytes == 0) continue;
    height = std::max(height, offsets_bytes[i] + bounds.size_bytes);
  }
  return height;
}

}  // namespace ferry
