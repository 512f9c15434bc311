// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/memory_profile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/memory_target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

class MemoryProfileTest : public testing::Test {
 protected:
  void Run(absl::string_view text) {
    auto module = ParseHloText(
        absl::StrCat("HloModule m, is_scheduled=true\n", text), context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto assignment = BufferAssignment::Run(*module_, *FindMemoryTarget("v5e"));
    ASSERT_TRUE(assignment.ok()) << assignment.status();
    assignment_.emplace(*std::move(assignment));
    profile_.emplace(*assignment_);
  }
  // "name: bytes from-to"
  std::vector<std::string> LiveAt(LogicalTime time) const {
    std::vector<std::string> live;
    for (const LiveBuffer& buffer :
         profile_->LiveAt(MemorySpace::kDefault, time)) {
      live.push_back(absl::StrCat(
          assignment_->dataflow().value(buffer.value).Name(), ": ",
          buffer.size_bytes, " ", buffer.live.start, "-", buffer.live.end));
    }
    return live;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::optional<BufferAssignment> assignment_;
  std::optional<MemoryProfile> profile_;
};

constexpr char kWaits[] = R"(
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  a = f32[1024]{0:T(1024)} reverse(x), dimensions={0}
  b = f32[2048]{0:T(1024)} concatenate(a, x), dimensions={0}
  c = f32[1024]{0:T(1024)} slice(b), slice={[0:1024]}
  ROOT d = f32[1024]{0:T(1024)} add(c, a)
})";

TEST_F(MemoryProfileTest, CountsWhatIsLive) {
  Run(kWaits);
  const SpaceProfile& hbm = *profile_->FindSpace(MemorySpace::kDefault);
  EXPECT_EQ(hbm.BytesAt(0), 4096);
  EXPECT_EQ(hbm.BytesAt(1), 2 * 4096);
  EXPECT_EQ(hbm.BytesAt(2), 4 * 4096);
  EXPECT_EQ(hbm.BytesAt(3), 5 * 4096);
  // The sum is written over one of those that it reads.
  EXPECT_EQ(hbm.BytesAt(4), 3 * 4096);
  EXPECT_EQ(hbm.peak_bytes, 5 * 4096);
  EXPECT_EQ(hbm.peak_time, 3);
}

TEST_F(MemoryProfileTest, NamesWhatIsLive) {
  Run(kWaits);
  EXPECT_THAT(LiveAt(3), ElementsAre("b: 8192 2-4", "x: 4096 0-5",
                                     "a: 4096 1-5", "c: 4096 3-5"));
}

TEST_F(MemoryProfileTest, SaysHowLongABufferWaits) {
  Run(kWaits);
  for (const LiveBuffer& buffer : profile_->LiveAt(MemorySpace::kDefault, 3)) {
    if (assignment_->dataflow().value(buffer.value).Name() != "a") continue;
    EXPECT_EQ(buffer.last_touch, 2);
    EXPECT_EQ(buffer.next_touch, 4);
  }
}

TEST_F(MemoryProfileTest, ConstantsAreThereAllTheTime) {
  Run(R"(
ENTRY main {
  x = f32[1024]{0:T(1024)} parameter(0)
  k = f32[] constant(1)
  ROOT b = f32[1024]{0:T(1024)} broadcast(k), dimensions={}
})");
  const SpaceProfile& hbm = *profile_->FindSpace(MemorySpace::kDefault);
  EXPECT_EQ(hbm.static_bytes, 4096);
  EXPECT_EQ(hbm.BytesAt(0), 2 * 4096);
}

// The branches do not run at the same time.
TEST_F(MemoryProfileTest, BranchesAreNotAdded) {
  Run(R"(
a {
  q = f32[1024]{0:T(1024)} parameter(0)
  n = f32[1024]{0:T(1024)} reverse(q), dimensions={0}
  ROOT m = f32[1024]{0:T(1024)} reverse(n), dimensions={0}
}
b {
  r = f32[1024]{0:T(1024)} parameter(0)
  e = f32[1024]{0:T(1024)} reverse(r), dimensions={0}
  ROOT f = f32[1024]{0:T(1024)} reverse(e), dimensions={0}
}
ENTRY main {
  p = pred[]{:T(512)} parameter(0)
  x = f32[1024]{0:T(1024)} parameter(1)
  ROOT y = f32[1024]{0:T(1024)} conditional(p, x, x), true_computation=a, false_computation=b
})");
  EXPECT_EQ(profile_->FindSpace(MemorySpace::kDefault)->peak_bytes,
            512 + 3 * 4096);
}

TEST_F(MemoryProfileTest, HostArraysAreNotHbm) {
  Run(R"(
ENTRY main {
  x = f32[1024]{0:T(1024)S(5)} parameter(0)
  s = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)S(5)}, u32[]{:S(2)}) copy-start(x)
  ROOT d = f32[1024]{0:T(1024)} copy-done(s)
})");
  EXPECT_EQ(profile_->FindSpace(MemorySpace::kHost)->peak_bytes, 4096);
  EXPECT_EQ(profile_->FindSpace(MemorySpace::kDefault)->peak_bytes, 4096 + 512);
}

}  // namespace
}  // namespace ferry
