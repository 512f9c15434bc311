// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/donations.h"

#include <memory>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(DonationsTest, NamesBothNodes) {
  HloContext context;
  const std::unique_ptr<HloModule> module = *ParseHloText(
      R"(HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }
ENTRY main {
  x = f32[8]{0} parameter(0)
  y = f32[8]{0} parameter(1)
  ROOT t = (f32[8]{0}, f32[8]{0}) tuple(y, x)
})",
      context);
  const std::vector<Donation> donations = FindDonations(*module);
  ASSERT_EQ(donations.size(), 1);
  EXPECT_EQ(donations[0].parameter.instruction->name(), "x");
  EXPECT_EQ(donations[0].parameter.ordinal, 0);
  EXPECT_EQ(donations[0].result->instruction->name(), "t");
  EXPECT_EQ(donations[0].result->ordinal, 2);
}

TEST(DonationsTest, NoneWithoutAliases) {
  HloContext context;
  const std::unique_ptr<HloModule> module = *ParseHloText(
      "HloModule m\nENTRY main { ROOT x = f32[8]{0} parameter(0) }", context);
  EXPECT_TRUE(FindDonations(*module).empty());
}

}  // namespace
}  // namespace ferry
