// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/primitive_type.h"

#include <optional>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(PrimitiveTypeTest, NamesAreThoseOfHloText) {
  EXPECT_EQ(PrimitiveTypeName(PrimitiveType::kBF16), "bf16");
  EXPECT_EQ(PrimitiveTypeFromName("f8e4m3b11fnuz"),
            PrimitiveType::kF8E4M3B11FNUZ);
  EXPECT_EQ(PrimitiveTypeFromName("F32"), std::nullopt);
  EXPECT_EQ(PrimitiveTypeFromName(""), std::nullopt);
}

TEST(PrimitiveTypeTest, WidthsAreThoseOfOneElement) {
  EXPECT_EQ(BitWidth(PrimitiveType::kPred), 8);
  EXPECT_EQ(BitWidth(PrimitiveType::kS4), 4);
  EXPECT_EQ(BitWidth(PrimitiveType::kC128), 128);
  EXPECT_EQ(BitWidth(PrimitiveType::kTuple), 0);
}

TEST(PrimitiveTypeTest, OnlyArraysHaveElements) {
  EXPECT_TRUE(IsArrayType(PrimitiveType::kF32));
  EXPECT_FALSE(IsArrayType(PrimitiveType::kToken));
  EXPECT_FALSE(IsArrayType(PrimitiveType::kBuffer));
}

}  // namespace
}  // namespace ferry
