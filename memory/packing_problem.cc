// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_problem.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

// What is wrong with the piece; empty if nothing.
std::string PieceProblem(const BufferPiece& piece) {
  if (piece.live.end < piece.live.start) {
    return absl::StrCat("is live from ", piece.live.start, " to ",
                        piece.live.end, ", which is earlier");
  }
  if (piece.size_bytes < 0) {
    return absl::StrCat("has ", piece.size_bytes, " bytes");
  }
  if (piece.offset_bytes < 0) {
    return absl::StrCat("has a piece at offset ", piece.offset_bytes);
  }
  if (piece.offset_bytes >
      std::numeric_limits<int64_t>::max() - piece.size_bytes) {
    return "has a piece that ends beyond 2^63 bytes";
  }
  return std::string();
}

std::string BufferProblem(const PackingBuffer& buffer) {
  BufferPiece storage;
  for (const BufferPiece& piece : buffer.Pieces(storage)) {
    std::string problem = PieceProblem(piece);
    if (!problem.empty()) return problem;
  }
  if (buffer.alignment_bytes <= 0) {
    return absl::StrCat("has the alignment ", buffer.alignment_bytes);
  }
  if (!buffer.fixed_offset_bytes.has_value()) return std::string();
  const int64_t offset = *buffer.fixed_offset_bytes;
  if (offset < 0 || offset % buffer.alignment_bytes != 0) {
    return absl::StrCat("is fixed at ", offset,
                        ", no multiple of its alignment ",
                        buffer.alignment_bytes);
  }
  if (offset >
      std::numeric_limits<int64_t>::max() - buffer.Bounds().size_bytes) {
    return absl::StrCat("is fixed at ", offset, " and ends beyond 2^63 bytes");
  }
  return std::string();
}

}  // namespace

absl::Span<const BufferPiece> PackingBuffer::Pieces(
    BufferPiece& storage) const {
  if (!pieces.empty()) return pieces;
  storage = {live, 0, size_bytes};
  return absl::MakeConstSpan(&storage, 1);
}

BufferPiece PackingBuffer::Bounds() const {
  if (pieces.empty()) return {live, 0, size_bytes};
  BufferPiece bounds;
  bool is_first = true;
  for (const BufferPiece& piece : pieces) {
    if (piece.live.IsEmpty() || piece.size_bytes == 0) continue;
    if (is_first) bounds.live = piece.live;
    is_first = false;
    bounds.live.start = std::min(bounds.live.start, piece.live.start);
    bounds.live.end = std::max(bounds.live.end, piece.live.end);
    bounds.size_bytes =
        std::max(bounds.size_bytes, piece.offset_bytes + piece.size_bytes);
  }
  return bounds;
}

PackingBuffer ColocateBuffers(absl::Span<const PackingBuffer> buffers) {
  PackingBuffer result;
  for (const PackingBuffer& buffer : buffers) {
    BufferPiece storage;
    const absl::Span<const BufferPiece> pieces = buffer.Pieces(storage);
    result.pieces.insert(result.pieces.end(), pieces.begin(), pieces.end());
    result.alignment_bytes =
        std::max(result.alignment_bytes, buffer.alignment_bytes);
    if (buffer.fixed_offset_bytes.has_value()) {
      result.fixed_offset_bytes = buffer.fixed_offset_bytes;
    }
  }
  return result;
}

absl::Status ValidatePackingProblem(const PackingProblem& problem) {
  if (problem.capacity_bytes.has_value() && *problem.capacity_bytes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the capacity is ", *problem.capacity_bytes, " bytes"));
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const std::string what = BufferProblem(problem.buffers[i]);
    if (what.empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat("buffer ", i, " ", what));
  }
  return absl::OkStatus();
}

}  // namespace ferry
