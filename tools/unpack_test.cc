// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/unpack.h"

#include <zlib.h>
#include <zstd.h>

#include <cstdint>

#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr size_t kMax = 10'000'000;

std::string PackGzip(const std::string& text) {
  z_stream stream = {};
  constexpr int kGzip = 16;
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, kGzip + MAX_WBITS, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string packed(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string PackZstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string SomeText() {
  std::string text;
  for (int64_t i = 0; i < 100000; ++i) text += std::to_string(i * i) + " ";
  return text;
}

TEST(UnpackTest, GivesBackWhatWasPacked) {
  const std::string text = SomeText();
  EXPECT_EQ(*UnpackGzip(PackGzip(text), kMax), text);
  EXPECT_EQ(*UnpackZstd(PackZstd(text), kMax), text);
  EXPECT_EQ(*UnpackGzip(PackGzip(""), kMax), "");
  EXPECT_EQ(*UnpackZstd(PackZstd(""), kMax), "");
}

TEST(UnpackTest, JoinedFilesAreOne) {
  EXPECT_EQ(*UnpackGzip(PackGzip("ab") + PackGzip("cd"), kMax), "abcd");
  EXPECT_EQ(*UnpackZstd(PackZstd("ab") + PackZstd("cd"), kMax), "abcd");
}

TEST(UnpackTest, EveryCutIsDamage) {
  const std::string gzip = PackGzip("some text, some text");
  const std::string zstd = PackZstd("some text, some text");
  for (size_t size = 1; size < gzip.size(); ++size) {
    EXPECT_EQ(UnpackGzip(gzip.substr(0, size), kMax).status().code(),
              absl::StatusCode::kDataLoss);
  }
  for (size_t size = 1; size < zstd.size(); ++size) {
    EXPECT_EQ(UnpackZstd(zstd.substr(0, size), kMax).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST(UnpackTest, StopsAtTheBound) {
  const std::string text(1'000'000, 'x');
  EXPECT_EQ(UnpackGzip(PackGzip(text), 999'999).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(UnpackZstd(PackZstd(text), 999'999).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(UnpackGzip(PackGzip(text), 1'000'000).ok());
  EXPECT_TRUE(UnpackZstd(PackZstd(text), 1'000'000).ok());
}

}  // namespace
}  // namespace ferry
