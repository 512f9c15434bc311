// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr absl::string_view kModule = R"(HloModule m

ENTRY main {
  a = f32[8]{0} parameter(0)
  b = f32[8]{0} parameter(1)
  x = f32[8]{0} negate(a)
  y = f32[8]{0} add(x, x)
  ROOT t = (f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(x, y, x)
}
)";

class HloModuleTest : public ::testing::Test {
 protected:
  void Read(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  HloInstruction& Find(absl::string_view name) {
    for (HloComputation* computation : module_->computations()) {
      for (HloInstruction& instruction : computation->instructions()) {
        if (instruction.name() == name) return instruction;
      }
    }
    ADD_FAILURE() << name;
    return module_->entry().root();
  }

  HloInstruction& Negate(HloInstruction& operand, HloInstruction* before) {
    HloInstruction* const operands[] = {&operand};
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kNegate;
    spec.name = module_->UniqueName("new");
    spec.shape = &operand.shape();
    spec.operands = operands;
    return module_->AddInstruction(operand.parent(), spec, before);
  }

  static std::vector<std::string> Names(
      absl::Span<HloInstruction* const> instructions) {
    std::vector<std::string> names;
    for (const HloInstruction* instruction : instructions) {
      names.emplace_back(instruction->name());
    }
    return names;
  }

  std::vector<std::string> Order() const {
    const HloComputation& entry = module_->entry();
    std::vector<std::string> names;
    for (const HloInstruction& instruction : entry.instructions()) {
      names.emplace_back(instruction.name());
    }
    return names;
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

TEST_F(HloModuleTest, AnInstructionIsInsertedInFrontOfAnother) {
  Read(kModule);
  Negate(Find("a"), &Find("y"));
  EXPECT_THAT(Order(), ElementsAre("a", "b", "x", "new", "y", "t"));
  Negate(Find("a"), &Find("a"));
  Negate(Find("a"), nullptr);
  EXPECT_THAT(Order(),
              ElementsAre("new.1", "a", "b", "x", "new", "y", "t", "new.2"));
}

TEST_F(HloModuleTest, IdsCountOnAndAreNeverReused) {
  Read(kModule);
  EXPECT_EQ(module_->id_limit(), 5);
  HloInstruction& added = Negate(Find("a"), nullptr);
  EXPECT_EQ(added.id(), 5);
  EXPECT_EQ(module_->instruction(5), &added);
  module_->RemoveInstruction(added);
  EXPECT_EQ(module_->instruction(5), nullptr);
  EXPECT_EQ(Negate(Find("a"), nullptr).id(), 6);
}

TEST_F(HloModuleTest, AUserStandsOnceHoweverOftenItUses) {
  Read(kModule);
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("y", "t"));
}

TEST_F(HloModuleTest, ReplaceOperandKeepsAUserThatUsesTheOldOneElsewhere) {
  Read(kModule);
  module_->ReplaceOperand(Find("t"), 0, Find("b"));
  EXPECT_THAT(Names(Find("t").operands()), ElementsAre("b", "y", "x"));
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("y", "t"));
  EXPECT_THAT(Names(Find("b").users()), ElementsAre("t"));
  module_->ReplaceOperand(Find("t"), 2, Find("b"));
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("y"));
  EXPECT_THAT(Names(Find("b").users()), ElementsAre("t"));
}

TEST_F(HloModuleTest, ReplaceOperandsSetsAllOfThem) {
  Read(kModule);
  HloInstruction* const operands[] = {&Find("b"), &Find("b"), &Find("x")};
  module_->ReplaceOperands(Find("t"), operands);
  EXPECT_THAT(Names(Find("t").operands()), ElementsAre("b", "b", "x"));
  EXPECT_THAT(Names(Find("b").users()), ElementsAre("t"));
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("y", "t"));
  EXPECT_THAT(Names(Find("y").users()), IsEmpty());
}

TEST_F(HloModuleTest, ReplaceOperandsByTheSameChangesNothing) {
  Read(kModule);
  const std::vector<HloInstruction*> same(Find("t").operands().begin(),
                                          Find("t").operands().end());
  module_->ReplaceOperands(Find("t"), same);
  EXPECT_THAT(Names(Find("t").operands()), ElementsAre("x", "y", "x"));
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("y", "t"));
}

// One by one this takes 10^10 steps.
TEST_F(HloModuleTest, ReplaceOperandsOfAWideTupleIsLinear) {
  Read(kModule);
  constexpr size_t kWidth = 100000;
  const std::vector<HloInstruction*> old(kWidth, &Find("a"));
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kTuple;
  spec.name = module_->UniqueName("wide");
  spec.shape = &context_.GetTupleShape(
      std::vector<const Shape*>(kWidth, &Find("a").shape()));
  spec.operands = old;
  HloInstruction& wide = module_->AddInstruction(module_->entry(), spec);
  std::vector<HloInstruction*> operands;
  for (size_t i = 0; i < kWidth; ++i) {
    operands.push_back(&Negate(Find("a"), &wide));
  }
  module_->ReplaceOperands(wide, operands);
  EXPECT_EQ(&wide.operand(kWidth - 1), operands.back());
  EXPECT_THAT(Names(operands[0]->users()), ElementsAre("wide"));
}

