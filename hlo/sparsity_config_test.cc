// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/sparsity_config.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// As it is printed, or what is wrong.
std::string Canonical(absl::string_view text) {
  SparsityConfig value;
  const absl::Status status = ReadWhole(text, value);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  value.AppendTo(out);
  return out;
}

TEST(SparsityConfigTest, PrintsEveryPartOfASide) {
  EXPECT_EQ(Canonical("{rhs={stride=1} lhs={dimension=1 sparsity=1x4}}"),
            "{lhs={sparsity=1x4 dimension=1 stride=0} "
            "rhs={sparsity=0x0 dimension=0 stride=1}}");
  EXPECT_EQ(Canonical("{lhs={sparsity=1x4} lhs={dimension=2}}"),
            "{lhs={sparsity=1x4 dimension=2 stride=0}}");
  SparsityConfig config;
  ASSERT_TRUE(ReadWhole("{}", config).ok());
  EXPECT_FALSE(config.IsPrinted());
}

TEST(SparsityConfigTest, TakesNoCommasAndTwoNumbers) {
  EXPECT_EQ(Canonical("{lhs={sparsity=1x4,dimension=1}}"),
            "expected `sparsity=`, `dimension=`, `stride=` or `}`, but saw "
            "`,`");
  EXPECT_EQ(Canonical("{lhs={sparsity=1x4x2}}"),
            "expected a sparsity like 1x4, but saw `1x4x2`");
}

}  // namespace
}  // namespace ferry
