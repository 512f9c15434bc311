// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/computation_storage.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class ComputationStorageTest : public testing::Test {
 protected:
  // By name of computation.
  std::map<std::string, ComputationStorage> Find(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    EXPECT_TRUE(module.ok()) << module.status();
    std::vector<const HloComputation*> conflicts;
    const std::vector<ComputationStorage> storage =
        FindComputationStorage(**module, &conflicts);
    std::map<std::string, ComputationStorage> by_name;
    for (const HloComputation* computation : (*module)->computations()) {
      by_name[std::string(computation->name())] = storage[computation->id()];
    }
    for (const HloComputation* computation : conflicts) {
      conflicts_.push_back(std::string(computation->name()));
    }
    return by_name;
  }

  HloContext context_;
  std::vector<std::string> conflicts_;
};

// A combiner that only a fusion's body calls has scratch, the body has none.
TEST_F(ComputationStorageTest, GoesByTheCaller) {
  const auto storage = Find(R"(
HloModule m
never {
  ROOT n = f32[] parameter(0)
}
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
body {
  x = f32[8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum
}
callee {
  y = f32[8] parameter(0)
  ROOT f = f32[] fusion(y), kind=kLoop, calls=body
}
ENTRY main {
  p = f32[8] parameter(0)
  ROOT c = f32[] call(p), to_apply=callee
}
)");
  EXPECT_THAT(storage,
              ElementsAre(Pair("body", ComputationStorage::kFused),
                          Pair("callee", ComputationStorage::kGlobal),
                          Pair("main", ComputationStorage::kGlobal),
                          Pair("never", ComputationStorage::kUnreachable),
                          Pair("sum", ComputationStorage::kThreadLocal)));
  EXPECT_THAT(conflicts_, IsEmpty());
}

// What a library runs may run loops itself: all of it is scratch.
TEST_F(ComputationStorageTest, ScratchStaysScratch) {
  const auto storage = Find(R"(
HloModule m
inner {
  ROOT i = f32[8] parameter(0)
}
host {
  y = f32[8] parameter(0)
  ROOT c = f32[8] call(y), to_apply=inner
}
ENTRY main {
  p = f32[8] parameter(0)
  ROOT c = f32[8] custom-call(p), custom_call_target="HostExecute", called_computations={host}
}
)");
  EXPECT_EQ(storage.at("host"), ComputationStorage::kThreadLocal);
  EXPECT_EQ(storage.at("inner"), ComputationStorage::kThreadLocal);
}

TEST_F(ComputationStorageTest, NamesWhatIsCalledInBothWays) {
  const auto storage = Find(R"(
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  p = f32[8] parameter(0)
  z = f32[] constant(0)
  r = f32[] reduce(p, z), dimensions={0}, to_apply=sum
  ROOT c = f32[] call(r, z), to_apply=sum
}
)");
  EXPECT_EQ(storage.at("sum"), ComputationStorage::kGlobal);
  EXPECT_THAT(conflicts_, ElementsAre("sum"));
}

}  // namespace
}  // namespace ferry
