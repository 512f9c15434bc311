// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/redundant_memory.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RedundantMemoryTest : public testing::Test {
 protected:
  RedundantMemory Find(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto assignment = BufferAssignment::Run(*module_, *FindMemoryTarget("v5e"));
    EXPECT_TRUE(assignment.ok()) << assignment.status();
    assignment_.emplace(*std::move(assignment));
    return FindRedundantMemory(*assignment_);
  }
  // "copy: reason" of each copy.
  std::vector<std::string> Copies(absl::string_view text) {
    std::vector<std::string> copies;
    for (const VerbatimCopy& copy : Find(text).copies) {
      EXPECT_EQ(copy.is_needed, !copy.reason.empty());
      copies.push_back(absl::StrCat(copy.copy->name(), ": ", copy.reason));
    }
    return copies;
  }
  std::vector<std::string> Donations(absl::string_view text) {
    std::vector<std::string> reasons;
    for (const IneffectiveDonation& donation : Find(text).donations) {
      reasons.push_back(donation.reason);
    }
    return reasons;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<BufferAssignment> assignment_;
};

TEST_F(RedundantMemoryTest, ACopyOfWhatNobodyChangesIsNotNeeded) {
  const RedundantMemory found = Find(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  c = f32[1024]{0} copy(a)
  b = f32[1024]{0} reverse(c), dimensions={0}
  ROOT z = f32[1024]{0} add(a, b)
}
)");
  ASSERT_EQ(found.copies.size(), 1u);
  EXPECT_FALSE(found.copies[0].is_needed) << found.copies[0].reason;
  EXPECT_EQ(found.copies[0].size_bytes, 4096);
}

TEST_F(RedundantMemoryTest, ACopyThatIsChangedInPlaceIsNeeded) {
  EXPECT_THAT(Copies(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  u = f32[8]{0} parameter(1)
  i = s32[] parameter(2)
  a = f32[1024]{0} negate(p)
  c = f32[1024]{0} copy(a)
  d = f32[1024]{0} dynamic-update-slice(c, u, i)
  b = f32[1024]{0} reverse(d), dimensions={0}
  ROOT z = f32[1024]{0} add(a, b)
}
)"),
              ElementsAre("c: `a` is live while `d` is"));
}

TEST_F(RedundantMemoryTest, ACopyOfAnArgumentThatIsChangedIsNeeded) {
  constexpr absl::string_view kText = R"(
HloModule m, is_scheduled=true %
ENTRY e {
  p = f32[1024]{0} parameter(0)
  u = f32[8]{0} parameter(1)
  i = s32[] parameter(2)
  c = f32[1024]{0} copy(p)
  ROOT d = f32[1024]{0} dynamic-update-slice(c, u, i)
}
)";
  std::string kept(kText);
  kept.replace(kept.find('%'), 1, "");
  EXPECT_THAT(Copies(kept),
              ElementsAre("c: `p` is an argument that is not given away"));
  // Given away, it is updated in place: the copy goes nowhere.
  std::string given(kText);
  given.replace(given.find('%'), 1,
                ", input_output_alias={ {}: (0, {}, may-alias) }");
  EXPECT_THAT(Copies(given), ElementsAre("c: "));
}

TEST_F(RedundantMemoryTest, ACopyOfAConstantThatIsReturnedIsNeeded) {
  EXPECT_THAT(Copies(R"(
HloModule m, is_scheduled=true
ENTRY e {
  k = f32[1024]{0} constant({...})
  ROOT c = f32[1024]{0} copy(k)
}
)"),
              ElementsAre("c: `k` is a constant"));
}

TEST_F(RedundantMemoryTest, AChangeOfLayoutIsNoVerbatimCopy) {
  EXPECT_THAT(Copies(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[64,16]{1,0} parameter(0)
  ROOT c = f32[64,16]{0,1} copy(p)
}
)"),
              IsEmpty());
}

TEST_F(RedundantMemoryTest, AnArgumentThatIsOnlyCopiedIntoIsGivenAwayInVain) {
  EXPECT_THAT(Donations(R"(
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }
ENTRY e {
  p = f32[1024]{0} parameter(0)
  z = f32[1024]{0} reverse(p), dimensions={0}
  w = f32[1024]{0} add(z, p)
  r = f32[1024]{0} copy(z)
  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(r, w)
}
)"),
              ElementsAre("`r` only copies `z` there, which has bytes of its "
                          "own"));
}

TEST_F(RedundantMemoryTest, AnArgumentThatIsUpdatedInPlaceIsNot) {
  EXPECT_THAT(Donations(R"(
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  p = f32[1024]{0} parameter(0)
  ROOT z = f32[1024]{0} negate(p)
}
)"),
              IsEmpty());
}

TEST_F(RedundantMemoryTest, AnArgumentOfOtherSizeIsGivenAwayInVain) {
  EXPECT_THAT(Donations(R"(
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  p = f32[8192]{0} parameter(0)
  ROOT z = f32[1024]{0} slice(p), slice={[0:1024]}
}
)"),
              ElementsAre("`p` has 32768 bytes, but `z` needs 4096"));
}

}  // namespace
}  // namespace ferry
