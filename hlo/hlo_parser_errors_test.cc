// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_parser.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What the reader says of bad input, and that any input ends in a module or in
// errors.

namespace ferry {
namespace {

using ::testing::HasSubstr;

// One context for all modules of the tests.
HloContext& Context() {
  static HloContext& context = *new HloContext();
  return context;
}

HloParseResult Read(std::string text, bool allow_unknown = true) {
  return ParseHlo(SourceText::FromString(std::move(text), "test.hlo"),
                  Context(), {.allow_unknown = allow_unknown});
}

// "line:column: code: message" of each error.
std::vector<std::string> Errors(const std::string& text,
                                bool allow_unknown = true) {
  std::vector<std::string> errors;
  for (const Diagnostic& diagnostic : Read(text, allow_unknown).diagnostics) {
    if (SeverityOf(diagnostic.code) != Severity::kError) continue;
    errors.push_back(
        absl::StrCat(diagnostic.place.line, ":", diagnostic.place.column, ": ",
                     DiagnosticId(diagnostic.code), ": ", diagnostic.message));
  }
  return errors;
}

// The only error of a module with this entry, whose first line is line 3.
std::string EntryError(absl::string_view body, bool allow_unknown = false) {
  const std::vector<std::string> errors = Errors(
      absl::StrCat("HloModule m\nENTRY e {\n", body, "\n}\n"), allow_unknown);
  return absl::StrJoin(errors, "; ");
}

TEST(HloParserErrorsTest, ErrorsSayWhatWasExpectedAndSeen) {
  EXPECT_EQ(EntryError("ROOT x = f32[2] parameter(0) ; done"),
            "3:30: F1001: expected the name of an instruction, but saw `;`");
  EXPECT_EQ(EntryError("ROOT x=f32[2] parameter(0)"),
            "3:6: F1001: expected white space between `x` and `=`");
  EXPECT_EQ(EntryError("ROOT x = f32 parameter(0)"),
            "3:14: F1001: expected `[` behind `f32`, but saw `parameter`");
  EXPECT_EQ(EntryError("ROOT __x = f32[] parameter(0)"),
            "3:6: F1008: illegal instruction name: __x; suggest renaming to: "
            "a_x");
  EXPECT_EQ(EntryError("x = f32[] parameter(0)\nROOT y = f32[] add(x)"),
            "4:16: F1007: `add` needs 2 operands, but has 1");
  EXPECT_EQ(EntryError("ROOT x = f32[] parameter(1)"),
            "2:7: F1008: computation `e` has no parameter(0), but has "
            "parameter(1)");
}

TEST(HloParserErrorsTest, AttributesMustBelongToTheOpcode) {
  EXPECT_EQ(EntryError("x = f32[] parameter(0)\n"
                       "ROOT y = f32[] negate(x), dimensions={0}",
                       /*allow_unknown=*/true),
            "4:27: F1005: `negate` takes no attribute `dimensions`");
  EXPECT_EQ(EntryError("x = f32[] parameter(0)\n"
                       "ROOT y = pred[] compare(x, x)"),
            "4:17: F1006: `compare` needs the attribute `direction`");
  EXPECT_EQ(EntryError("ROOT x = f32[] parameter(0), metadata={}, metadata={}"),
            "3:43: F1004: attribute `metadata` exists already");
}

TEST(HloParserErrorsTest, SuggestsOpcodesAttributesAndNames) {
  const auto note = [](const std::string& text) {
    const HloParseResult result = Read(text, /*allow_unknown=*/false);
    if (result.diagnostics.empty() || result.diagnostics[0].notes.empty()) {
      return std::string("none");
    }
    return result.diagnostics[0].notes[0].message;
  };
  const std::string head =
      "HloModule m\nENTRY e {\n  arg = f32[] parameter(0)\n";
  EXPECT_EQ(note(head + "  ROOT y = f32[] negat(arg)\n}\n"),
            "did you mean `negate`?");
  EXPECT_EQ(note(head + "  ROOT y = f32[] negate(arg), metdata={}\n}\n"),
            "did you mean `metadata`?");
  EXPECT_EQ(note(head + "  ROOT y = f32[] negate(agr)\n}\n"),
            "did you mean `arg`?");
  EXPECT_EQ(note("HloModule m, is_sheduled=true\n"),
            "did you mean `is_scheduled`?");
}

TEST(HloParserErrorsTest, GoesOnAtTheNextInstructionAfterAnError) {
  EXPECT_EQ(Errors(R"(HloModule m
c {
  a = f32[ parameter(0)
  ROOT b = f32[] negate(a)
}
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] call(x), to_apply=c
  z = f32[] negate(nobody)
  ROOT t = f32[] add(y, z, z)
}
)"),
            (std::vector<std::string>{
                "3:12: F1001: expected a dimension, but saw `parameter`",
                "9:20: F1003: instruction `nobody` does not exist"}));
}

TEST(HloParserErrorsTest, StopsAfterTwentyErrors) {
  std::string text = "HloModule m\nENTRY e {\n";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&text, "  x", i, " = f32[] negate(none)\n");
  }
  const std::vector<std::string> errors = Errors(text + "}\n");
  ASSERT_EQ(errors.size(), 21);
  EXPECT_THAT(errors.back(), HasSubstr("F1012: 20 errors"));
}

