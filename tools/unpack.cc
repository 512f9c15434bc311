// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"

// Both go on piece by piece, with the output grown as it comes, so that neither
// a promise in a header nor a bomb decides how much memory is taken.

namespace ferry {
namespace {

constexpr size_t kPiece = size_t{1} << 18;

absl::Status TooMuch(size_t max_bytes) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "unpacked it has more than ", max_bytes, " bytes; unpack it first"));
}

absl::Status Damaged(absl::string_view form) {
  return absl::DataLossError(
      absl::StrCat("the ", form, " data is damaged or cut off"));
}

}  // namespace

absl::StatusOr<std::string> UnpackGzip(absl::string_view packed,
                                       size_t max_bytes) {
  z_stream stream = {};
  constexpr int kGzipOnly = 16;
  if (inflateInit2(&stream, kGzipOnly + MAX_WBITS) != Z_OK) {
    return absl::ResourceExhaustedError("no memory to unpack it");
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream,
                                                            &inflateEnd);
  std::string text;
  std::string piece(kPiece, '\0');
  bool at_end = false;
  while (!at_end || stream.avail_in > 0 || !packed.empty()) {
    if (stream.avail_in == 0) {
      const size_t size =
          std::min<size_t>(packed.size(), std::numeric_limits<int>::max());
      stream.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream.avail_in = static_cast<uInt>(size);
      packed.remove_prefix(size);
    }
    // Packed files can be joined; what is no gzip after the first is padding.
    if (at_end) {
      if (*stream.next_in != 0x1f || inflateReset(&stream) != Z_OK) break;
      at_end = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    const size_t produced = piece.size() - stream.avail_out;
    if (text.size() + produced > max_bytes) return TooMuch(max_bytes);
    text.append(piece, 0, produced);
    if (result != Z_OK && result != Z_STREAM_END) return Damaged("gzip");
    at_end = result == Z_STREAM_END;
  }
  return text;
}

absl::StatusOr<std::string> UnpackZstd(absl::string_view packed,
                                       size_t max_bytes) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(
      ZSTD_createDStream(), &ZSTD_freeDStream);
  if (stream == nullptr) {
    return absl::ResourceExhaustedError("no memory to unpack it");
  }
  std::string text;
  std::string piece(kPiece, '\0');
  ZSTD_inBuffer input = {packed.data(), packed.size(), 0};
  size_t expected = 1;  // 0 at the end of a frame
  bool is_full = false;
  while (input.pos < input.size || is_full) {
    ZSTD_outBuffer output = {piece.data(), piece.size(), 0};
    expected = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(expected)) return Damaged("zstd");
    if (text.size() + output.pos > max_bytes) return TooMuch(max_bytes);
    text.append(piece, 0, output.pos);
    is_full = output.pos == output.size && expected != 0;
  }
  if (expected != 0) return Damaged("zstd");
  return text;
}

}  // namespace ferry
