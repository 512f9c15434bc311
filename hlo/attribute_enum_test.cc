// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_enum.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(AttributeEnumTest, AlgorithmDependsOnTheOpcode) {
  const auto kind = HloAttributeKind::kAlgorithm;
  const AttributeEnum* dot = FindAttributeEnum(HloOpcode::kDot, kind);
  const AttributeEnum* random =
      FindAttributeEnum(HloOpcode::kRngBitGenerator, kind);
  EXPECT_EQ(FindEnumValue(*dot, "DOT_F32_F32_F32"), "dot_f32_f32_f32");
  EXPECT_EQ(FindEnumValue(*dot, "rng_philox"), "");
  EXPECT_EQ(FindEnumValue(*random, "Rng_Philox"), "rng_philox");
}

TEST(AttributeEnumTest, SomeWordsMustBeWrittenExactly) {
  const AttributeEnum* direction =
      FindAttributeEnum(HloOpcode::kCompare, HloAttributeKind::kDirection);
  EXPECT_EQ(FindEnumValue(*direction, "LT"), "LT");
  EXPECT_EQ(FindEnumValue(*direction, "lt"), "");
  EXPECT_EQ(FindAttributeEnum(HloOpcode::kDot, HloAttributeKind::kWindow),
            nullptr);
}

}  // namespace
}  // namespace ferry
