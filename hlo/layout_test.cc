// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/layout.h"

#include "ferry/hlo/hlo_context.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(LayoutTest, AScalarThatSaysNothingPrintsNothing) {
  HloContext context;
  EXPECT_EQ(context.GetDefaultLayout(0).ToString(), "");
}

TEST(LayoutTest, TheDefaultIsDescending) {
  HloContext context;
  const Layout& layout = context.GetDefaultLayout(3);
  EXPECT_EQ(layout.ToString(), "{2,1,0}");
  EXPECT_EQ(layout.memory_space(), MemorySpace::kDefault);
}

TEST(LayoutTest, PrintsEveryField) {
  HloContext context;
  LayoutFields fields;
  fields.minor_to_major = {0, 1};
  fields.tiles = {{{2, Tile::kCombined}}, {{4}}};
  fields.tail_padding_alignment_in_elements = 1024;
  fields.index_type = PrimitiveType::kU32;
  fields.pointer_type = PrimitiveType::kU64;
  fields.element_size_in_bits = 4;
  fields.memory_space = MemorySpace::kHost;
  fields.split_configs = {{0, {1, 2}}};
  fields.dynamic_shape_metadata_prefix_bytes = 8;
  EXPECT_EQ(context.GetLayout(fields).ToString(),
            "{0,1:T(2,*)(4)L(1024)#(u32)*(u64)E(4)S(5)SC(0:1,2)M(8)}");
}

}  // namespace
}  // namespace ferry