TEST_F(HloModuleTest, ReplaceAllUsesReplacesOperandsAndRoot) {
  Read(kModule);
  module_->ReplaceAllUses(Find("x"), Find("b"));
  EXPECT_THAT(Names(Find("y").operands()), ElementsAre("b", "b"));
  EXPECT_THAT(Names(Find("t").operands()), ElementsAre("b", "y", "b"));
  EXPECT_THAT(Names(Find("b").users()), ElementsAre("y", "t"));
  EXPECT_THAT(Find("x").users(), IsEmpty());
  module_->ReplaceAllUses(Find("t"), Find("y"));
  EXPECT_TRUE(Find("y").IsRoot());
}

// So that a new instruction can come between a value and its users.
TEST_F(HloModuleTest, ReplaceAllUsesLeavesTheUseByTheReplacement) {
  Read(kModule);
  HloInstruction& added = Negate(Find("x"), &Find("y"));
  module_->ReplaceAllUses(Find("x"), added);
  EXPECT_THAT(Names(added.operands()), ElementsAre("x"));
  EXPECT_THAT(Names(Find("x").users()), ElementsAre("new"));
  EXPECT_THAT(Names(added.users()), ElementsAre("y", "t"));
}

TEST_F(HloModuleTest, RemoveInstructionLeavesNoTrace) {
  Read(kModule);
  const std::string before = HloToString(*module_);
  module_->RemoveInstruction(Negate(Find("b"), &Find("t")));
  EXPECT_EQ(HloToString(*module_), before);
  EXPECT_THAT(Find("b").users(), IsEmpty());
}

TEST_F(HloModuleTest, RemovingACallRemovesTheCaller) {
  Read(R"(HloModule m
f { ROOT p = f32[8]{0} parameter(0) }
ENTRY main {
  a = f32[8]{0} parameter(0)
  c = f32[8]{0} call(a), to_apply=f
  ROOT r = f32[8]{0} negate(a)
})");
  EXPECT_THAT(Names(module_->computations()[0]->callers()), ElementsAre("c"));
  module_->RemoveInstruction(Find("c"));
  EXPECT_THAT(module_->computations()[0]->callers(), IsEmpty());
}

TEST_F(HloModuleTest, WhoWaitsForARemovedInstructionWaitsForWhatItWaitedFor) {
  Read(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  x = f32[8]{0} negate(a)
  y = f32[8]{0} negate(a), control-predecessors={x, a}
  ROOT r = f32[8]{0} negate(a), control-predecessors={a, y}
})");
  module_->RemoveInstruction(Find("y"));
  EXPECT_THAT(Names(Find("r").control_predecessors()), ElementsAre("a", "x"));
  module_->RemoveInstruction(Find("x"));
  EXPECT_THAT(Names(Find("r").control_predecessors()), ElementsAre("a"));
}

TEST_F(HloModuleTest, ASetCustomCallTargetIsTheTarget) {
  Read(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  ROOT c = f32[8]{0} custom-call(a), custom_call_target="Old"
})");
  module_->SetAttribute(Find("c"), HloAttributeKind::kCustomCallTarget,
                        "\"New\"");
  EXPECT_EQ(Find("c").custom_call_target(), "New");
  EXPECT_TRUE(Find("c").IsCustomCall("New"));
  EXPECT_EQ(HloToString(Find("c")),
            "ROOT %c = f32[8]{0} custom-call(%a), custom_call_target=\"New\"");
}

TEST_F(HloModuleTest, ANewAttributeStandsInTheOrderOfPrinting) {
  Read(R"(HloModule m
ENTRY main {
  a = f32[8]{0} parameter(0)
  ROOT b = f32[2,4]{1,0} broadcast(a), dimensions={0}, metadata={op_name="n"}
})");
  module_->SetAttribute(Find("b"), HloAttributeKind::kFrontendAttributes,
                        "{k=\"v\"}");
  EXPECT_EQ(Find("b").frontend_attribute("k"), "v");
  EXPECT_EQ(HloToString(Find("b"), {.metadata = false}),
            "ROOT %b = f32[2,4]{1,0} broadcast(%a), dimensions={0}, "
            "frontend_attributes={k=\"v\"}");
}

TEST_F(HloModuleTest, UniqueNamesCountUp) {
  Read(kModule);
  EXPECT_EQ(module_->UniqueName("x"), "x.1");
  EXPECT_EQ(module_->UniqueName("x"), "x.2");
  EXPECT_EQ(module_->UniqueName("fresh"), "fresh");
  EXPECT_EQ(module_->FindInstruction("a"), &Find("a"));
}

TEST_F(HloModuleTest, SetComputationOrderRenumbersThem) {
  Read(R"(HloModule m
f { ROOT p = f32[8]{0} parameter(0) }
g { ROOT q = f32[8]{0} parameter(0) }
ENTRY main { ROOT a = f32[8]{0} parameter(0) }
)");
  HloComputation* const first = module_->computations()[0];
  HloComputation* const second = module_->computations()[1];
  HloComputation* const order[] = {second, first, &module_->entry()};
  module_->SetComputationOrder(order);
  EXPECT_EQ(second->id(), 0);
  EXPECT_EQ(first->id(), 1);
}

}  // namespace
}  // namespace ferry
