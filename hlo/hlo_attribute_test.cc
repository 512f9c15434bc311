// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_attribute.h"

#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(HloAttributeTest, ANameFindsItsKind) {
  EXPECT_EQ(HloAttributeFromName("custom_call_target"),
            HloAttributeKind::kCustomCallTarget);
  EXPECT_EQ(HloAttributeName(HloAttributeKind::kCustomCallTarget),
            "custom_call_target");
  EXPECT_EQ(HloAttributeFromName("no_such"), std::nullopt);
  EXPECT_EQ(HloAttributeFormOf(HloAttributeKind::kMetadata),
            HloAttributeForm::kMetadata);
}

TEST(HloAttributeTest, IntegersMayHaveSpacesAndComments) {
  EXPECT_THAT(ReadIntegers("{1,2}"), Optional(ElementsAre(1, 2)));
  EXPECT_THAT(ReadIntegers("{ -1 , /*x*/ 2 }"), Optional(ElementsAre(-1, 2)));
  EXPECT_THAT(ReadIntegers("{}"), Optional(IsEmpty()));
  EXPECT_EQ(ReadIntegers("{1,}"), std::nullopt);
  EXPECT_EQ(ReadIntegers("1"), std::nullopt);
  EXPECT_EQ(ReadIntegers("{a}"), std::nullopt);
}

TEST(HloAttributeTest, AnIntegerIsAllOfTheText) {
  EXPECT_EQ(ReadInteger("42"), 42);
  EXPECT_EQ(ReadInteger("-1"), -1);
  EXPECT_EQ(ReadInteger("42 x"), std::nullopt);
  EXPECT_EQ(ReadInteger("99999999999999999999"), std::nullopt);
}

TEST(HloAttributeTest, AStringLosesQuotesAndEscapes) {
  EXPECT_EQ(ReadString(R"("a\"b\n")"), "a\"b\n");
  EXPECT_EQ(ReadString(R"({"a": 1})"), R"({"a": 1})");
}

TEST(HloAttributeTest, RulesSayWhatAnOpcodeMayAndMustCarry) {
  EXPECT_TRUE(
      IsAllowedAttribute(HloOpcode::kTranspose, HloAttributeKind::kDimensions));
  EXPECT_TRUE(
      IsAllowedAttribute(HloOpcode::kTranspose, HloAttributeKind::kMetadata));
  EXPECT_FALSE(
      IsAllowedAttribute(HloOpcode::kAdd, HloAttributeKind::kDimensions));
  EXPECT_THAT(RequiredAttributes(HloOpcode::kTranspose),
              ElementsAre(HloAttributeKind::kDimensions));
  EXPECT_THAT(RequiredAttributes(HloOpcode::kAdd), IsEmpty());
  EXPECT_THAT(AllowedAttributeNames(HloOpcode::kTranspose),
              Contains("dimensions"));
}

TEST(HloAttributeTest, RolesStandInTheOrderOfTheCallees) {
  EXPECT_THAT(CalledComputationRoles(HloOpcode::kWhile),
              ElementsAre("condition", "body"));
  EXPECT_THAT(CalledComputationRoles(HloOpcode::kAdd), IsEmpty());
}

}  // namespace
}  // namespace ferry
