// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/float_format.h"

#include <cmath>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr PrimitiveType kFloats[] = {
    PrimitiveType::kF16,        PrimitiveType::kBF16,
    PrimitiveType::kF32,        PrimitiveType::kF64,
    PrimitiveType::kF8E5M2,     PrimitiveType::kF8E4M3,
    PrimitiveType::kF8E4M3FN,   PrimitiveType::kF8E4M3B11FNUZ,
    PrimitiveType::kF8E3M4,     PrimitiveType::kF8E5M2FNUZ,
    PrimitiveType::kF8E4M3FNUZ, PrimitiveType::kF4E2M1FN,
    PrimitiveType::kF8E8M0FNU,  PrimitiveType::kF6E3M2FN,
    PrimitiveType::kF6E2M3FN};

std::string Print(PrimitiveType type, double value) {
  const FloatFormat& format = *FloatFormat::Find(type);
  std::string out;
  format.AppendTo(format.FromDouble(value), out);
  return out;
}

std::string PrintBits(PrimitiveType type, uint64_t bits) {
  std::string out;
  FloatFormat::Find(type)->AppendTo(bits, out);
  return out;
}

TEST(FloatFormatTest, EveryFloatingPointTypeHasOne) {
  for (PrimitiveType type : kFloats) {
    ASSERT_NE(FloatFormat::Find(type), nullptr) << PrimitiveTypeName(type);
  }
  EXPECT_EQ(FloatFormat::Find(PrimitiveType::kS32), nullptr);
  EXPECT_EQ(FloatFormat::Find(PrimitiveType::kC64), nullptr);
}

// All bit patterns of all types of at most 16 bits.
TEST(FloatFormatTest, ConversionToDoubleAndBackIsTheIdentity) {
  for (PrimitiveType type : kFloats) {
    const FloatFormat& format = *FloatFormat::Find(type);
    const int bits = format.exponent_bits + format.mantissa_bits +
                     (format.kind == FloatFormat::Kind::kScale ? 0 : 1);
    if (bits > 16) continue;
    for (uint64_t pattern = 0; pattern < uint64_t{1} << bits; ++pattern) {
      const double value = format.ToDouble(pattern);
      if (std::isnan(value)) continue;
      ASSERT_EQ(format.FromDouble(value), pattern)
          << PrimitiveTypeName(type) << " " << value;
    }
  }
}

TEST(FloatFormatTest, TiesGoToEven) {
  EXPECT_EQ(Print(PrimitiveType::kF8E5M2, 1.125), "1");
  EXPECT_EQ(Print(PrimitiveType::kF8E5M2, 1.12500000000001), "1.2");
  EXPECT_EQ(Print(PrimitiveType::kF8E5M2, 1.375), "1.5");
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, 0.25), "0");
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, 5), "4");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FN, 464), "448");
}

// A double just above the middle between two numbers is the middle as f32.
TEST(FloatFormatTest, SixteenBitsAreRoundedByWayOfF32) {
  EXPECT_EQ(Print(PrimitiveType::kBF16, 1.0039062500001), "1");
  EXPECT_EQ(Print(PrimitiveType::kF16, 1.0004882812500001), "1");
}

TEST(FloatFormatTest, ScalesRoundHalfUpAndHaveNoZero) {
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 1.5), "2");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 1.4999999999999), "1");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 3), "4");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 4e-324), "5.9e-39");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 0x1p-127), "5.9e-39");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 0x1.000001p-127), "1.2e-38");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, 0.0), "nan");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, -1.0), "nan");
}

TEST(FloatFormatTest, WhatIsTooLargeBecomesWhatTheTypeHas) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Print(PrimitiveType::kF16, 65520), "inf");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FN, 465), "nan");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FN, -kInfinity), "-nan");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FNUZ, kInfinity), "-nan");
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, 1e30), "6");
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, -kInfinity), "-6");
  EXPECT_EQ(Print(PrimitiveType::kF6E2M3FN, 100), "7.5");
  EXPECT_EQ(Print(PrimitiveType::kF8E8M0FNU, kInfinity), "nan");
}

