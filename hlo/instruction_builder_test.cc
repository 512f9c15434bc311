// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/instruction_builder.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/source_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// The root of an entry with a few parameters, as it is printed behind its
// shape; or what is wrong with it.
std::string Root(absl::string_view instruction) {
  HloContext context;
  const HloParseResult read =
      ParseHlo(SourceText::FromString(
                   absl::StrCat("HloModule m, is_scheduled=true\n"
                                "neg { a = f32[8] parameter(0)\n"
                                "  ROOT n = f32[8] negate(a) }\n"
                                "ENTRY e { x = f32[8] parameter(0)\n"
                                "  m = f32[4,8] parameter(1)\n"
                                "  t = token[] after-all()\n"
                                "  sent = (f32[8], u32[], token[]) send(x, t), "
                                "channel_id=1\n"
                                "  ROOT r = ",
                                instruction, " }"),
                   "test.hlo"),
               context, {.allow_unknown = false});
  if (read.module == nullptr) return read.diagnostics[0].message;
  const std::string text = HloToString(read.module->entry().root());
  return text.substr(text.find(" = ") + 3);
}

TEST(InstructionBuilderTest, ShapesOfTransfersFollowFromTheirData) {
  EXPECT_EQ(Root("(f32[4], u32[]{:S(2)}, token[]) send(x, t)"),
            "(f32[8]{0}, u32[], token[]) send(%x, %t)");
  EXPECT_EQ(Root("(f32[8]{0:S(5)}) recv(t)"),
            "(f32[8]{0:S(5)}, u32[], token[]) recv(%t)");
  EXPECT_EQ(Root("(f32[2], s32[]) infeed(t)"),
            "(f32[2]{0}, token[]) infeed(%t)");
  EXPECT_EQ(Root("f32[4] outfeed(x, t)"),
            "token[] outfeed(%x, %t), outfeed_shape=f32[8]{0}");
  EXPECT_EQ(Root("f32[3] after-all(t)"), "token[] after-all(%t)");
  EXPECT_EQ(Root("f32[3] add-dependency(x, t)"),
            "f32[8]{0} add-dependency(%x, %t)");
  EXPECT_THAT(Root("f32[2] infeed(t)"),
              HasSubstr("must have a non-empty tuple shape"));
}

TEST(InstructionBuilderTest, ATransferEndsOnTheChannelOfItsStart) {
  EXPECT_EQ(Root("token[] send-done(sent), channel_id=1"),
            "token[] send-done(%sent), channel_id=1");
  EXPECT_THAT(
      Root("token[] send-done(sent)"),
      HasSubstr("channel_id must be that of `sent`, 1, but is missing"));
}

TEST(InstructionBuilderTest, SomeDefaultsAreWrittenAndOthersAreNot) {
  EXPECT_EQ(Root("f32[8] all-reduce(x), to_apply=neg, mode=flattened_id, "
                 "constrain_layout=false"),
            "f32[8]{0} all-reduce(%x), replica_groups={}, to_apply=%neg");
  EXPECT_EQ(Root("pred[8] compare(x, x), direction=LT, type=FLOAT"),
            "pred[8]{0} compare(%x, %x), direction=LT");
  EXPECT_EQ(Root("f32[8] map(x), dimensions={3}, to_apply=neg"),
            "f32[8]{0} map(%x), dimensions={0}, to_apply=%neg");
}

TEST(InstructionBuilderTest, LayoutConstraintsDropCalledComputations) {
  EXPECT_THAT(Root("f32[8] custom-call(x), custom_call_target=\"t\", "
                   "operand_layout_constraints={f32[8]}, to_apply=neg"),
              EndsWith("operand_layout_constraints={f32[8]{0}}"));
}

TEST(InstructionBuilderTest, ListsHaveTheLengthThatTheOpcodeNeeds) {
  EXPECT_THAT(Root("f32[16] concatenate(x, x), dimensions={0,1}"),
              HasSubstr("exactly one dimension"));
  EXPECT_THAT(Root("f32[8] collective-permute(x), slice_sizes={{1}}, "
                   "source_target_pairs={{0,1}}"),
              HasSubstr("must have exactly four operands"));
  EXPECT_THAT(Root("f32[8,4] broadcast(x)"), HasSubstr("dimensions"));
  EXPECT_THAT(Root("f32[4] dynamic-slice(x), dynamic_slice_sizes={4}"),
              HasSubstr("needs 2 operands, but has 1"));
  EXPECT_THAT(Root("(f32[8]) tuple(x, x)"),
              HasSubstr("needs 1 operands, but has 2"));
}

TEST(InstructionBuilderTest, SomeOpcodesReadAnyNumberOfOperands) {
  EXPECT_EQ(Root("f32[8] ragged-all-to-all(x)"),
            "f32[8]{0} ragged-all-to-all(%x), replica_groups={}");
  EXPECT_EQ(Root("f32[8] map(), to_apply=neg"),
            "f32[8]{0} map(), dimensions={0}, to_apply=%neg");
  EXPECT_EQ(Root("sort(), dimensions={0}, to_apply=neg"),
            "() sort(), dimensions={0}, to_apply=%neg");
  EXPECT_THAT(Root("concatenate(), dimensions={0}"),
              HasSubstr("needs at least 1 operands, but has 0"));
  EXPECT_THAT(Root("f32[] dot(x)"), HasSubstr("needs at least 2 operands"));
  EXPECT_EQ(Root("dot(x, x, m), lhs_contracting_dims={0}, "
                 "rhs_contracting_dims={0}"),
            "f32[] dot(%x, %x), lhs_contracting_dims={0}, "
            "rhs_contracting_dims={0}");
  EXPECT_EQ(Root("u32[8] rng-bit-generator(x, m), algorithm=rng_philox"),
            "u32[8]{0} rng-bit-generator(%x), algorithm=rng_philox");
}

