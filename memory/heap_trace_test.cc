// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/heap_trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/memory_profile.h"
#include "ferry/memory/memory_target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

class HeapTraceTest : public ::testing::Test {
 protected:
  void Assign(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = std::move(*module);
    absl::StatusOr<BufferAssignment> assignment =
        BufferAssignment::Run(*module_, target_);
    ASSERT_TRUE(assignment.ok()) << assignment.status();
    assignment_ = std::make_unique<BufferAssignment>(std::move(*assignment));
  }
  const BufferAllocation* HeapOf(MemorySpace space) const {
    for (const BufferAllocation& allocation : assignment_->allocations()) {
      if (allocation.is_heap && allocation.space == space) return &allocation;
    }
    return nullptr;
  }
  std::vector<std::string> EventsOf(MemorySpace space) const {
    const auto name = [this](ValueId value) {
      return assignment_->dataflow().value(value).Name();
    };
    std::vector<std::string> lines;
    for (const HeapEvent& event : HeapTraceOf(*assignment_, *HeapOf(space))) {
      std::string line = absl::StrCat(event.time, " ");
      switch (event.kind) {
        case HeapEvent::Kind::kAlloc:
          absl::StrAppend(&line, "alloc ", name(event.value));
          break;
        case HeapEvent::Kind::kFree:
          absl::StrAppend(&line, "free ", name(event.value));
          break;
        case HeapEvent::Kind::kShareWith:
          absl::StrAppend(&line, name(event.value), " shares with ",
                          name(event.canonical));
          break;
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }
  // Plays the events and checks that they can be played; the most bytes.
  int64_t Replay(MemorySpace space) const {
    std::map<ValueId, int64_t> counts;  // by root
    std::map<ValueId, ValueId> roots;
    int64_t bytes = 0;
    int64_t peak = 0;
    LogicalTime time = 0;
    for (const HeapEvent& event : HeapTraceOf(*assignment_, *HeapOf(space))) {
      EXPECT_GE(event.time, time);
      time = event.time;
      if (event.kind == HeapEvent::Kind::kFree) {
        const auto root = roots.find(event.value);
        if (root == roots.end()) {
          ADD_FAILURE() << event.value << " is freed and was not there";
          continue;
        }
        if (--counts[root->second] == 0) {
          bytes -= assignment_->SliceOf(root->second).size_bytes;
        }
        roots.erase(root);
        EXPECT_GE(bytes, 0);
        continue;
      }
      const bool shares = event.kind == HeapEvent::Kind::kShareWith;
      const ValueId root = shares ? event.canonical : event.value;
      if (shares) {
        EXPECT_GT(counts[root], 0);
      }
      EXPECT_TRUE(roots.insert({event.value, root}).second);
      if (++counts[root] == 1) bytes += assignment_->SliceOf(root).size_bytes;
      peak = std::max(peak, bytes);
    }
    EXPECT_TRUE(roots.empty());
    EXPECT_EQ(bytes, 0);
    return peak;
  }

  HloContext context_;
  MemoryTarget target_ = *FindMemoryTarget("v5e");
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<BufferAssignment> assignment_;
};

constexpr MemorySpace kVmem = MemorySpace::kFast;

TEST_F(HeapTraceTest, AllocatesAndFrees) {
  Assign(R"(
HloModule m, is_scheduled=true
ENTRY main {
  p = f32[2048]{0:T(1024)} parameter(0)
  a = f32[2048]{0:T(1024)S(1)} copy(p)
  b = f32[1024]{0:T(1024)S(1)} slice(a), slice={[0:1024]}
  c = f32[1024]{0:T(1024)S(1)} slice(a), slice={[1024:2048]}
  ROOT d = f32[1024]{0:T(1024)} add(b, c)
}
)");
  EXPECT_THAT(EventsOf(kVmem),
              ElementsAre("1 alloc a", "2 alloc b", "3 alloc c", "4 free a",
                          "5 free b", "5 free c"));
  EXPECT_EQ(Replay(kVmem), 4 * 4096);
}

// A result that is written over a dying operand takes no more bytes.
TEST_F(HeapTraceTest, HandingOverShares) {
  Assign(R"(
HloModule m, is_scheduled=true
ENTRY main {
  p = f32[1024]{0:T(1024)} parameter(0)
  a = f32[1024]{0:T(1024)S(1)} copy(p)
  b = f32[1024]{0:T(1024)S(1)} negate(a)
  c = f32[1024]{0:T(1024)S(1)} negate(b)
  ROOT d = f32[1024]{0:T(1024)} copy(c)
}
)");
  EXPECT_THAT(EventsOf(kVmem),
              ElementsAre("1 alloc a", "2 b shares with a", "3 free a",
                          "3 c shares with a", "4 free b", "5 free c"));
  EXPECT_EQ(Replay(kVmem), 4096);
}

// The parts stand where the whole will be, and count with it from then on.
TEST_F(HeapTraceTest, PartsOfAConcatenationCountOnce) {
  Assign(R"(
HloModule m, is_scheduled=true
ENTRY main {
  p = f32[16,1024]{1,0:T(8,128)} parameter(0)
  a = f32[8,1024]{1,0:T(8,128)S(1)} slice(p), slice={[0:8], [0:1024]}
  b = f32[8,1024]{1,0:T(8,128)S(1)} slice(p), slice={[8:16], [0:1024]}
  c = f32[16,1024]{1,0:T(8,128)S(1)} custom-call(a, b), custom_call_target="ConcatBitcast"
  ROOT d = f32[16,1024]{1,0:T(8,128)} copy(c)
}
)");
  EXPECT_THAT(EventsOf(kVmem),
              ElementsAre("1 alloc a", "2 alloc b", "3 free a", "3 free b",
                          "3 alloc c", "5 free c"));
  EXPECT_EQ(Replay(kVmem), 16 * 1024 * 4);
}

// A heap that is all of its space peaks where the profile of the space does.
TEST_F(HeapTraceTest, PeaksWithTheProfile) {
  Assign(R"(
HloModule m, is_scheduled=true
body {
  q = (f32[1024]{0:T(1024)S(1)}, s32[]{:T(128)}) parameter(0)
  v = f32[1024]{0:T(1024)S(1)} get-tuple-element(q), index=0
  i = s32[]{:T(128)} get-tuple-element(q), index=1
  one = s32[]{:T(128)} constant(1)
  j = s32[]{:T(128)} add(i, one)
  big = f32[4096]{0:T(1024)S(1)} broadcast(j), dimensions={}
  s = f32[1024]{0:T(1024)S(1)} slice(big), slice={[0:1024]}
  w = f32[1024]{0:T(1024)S(1)} add(v, s)
  ROOT t = (f32[1024]{0:T(1024)S(1)}, s32[]{:T(128)}) tuple(w, j)
}
cond {
  q = (f32[1024]{0:T(1024)S(1)}, s32[]{:T(128)}) parameter(0)
  i = s32[]{:T(128)} get-tuple-element(q), index=1
  n = s32[]{:T(128)} constant(3)
  ROOT l = pred[]{:T(512)} compare(i, n), direction=LT
}
ENTRY main {
  p = f32[1024]{0:T(1024)} parameter(0)
  z = s32[]{:T(128)} constant(0)
  c = f32[1024]{0:T(1024)S(1)} copy(p)
  t = (f32[1024]{0:T(1024)S(1)}, s32[]{:T(128)}) tuple(c, z)
  loop = (f32[1024]{0:T(1024)S(1)}, s32[]{:T(128)}) while(t), condition=cond, body=body
  g = f32[1024]{0:T(1024)S(1)} get-tuple-element(loop), index=0
  ROOT r = f32[1024]{0:T(1024)} copy(g)
}
)");
  const MemoryProfile profile(*assignment_);
  EXPECT_EQ(Replay(kVmem), profile.FindSpace(kVmem)->peak_bytes);
  Replay(MemorySpace::kDefault);
}

}  // namespace
}  // namespace ferry