TEST(FloatFormatTest, TheLimitOfOverflowIsHalfAStepBeyondTheLargest) {
  const auto overflows = [](PrimitiveType type, double value) {
    return FloatFormat::Find(type)->Overflows(value);
  };
  EXPECT_FALSE(overflows(PrimitiveType::kF32, 3.4028235677973362e38));
  EXPECT_TRUE(overflows(PrimitiveType::kF32, 3.4028235677973366e38));
  EXPECT_FALSE(overflows(PrimitiveType::kF8E4M3FN, 464));
  EXPECT_TRUE(overflows(PrimitiveType::kF8E4M3FN, 464.0000000001));
  EXPECT_TRUE(overflows(PrimitiveType::kF8E3M4, 15.75));
  EXPECT_FALSE(overflows(PrimitiveType::kF8E3M4, 15.74));
  EXPECT_FALSE(overflows(PrimitiveType::kF6E3M2FN, 1e300));
  EXPECT_TRUE(overflows(PrimitiveType::kF8E8M0FNU, 0));
  EXPECT_TRUE(overflows(PrimitiveType::kF8E8M0FNU, 2.5521177519070385e38));
}

TEST(FloatFormatTest, NansKeepSignAndPayload) {
  EXPECT_EQ(PrintBits(PrimitiveType::kF32, 0x7fc00000), "nan");
  EXPECT_EQ(PrintBits(PrimitiveType::kF32, 0xffc00000), "-nan");
  EXPECT_EQ(PrintBits(PrimitiveType::kF32, 0x7f800001), "nan(0x1)");
  EXPECT_EQ(PrintBits(PrimitiveType::kBF16, 0xffff), "-nan(0x7f)");
  EXPECT_EQ(PrintBits(PrimitiveType::kF8E5M2, 0x7d), "nan(0x1)");
  EXPECT_EQ(PrintBits(PrimitiveType::kF8E5M2FNUZ, 0x80), "-nan");
  const FloatFormat& f16 = *FloatFormat::Find(PrimitiveType::kF16);
  EXPECT_EQ(f16.MakeNan(true, 0x3ff), 0xffffu);
  EXPECT_EQ(f16.MakeNan(false, 0), 0x7e00u);
  EXPECT_EQ(f16.MaxNanPayload(), 0x3ffu);
}

TEST(FloatFormatTest, TypesOfNumbersAloneTakeNanAsZeroOfTheOtherSign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, nan), "-0");
  EXPECT_EQ(Print(PrimitiveType::kF6E2M3FN, std::copysign(nan, -1.0)), "0");
}

TEST(FloatFormatTest, ZerosKeepTheirSignIfTheTypeHasTwo) {
  EXPECT_EQ(Print(PrimitiveType::kF32, -0.0), "-0");
  EXPECT_EQ(Print(PrimitiveType::kF4E2M1FN, -0.01), "-0");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FNUZ, -0.0), "0");
  EXPECT_EQ(Print(PrimitiveType::kF8E4M3FNUZ, -1e-10), "0");
}

TEST(FloatFormatTest, WideTypesPrintTheShorterTextThatReadsBack) {
  EXPECT_EQ(Print(PrimitiveType::kF32, 0.1), "0.1");
  EXPECT_EQ(Print(PrimitiveType::kF32, 16777216), "16777216");
  EXPECT_EQ(Print(PrimitiveType::kF32, 1e-45), "1.4013e-45");
  EXPECT_EQ(Print(PrimitiveType::kF32, 3.40282347e38), "3.40282347e+38");
  EXPECT_EQ(Print(PrimitiveType::kF64, 0.1), "0.1");
  EXPECT_EQ(Print(PrimitiveType::kF64, 1.0 / 3), "0.33333333333333331");
  EXPECT_EQ(Print(PrimitiveType::kF64, 4e-324), "4.94065645841247e-324");
}

TEST(FloatFormatTest, NarrowTypesPrintAllDigits) {
  EXPECT_EQ(Print(PrimitiveType::kBF16, 0.1), "0.1001");
  EXPECT_EQ(Print(PrimitiveType::kF16, 0.1), "0.099976");
  EXPECT_EQ(Print(PrimitiveType::kF8E5M2, 57344), "5.7e+04");
  EXPECT_EQ(Print(PrimitiveType::kF8E3M4, 15.5), "15.5");
}

}  // namespace
}  // namespace ferry
