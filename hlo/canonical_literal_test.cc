// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/canonical_literal.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/float_format.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/literal_number.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

class CanonicalLiteralTest : public ::testing::Test {
 protected:
  size_t Length(absl::string_view shape, absl::string_view text) {
    return CanonicalLiteralLength(*ParseShape(shape, context_).value(), text);
  }
  // With what stands behind a constant's argument.
  bool IsCanonical(absl::string_view shape, absl::string_view text) {
    return Length(shape, absl::StrCat(text, ")")) == text.size();
  }

  HloContext context_;
};

TEST_F(CanonicalLiteralTest, WhatThePrinterWritesIsCanonical) {
  EXPECT_TRUE(IsCanonical("s32[]", "-12"));
  EXPECT_TRUE(IsCanonical("pred[]", "true"));
  EXPECT_TRUE(IsCanonical("pred[2]", "{1, 0}"));
  EXPECT_TRUE(IsCanonical("s32[2,2]", "{ { 1, 2 }, { 3, 4 } }"));
  EXPECT_TRUE(IsCanonical("s32[2,1]", "{ {1}, {2} }"));
  EXPECT_TRUE(IsCanonical(
      "s32[2,1,1,2]",
      "{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } } }, { /*i0=1*/ { /*i1=0*/ { 3, 4 } } "
      "} }"));
  EXPECT_TRUE(IsCanonical("c64[2]", "{(1, -2), (inf, 0.5)}"));
  EXPECT_TRUE(IsCanonical("(f32[], (s32[2]))", "( 1, ( {2, 3} ) )"));
  EXPECT_TRUE(IsCanonical("f32[96,8,6,2048,2048]", "{...}"));
}

TEST_F(CanonicalLiteralTest, OtherSpellingsAreNot) {
  EXPECT_FALSE(IsCanonical("s32[]", "012"));
  EXPECT_FALSE(IsCanonical("s32[]", "-0"));
  EXPECT_FALSE(IsCanonical("u8[]", "256"));
  EXPECT_FALSE(IsCanonical("s4[]", "8"));
  EXPECT_FALSE(IsCanonical("pred[]", "1"));
  EXPECT_FALSE(IsCanonical("pred[2]", "{true, false}"));
  EXPECT_FALSE(IsCanonical("s32[2]", "{1,2}"));
  EXPECT_FALSE(IsCanonical("s32[2]", "{ 1, 2 }"));
  EXPECT_FALSE(IsCanonical("s32[2]", "{1, 2, 3}"));
  EXPECT_FALSE(IsCanonical("s32[]", "1x1"));
  EXPECT_FALSE(IsCanonical("f32[]", "-0"));
  EXPECT_FALSE(IsCanonical("f32[]", "1.0"));
  EXPECT_FALSE(IsCanonical("f32[]", "1e5"));
  EXPECT_FALSE(IsCanonical("f32[]", "0.00001"));
  EXPECT_FALSE(IsCanonical("f32[]", "0.1000000001"));
  EXPECT_FALSE(IsCanonical("f32[]", "0.100000001"));
  EXPECT_FALSE(IsCanonical("bf16[]", "0.1"));
  EXPECT_FALSE(IsCanonical("c64[]", "(nan, 1)"));
  EXPECT_FALSE(IsCanonical("c64[]", "(1, nan(0x1))"));
  EXPECT_FALSE(IsCanonical("f8e8m0fnu[]", "0"));
  EXPECT_FALSE(IsCanonical("f32[]", "{...}"));
  EXPECT_FALSE(IsCanonical("f32[0]", "{...}"));
}

constexpr PrimitiveType kFloats[] = {
    PrimitiveType::kF16,        PrimitiveType::kBF16,
    PrimitiveType::kF32,        PrimitiveType::kF64,
    PrimitiveType::kF8E5M2,     PrimitiveType::kF8E4M3,
    PrimitiveType::kF8E4M3FN,   PrimitiveType::kF8E4M3B11FNUZ,
    PrimitiveType::kF8E3M4,     PrimitiveType::kF8E5M2FNUZ,
    PrimitiveType::kF8E4M3FNUZ, PrimitiveType::kF4E2M1FN,
    PrimitiveType::kF8E8M0FNU,  PrimitiveType::kF6E3M2FN,
    PrimitiveType::kF6E2M3FN};

std::string Reprint(PrimitiveType type, const std::string& number) {
  HloLexer lexer(number);
  if (lexer.ScanNumber() != number) return "";
  const auto bits = BitsOfNumber(type, number, LiteralDialect::kText);
  std::string out;
  if (bits.ok()) FloatFormat::Find(type)->AppendTo(*bits, out);
  return out;
}

// Texts as printed, and the same with a byte changed: proven exactly if reading
// and printing gives the same text.
TEST_F(CanonicalLiteralTest, AFloatIsCanonicalIfItPrintsAsItself) {
  std::mt19937_64 random(7);
  for (PrimitiveType type : kFloats) {
    const std::string shape = absl::StrCat(PrimitiveTypeName(type), "[]");
    const FloatFormat& format = *FloatFormat::Find(type);
    for (int i = 0; i < 20000; ++i) {
      const double exponent = static_cast<double>(random() % 2000) / 100 - 12;
      const double value = std::pow(10.0, exponent);
      if (format.Overflows(value)) continue;
      std::string text;
      format.AppendTo(format.FromDouble(value), text);
      if (i % 2 == 1) {
        static constexpr absl::string_view kBytes = "0123456789.e+-";
        const size_t at = random() % text.size();
        const char byte = kBytes[random() % kBytes.size()];
        if (i % 4 == 1) {
          text[at] = byte;
        } else {
          text.insert(at, 1, byte);
        }
      }
      ASSERT_EQ(IsCanonical(shape, text), Reprint(type, text) == text)
          << shape << " " << text << " prints " << Reprint(type, text);
    }
  }
}

}  // namespace
}  // namespace ferry
