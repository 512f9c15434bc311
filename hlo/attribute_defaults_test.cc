// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_defaults.h"

#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

TEST(AttributeDefaultsTest, MostDefaultsAreLeftOut) {
  EXPECT_TRUE(IsLeftOut(HloOpcode::kSort, {Kind::kIsStable, "false"}));
  EXPECT_FALSE(IsLeftOut(HloOpcode::kSort, {Kind::kIsStable, "true"}));
  EXPECT_FALSE(IsLeftOut(HloOpcode::kConstant, {Kind::kLiteral, "false"}));
  EXPECT_FALSE(IsLeftOut(HloOpcode::kTopk, {Kind::kLargest, "false"}));
  EXPECT_TRUE(
      IsLeftOut(HloOpcode::kConvolution, {Kind::kFeatureGroupCount, "1"}));
  EXPECT_TRUE(IsLeftOut(HloOpcode::kConvolution, {Kind::kWindow, "{}"}));
  EXPECT_FALSE(IsLeftOut(HloOpcode::kCustomCall, {Kind::kWindow, "{}"}));
  EXPECT_FALSE(IsLeftOut(HloOpcode::kAllReduce, {Kind::kChannelId, "0"}));
}

TEST(AttributeDefaultsTest, TheTypeOfACompareFollowsFromItsOperand) {
  HloContext context;
  const auto scalar = [&](PrimitiveType type) -> const Shape& {
    return context.GetArrayShape(type, {}, nullptr);
  };
  EXPECT_TRUE(IsDefaultCompareType("FLOAT", scalar(PrimitiveType::kBF16)));
  EXPECT_TRUE(IsDefaultCompareType("FLOAT", scalar(PrimitiveType::kC64)));
  EXPECT_TRUE(IsDefaultCompareType("SIGNED", scalar(PrimitiveType::kS8)));
  EXPECT_TRUE(IsDefaultCompareType("UNSIGNED", scalar(PrimitiveType::kPred)));
  EXPECT_FALSE(IsDefaultCompareType("TOTALORDER", scalar(PrimitiveType::kF32)));
}

TEST(AttributeDefaultsTest, SomeAreWrittenInAnyCase) {
  HloContext context;
  const Shape& array = context.GetArrayShape(PrimitiveType::kF32, {2, 3},
                                             &context.GetDefaultLayout(2));
  std::string saved;
  const auto added = [&](HloOpcode opcode) {
    llvm::SmallVector<HloAttribute, 2> attributes;
    AddUnwritten(
        opcode, &array,
        [&](absl::string_view text) -> absl::string_view {
          saved = std::string(text);
          return saved;
        },
        attributes);
    return attributes.empty() ? "" : std::string(attributes[0].text);
  };
  EXPECT_EQ(added(HloOpcode::kTopk), "true");
  EXPECT_EQ(added(HloOpcode::kScan), "false");
  EXPECT_EQ(added(HloOpcode::kAllGather), "{}");
  EXPECT_EQ(added(HloOpcode::kMap), "{0,1}");
  EXPECT_EQ(added(HloOpcode::kOutfeed), "f32[2,3]{1,0}");
  EXPECT_EQ(added(HloOpcode::kNegate), "");
}

}  // namespace
}  // namespace ferry
