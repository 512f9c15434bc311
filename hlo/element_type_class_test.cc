// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/element_type_class.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ElementTypeClassTest, EachTypeIsInOneClass) {
  EXPECT_TRUE(IsSignedInteger(PrimitiveType::kS1));
  EXPECT_TRUE(IsSignedInteger(PrimitiveType::kS64));
  EXPECT_TRUE(IsUnsignedInteger(PrimitiveType::kU4));
  EXPECT_TRUE(IsFloatingPoint(PrimitiveType::kF8E8M0FNU));
  EXPECT_TRUE(IsComplex(PrimitiveType::kC128));
  EXPECT_FALSE(IsInteger(PrimitiveType::kPred));
  EXPECT_FALSE(IsFloatingPoint(PrimitiveType::kC64));
  EXPECT_FALSE(IsSignedInteger(PrimitiveType::kU1));
}

TEST(ElementTypeClassTest, RangeComesBeforePrecision) {
  EXPECT_EQ(HigherPrecision(PrimitiveType::kF16, PrimitiveType::kBF16),
            PrimitiveType::kBF16);
  EXPECT_EQ(HigherPrecision(PrimitiveType::kF8E4M3FN, PrimitiveType::kF8E5M2),
            PrimitiveType::kF8E5M2);
  EXPECT_EQ(HigherPrecision(PrimitiveType::kS64, PrimitiveType::kF16),
            PrimitiveType::kF16);
  EXPECT_EQ(HigherPrecision(PrimitiveType::kU32, PrimitiveType::kS32),
            PrimitiveType::kS32);
  EXPECT_EQ(HigherPrecision(PrimitiveType::kF64, PrimitiveType::kC64),
            PrimitiveType::kC64);
}

TEST(ElementTypeClassTest, MessagesNameTypesInUpperCase) {
  EXPECT_EQ(PrimitiveTypeMessageName(PrimitiveType::kBF16), "BF16");
  EXPECT_EQ(PrimitiveTypeMessageName(PrimitiveType::kTuple), "TUPLE");
}

}  // namespace
}  // namespace ferry
