// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/neighborhood.h"

#include <memory>
#include <string>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

class NeighborhoodTest : public ::testing::Test {
 protected:
  NeighborhoodTest()
      : module_(
            *ParseHloText("HloModule m, is_scheduled=true\n"
                          "ENTRY e {\n"
                          "a = f32[] parameter(0)\n"
                          "b = f32[] parameter(1)\n"
                          "x = f32[] negate(a)\n"
                          "far = f32[] negate(b)\n"
                          "y = f32[] add(x, b)\n"
                          "w = f32[] constant(1), control-predecessors={x}\n"
                          "ROOT z = f32[] negate(y)\n"
                          "}\n",
                          context_)) {}

  const HloInstruction& Find(absl::string_view name) {
    for (const HloInstruction& one : module_->entry().instructions()) {
      if (one.name() == name) return one;
    }
    return module_->entry().root();
  }

  std::vector<std::string> Around(absl::string_view name, int64_t depth) {
    const Neighborhood near(Find(name), depth);
    std::vector<std::string> names;
    for (const HloInstruction& one : module_->entry().instructions()) {
      if (near.Contains(one)) names.emplace_back(one.name());
    }
    return names;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

TEST_F(NeighborhoodTest, HoldsWhatIsUpToDepthStepsAway) {
  EXPECT_THAT(Around("x", 0), ElementsAre("x"));
  EXPECT_THAT(Around("x", 1), ElementsAre("a", "x", "y", "w"));
  EXPECT_THAT(Around("x", 2), ElementsAre("a", "b", "x", "y", "w", "z"));
}

TEST_F(NeighborhoodTest, WaitingIsAStepBothWays) {
  EXPECT_THAT(Around("w", 1), ElementsAre("x", "w"));
}

TEST_F(NeighborhoodTest, IsPrintedWithWhatIsCut) {
  const Neighborhood near(Find("x"), 1);
  EXPECT_EQ(HloToString(near),
            "// x and what is within 1 step of it\n"
            "ENTRY %e (a: f32[], b: f32[]) -> f32[] {\n"
            "  %a = f32[] parameter(0)\n"
            "  // 1 instruction\n"
            "  %x = f32[] negate(%a)\n"
            "  // 1 instruction\n"
            "  %y = f32[] add(%x, %b)\n"
            "  %w = f32[] constant(1), control-predecessors={%x}\n"
            "  // 1 instruction\n"
            "}\n");
}

}  // namespace
}  // namespace ferry
