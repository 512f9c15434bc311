// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/overwritten_buffers.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Packer = std::function<absl::StatusOr<Packing>(const PackingProblem&)>;

class OverwrittenBuffersTest : public testing::Test {
 protected:
  // "F2101 message" of each finding about the program of `text`.
  std::vector<std::string> Verify(absl::string_view text, Packer pack = {}) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    const auto assignment = BufferAssignment::Run(
        **module, *FindMemoryTarget("v5e"), {.pack = std::move(pack)});
    EXPECT_TRUE(assignment.ok()) << assignment.status();
    std::vector<std::string> findings;
    for (const Diagnostic& d : FindOverwrittenBuffers(*assignment)) {
      findings.push_back(absl::StrCat(DiagnosticId(d.code), " ", d.message));
    }
    return findings;
  }

  HloContext context_;
};

// Everything that may be moved at `offset_bytes`.
Packer AllAt(int64_t offset_bytes) {
  return [=](const PackingProblem& problem) -> absl::StatusOr<Packing> {
    Packing packing;
    packing.status = PackingStatus::kFeasible;
    for (const PackingBuffer& buffer : problem.buffers) {
      const int64_t offset = buffer.fixed_offset_bytes.value_or(offset_bytes);
      packing.offsets_bytes.push_back(offset);
      packing.height_bytes =
          std::max(packing.height_bytes, offset + buffer.size_bytes);
      for (const BufferPiece& piece : buffer.pieces) {
        packing.height_bytes =
            std::max(packing.height_bytes,
                     offset + piece.offset_bytes + piece.size_bytes);
      }
    }
    return packing;
  };
}

constexpr absl::string_view kTwoLiveAtOnce = R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  b = f32[1024]{0} exponential(p)
  c = f32[1024]{0} add(a, b)
  ROOT d = f32[1024]{0} reverse(c), dimensions={0}
}
)";

TEST_F(OverwrittenBuffersTest, AcceptsWhatDoesNotOverlap) {
  EXPECT_THAT(Verify(kTwoLiveAtOnce), IsEmpty());
}

TEST_F(OverwrittenBuffersTest, FindsBuffersPackedOverEachOther) {
  EXPECT_THAT(Verify(kTwoLiveAtOnce, AllAt(0)),
              Contains("F2101 `b` writes over `a`, which `c` still needs"));
}

TEST_F(OverwrittenBuffersTest, FindsOffsetsThatTheChipDoesNotAllow) {
  EXPECT_THAT(Verify(kTwoLiveAtOnce, AllAt(512)),
              Contains(HasSubstr("offset 512 is no multiple of 16384")));
}

// What a reverse reads is not there any more when it has written half of it.
TEST_F(OverwrittenBuffersTest, AnOperandIsNotWrittenOverElementByElement) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  b = f32[1024]{0} reverse(a), dimensions={0}
  ROOT c = f32[1024]{0} exponential(b)
}
)",
                     AllAt(0)),
              ElementsAre("F2101 `b` writes over `a`, which `b` still needs"));
}

TEST_F(OverwrittenBuffersTest, ElementwiseOperationsWorkInPlace) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  b = f32[1024]{0} exponential(a)
  ROOT c = f32[1024]{0} tanh(b)
}
)"),
              IsEmpty());
}

// A program with a loop that adds one to `x`; `after` is what comes behind it.
std::string Loop(absl::string_view before, absl::string_view after) {
  return absl::StrCat(R"(
HloModule m, is_scheduled=true
body {
  s = (f32[1024]{0}, s32[]) parameter(0)
  x = f32[1024]{0} get-tuple-element(s), index=0
  i = s32[] get-tuple-element(s), index=1
  y = f32[1024]{0} add(x, x)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (f32[1024]{0}, s32[]) tuple(y, j)
}
condition {
  s = (f32[1024]{0}, s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=1
  n = s32[] constant(7)
  ROOT go = pred[] compare(i, n), direction=LT
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
)",
                      before, R"(
  zero = s32[] constant(0)
  k = s32[] copy(zero)
  t = (f32[1024]{0}, s32[]) tuple(v, k)
  w = (f32[1024]{0}, s32[]) while(t), body=body, condition=condition
  u = f32[1024]{0} get-tuple-element(w), index=0
)",
                      after, "\n}\n");
}

TEST_F(OverwrittenBuffersTest, ALoopChangesItsStateInPlace) {
  EXPECT_THAT(Verify(Loop("v = f32[1024]{0} negate(p)",
                          "ROOT z = f32[1024]{0} exponential(u)")),
              IsEmpty());
}

