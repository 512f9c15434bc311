// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/use_index.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

// A tuple of 40 elements, `x` and `y` in turn, whose elements are all read
// twice, with a barrier between the two rounds.
std::string WideTuple() {
  std::vector<std::string> elements;
  std::vector<std::string> results[2];
  std::string reads;
  for (int i = 0; i < 40; ++i) {
    elements.push_back(i % 2 == 0 ? "x" : "y");
    for (int round = 0; round < 2; ++round) {
      results[round].push_back(absl::StrCat("g", round, ".", i));
      absl::StrAppend(&reads, "  g", round, ".", i,
                      " = f32[] get-tuple-element(t), index=", i, "\n");
    }
  }
  return absl::StrCat(
      "ENTRY main {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
      "  t = tuple(",
      absl::StrJoin(elements, ", "), ")\n", reads, "  b = (",
      absl::StrJoin(std::vector<std::string>(40, "f32[]"), ", "),
      ") opt-barrier(t)\n  e = f32[] get-tuple-element(b), index=0\n"
      "  ROOT r = tuple(",
      absl::StrJoin(results[0], ", "), ", e, ", absl::StrJoin(results[1], ", "),
      ")\n}");
}

TEST(UseIndexTest, FindsTheReadersOfOneElement) {
  HloContext context;
  const auto module = ParseHloText(WideTuple(), context);
  ASSERT_TRUE(module.ok()) << module.status();
  const UseIndex index(**module);
  const HloInstruction* tuple = nullptr;
  for (const HloInstruction& instruction : (*module)->entry().instructions()) {
    if (instruction.name() == "t") tuple = &instruction;
  }
  std::vector<std::string> readers;
  index.ForEachUser(
      *tuple, tuple->shape().ElementOrdinal(7),
      [&](const HloInstruction& user) { readers.emplace_back(user.name()); });
  EXPECT_THAT(readers, ElementsAre("g0.7", "b", "g1.7"));
}

TEST(UseIndexTest, FindsThePlacesOfAnOperand) {
  HloContext context;
  const auto module = ParseHloText(
      absl::StrCat("ENTRY main {\n  x = f32[] parameter(0)\n"
                   "  y = f32[] parameter(1)\n  ROOT t = tuple(y, x, x",
                   absl::StrJoin(std::vector<std::string>(40, ""), ", y"),
                   ", x)\n}"),
      context);
  ASSERT_TRUE(module.ok()) << module.status();
  const UseIndex index(**module);
  std::vector<int64_t> places;
  index.ForEachPlace((*module)->entry().root(),
                     *(*module)->entry().parameters()[0],
                     [&](int64_t place) { places.push_back(place); });
  EXPECT_THAT(places, ElementsAre(1, 2, 42));
}

}  // namespace
}  // namespace ferry
