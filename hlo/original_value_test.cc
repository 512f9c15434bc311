// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/original_value.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  OriginalValue value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(OriginalValueTest, FollowsTheTuple) {
  const std::string nested = R"({(({"a"}, {"b" {1,2}}), {})})";
  EXPECT_EQ(Canonical(nested), nested);
  EXPECT_EQ(Canonical(R"({{"a" {}}})"), R"({{"a"}})");
  EXPECT_EQ(Canonical("{[ synthetic_call ]}"), "{[synthetic_call]}");
}

TEST(OriginalValueTest, OnlyLeavesCount) {
  EXPECT_EQ(Canonical("{}"), "{()}");
  EXPECT_EQ(Canonical(R"({({"a"}, ())})"), R"({({"a"})})");
  EXPECT_EQ(Canonical(R"({({"a"}, , {"b"})})"), R"({({"a"}, (), {"b"})})");
  EXPECT_EQ(Canonical(R"({({"a"} {"b"})})"), R"({({"b"})})");
  EXPECT_EQ(Canonical(R"({({"a"}) {"b"}})"), R"({{"b"}})");
  EXPECT_EQ(Canonical(R"({{""}})"), "{{}}");
}

TEST(OriginalValueTest, LeavesKnowTheirIndex) {
  OriginalValue value;
  ASSERT_TRUE(ReadWhole(R"({({}, ({"b" {3}}))})", value).ok());
  const auto leaves = value.Leaves();
  ASSERT_EQ(leaves.size(), 2);
  EXPECT_EQ(leaves[0].index, ShapeIndex({0}));
  EXPECT_EQ(leaves[0].array->instruction_name, "");
  EXPECT_EQ(leaves[1].index, ShapeIndex({1, 0}));
  EXPECT_EQ(leaves[1].array->instruction_name, "b");
  EXPECT_EQ(leaves[1].array->shape_index, ShapeIndex({3}));
}

// XLA dies of the first.
TEST(OriginalValueTest, WhatIsNoTreeIsRefused) {
  for (absl::string_view bad : {R"({{"a"},{"b"}})", R"({"a"})", R"({{a}})",
                                R"({{"a" 1}})", "{[synthetic]}"}) {
    OriginalValue value;
    EXPECT_FALSE(ReadWhole(bad, value).ok()) << bad;
  }
  OriginalValue value;
  const std::string deep = "{" + std::string(1000000, '(');
  EXPECT_FALSE(ReadWhole(deep, value).ok());
}

}  // namespace
}  // namespace ferry