TEST_F(OverwrittenBuffersTest, FindsALoopThatChangesWhatIsReadLater) {
  EXPECT_THAT(Verify(Loop("v = f32[1024]{0} negate(p)",
                          "ROOT z = f32[1024]{0} add(v, u)")),
              Contains("F2101 `y` writes over `v`, which `z` still needs"));
}

TEST_F(OverwrittenBuffersTest, FindsALoopThatChangesAnArgument) {
  EXPECT_THAT(Verify(Loop("v = f32[1024]{0} bitcast(p)",
                          "ROOT z = f32[1024]{0} exponential(u)")),
              Contains("F2101 `y` writes over `p`, which the caller still "
                       "needs"));
}

TEST_F(OverwrittenBuffersTest, FindsALoopThatChangesAConstant) {
  EXPECT_THAT(Verify(Loop("v = f32[1024]{0} constant({...})",
                          "ROOT z = f32[1024]{0} exponential(u)")),
              Contains("F2101 `w` writes over `v`, which the caller still "
                       "needs"));
}

TEST_F(OverwrittenBuffersTest, ALoopHandsOnWhatItDoesNotChange) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
body {
  s = (f32[1024]{0}, s32[]) parameter(0)
  x = f32[1024]{0} get-tuple-element(s), index=0
  i = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (f32[1024]{0}, s32[]) tuple(x, j)
}
condition {
  s = (f32[1024]{0}, s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=1
  n = s32[] constant(7)
  ROOT go = pred[] compare(i, n), direction=LT
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
  zero = s32[] constant(0)
  i = s32[] copy(zero)
  t = (f32[1024]{0}, s32[]) tuple(p, i)
  w = (f32[1024]{0}, s32[]) while(t), body=body, condition=condition
  y = f32[1024]{0} get-tuple-element(w), index=0
  ROOT z = f32[1024]{0} add(p, y)
}
)"),
              IsEmpty());
}

// Two elements that change places would need a third place.
TEST_F(OverwrittenBuffersTest, FindsALoopThatSwapsWithoutACopy) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
body {
  s = (f32[1024]{0}, f32[1024]{0}) parameter(0)
  x = f32[1024]{0} get-tuple-element(s), index=0
  y = f32[1024]{0} get-tuple-element(s), index=1
  ROOT r = (f32[1024]{0}, f32[1024]{0}) tuple(y, x)
}
condition {
  s = (f32[1024]{0}, f32[1024]{0}) parameter(0)
  ROOT go = pred[] custom-call(), custom_call_target="Go"
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  b = f32[1024]{0} exponential(p)
  t = (f32[1024]{0}, f32[1024]{0}) tuple(a, b)
  w = (f32[1024]{0}, f32[1024]{0}) while(t), body=body, condition=condition
  y = f32[1024]{0} get-tuple-element(w), index=0
  ROOT z = f32[1024]{0} reverse(y), dimensions={0}
}
)"),
              Contains(StartsWith("F2101 `b` writes over `a`")));
}

// The state of a loop must outlive its condition, which does not read it.
TEST_F(OverwrittenBuffersTest, AConditionKeepsTheStateOfItsLoop) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
body {
  s = (f32[1024]{0}, s32[]) parameter(0)
  x = f32[1024]{0} get-tuple-element(s), index=0
  i = s32[] get-tuple-element(s), index=1
  ROOT r = (f32[1024]{0}, s32[]) tuple(x, i)
}
condition {
  s = (f32[1024]{0}, s32[]) parameter(0)
  a = f32[1024]{0} custom-call(), custom_call_target="Make"
  ROOT go = pred[] custom-call(a), custom_call_target="Go"
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
  i = s32[] parameter(1)
  x = f32[1024]{0} negate(p)
  t = (f32[1024]{0}, s32[]) tuple(x, i)
  w = (f32[1024]{0}, s32[]) while(t), body=body, condition=condition
  y = f32[1024]{0} get-tuple-element(w), index=0
  ROOT z = f32[1024]{0} reverse(y), dimensions={0}
}
)",
                     AllAt(0)),
              Contains(HasSubstr("`a` writes over")));
}

constexpr absl::string_view kBranches = R"(
HloModule m, is_scheduled=true
left {
  x = f32[1024]{0} parameter(0)
  ROOT y = f32[1024]{0} negate(x)
}
right {
  x = f32[1024]{0} parameter(0)
  ROOT y = f32[1024]{0} exponential(x)
}
ENTRY e {
  c = pred[] parameter(0)
  p = f32[1024]{0} parameter(1)
  a = f32[1024]{0} tanh(p)
  r = f32[1024]{0} conditional(c, a, a), true_computation=left, false_computation=right
  ROOT z = f32[1024]{0} add(r, %)
}
)";