TEST(InstructionBuilderTest, AScaledDotIsInferredFromItsFirstAndThirdOperand) {
  EXPECT_EQ(Root("scaled-dot(m, x, m, x), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={1}"),
            "f32[4,4]{1,0} scaled-dot(%m, %x, %m, %x), "
            "lhs_contracting_dims={1}, rhs_contracting_dims={1}");
}

TEST(InstructionBuilderTest, ReshapesKeepTheNumberOfElements) {
  EXPECT_EQ(Root("s32[2,4] reshape(x)"), "s32[2,4]{1,0} reshape(%x)");
  EXPECT_EQ(Root("f32[?,8] reshape(x)"), "f32[?,8]{1,0} reshape(%x)");
  EXPECT_EQ(Root("f32[3] reshape(f32[?] parameter(2))"),
            "f32[3]{0} reshape(%parameter.anon)");
  for (const char* bad :
       {"f32[9] reshape(x)", "f32[?] reshape(x)", "token[] reshape(t)",
        "f32[3] dynamic-reshape(f32[?] parameter(2), s32[] constant(1))"}) {
    EXPECT_THAT(Root(bad), HasSubstr("keeps the number of elements")) << bad;
  }
  EXPECT_THAT(Root("f32[8] dynamic-reshape(x)"),
              HasSubstr("needs 2 operands, but has 1"));
}

TEST(InstructionBuilderTest, WhatHasNoDimensionsIsNoArray) {
  for (const char* bad :
       {"pred[8] compare(t, x), direction=LT", "token[] map(x), to_apply=neg",
        "f32[8] dynamic-slice(t), dynamic_slice_sizes={}",
        "f32[8] dynamic-slice(x, t), dynamic_slice_sizes={8}",
        "token[] dynamic-update-slice(t, t)", "opaque[] copy(x)"}) {
    EXPECT_THAT(Root(bad), HasSubstr(" must ")) << bad;
  }
  EXPECT_THAT(Root("f32[8] broadcast(t)"), HasSubstr("dimensions"));
  EXPECT_EQ(Root("f32[8] dynamic-slice(b(f32[8]) parameter(2), x), "
                 "dynamic_slice_sizes={8}"),
            "f32[8]{0} dynamic-slice(%parameter.anon, %x), "
            "dynamic_slice_sizes={8}");
  EXPECT_EQ(Root("b(f32[8]) map(x), to_apply=neg"),
            "b(f32[8]{0}) map(%x), dimensions={0}, to_apply=%neg");
}

// As any instruction of such an opcode.
TEST(InstructionBuilderTest, WrappedInstructionsMakeTheirOwnShape) {
  HloContext context;
  const auto module = ParseHloText(
      "ENTRY e { x = f32[8] parameter(0)\n"
      "  ROOT s = ((f32[8]), f32[8]) after-all-start(x) }",
      context);
  ASSERT_TRUE(module.ok()) << module.status();
  const HloInstruction& start = (*module)->entry().root();
  EXPECT_EQ(start.shape().ToString(), "((f32[8]{0}), f32[8]{0})");
  EXPECT_EQ(start.called_computations()[0]->root().shape().ToString(),
            "token[]");
  EXPECT_THAT(Root("((f32[8]), f32[8]) recv-done-start(x)"),
              HasSubstr("must have a non-empty tuple shape"));
  EXPECT_THAT(Root("((), f32[8]) replica-id-start()"),
              HasSubstr("must have the shape u32[]"));
  EXPECT_EQ(Root("f32[8] negate-done(((f32[8]), f32[8]) negate-start(x))"),
            "f32[8]{0} negate-done(%async-start.anon)");
}

TEST(InstructionBuilderTest, AnAsyncChainGivesItsAttributesToWhatItWraps) {
  HloContext context;
  const auto module = ParseHloText(
      "HloModule m\n"
      "neg { a = f32[8] parameter(0)\n"
      "  ROOT n = f32[8] negate(a) }\n"
      "ENTRY e { x = f32[8] parameter(0)\n"
      "  s = ((f32[8]), f32[8], u32[]) async-start(x), calls=neg, "
      "metadata={op_name=\"start\"}, backend_config=\"b\"\n"
      "  ROOT d = f32[8] async-done(s), metadata={op_name=\"done\"} }",
      context);
  ASSERT_TRUE(module.ok()) << module.status();
  const HloInstruction& start = (*module)->entry().root().operand(0);
  const HloInstruction& wrapped = start.called_computations()[0]->root();
  EXPECT_EQ(start.attribute(HloAttributeKind::kMetadata),
            "{op_name=\"start\"}");
  EXPECT_EQ(wrapped.attribute(HloAttributeKind::kMetadata),
            "{op_name=\"done\"}");
  EXPECT_EQ(wrapped.attribute(HloAttributeKind::kBackendConfig), "\"b\"");
}

}  // namespace
}  // namespace ferry
