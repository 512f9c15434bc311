// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_fields.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ProtoFieldsTest, WalksFieldsAsTheyStand) {
  std::string bytes;
  AppendBytesField(1, "name", bytes);
  bytes += "\x28\x96\x01";  // field 5: 150
  ProtoFieldReader fields(bytes);
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.field().number, 1);
  EXPECT_EQ(fields.field().bytes, "name");
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.field().number, 5);
  EXPECT_EQ(fields.field().value, 150);
  EXPECT_EQ(fields.field().raw.size(), 3);
  EXPECT_FALSE(fields.Next());
  EXPECT_FALSE(fields.is_damaged());
}

TEST(ProtoFieldsTest, WhatIsCutOffIsDamaged) {
  std::string bytes;
  AppendBytesField(1, "name", bytes);
  for (size_t size = 1; size < bytes.size(); ++size) {
    ProtoFieldReader fields(absl::string_view(bytes).substr(0, size));
    EXPECT_FALSE(fields.Next());
    EXPECT_TRUE(fields.is_damaged());
  }
}

// Nesting costs no stack.
TEST(ProtoFieldsTest, GroupsArePassedOverHoweverDeepTheyNest) {
  constexpr int kDepth = 1000000;
  std::string bytes(kDepth, '\x1b');  // field 3 begins
  bytes += std::string(kDepth, '\x1c');
  ProtoFieldReader fields(bytes);
  EXPECT_TRUE(fields.Next());
  EXPECT_EQ(fields.field().wire, ProtoField::Wire::kGroup);
  EXPECT_FALSE(fields.Next());
  EXPECT_FALSE(fields.is_damaged());
  bytes.pop_back();
  ProtoFieldReader open(bytes);
  EXPECT_FALSE(open.Next());
  EXPECT_TRUE(open.is_damaged());
}

TEST(ProtoFieldsTest, RepeatedNumbersMayBePackedOrNot) {
  std::vector<int64_t> numbers;
  ProtoField packed;
  packed.wire = ProtoField::Wire::kBytes;
  packed.bytes = absl::string_view("\x01\x96\x01", 3);
  EXPECT_TRUE(AppendVarints(packed, numbers));
  ProtoField single;
  single.value = 7;
  EXPECT_TRUE(AppendVarints(single, numbers));
  EXPECT_EQ(numbers, (std::vector<int64_t>{1, 150, 7}));
  packed.bytes = "\x96";
  EXPECT_FALSE(AppendVarints(packed, numbers));
}

}  // namespace
}  // namespace ferry