std::string Branches(absl::string_view read_later) {
  std::string text(kBranches);
  text.replace(text.find("%"), 1, std::string(read_later));
  return text;
}

TEST_F(OverwrittenBuffersTest, BranchesShareAResult) {
  EXPECT_THAT(Verify(Branches("r")), IsEmpty());
  EXPECT_THAT(Verify(Branches("a")), IsEmpty());
}

TEST_F(OverwrittenBuffersTest, FindsABranchThatWritesOverWhatIsReadLater) {
  EXPECT_THAT(Verify(Branches("a"), AllAt(0)),
              Contains("F2101 `y` writes over `a`, which `z` still needs"));
}

// While the copy runs, nobody may write to where it reads or writes.
TEST_F(OverwrittenBuffersTest, FindsWhatIsWrittenDuringACopy) {
  constexpr absl::string_view kText = R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  s = (f32[1024]{0:S(5)}, f32[1024]{0}, u32[]{:S(2)}) copy-start(a)
  b = f32[1024]{0} exponential(p)
  d = f32[1024]{0:S(5)} copy-done(s)
  ROOT t = (f32[1024]{0:S(5)}, f32[1024]{0}) tuple(d, b)
}
)";
  EXPECT_THAT(Verify(kText), IsEmpty());
  // `b` is live out and has a block of its own; here it is not.
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0} negate(p)
  s = (f32[1024]{0:S(5)}, f32[1024]{0}, u32[]{:S(2)}) copy-start(a)
  b = f32[1024]{0} exponential(p)
  d = f32[1024]{0:S(5)} copy-done(s)
  c = f32[1024]{0} reverse(b), dimensions={0}
  ROOT t = (f32[1024]{0:S(5)}, f32[1024]{0}) tuple(d, c)
}
)",
                     AllAt(0)),
              Contains("F2101 `b` writes over `s{}`, which `d` still needs"));
}

// What an asynchronous computation uses for itself is reserved until it ends.
TEST_F(OverwrittenBuffersTest, FindsWhatIsWrittenDuringAnAsyncCall) {
  constexpr absl::string_view kText = R"(
HloModule m, is_scheduled=true
work {
  x = f32[1024]{0} parameter(0)
  m = f32[1024]{0} reverse(x), dimensions={0}
  n = f32[1024]{0} reverse(m), dimensions={0}
  ROOT y = f32[1024]{0} reverse(n), dimensions={0}
}, execution_thread="other"
ENTRY e {
  p = f32[1024]{0} parameter(0)
  s = ((f32[1024]{0}), f32[1024]{0}, u32[]{:S(2)}) async-start(p), calls=work, async_execution_thread="other"
  b = f32[1024]{0} exponential(p)
  c = f32[1024]{0} reverse(b), dimensions={0}
  d = f32[1024]{0} async-done(s)
  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(c, d)
}
)";
  EXPECT_THAT(Verify(kText), IsEmpty());
  EXPECT_THAT(Verify(kText, AllAt(0)),
              Contains(AllOf(StartsWith("F2101 `b` writes over `s"),
                             EndsWith("which `d` still needs"))));
}

// The custom call moves no bytes: its operands must stay while it is read.
TEST_F(OverwrittenBuffersTest, PartsAreNeededAsLongAsTheWhole) {
  EXPECT_THAT(Verify(R"(
HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024]{0} parameter(0)
  a = f32[1024]{0:S(1)} custom-call(p), custom_call_target="Make"
  b = f32[1024]{0:S(1)} custom-call(p), custom_call_target="Make"
  c = f32[2048]{0:S(1)} custom-call(a, b), custom_call_target="ConcatBitcast"
  d = f32[1024]{0:S(1)} custom-call(p), custom_call_target="Make"
  ROOT z = f32[1024]{0} custom-call(c, d), custom_call_target="Use"
}
)"),
              IsEmpty());
}

TEST_F(OverwrittenBuffersTest, StopsAtOneHundredFindings) {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n"
      "p = f32[1024]{0} parameter(0)\n";
  std::string all;
  for (int i = 0; i < 300; ++i) {
    absl::StrAppend(&text, "a", i,
                    " = f32[1024]{0} reverse(p), dimensions={0}\n");
    absl::StrAppend(&all, i == 0 ? "" : ", ", "a", i);
  }
  absl::StrAppend(&text, "ROOT z = f32[1024]{0} custom-call(", all,
                  "), custom_call_target=\"Use\"\n}\n");
  EXPECT_EQ(Verify(text, AllAt(0)).size(), kMaxOverwrittenBuffers);
}

}  // namespace
}  // namespace ferry
