// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_proto_reader.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

constexpr char kShape[] =
    "shape { element_type: F32 dimensions: 4 layout { minor_to_major: 0 } }";

// An instruction; operands as in "operand_ids: 0".
std::string Instruction(const std::string& name, const std::string& opcode,
                        int id, const std::string& more = "") {
  return absl::StrCat("instructions { name: '", name, "' opcode: '", opcode,
                      "' ", kShape, " id: ", id, " ", more, " }\n");
}

std::string Module(const std::string& instructions, int root,
                   const std::string& more = "") {
  const std::string shape = absl::StrReplaceAll(kShape, {{"shape {", "{"}});
  return absl::StrCat(
      "name: 'm'\ncomputations { name: 'e' id: 1 root_id: ", root, "\n",
      instructions, "}\nhost_program_shape { parameters ", shape, " result ",
      shape, " }\nentry_computation_id: 1\n", more);
}

HloParseResult Read(const std::string& text, HloContext& context) {
  return ReadHlo(SourceText::FromString(text, "a.pbtxt"), context);
}

std::string Print(const std::string& text) {
  HloContext context;
  const HloParseResult result = Read(text, context);
  if (result.module == nullptr) return result.diagnostics[0].message;
  return HloToString(*result.module);
}

// The first error.
std::string ErrorOf(const std::string& text) {
  HloContext context;
  const HloParseResult result = Read(text, context);
  return result.module == nullptr ? result.diagnostics[0].message : "";
}

const std::string& Parameter() {
  static const auto& text = *new std::string(Instruction("x", "parameter", 0));
  return text;
}

TEST(HloProtoReaderTest, PrintsAsTheTextDoes) {
  EXPECT_EQ(
      Print(Module(
          Parameter() + Instruction("y", "negate", 9, "operand_ids: 0"), 9)),
      "HloModule m, "
      "entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\n"
      "ENTRY %e (x: f32[4]) -> f32[4] {\n"
      "  %x = f32[4]{0} parameter(0)\n"
      "  ROOT %y = f32[4]{0} negate(%x)\n"
      "}\n\n");
}

TEST(HloProtoReaderTest, OnlyTheLowHalfOfAnIdCounts) {
  const std::string y =
      Instruction("y", "negate", 2, "operand_ids: 12884901888");
  EXPECT_THAT(Print(Module(Parameter() + y, 2)), HasSubstr("negate(%x)"));
}

// XLA keeps them by id, and so prints what nobody uses in that order.
TEST(HloProtoReaderTest, OrderIsThatOfIds) {
  const std::string text = Print(
      Module(Parameter() + Instruction("b", "negate", 9, "operand_ids: 0") +
                 Instruction("a", "abs", 5, "operand_ids: 0"),
             5));
  EXPECT_LT(text.find("%a ="), text.find("%b ="));
}

TEST(HloProtoReaderTest, IdsMayCountFromAnywhereAndStandInAnyOrder) {
  const std::string text =
      Print(Module(Instruction("x", "parameter", 1) +
                       Instruction("a", "negate", 0, "operand_ids: 1") +
                       Instruction("b", "abs", 2, "operand_ids: 0") +
                       Instruction("c", "add", 7, "operand_ids: [2, 1]"),
                   7));
  EXPECT_THAT(text, HasSubstr("%a = f32[4]{0} negate(%x)"));
  EXPECT_THAT(text, HasSubstr("%b = f32[4]{0} abs(%a)"));
  EXPECT_THAT(text, HasSubstr("%c = f32[4]{0} add(%b, %x)"));
}

TEST(HloProtoReaderTest, OrderIsThatOfTheSchedule) {
  const std::string text = Print(
      Module(Parameter() + Instruction("a", "negate", 3, "operand_ids: 0") +
                 Instruction("b", "abs", 5, "operand_ids: 0"),
             5,
             "schedule { sequences { key: 1 value { instruction_ids: 0 "
             "instruction_ids: 5 instruction_ids: 3 } } }"));
  EXPECT_LT(text.find("%b ="), text.find("%a ="));
  EXPECT_THAT(text, HasSubstr("is_scheduled=true"));
}

TEST(HloProtoReaderTest, NamesAreSanitized) {
  EXPECT_THAT(
      Print(Module(
          Parameter() + Instruction("2 y", "negate", 1, "operand_ids: 0"), 1)),
      HasSubstr("%a_y = "));
}

TEST(HloProtoReaderTest, FormerOpcodesAreCompares) {
  EXPECT_THAT(Print(Module(Parameter() + Instruction("y", "equal-to", 1,
                                                     "operand_ids: [0, 0]"),
                           1)),
              HasSubstr("compare(%x, %x), direction=EQ"));
}

TEST(HloProtoReaderTest, AConstantWithoutLiteralIsElided) {
  EXPECT_THAT(Print(Module(Instruction("c", "constant", 0), 0)),
              HasSubstr("constant({...})"));
}

TEST(HloProtoReaderTest, LiteralsStandInLayoutOrder) {
  const std::string shape =
      "shape { element_type: S32 dimensions: [2, 2] "
      "layout { minor_to_major: [0, 1] } }";
  const std::string text =
      absl::StrCat("instructions { name: 'c' opcode: 'constant' ", shape,
                   " literal { ", shape, " s32s: [1, 2, 3, 4] } }");
  EXPECT_THAT(Print(Module(text, 0)),
              HasSubstr("constant({ { 1, 3 }, { 2, 4 } })"));
}

struct Case {
  std::string text;
  std::string error;
};

