// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_parser.h"

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

TEST(AttributeParserTest, ValuesAreBroughtIntoTheFormOfThePrinter) {
  EXPECT_THAT(Root("f32[4] slice(x), slice={ [0:4:1] }"),
              EndsWith("slice(%x), slice={[0:4]}"));
  EXPECT_THAT(Root("f32[8] reduce-precision(x), exponent_bits=08, "
                   "mantissa_bits=4294967303"),
              EndsWith("exponent_bits=8, mantissa_bits=7"));
  EXPECT_THAT(Root("f32[8] custom-call(x), custom_call_target='a\"b', "
                   "schedule=schedule_latest"),
              EndsWith("custom_call_target=\"a\\\"b\", "
                       "schedule=SCHEDULE_LATEST"));
  EXPECT_THAT(Root("f32[8] custom-call(x, x), custom_call_target=\"t\", "
                   "operand_layout_constraints={f32[8],f32[8]{0}}"),
              EndsWith("operand_layout_constraints={f32[8]{0}, f32[8]{0}}"));
  EXPECT_THAT(Root("f32[4,8] batch-norm-inference(m, x, x, x, x), "
                   "epsilon=0.1234567891, feature_index=1"),
              HasSubstr("epsilon=0.123457"));
}

TEST(AttributeParserTest, WhatXlaDoesNotPrintIsNotKept) {
  EXPECT_THAT(Root("f32[8] negate(x), backend_config=\"\", "
                   "frontend_attributes={}, metadata={source_line=3}, "
                   "statistics={visualizing_index=0}"),
              EndsWith("negate(%x)"));
  EXPECT_THAT(Root("f32[8] tanh(x), result_accuracy={mode=default}"),
              EndsWith("tanh(%x)"));
  EXPECT_THAT(Root("f32[8] negate(x), backend_config=\"{\\\"a\\\": 1}\""),
              EndsWith("backend_config={\"a\": 1}"));
  EXPECT_THAT(Root("f32[8] negate(x), backend_config={"
                   "\"wait_on_operation_queues\":[],\"a\":1}"),
              EndsWith("backend_config={\"a\":1}"));
}

TEST(AttributeParserTest, OneDimensionIsTakenOfMany) {
  EXPECT_THAT(Root("s32[] get-dimension-size(x), dimensions={0,1}"),
              EndsWith("dimensions={0}"));
}

TEST(AttributeParserTest, SliceSizesAreOneListOrMany) {
  EXPECT_THAT(Root("f32[8] collective-permute(x), slice_sizes={1}, "
                   "source_target_pairs={{0,1}}"),
              HasSubstr("expected `{`"));
}

TEST(AttributeParserTest, NumbersMustFit) {
  EXPECT_THAT(Root("(f32[8], f32[8], u32[]) copy-start(x), "
                   "cross_program_prefetch_index=2147483648"),
              HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(Root("f32[4,8] batch-norm-inference(m, x, x, x, x), "
                   "epsilon=1e39, feature_index=1"),
              HasSubstr("value out of range for float"));
}

}  // namespace
}  // namespace ferry
