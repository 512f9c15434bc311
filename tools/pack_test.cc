// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/pack.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "ferry/tools/unpack.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr size_t kMax = 10'000'000;

std::string SomeText() {
  std::string text;
  for (int64_t i = 0; i < 300000; ++i) absl::StrAppend(&text, i * i, " ");
  return text;
}

TEST(PackTest, TheNameSaysHow) {
  EXPECT_EQ(PackingOf("a/b.hlo.gz"), Packing::kGzip);
  EXPECT_EQ(PackingOf("b.pb.zst"), Packing::kZstd);
  EXPECT_EQ(PackingOf("gz"), Packing::kNone);
  EXPECT_EQ(PackingOf("b.gz.hlo"), Packing::kNone);
  EXPECT_EQ(PackingOf(""), Packing::kNone);
}

TEST(PackTest, UnpackingGivesTheBytesBack) {
  for (const std::string& text :
       {SomeText(), std::string("x"), std::string()}) {
    EXPECT_EQ(*UnpackGzip(*Pack(text, Packing::kGzip), kMax), text);
    EXPECT_EQ(*UnpackZstd(*Pack(text, Packing::kZstd), kMax), text);
    EXPECT_EQ(*Pack(text, Packing::kNone), text);
  }
}

TEST(PackTest, PackedTextIsSmallerAndTheSameEachTime) {
  const std::string text = SomeText();
  for (Packing packing : {Packing::kGzip, Packing::kZstd}) {
    const std::string packed = *Pack(text, packing);
    EXPECT_LT(packed.size(), text.size() / 2);
    EXPECT_EQ(*Pack(text, packing), packed);
  }
}

}  // namespace
}  // namespace ferry
