// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/diagnostic_renderer.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// A tool that makes one of the fixes.
std::string WithFlag(const DiagnosticFix& fix) {
  return fix.kind == "return_on_host" ? "--fix=return_on_host" : "";
}

using ::testing::HasSubstr;
using ::testing::Not;

Diagnostic At(const std::string& text, uint64_t offset,
              const std::string& message = "bad") {
  const auto source = SourceText::FromString(text, "a.hlo");
  return MakeDiagnostic(DiagnosticCode::kSyntaxError, PlaceOf(*source, offset),
                        {message});
}

TEST(DiagnosticRendererTest, UnderlinesTheNameAtTheColumn) {
  EXPECT_EQ(RenderDiagnostic(At("HloModule m\n  %sum.1 = add", 14)),
            "a.hlo:2:3: error: F1001: bad\n"
            "    2 |   %sum.1 = add\n"
            "      |   ^~~~~~\n");
}

TEST(DiagnosticRendererTest, PointsAtOneCharacterWhereNoNameStands) {
  EXPECT_EQ(RenderDiagnostic(At("a ) b", 2)),
            "a.hlo:1:3: error: F1001: bad\n"
            "    1 | a ) b\n"
            "      |   ^\n");
}

TEST(DiagnosticRendererTest, PointsBehindTheLineAtItsEnd) {
  EXPECT_EQ(RenderDiagnostic(At("ab", 2)),
            "a.hlo:1:3: error: F1001: bad\n"
            "    1 | ab\n"
            "      |   ^\n");
}

TEST(DiagnosticRendererTest, TheCaretStandsUnderItsColumnAfterTabs) {
  EXPECT_EQ(RenderDiagnostic(At("\tx\ty", 3)),
            "a.hlo:1:4: error: F1001: bad\n"
            "    1 |     x   y\n"
            "      |         ^\n");
}

TEST(DiagnosticRendererTest, TheCaretCountsColumnsOfUtf8NotBytes) {
  EXPECT_EQ(RenderDiagnostic(At("\xc3\xa9\xe6\x97\xa5y", 5)),
            "a.hlo:1:6: error: F1001: bad\n"
            "    1 | \xc3\xa9\xe6\x97\xa5y\n"
            "      |    ^\n");
}

// An escape sequence in a file must not reach the terminal.
TEST(DiagnosticRendererTest, ControlCharactersAndBrokenUtf8BecomeMarks) {
  EXPECT_EQ(RenderDiagnostic(At("\033[31m\xff y", 0, "bad \033[0m")),
            "a.hlo:1:1: error: F1001: bad ?[0m\n"
            "    1 | ?[31m? y\n"
            "      | ^\n");
}

TEST(DiagnosticRendererTest, ShortensALongLineAroundTheColumn) {
  const std::string text =
      std::string(300, 'a') + " here " + std::string(300, 'b');
  DiagnosticRenderOptions options;
  options.max_line_bytes = 30;
  EXPECT_EQ(RenderDiagnostic(At(text, 301), options),
            "a.hlo:1:302: error: F1001: bad\n"
            "    1 | ...aaaaaaaaa here bbbbbbbbbbbbbbb...\n"
            "      |              ^~~~\n");
}

TEST(DiagnosticRendererTest, TheCaretOfAVeryLongLineIsRightToo) {
  const std::string text =
      std::string(100000, 'a') + " here " + std::string(100000, 'b');
  DiagnosticRenderOptions options;
  options.max_line_bytes = 30;
  EXPECT_THAT(RenderDiagnostic(At(text, 100001), options),
              HasSubstr("    1 | ...aaaaaaaaa here bbbbbbbbbbbbbbb...\n"
                        "      |              ^~~~\n"));
}

TEST(DiagnosticRendererTest, WithoutAPlaceThereIsOnlyTheMessage) {
  EXPECT_EQ(RenderDiagnostic(MakeDiagnostic(DiagnosticCode::kCannotReadFile, {},
                                            {"cannot read `a`"})),
            "error: F9001: cannot read `a`\n");
}

TEST(DiagnosticRendererTest, LaterLinesOfAMessageAreIndented) {
  EXPECT_EQ(RenderDiagnostic(MakeDiagnostic(DiagnosticCode::kAliasMismatch, {},
                                            {"one\ntwo"})),
            "error: F1104: one\n"
            "    two\n");
}

TEST(DiagnosticRendererTest, SeverityIsTheJudges) {
  const Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kWideAnnotation, {}, {"x", "f64[8]"});
  EXPECT_THAT(RenderDiagnostic(diagnostic), HasSubstr("warning: F4014: "));
  DiagnosticRenderOptions options;
  options.judge = Judge::kCompiler;
  EXPECT_THAT(RenderDiagnostic(diagnostic, options),
              HasSubstr("error: F4014: "));
}

