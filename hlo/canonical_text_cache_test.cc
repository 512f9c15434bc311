// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/canonical_text_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ferry {
namespace {

TEST(CanonicalTextCacheTest, FindsWhatWasAdded) {
  CanonicalTextCache cache;
  absl::string_view canonical;
  EXPECT_FALSE(cache.Find("", canonical));
  EXPECT_FALSE(cache.Find("{ manual }", canonical));
  cache.Add("{ manual }", "{manual}");
  EXPECT_TRUE(cache.Find("{ manual }", canonical));
  EXPECT_EQ(canonical, "{manual}");
  EXPECT_FALSE(cache.Find("{manual}", canonical));
}

// There are fewer slots than texts, and none is taken for another.
TEST(CanonicalTextCacheTest, NeverFindsAnotherText) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) {
    texts.push_back("{maximal device=" + std::to_string(i) + "}");
  }
  CanonicalTextCache cache;
  for (const std::string& text : texts) cache.Add(text, text);
  int found = 0;
  for (const std::string& text : texts) {
    absl::string_view canonical;
    if (!cache.Find(text, canonical)) continue;
    ++found;
    EXPECT_EQ(canonical, text);
  }
  EXPECT_GT(found, 100);
  EXPECT_LE(found, 256);
}

}  // namespace
}  // namespace ferry
