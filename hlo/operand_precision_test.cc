// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/operand_precision.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  OperandPrecision value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(OperandPrecisionTest, CaseDoesNotMatter) {
  EXPECT_EQ(Canonical("{ HIGHEST , Default }"), "{highest,default}");
  EXPECT_EQ(Canonical("{best}"),
            "expected a precision (default, high, highest), but saw `best`");
}

TEST(OperandPrecisionTest, IsNotPrintedIfAllAreDefault) {
  OperandPrecision precision;
  ASSERT_TRUE(ReadWhole("{default,default}", precision).ok());
  EXPECT_FALSE(precision.IsPrinted());
  ASSERT_TRUE(ReadWhole("{default,high}", precision).ok());
  EXPECT_TRUE(precision.IsPrinted());
}

}  // namespace
}  // namespace ferry