TEST(HloParserErrorsTest, LiteralsAreCheckedAgainstTheirShape) {
  const auto error = [](absl::string_view constant) {
    return EntryError(absl::StrCat("ROOT x = ", constant));
  };
  EXPECT_EQ(error("s4[2] constant({-8, 7})"), "");
  EXPECT_EQ(error("f32[2,2] constant({{1, -2.5e3}, {nan(0x7f), -inf}})"), "");
  EXPECT_EQ(error("c64[1] constant({(1, 2)})"), "");
  EXPECT_THAT(error("s4[] constant(8)"), HasSubstr("out of range"));
  EXPECT_THAT(error("f16[] constant(70000)"), HasSubstr("out of range"));
  EXPECT_THAT(error("s32[] constant(1.5)"), HasSubstr("expects integer"));
  EXPECT_THAT(error("f32[2] constant({1})"), HasSubstr("but sees 1"));
  EXPECT_THAT(error("f32[1] constant({1, 2})"), HasSubstr("but sees more"));
  EXPECT_THAT(error("f32[2] constant({{1, 2}})"), HasSubstr("but sees larger"));
  EXPECT_THAT(error("f32[2,2] constant({{1,2},{...}})"),
              HasSubstr("at nest level 1"));
  EXPECT_THAT(error("f16[] constant(nan(0xfff))"), HasSubstr("NaN payload"));
  EXPECT_THAT(error("f32[] constant((1, 2))"), HasSubstr("parentheses"));
}

TEST(HloParserErrorsTest, ShardingsAreCheckedByTheirForm) {
  const auto error = [](absl::string_view sharding) {
    return EntryError(
        absl::StrCat("ROOT x = f32[8,8] parameter(0), sharding=", sharding));
  };
  for (absl::string_view sharding :
       {"{replicated}", "{maximal device=3}", "{devices=[2,2]0,1,2,3}",
        "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate shard_as 1}",
        "{devices=[2,4]<=[8] last_tile_dims={manual}}",
        "{mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}",
        "{{replicated}, {manual}}", "{}"}) {
    EXPECT_EQ(error(sharding), "") << sharding;
  }
  EXPECT_THAT(error("replicated"), HasSubstr("`{` to start a sharding"));
  EXPECT_THAT(error("{maximal}"), HasSubstr("exactly one device"));
  EXPECT_THAT(error("{devices=[1]0}"), HasSubstr("more than one device"));
  EXPECT_THAT(error("{mesh[a=2], [{a}]}"), HasSubstr("in quotes"));
  EXPECT_THAT(error("{mesh['a'=2], [{'b'}]}"),
              HasSubstr("mesh axis `b` does not exist"));
}

// --- Bad input: any byte string ends in a module or in errors.

constexpr absl::string_view kSample =
    R"(HloModule sample, is_scheduled=true, input_output_alias={ {}: (0, {}) }, entry_computation_layout={(f32[2,2]{1,0:T(8,128)S(5)})->f32[2,2]{1,0}}

FileNames
1 "a\n.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}, execution_thread="t"

ENTRY %main (x: f32[2,2]) -> f32[2,2] {
  %x = f32[2,2]{1,0:T(8,128)} parameter(0), sharding={devices=[2,2]<=[4]}
  %c = f32[2,2]{1,0} constant({ { 1, -2.5 }, { nan, inf } }) // four
  %p = f32[4,2]{1,0} pad(%c, f32[] constant(0)), padding=1_1x0_0
  %r = f32[2]{0} reduce(%c, constant(0)), dimensions={0}, to_apply=%sum
  %st = ((f32[2]{0}), f32[2]{0}, u32[]) custom-call-start(%r), custom_call_target="t", backend_config={"k":{"}":1}}
  %d = f32[2]{0} custom-call-done(%st), frontend_attributes={_xla="1",b={x}}
  ROOT %m = f32[2,2]{1,0} add(%x, %c), metadata={op_name="m/\"q\"" stack_frame_id=1}
}
)";

