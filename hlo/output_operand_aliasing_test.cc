// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/output_operand_aliasing.h"

#include <string>

#include <memory>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// A custom-call of two operands with this attribute.
std::vector<OutputOperandAlias> ReadOf(absl::string_view aliasing) {
  HloContext context;
  HloModule module(context, SourceText::FromString("", "test"));
  HloComputation& main =
      module.AddComputation("main", HloInstruction::kNoSource);
  const Shape& shape = context.GetArrayShape(PrimitiveType::kF32, {8},
                                             &context.GetDefaultLayout(1));
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kParameter;
  spec.name = "p";
  spec.shape = &shape;
  spec.number = 0;
  HloInstruction& parameter = module.AddInstruction(main, spec);
  HloInstruction* const operands[] = {&parameter, &parameter};
  const HloAttribute attributes[] = {
      {HloAttributeKind::kOutputToOperandAliasing, aliasing}};
  spec = {};
  spec.opcode = HloOpcode::kCustomCall;
  spec.name = "c";
  spec.shape = &shape;
  spec.operands = operands;
  spec.attributes = attributes;
  return ReadOutputOperandAliasing(module.AddInstruction(main, spec));
}

TEST(OutputOperandAliasingTest, ReadsEntriesInTheOrderOfTheText) {
  const std::vector<OutputOperandAlias> aliases =
      ReadOf("{{1,0}: (1, {2}), {}: (0, {})}");
  ASSERT_EQ(aliases.size(), 2);
  EXPECT_EQ(aliases[0].output_index, ShapeIndex({1, 0}));
  EXPECT_EQ(aliases[0].operand, 1);
  EXPECT_EQ(aliases[0].operand_index, ShapeIndex({2}));
  EXPECT_EQ(aliases[1].output_index, ShapeIndex({}));
  EXPECT_EQ(aliases[1].operand, 0);
}

TEST(OutputOperandAliasingTest, AnOperandThatDoesNotExistIsLeftOut) {
  const std::vector<OutputOperandAlias> aliases =
      ReadOf("{{0}: (2, {}), {1}: (-1, {}), {2}: (1, {})}");
  ASSERT_EQ(aliases.size(), 1);
  EXPECT_EQ(aliases[0].output_index, ShapeIndex({2}));
}

TEST(OutputOperandAliasingTest, BrokenEntriesAreLeftOut) {
  EXPECT_TRUE(ReadOf("").empty());
  EXPECT_TRUE(ReadOf("{}").empty());
  EXPECT_TRUE(ReadOf("{{x}: (0, {})}").empty());
  EXPECT_TRUE(ReadOf("{{0}: (0").empty());
}

TEST(OutputOperandAliasingTest, IsPrintedInOneForm) {
  OutputOperandAliasing aliasing;
  ASSERT_TRUE(ReadWhole("{ {0,}:(1,{}) , {}: (0, {2}), }", aliasing).ok());
  std::string out;
  aliasing.AppendTo(out);
  EXPECT_EQ(out, "{{0}: (1, {}), {}: (0, {2})}");
  EXPECT_FALSE(ReadWhole("{{}: 0}", aliasing).ok());
  EXPECT_FALSE(ReadWhole("{{}: (0, {}, may-alias)}", aliasing).ok());
}

}  // namespace
}  // namespace ferry
