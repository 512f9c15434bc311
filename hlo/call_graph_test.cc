// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/call_graph.h"

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
using ::testing::UnorderedElementsAre;

// Computations of one f32[8] parameter, which call each other. Not from text,
// because text cannot recurse.
class CallGraphTest : public testing::Test {
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
      absl::Span<HloComputation* const> computations) {
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

TEST_F(CallGraphTest, PutsCalleesBeforeCallers) {
  HloComputation& entry = Computation("entry");
  HloComputation& outer = Computation("outer");
  HloComputation& inner = Computation("inner");
  Call(entry, outer);
  Call(outer, inner);
  module_.set_entry(entry);
  EXPECT_THAT(Names(CallGraph::Build(module_).post_order()),
              ElementsAre("inner", "outer", "entry"));
}

TEST_F(CallGraphTest, ListsACalleeOnceHoweverOftenItIsCalled) {
  HloComputation& entry = Computation("entry");
  HloComputation& callee = Computation("callee");
  Call(entry, callee);
  Call(entry, callee);
  module_.set_entry(entry);
  EXPECT_THAT(Names(CallGraph::Build(module_).callees(entry)),
              ElementsAre("callee"));
}

TEST_F(CallGraphTest, WhatTheEntryDoesNotCallIsNotReachable) {
  HloComputation& entry = Computation("entry");
  HloComputation& used = Computation("used");
  HloComputation& unused = Computation("unused");
  Call(entry, used);
  Call(unused, used);
  module_.set_entry(entry);
  const CallGraph graph = CallGraph::Build(module_);
  EXPECT_TRUE(graph.IsReachable(entry));
  EXPECT_TRUE(graph.IsReachable(used));
  EXPECT_FALSE(graph.IsReachable(unused));
  EXPECT_THAT(Names(graph.post_order()),
              UnorderedElementsAre("used", "entry", "unused"));
}

TEST_F(CallGraphTest, ASharedCalleeIsNoCycle) {
  HloComputation& entry = Computation("entry");
  HloComputation& left = Computation("left");
  HloComputation& right = Computation("right");
  HloComputation& shared = Computation("shared");
  Call(entry, left);
  Call(entry, right);
  Call(left, shared);
  Call(right, shared);
  module_.set_entry(entry);
  EXPECT_THAT(Names(CallGraph::Build(module_).cycle()), IsEmpty());
}

TEST_F(CallGraphTest, FindsACycleBehindTheEntry) {
  HloComputation& entry = Computation("entry");
  HloComputation& a = Computation("a");
  HloComputation& b = Computation("b");
  Call(entry, a);
  Call(a, b);
  Call(b, a);
  module_.set_entry(entry);
  EXPECT_THAT(Names(CallGraph::Build(module_).cycle()), ElementsAre("a", "b"));
}

TEST_F(CallGraphTest, FindsAComputationThatCallsItself) {
  HloComputation& entry = Computation("entry");
  Call(entry, entry);
  module_.set_entry(entry);
  EXPECT_THAT(Names(CallGraph::Build(module_).cycle()), ElementsAre("entry"));
}

// The walk has a stack of its own: the machine's would not hold this.
TEST_F(CallGraphTest, DepthCostsNoStack) {
  constexpr int kDepth = 100000;
  HloComputation* caller = &Computation("entry");
  module_.set_entry(*caller);
  for (int i = 0; i < kDepth; ++i) {
    HloComputation& callee = Computation("f" + std::to_string(i));
    Call(*caller, callee);
    caller = &callee;
  }
  const CallGraph graph = CallGraph::Build(module_);
  EXPECT_EQ(graph.post_order().front(), caller);
  EXPECT_EQ(graph.post_order().back(), &module_.entry());
}

}  // namespace
}  // namespace ferry
