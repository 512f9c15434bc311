// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/call_cycle.h"

#include <memory>
#include <string>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Computations of one f32[8] parameter, which call each other. Not from text,
// because text cannot recurse.
class CallCycleTest : public testing::Test {
 protected:
  HloComputation& Computation(const std::string& name) {
    HloComputation& computation = module_.AddComputation(
        module_.SaveText(name), HloInstruction::kNoSource);
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kParameter;
    spec.name = module_.UniqueName("p");
    spec.shape = &shape_;
    spec.number = 0;
    module_.set_root(computation, module_.AddInstruction(computation, spec));
    return computation;
  }

  void Call(HloComputation& caller, HloComputation& callee) {
    HloInstruction* const operands[] = {&caller.root()};
    HloComputation* const callees[] = {&callee};
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kCall;
    spec.name = module_.UniqueName("call");
    spec.shape = &shape_;
    spec.operands = operands;
    spec.called_computations = callees;
    module_.set_root(caller, module_.AddInstruction(caller, spec));
  }

  static std::vector<std::string> Names(
      const std::vector<const HloComputation*>& computations) {
    std::vector<std::string> names;
    for (const HloComputation* computation : computations) {
      names.emplace_back(computation->name());
    }
    return names;
  }

  HloContext context_;
  HloModule module_{context_, SourceText::FromString("", "test")};
  const Shape& shape_ =
      context_.GetArrayShape(PrimitiveType::kF32, {8}, nullptr);
};

TEST_F(CallCycleTest, ASharedCalleeIsNoCycle) {
  HloComputation& entry = Computation("entry");
  HloComputation& left = Computation("left");
  HloComputation& right = Computation("right");
  HloComputation& shared = Computation("shared");
  Call(entry, left);
  Call(entry, right);
  Call(left, shared);
  Call(right, shared);
  module_.set_entry(entry);
  EXPECT_THAT(Names(FindCallCycle(module_)), IsEmpty());
}

TEST_F(CallCycleTest, FindsACycleBehindTheEntry) {
  HloComputation& entry = Computation("entry");
  HloComputation& a = Computation("a");
  HloComputation& b = Computation("b");
  Call(entry, a);
  Call(a, b);
  Call(b, a);
  module_.set_entry(entry);
  EXPECT_THAT(Names(FindCallCycle(module_)), ElementsAre("a", "b"));
}

TEST_F(CallCycleTest, FindsAComputationThatCallsItself) {
  HloComputation& entry = Computation("entry");
  Call(entry, entry);
  module_.set_entry(entry);
  EXPECT_THAT(Names(FindCallCycle(module_)), ElementsAre("entry"));
}

// The walk has a stack of its own: the machine's would not hold this.
TEST_F(CallCycleTest, DepthCostsNoStack) {
  constexpr int kDepth = 100000;
  HloComputation& entry = Computation("entry");
  module_.set_entry(entry);
  HloComputation* caller = &entry;
  for (int i = 0; i < kDepth; ++i) {
    HloComputation& callee = Computation("f" + std::to_string(i));
    Call(*caller, callee);
    caller = &callee;
  }
  EXPECT_THAT(FindCallCycle(module_), IsEmpty());
  Call(*caller, entry);
  EXPECT_EQ(FindCallCycle(module_).size(), kDepth + 1);
}

TEST_F(CallCycleTest, FindsACycleThatTheEntryDoesNotReach) {
  HloComputation& entry = Computation("entry");
  HloComputation& unused = Computation("unused");
  Call(unused, unused);
  module_.set_entry(entry);
  EXPECT_THAT(Names(FindCallCycle(module_)), ElementsAre("unused"));
}

}  // namespace
}  // namespace ferry
