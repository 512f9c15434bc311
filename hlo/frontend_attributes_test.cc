// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/frontend_attributes.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  FrontendAttributes value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(FrontendAttributesTest, AreSortedByKeyAndTheLastOfAKeyCounts) {
  EXPECT_EQ(Canonical(R"({b="1", a="2", B="3", b="4"})"),
            R"({B="3",a="2",b="4"})");
  EXPECT_EQ(Canonical("{}"), "{}");
}

TEST(FrontendAttributesTest, ValuesAreRawIfTheirBracesMatchToTheEnd) {
  EXPECT_EQ(Canonical(R"({a="{x}",b="{x",c={"}"}})"),
            R"({a={x},b="{x",c={"}"}})");
}

TEST(FrontendAttributesTest, KeysAreWords) {
  EXPECT_EQ(Canonical(R"({f32="x",true={}})"), R"({f32="x",true={}})");
  EXPECT_EQ(Canonical(R"({"a"="b"})"), R"(expected `key=`, but saw `\"a\"`)");
  EXPECT_EQ(Canonical(R"({a="b",})"), "expected `key=`, but saw `}`");
  EXPECT_EQ(Canonical("{a=1}"), "expected a string or `{...}`, but saw `1`");
}

}  // namespace
}  // namespace ferry
