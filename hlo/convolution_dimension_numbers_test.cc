// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/convolution_dimension_numbers.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  ConvolutionDimensionNumbers value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(ConvolutionDimensionNumbersTest, ThePlaceOfALetterIsItsDimension) {
  ConvolutionDimensionNumbers numbers;
  ASSERT_TRUE(ReadWhole("b10f_01oi->f01b", numbers).ok());
  EXPECT_EQ(numbers.input.second, 3);
  EXPECT_EQ(numbers.input.spatial, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(numbers.kernel.first, 3);
  EXPECT_EQ(numbers.output.first, 3);
  EXPECT_EQ(Canonical("b10f_01oi->f01b"), "b10f_01oi->f01b");
}

TEST(ConvolutionDimensionNumbersTest, MissingLettersStandForDimension0) {
  EXPECT_EQ(Canonical("b01_01io->b01f"), "f01_01io->b01f");
  EXPECT_EQ(Canonical("b01f_01i->b01f"), "b01f_01i->b01f");
  EXPECT_EQ(Canonical("?b01f?_01io->b01f"), "?b01f_01io->b01f");
}

TEST(ConvolutionDimensionNumbersTest, SaysWhatIsWrong) {
  EXPECT_EQ(Canonical("bb1f_01io->b01f"),
            "input, kernel, and output must have same number of spatial "
            "dimensions, but got 1, 2, 2, respectively.");
  EXPECT_EQ(Canonical("bff_io->bf"),
            "expects unique lhs dimension numbers, but sees bff");
  EXPECT_EQ(Canonical("b02f_02io->b02f"),
            "spatial dimensions of lhs must count from 0 without a gap, but "
            "`b02f` has 2");
  EXPECT_EQ(Canonical("b01f"),
            "expected dimension labels like b01f_01io->b01f, but saw `b01f`");
}

}  // namespace
}  // namespace ferry
