// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/dimension_links.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Of the root of an entry with these lines.
std::vector<std::string> LinksOf(absl::string_view lines) {
  HloContext context;
  const std::unique_ptr<HloModule> module =
      *ParseHloText(absl::StrCat("HloModule m\n\nadd {\n"
                                 "  x = f32[] parameter(0)\n"
                                 "  y = f32[] parameter(1)\n"
                                 "  ROOT s = f32[] add(x, y)\n}\n\n"
                                 "ENTRY main {\n",
                                 lines, "}\n"),
                    context);
  std::vector<std::string> links;
  for (const DimensionLink& link : FindDimensionLinks(module->entry().root())) {
    links.push_back(absl::StrCat(link.operand, ":", link.from, "->", link.to));
  }
  return links;
}

TEST(DimensionLinksTest, ElementwiseLinksAllOperandsOfTheRank) {
  EXPECT_THAT(LinksOf("  a = f32[4,8] parameter(0)\n"
                      "  ROOT r = f32[4,8] add(a, a)\n"),
              ElementsAre("0:0->0", "0:1->1", "1:0->0", "1:1->1"));
}

TEST(DimensionLinksTest, AProductLinksBatchAndFreeDimensions) {
  EXPECT_THAT(LinksOf("  a = f32[2,4,8] parameter(0)\n"
                      "  b = f32[2,8,16] parameter(1)\n"
                      "  ROOT r = f32[2,4,16] dot(a, b), lhs_batch_dims={0}, "
                      "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                      "rhs_contracting_dims={1}\n"),
              ElementsAre("0:0->0", "1:0->0", "0:1->1", "1:2->2"));
}

TEST(DimensionLinksTest, AReshapeLinksTheMajorDimensionOfEachGroup) {
  EXPECT_THAT(LinksOf("  a = f32[4,6,8] parameter(0)\n"
                      "  ROOT r = f32[24,1,2,4] reshape(a)\n"),
              ElementsAre("0:0->0", "0:2->2"));
}

TEST(DimensionLinksTest, AReductionLinksWhatItKeeps) {
  EXPECT_THAT(LinksOf("  a = f32[4,6,8] parameter(0)\n"
                      "  z = f32[] constant(0)\n"
                      "  ROOT r = f32[4,8] reduce(a, z), dimensions={1}, "
                      "to_apply=add\n"),
              ElementsAre("0:0->0", "0:2->1"));
}

TEST(DimensionLinksTest, ASliceLinksWhatItTakesWhole) {
  EXPECT_THAT(LinksOf("  a = f32[4,8] parameter(0)\n"
                      "  ROOT r = f32[4,2] slice(a), slice={[0:4], [0:2]}\n"),
              ElementsAre("0:0->0"));
}

TEST(DimensionLinksTest, AGatherLinksRowsToIndicesAndWholeWindows) {
  EXPECT_THAT(LinksOf("  a = f32[100,8] parameter(0)\n"
                      "  i = s32[5,1] parameter(1)\n"
                      "  ROOT r = f32[5,8] gather(a, i), offset_dims={1}, "
                      "collapsed_slice_dims={0}, start_index_map={0}, "
                      "index_vector_dim=1, slice_sizes={1,8}\n"),
              ElementsAre("0:1->1", "1:0->0"));
}

TEST(DimensionLinksTest, AConvolutionLinksBatchAndFeatures) {
  EXPECT_THAT(LinksOf("  a = f32[2,9,9,4] parameter(0)\n"
                      "  k = f32[3,3,4,16] parameter(1)\n"
                      "  ROOT r = f32[2,7,7,16] convolution(a, k), "
                      "window={size=3x3}, dim_labels=b01f_01io->b01f\n"),
              ElementsAre("0:0->0", "1:3->3"));
}

TEST(DimensionLinksTest, WhatIsNotKnownLinksNothing) {
  EXPECT_THAT(LinksOf("  a = f32[4,8] parameter(0)\n"
                      "  ROOT r = f32[4,8] custom-call(a), "
                      "custom_call_target=\"K\"\n"),
              IsEmpty());
}

}  // namespace
}  // namespace ferry
