// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_dot_printer.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HloDotPrinterTest : public ::testing::Test {
 protected:
  const HloModule& Read(absl::string_view text) {
    module_ = *ParseHloText(text, context_);
    return *module_;
  }
  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

constexpr absl::string_view kFusion = R"(HloModule m
body {
  p = f32[4] parameter(0)
  ROOT n = f32[4] negate(p)
}
ENTRY e {
  x = f32[4]{0:S(5)} parameter(0)
  f = f32[4] fusion(x), kind=kLoop, calls=body
  ROOT r = f32[4] custom-call(f), custom_call_target="a\"b\\c", control-predecessors={x}
}
)";

TEST_F(HloDotPrinterTest, AFusionIsABoxWithItsBodyInIt) {
  const std::string text = HloToDot(Read(kFusion));
  EXPECT_THAT(text, HasSubstr("    subgraph \"cluster_0\" {\n"
                              "      label=\"f\\nf32[4]\\nfusion kLoop\";\n"));
  // Through the box: x to p, n to r.
  EXPECT_THAT(text, HasSubstr("  i2 -> i0 [xlabel=\"S(5)\", color=red];\n"));
  EXPECT_THAT(text, HasSubstr("  i1 -> i4;\n"));
  EXPECT_THAT(text, HasSubstr("  i2 -> i4 [style=dotted];\n"));
  EXPECT_THAT(text, Not(HasSubstr("i3")));
}

TEST_F(HloDotPrinterTest, QuotesAndBackslashesAreEscaped) {
  EXPECT_THAT(HloToDot(Read(kFusion)), HasSubstr("custom-call a\\\"b\\\\c\""));
}

TEST_F(HloDotPrinterTest, OneComputationShowsFusionsAsNodes) {
  const std::string text = HloToDot(Read(kFusion).entry());
  EXPECT_THAT(text, HasSubstr("i3 [label=\"f\\nf32[4]\\nfusion\""));
  EXPECT_THAT(text, Not(HasSubstr("cluster_0")));
}

TEST_F(HloDotPrinterTest, APartShowsEdgesWithinItOnly) {
  const HloModule& module = Read(kFusion);
  const std::string text =
      HloToDot(Neighborhood(module.entry().root(), /*depth=*/0));
  EXPECT_THAT(text, HasSubstr("i4 [label"));
  EXPECT_THAT(text, Not(HasSubstr("->")));
}

TEST_F(HloDotPrinterTest, FusionsInFusionsToAnyDepth) {
  std::string text = "HloModule deep\nbody0 { ROOT p = f32[] parameter(0) }\n";
  constexpr int kDepth = 20000;
  for (int i = 1; i <= kDepth; ++i) {
    absl::StrAppend(&text, "body", i, " { p = f32[] parameter(0)\n",
                    "ROOT r = f32[] fusion(p), kind=kLoop, calls=body", i - 1,
                    " }\n");
  }
  EXPECT_THAT(HloToDot(Read(text)).size(), testing::Gt(kDepth));
}

}  // namespace
}  // namespace ferry