TEST(HloProtoReaderTest, ErrorsSayWhereAndWhatIsWrong) {
  const std::string x = Parameter();
  const Case cases[] = {
      {Module(x + Instruction("y", "negate", 1, "operand_ids: 7"), 1),
       "`y` of `e`: operand_ids: no instruction above it has the id 7"},
      {Module(x + Instruction("y", "negate", 0, "operand_ids: 0"), 0),
       "`y` of `e`: id: another instruction has the id 0 already"},
      {Module(x + Instruction("y", "negate", -5, "operand_ids: 0"), 0),
       "`y` of `e`: id: it is negative: -5"},
      {Module(x + Instruction("x", "negate", 1, "operand_ids: 0"), 1),
       "`x` of `e`: name: another instruction has the same name"},
      {Module(x + Instruction("y", "negate", 1, "operand_ids: [0, 0]"), 1),
       "`y` of `e`: operand_ids: `negate` needs 1 operands, but has 2"},
      {Module(x, 8), "computation `e`: root_id: no instruction has the id 8"},
      {Module(Instruction("p", "parameter", 0, "parameter_number: 1"), 0),
       "`p` of `e`: parameter_number: it is 1, in a computation of 1 "
       "instructions"},
      {Module(x + Instruction("y", "parameter", 1), 1),
       "`y` of `e`: parameter_number: `x` is parameter 0 already"},
      {Module(x + Instruction("y", "while", 1, "operand_ids: 0"), 1),
       "`y` of `e`: called_computation_ids: `while` needs 2 computations, "
       "but has 0"},
      {Module("instructions { name: 'y' opcode: 'iota' }", 0),
       "`y` of `e`: shape: the instruction has none"},
      {Module("instructions { name: 'y' opcode: 'iota' shape { element_type: "
              "F32 dimensions: -3 } }",
              0),
       "`y` of `e`: shape: dimension 0 has the negative size -3"},
      {Module(x + Instruction("y", "abs", 1, "operand_ids: 0"), 1,
              "schedule { sequences { key: 1 value { instruction_ids: 0 } } }"),
       "computation `e`: schedule: it has 1 instructions, but the computation "
       "has 2"},
      {Module(x, 0, "input_output_alias { entries { parameter_number: -3 } }"),
       "input_output_alias: parameter -3"},
      {Module(x, 0, "ferry { header_attributes { name: 'replica_count' } }"),
       "ferry: header_attributes has `replica_count`, which has fields of its "
       "own"},
      {Module(x, 0, "ferry { header_attributes { name: 'a' text: '{' } }"),
       "ferry: `a={` is not `name=value`"},
      {Module(x, 0,
              "ferry { unknown_attributes { instruction_id: 4294967296 "
              "texts: 'a=1, b=2' } }"),
       "ferry: `a=1, b=2` is not `name=value`"},
      {Module(x, 0,
              "ferry { unknown_attributes { instruction_id: 4294967296 "
              "metadata_fields: 'a' } }"),
       "ferry: `a` is not `name=value`"},
      {absl::StrReplaceAll(Module(x, 0),
                           {{"computation_id: 1", "computation_id: 4"}}),
       "entry_computation_id: no computation has the id 4"},
      {"name: 'm'\ncomputations { name: 'e' id: 0 instructions { name: 'x' "
       "opcode: 'parameter' shape { element_type: F32 } } }",
       "host_program_shape: No program shape found in the proto"},
  };
  for (const Case& one : cases) EXPECT_EQ(ErrorOf(one.text), one.error);
}

TEST(HloProtoReaderTest, GoesOnAfterAnError) {
  HloContext context;
  const HloParseResult result = Read(
      Module(Parameter() + Instruction("a", "negate", 1, "operand_ids: 7") +
                 Instruction("b", "abs", 2, "operand_ids: 1") +
                 Instruction("c", "abs", 3, "operand_ids: 8"),
             3),
      context);
  // `b` uses what failed, which is no error of its own.
  EXPECT_EQ(result.diagnostics.size(), 2);
}

TEST(HloProtoReaderTest, ErrorsOfTheTextFormHaveALine) {
  HloContext context;
  const HloParseResult result = Read("name: 'm'\nid: x\n", context);
  EXPECT_EQ(result.module, nullptr);
  EXPECT_EQ(result.diagnostics[0].place.line, 2);
}

TEST(HloProtoReaderTest, DeepNestingIsAnError) {
  std::string text = "name: 'm' host_program_shape { result { ";
  for (int i = 0; i < 100000; ++i) text += "tuple_shapes { ";
  HloContext context;
  EXPECT_EQ(Read(text, context).module, nullptr);
}

// Whatever the bytes are, there is a module or an error.
TEST(HloProtoReaderTest, DamagedBytesAreErrors) {
  HloContext context;
  const HloParseResult good = Read(
      Module(Parameter() + Instruction("y", "negate", 1, "operand_ids: 0"), 1),
      context);
  ASSERT_NE(good.module, nullptr);
  const std::string bytes = *HloToProto(*good.module);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const HloParseResult cut = ReadHloProto(
        SourceText::FromString(bytes.substr(0, size), "a.pb"), context);
    EXPECT_EQ(cut.module == nullptr, !cut.diagnostics.empty()) << size;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x81);
    const HloParseResult result = ReadHloProto(
        SourceText::FromString(std::move(changed), "a.pb"), context);
    EXPECT_TRUE(result.module != nullptr || !result.diagnostics.empty()) << i;
  }
}

}  // namespace
}  // namespace ferry
