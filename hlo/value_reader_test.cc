// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/value_reader.h"

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

template <typename Value, typename Reader>
std::string ErrorOf(absl::string_view text, Reader read) {
  HloLexer lexer(text);
  Value value;
  return std::string(read(lexer, "a number", value).message());
}

TEST(ValueReaderTest, SaysWhatStandsThereInstead) {
  EXPECT_EQ(ErrorOf<int64_t>("x", ReadInt64), "expected a number, but saw `x`");
  EXPECT_EQ(ErrorOf<int64_t>("18446744073709551616", ReadInt64),
            "a number does not fit in 64 bits");
  EXPECT_EQ(ErrorOf<int32_t>("2147483648", ReadInt32),
            "a number does not fit in 32 bits");
  EXPECT_EQ(ErrorOf<double>(".5", ReadDouble),
            "expected a number, but saw `.5`");
}

TEST(ValueReaderTest, IntegersWrapAsDoublesToo) {
  HloLexer lexer("18446744073709551615 1e400 -0 -nan");
  double value = 0;
  ASSERT_TRUE(ReadDouble(lexer, "a number", value).ok());
  EXPECT_EQ(value, -1);
  ASSERT_TRUE(ReadDouble(lexer, "a number", value).ok());
  EXPECT_TRUE(std::isinf(value));
  ASSERT_TRUE(ReadDouble(lexer, "a number", value).ok());
  EXPECT_FALSE(std::signbit(value));
  ASSERT_TRUE(ReadDouble(lexer, "a number", value).ok());
  EXPECT_TRUE(std::isnan(value));
}

TEST(ValueReaderTest, AShapeIndexMayEndInAComma) {
  HloLexer lexer("{1,0,} {} {,}");
  ShapeIndex index;
  ASSERT_TRUE(ReadShapeIndex(lexer, index).ok());
  EXPECT_EQ(index, ShapeIndex({1, 0}));
  ASSERT_TRUE(ReadShapeIndex(lexer, index).ok());
  EXPECT_TRUE(index.empty());
  EXPECT_FALSE(ReadShapeIndex(lexer, index).ok());
}

}  // namespace
}  // namespace ferry
