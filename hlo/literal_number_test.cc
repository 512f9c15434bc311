// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal_number.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr LiteralDialect kText = LiteralDialect::kText;
constexpr LiteralDialect kCanonical = LiteralDialect::kCanonical;

uint64_t Bits(PrimitiveType type, absl::string_view number,
              LiteralDialect dialect = kText) {
  return BitsOfNumber(type, number, dialect).value();
}
bool Fits(PrimitiveType type, absl::string_view number) {
  return BitsOfNumber(type, number, kText).ok();
}

TEST(LiteralNumberTest, IntegersAreCheckedAgainstTheirType) {
  EXPECT_EQ(Bits(PrimitiveType::kS32, "-1"), ~uint64_t{0});
  EXPECT_TRUE(Fits(PrimitiveType::kS32, "2147483647"));
  EXPECT_FALSE(Fits(PrimitiveType::kS32, "2147483648"));
  EXPECT_TRUE(Fits(PrimitiveType::kS32, "-2147483648"));
  EXPECT_FALSE(Fits(PrimitiveType::kU32, "-1"));
  EXPECT_TRUE(Fits(PrimitiveType::kU1, "1"));
  EXPECT_FALSE(Fits(PrimitiveType::kU1, "2"));
  EXPECT_TRUE(Fits(PrimitiveType::kS1, "-1"));
  EXPECT_FALSE(Fits(PrimitiveType::kS1, "1"));
  EXPECT_FALSE(Fits(PrimitiveType::kS4, "8"));
  EXPECT_FALSE(Fits(PrimitiveType::kS32, "1.0"));
  EXPECT_FALSE(Fits(PrimitiveType::kS32, "inf"));
  EXPECT_EQ(Bits(PrimitiveType::kPred, "-5"), 1u);
}

// The 64 bits of a token are taken as signed.
TEST(LiteralNumberTest, IntegersOf64BitsWrap) {
  EXPECT_EQ(Bits(PrimitiveType::kU64, "-1"), ~uint64_t{0});
  EXPECT_EQ(Bits(PrimitiveType::kS64, "18446744073709551615"), ~uint64_t{0});
  EXPECT_EQ(Bits(PrimitiveType::kS32, "18446744073709551615"), ~uint64_t{0});
  EXPECT_FALSE(Fits(PrimitiveType::kU16, "18446744073709551615"));
  EXPECT_FALSE(Fits(PrimitiveType::kU64, "18446744073709551616"));
  EXPECT_EQ(Bits(PrimitiveType::kF32, "18446744073709551615"), 0xbf800000u);
  EXPECT_FALSE(Fits(PrimitiveType::kF64, "18446744073709551616"));
}

TEST(LiteralNumberTest, FloatsMayNotRoundToInfinity) {
  EXPECT_TRUE(Fits(PrimitiveType::kF16, "65519"));
  EXPECT_FALSE(Fits(PrimitiveType::kF16, "65520"));
  EXPECT_TRUE(Fits(PrimitiveType::kF16, "inf"));
  EXPECT_FALSE(Fits(PrimitiveType::kF64, "1e309"));
  EXPECT_TRUE(Fits(PrimitiveType::kF4E2M1FN, "1e300"));
}

TEST(LiteralNumberTest, NanPayloadsMustFitTheMantissa) {
  EXPECT_EQ(Bits(PrimitiveType::kBF16, "-nan(0x7f)"), 0xffffu);
  EXPECT_FALSE(Fits(PrimitiveType::kBF16, "nan(0x80)"));
  EXPECT_EQ(Bits(PrimitiveType::kF8E4M3FN, "nan"), 0x7fu);
  EXPECT_FALSE(Fits(PrimitiveType::kF8E4M3FN, "nan(0x1)"));
  // That of a double's default NaN is none.
  EXPECT_EQ(Bits(PrimitiveType::kF16, "nan(0x8000000000000)"), 0x7e00u);
  EXPECT_FALSE(Fits(PrimitiveType::kF64, "nan(0x0)"));
  EXPECT_FALSE(Fits(PrimitiveType::kF64, "nan(0x10000000000000)"));
}

TEST(LiteralNumberTest, MinusZeroIsAnIntegerInTextAndAFloatWhenPrinted) {
  EXPECT_EQ(Bits(PrimitiveType::kF32, "-0"), 0u);
  EXPECT_EQ(Bits(PrimitiveType::kF32, "-0.0"), 0x80000000u);
  EXPECT_EQ(Bits(PrimitiveType::kF32, "-0", kCanonical), 0x80000000u);
  EXPECT_EQ(Bits(PrimitiveType::kF8E8M0FNU, "5.9e-39", kCanonical), 0u);
}

TEST(LiteralNumberTest, ANanInFrontIsTheNanOfBothParts) {
  using Parts = std::array<uint64_t, 2>;
  const auto bits = [](absl::string_view real, absl::string_view imaginary,
                       LiteralDialect dialect) {
    return BitsOfComplex(PrimitiveType::kF32, real, imaginary, dialect).value();
  };
  EXPECT_EQ(bits("nan(0x1)", "2", kText), (Parts{0x7f800001, 0x7f800001}));
  EXPECT_EQ(bits("nan(0x1)", "2", kCanonical), (Parts{0x7f800001, 0x40000000}));
  EXPECT_EQ(bits("1", "-nan(0x3)", kText), (Parts{0x3f800000, 0xffc00000}));
  EXPECT_EQ(bits("1", "-nan(0x3)", kCanonical),
            (Parts{0x3f800000, 0xff800003}));
  EXPECT_FALSE(BitsOfComplex(PrimitiveType::kF32, "nan", "1e300", kText).ok());
}

}  // namespace
}  // namespace ferry
