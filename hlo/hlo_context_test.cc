// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_context.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(HloContextTest, EqualLayoutsAreOneObject) {
  HloContext context;
  LayoutFields fields;
  fields.minor_to_major = {1, 0};
  const Layout& layout = context.GetLayout(fields);
  EXPECT_EQ(&context.GetLayout(fields), &layout);
  EXPECT_EQ(&context.GetDefaultLayout(2), &layout);
  fields.memory_space = MemorySpace::kHost;
  EXPECT_NE(&context.GetLayout(fields), &layout);
}

TEST(HloContextTest, EqualShapesAreOneObject) {
  HloContext context;
  const Layout& layout = context.GetDefaultLayout(1);
  const Shape& array = context.GetArrayShape(PrimitiveType::kF32, {8}, &layout);
  EXPECT_EQ(&context.GetArrayShape(PrimitiveType::kF32, {8}, &layout), &array);
  EXPECT_NE(&context.GetArrayShape(PrimitiveType::kS32, {8}, &layout), &array);
  EXPECT_NE(&context.GetArrayShape(PrimitiveType::kF32, {8}, nullptr), &array);
  EXPECT_NE(&context.GetArrayShape(PrimitiveType::kF32, {8}, &layout, {true}),
            &array);
  EXPECT_EQ(&context.GetTupleShape({&array, &array}),
            &context.GetTupleShape({&array, &array}));
  EXPECT_EQ(&context.GetBufferShape(array), &context.GetBufferShape(array));
  EXPECT_EQ(&context.GetShapeWithoutElements(PrimitiveType::kToken),
            &context.GetShapeWithoutElements(PrimitiveType::kToken));
}

TEST(HloContextTest, WithMemorySpaceChangesNothingElse) {
  HloContext context;
  const Shape& device = context.GetArrayShape(PrimitiveType::kF32, {2, 3},
                                              &context.GetDefaultLayout(2));
  const Shape& host = context.WithMemorySpace(device, MemorySpace::kHost);
  EXPECT_EQ(host.ToString(), "f32[2,3]{1,0:S(5)}");
  EXPECT_EQ(&context.WithMemorySpace(host, MemorySpace::kDefault), &device);
}

TEST(HloContextTest, WithLayoutKeepsDynamicDimensions) {
  HloContext context;
  const Shape& shape = context.GetArrayShape(
      PrimitiveType::kF32, {2, 3}, &context.GetDefaultLayout(2), {true, false});
  EXPECT_EQ(context.WithLayout(shape, nullptr).ToString(), "f32[<=2,3]");
}

TEST(HloContextTest, MapLeavesRebuildsTheTuplesAround) {
  HloContext context;
  const Shape& array = context.GetArrayShape(PrimitiveType::kF32, {8},
                                             &context.GetDefaultLayout(1));
  const Shape& tuple =
      context.GetTupleShape({&array, &context.GetTupleShape({&array})});
  const Shape& mapped = context.MapLeaves(
      tuple, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
        if (ordinal != 3) return leaf;
        return context.WithMemorySpace(leaf, MemorySpace::kHost);
      });
  EXPECT_EQ(mapped.ToString(), "(f32[8]{0}, (f32[8]{0:S(5)}))");
}

TEST(HloContextTest, ThreadsGetTheSameShapes) {
  HloContext context;
  std::vector<const Shape*> last(4);
  std::vector<std::thread> threads;
  for (const Shape*& shape : last) {
    threads.emplace_back([&context, &shape] {
      for (int64_t size = 0; size < 1000; ++size) {
        shape = &context.GetArrayShape(PrimitiveType::kF32, {size},
                                       &context.GetDefaultLayout(1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Shape* shape : last) EXPECT_EQ(shape, last[0]);
}

}  // namespace
}  // namespace ferry