// The whole of an offload error: what a person gets to read.
TEST(DiagnosticRendererTest, ShowsAnnotationPathNotesAndFixes) {
  const auto source = SourceText::FromString(
      "ENTRY main {\n"
      "  move = f32[8]{0} custom-call(x)\n"
      "  ROOT out = (f32[8]{0}) tuple(move)\n",
      "step.hlo");
  const UserSource moved_at = {"jit(step)/dot", "model.py", 38, "loss"};
  const UserSource returned_at = {"jit(step)/tuple", "model.py", 41, "loss"};

  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kOffloadOutputLocationMismatch,
                     PlaceOf(*source, 54), {"out"});
  diagnostic.place.user_source = returned_at;
  diagnostic.output_index = ShapeIndex{0};
  diagnostic.annotation = PlaceOf(*source, 15);
  diagnostic.annotation->instruction = "move";
  diagnostic.annotation->user_source = moved_at;
  diagnostic.path = {
      {"move", {}, "custom-call", "f32[8]{0}", "main", 2, moved_at},
      {"out", {0}, "tuple", "f32[8]{0}", "main", 3, returned_at}};
  diagnostic.notes = {{"the program begins here", PlaceOf(*source, 0)},
                      {"the shipped compiler agrees", std::nullopt}};
  diagnostic.fixes = {{"return it on host", "return_on_host", ""},
                      {"bring it back", "bring_back", "out"}};

  DiagnosticRenderOptions options;
  options.how_to_fix = WithFlag;
  EXPECT_EQ(
      RenderDiagnostic(diagnostic, options),
      "step.hlo:3:8: error: E1200: Tensor which is moved to host (starting "
      "from out) is returned from the entry computation but the layout for "
      "this output is not set to host memory.\n"
      "    3 |   ROOT out = (f32[8]{0}) tuple(move)\n"
      "      |        ^~~\n"
      "      = model.py:41 in loss, jit(step)/tuple\n"
      "  output {0} of the program\n"
      "  moved to host by `move` at step.hlo:2:3 (model.py:38 in loss, "
      "jit(step)/dot)\n"
      "  the way of the value:\n"
      "    1. move     custom-call  f32[8]{0}  main:2  model.py:38 in loss\n"
      "    2. out {0}  tuple        f32[8]{0}  main:3  model.py:41 in loss\n"
      "step.hlo:1:1: note: the program begins here\n"
      "    1 | ENTRY main {\n"
      "      | ^~~~~\n"
      "  note: the shipped compiler agrees\n"
      "  fix: return it on host  [--fix=return_on_host]\n"
      "  fix: bring it back, before `out`\n");
}

// A finding about a value that went through `names`, one hop each.
Diagnostic WithPath(const std::vector<std::string>& names) {
  Diagnostic diagnostic =
      MakeDiagnostic(DiagnosticCode::kHostCompute, {}, {names.back()});
  for (const std::string& name : names) {
    diagnostic.path.push_back({name, {}, "add", "f32[]", "main", 0, {}});
  }
  return diagnostic;
}

TEST(RenderDiagnosticsTest, ASharedPathIsNotRepeated) {
  EXPECT_EQ(RenderDiagnostics(
                {WithPath({"a", "b", "c"}), WithPath({"a", "b", "c", "d"})}),
            "warning: F4005: `c` computes on a value in host memory, so it "
            "runs on the host\n"
            "  the way of the value:\n"
            "    1. a  add  f32[]  main\n"
            "    2. b  add  f32[]  main\n"
            "    3. c  add  f32[]  main\n"
            "\n"
            "warning: F4005: `d` computes on a value in host memory, so it "
            "runs on the host\n"
            "  the way of the value:\n"
            "    3. ... as above, to c\n"
            "    4. d  add  f32[]  main\n");
}

TEST(RenderDiagnosticsTest, AShortSharedPathIsShownAgain) {
  EXPECT_THAT(
      RenderDiagnostics({WithPath({"a", "b"}), WithPath({"a", "b", "d"})}),
      Not(HasSubstr("as above")));
}

TEST(RenderDiagnosticsTest, FindingsWithoutPathsStandTogether) {
  const Diagnostic file =
      MakeDiagnostic(DiagnosticCode::kCannotReadFile, {}, {"no"});
  EXPECT_EQ(RenderDiagnostics({file, file}),
            "error: F9001: no\nerror: F9001: no\n");
}

TEST(DiagnosticRendererTest, TheMiddleOfAVeryLongPathIsLeftOut) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("x" + std::to_string(i));
  const std::string text = RenderDiagnostic(WithPath(names));
  EXPECT_THAT(text, HasSubstr("     32. x31  add  f32[]  main\n"
                              "         ... and 36 more ...\n"
                              "     69. x68  add  f32[]  main\n"));
  EXPECT_THAT(text, HasSubstr("    100. x99  add  f32[]  main\n"));
}

TEST(DiagnosticRendererTest, AFixNamesItsPlaceOnce) {
  Diagnostic diagnostic = WithPath({"x"});
  diagnostic.fixes = {{"bring it back before `x`", "bring_back", "x"}};
  EXPECT_THAT(RenderDiagnostic(diagnostic),
              HasSubstr("  fix: bring it back before `x`\n"));
}

TEST(DiagnosticRendererTest, ColoursOnlyOnRequest) {
  DiagnosticRenderOptions options;
  options.colour = true;
  EXPECT_THAT(RenderDiagnostic(At("x", 0), options),
              HasSubstr("\033[1;31merror: \033[0m"));
  EXPECT_THAT(RenderDiagnostic(At("x", 0)), Not(HasSubstr("\033")));
}

TEST(UserSourceToStringTest, SaysWhatIsKnown) {
  EXPECT_EQ(UserSourceToString({}), "");
  EXPECT_EQ(UserSourceToString({"jit(f)", "", 0, ""}), "jit(f)");
  EXPECT_EQ(UserSourceToString({"", "m.py", 3, "f"}), "m.py:3 in f");
  EXPECT_EQ(UserSourceToString({"jit(f)", "m.py", 0, ""}), "m.py, jit(f)");
}

}  // namespace
}  // namespace ferry