TEST(HloParserErrorsTest, TheTextCutAtEveryByteIsRefusedOrRead) {
  // As it stands the sample has one error, so that both ways out are tried.
  const std::string good = absl::StrReplaceAll(
      kSample, {{"constant(0)), dim", "f32[] constant(0)), dim"}});
  ASSERT_NE(Read(good).module, nullptr) << absl::StrJoin(Errors(good), "\n");
  for (const std::string& text : {std::string(kSample), good}) {
    for (size_t size = 0; size < text.size(); ++size) {
      const HloParseResult result = Read(text.substr(0, size));
      EXPECT_EQ(result.module == nullptr, HasError(result.diagnostics)) << size;
      if (result.module != nullptr) HloToString(*result.module);
    }
  }
}

TEST(HloParserErrorsTest, TheTextWithAnyByteReplacedIsRefusedOrRead) {
  const std::string text = absl::StrReplaceAll(
      kSample, {{"constant(0)), dim", "f32[] constant(0)), dim"}});
  for (char byte : {'\0', '{', ')', '"', ' ', '\xff', '9', '/'}) {
    for (size_t i = 0; i < text.size(); ++i) {
      std::string changed = text;
      changed[i] = byte;
      const HloParseResult result = Read(changed);
      EXPECT_EQ(result.module == nullptr, HasError(result.diagnostics)) << i;
    }
  }
}

std::string Repeat(absl::string_view text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) absl::StrAppend(&repeated, text);
  return repeated;
}

// Each of these would overflow the stack of a recursive reader.
TEST(HloParserErrorsTest, NestingCostsNoStack) {
  constexpr int kDepth = 100000;
  const std::string head = "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n";
  EXPECT_NE(Read(absl::StrCat(head, "  ROOT r = ", Repeat("negate(", kDepth),
                              "x", std::string(kDepth, ')'), "\n}\n"))
                .module,
            nullptr);
  EXPECT_NE(Read(absl::StrCat(head, "  ROOT r = f32[] call(), to_apply={",
                              Repeat(" c = f32[] call(), to_apply={", kDepth),
                              " q = f32[] constant(1)",
                              std::string(kDepth + 1, '}'), "\n}\n"))
                .module,
            nullptr);
  EXPECT_NE(Read(absl::StrCat(head,
                              "  ROOT r = f32[] negate(x), "
                              "backend_config=",
                              std::string(kDepth, '{'),
                              std::string(kDepth, '}'), "\n}\n"))
                .module,
            nullptr);
  for (absl::string_view opening :
       {"negate(", "f32[] call(), to_apply={", "(", "constant({{",
        "f32[] constant({", "f32[] negate(x), origin={(", "add(x, negate("}) {
    EXPECT_EQ(
        Read(absl::StrCat(head, "  y = ", Repeat(opening, kDepth))).module,
        nullptr);
  }
}

TEST(HloParserErrorsTest, NumbersOfAnySizeAreNumbersOrErrors) {
  EXPECT_THAT(EntryError("ROOT x = f32[] parameter(9223372036854775807)"),
              HasSubstr("leaves a gap"));
  EXPECT_THAT(EntryError("ROOT x = f32[] parameter(99999999999999999999)"),
              HasSubstr("does not fit in 64 bits"));
  EXPECT_EQ(EntryError("ROOT x = f32[9223372036854775807,"
                       "9223372036854775807] parameter(0)"),
            "");
}

TEST(HloParserErrorsTest, OddBytesAreErrorsWithAPlace) {
  EXPECT_EQ(Errors(std::string("HloModule m\0, x", 15))[0],
            "1:12: F1001: expected the name of a computation, but saw "
            "`\\x00`");
  EXPECT_EQ(Errors("")[0], "1:1: F1001: the input is empty");
  EXPECT_FALSE(Errors("HloModule m\nENTRY e { \xff\xfe }").empty());
}

TEST(HloParserErrorsTest, LineEndsMayBeThoseOfWindows) {
  EXPECT_NE(Read("HloModule m\r\nENTRY e {\r\n  ROOT x = f32[] parameter(0) "
                 "// x\r\n}\r\n")
                .module,
            nullptr);
}

TEST(HloParserErrorsTest, ManyUnclosedCommentsAreReadOnce) {
  EXPECT_FALSE(Errors(Repeat("/*\n", 200000)).empty());
  EXPECT_FALSE(
      Errors("HloModule m\nENTRY e {\nx = y\n" + Repeat("/*\n", 200000))
          .empty());
}

}  // namespace
}  // namespace ferry
