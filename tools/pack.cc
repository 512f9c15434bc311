// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/pack.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "absl/strings/match.h"

namespace ferry {
namespace {

constexpr size_t kPiece = size_t{1} << 18;

absl::Status NoMemory() {
  return absl::ResourceExhaustedError("no memory to pack it");
}

absl::StatusOr<std::string> PackGzip(absl::string_view bytes) {
  constexpr int kGzip = 16;
  constexpr int kMemoryLevel = 8;  // zlib's default
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                   kGzip + MAX_WBITS, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return NoMemory();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream,
                                                            &deflateEnd);
  std::string packed;
  std::string piece(kPiece, '\0');
  // zlib counts input in 32 bits.
  for (int result = Z_OK; result != Z_STREAM_END;) {
    if (stream.avail_in == 0) {
      const size_t size =
          std::min<size_t>(bytes.size(), std::numeric_limits<int>::max());
      stream.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(size);
      bytes.remove_prefix(size);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    result = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    packed.append(piece, 0, piece.size() - stream.avail_out);
  }
  return packed;
}

absl::StatusOr<std::string> PackZstd(absl::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(),
                                    bytes.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size)) return NoMemory();
  packed.resize(size);
  return packed;
}

}  // namespace

Packing PackingOf(absl::string_view path) {
  if (absl::EndsWith(path, ".gz")) return Packing::kGzip;
  if (absl::EndsWith(path, ".zst")) return Packing::kZstd;
  return Packing::kNone;
}

absl::StatusOr<std::string> Pack(absl::string_view bytes, Packing packing) {
  switch (packing) {
    case Packing::kGzip:
      return PackGzip(bytes);
    case Packing::kZstd:
      return PackZstd(bytes);
    case Packing::kNone:
      break;
  }
  return std::string(bytes);
}

}  // namespace ferry
