// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_schedule.h"

#include <memory>
#include <string>
#include <vector>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class HloScheduleTest : public ::testing::Test {
 protected:
  void Read(absl::string_view text) {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
  }

  HloInstruction& Find(absl::string_view name) {
    HloInstruction* found = module_->FindInstruction(name);
    EXPECT_NE(found, nullptr) << name;
    return *found;
  }

  std::vector<std::string> NamesOf(const HloSchedule& schedule,
                                   const HloComputation& computation) {
    std::vector<std::string> names;
    const auto sequence = schedule.sequence(computation);
    for (InstructionId id : *sequence) {
      const HloInstruction* instruction = module_->instruction(id);
      names.emplace_back(instruction == nullptr ? "-" : instruction->name());
    }
    return names;
  }

  std::vector<std::string> Messages(const HloSchedule& schedule) {
    std::vector<std::string> messages;
    for (const Diagnostic& finding : schedule.Verify(*module_)) {
      messages.push_back(finding.message);
    }
    return messages;
  }

  HloInstruction& Add(HloOpcode opcode, absl::string_view name,
                      std::vector<HloInstruction*> operands,
                      std::vector<HloInstruction*> predecessors = {},
                      HloInstruction* before = nullptr) {
    HloModule::InstructionSpec spec = {};
    spec.opcode = opcode;
    spec.name = module_->UniqueName(name);
    spec.shape = &operands[0]->shape();
    spec.operands = operands;
    spec.control_predecessors = predecessors;
    return module_->AddInstruction(operands[0]->parent(), spec, before);
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
};

constexpr absl::string_view kChain = R"(HloModule m

ENTRY main {
  p = f32[8]{0} parameter(0)
  a = f32[8]{0} negate(p)
  b = f32[8]{0} sine(p)
  ROOT r = f32[8]{0} add(a, b)
}
)";

constexpr absl::string_view kLoop = R"(HloModule m

cond {
  c = (s32[], f32[8]{0}) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(3)
  ROOT less = pred[] compare(i, n), direction=LT
}

body {
  ROOT s = (s32[], f32[8]{0}) parameter(0)
}

ENTRY main {
  p = (s32[], f32[8]{0}) parameter(0)
  ROOT w = (s32[], f32[8]{0}) while(p), condition=cond, body=body
}
)";

TEST_F(HloScheduleTest, TheListsAreASchedule) {
  Read(kChain);
  const HloSchedule schedule = HloSchedule::FromModule(*module_);
  EXPECT_THAT(NamesOf(schedule, module_->entry()),
              ElementsAre("p", "a", "b", "r"));
  EXPECT_THAT(Messages(schedule), IsEmpty());
}

TEST_F(HloScheduleTest, ApplyingASchedulePutsTheModuleInItsOrder) {
  Read(kChain);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(), {Find("p").id(), Find("b").id(),
                                           Find("a").id(), Find("r").id()});
  EXPECT_FALSE(schedule == HloSchedule::FromModule(*module_));
  ASSERT_TRUE(schedule.ApplyTo(*module_).ok());
  EXPECT_TRUE(module_->is_scheduled());
  EXPECT_TRUE(schedule == HloSchedule::FromModule(*module_));
}

TEST_F(HloScheduleTest, AMissingSequenceIsFound) {
  Read(kLoop);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  schedule.remove_sequence(*module_->computations()[0]);
  EXPECT_THAT(Messages(schedule),
              ElementsAre("Computation cond missing from HLO schedule.",
                          "For thread main, schedule has 2 sequences, but "
                          "module has 3 non-fusion computations for thread "
                          "main"));
  EXPECT_FALSE(schedule.ApplyTo(*module_).ok());
  EXPECT_FALSE(module_->is_scheduled());
}

TEST_F(HloScheduleTest, AnIncompleteSequenceIsFound) {
  Read(kChain);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(),
                        {Find("p").id(), Find("a").id(), Find("a").id()});
  EXPECT_THAT(
      Messages(schedule),
      ElementsAre("Instruction a appears more than once in the schedule",
                  "Instruction b is not in schedule",
                  "Instruction r is not in schedule",
                  "Schedule for computation main has 3 instructions, "
                  "expected 4"));
}

TEST_F(HloScheduleTest, AnInstructionInFrontOfWhatItWaitsForIsFound) {
  Read(kChain);
  Add(HloOpcode::kCosine, "late", {&Find("p")}, {&Find("r")});
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(),
                        {Find("p").id(), Find("a").id(), Find("late").id(),
                         Find("r").id(), Find("b").id()});
  EXPECT_THAT(
      Messages(schedule),
      ElementsAre("Instruction late is not scheduled after its control "
                  "predecessor r",
                  "Instruction r is not scheduled after its operand b"));
}

TEST_F(HloScheduleTest, UpdatingAnUnchangedModuleChangesNothing) {
  Read(kChain);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(), {Find("p").id(), Find("b").id(),
                                           Find("a").id(), Find("r").id()});
  const HloSchedule before = schedule;
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_TRUE(schedule == before);
}

TEST_F(HloScheduleTest, NewInstructionsStandAsEarlyAsTheyCan) {
  Read(kChain);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  HloInstruction& x = Add(HloOpcode::kNegate, "x", {&Find("a")});
  Add(HloOpcode::kNegate, "y", {&x});
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_THAT(NamesOf(schedule, module_->entry()),
              ElementsAre("p", "a", "x", "y", "b", "r"));
}

TEST_F(HloScheduleTest, RemovedInstructionsGoAndTheOthersKeepTheirOrder) {
  Read(kChain);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(), {Find("p").id(), Find("b").id(),
                                           Find("a").id(), Find("r").id()});
  HloInstruction& a = Find("a");
  HloInstruction& x = Add(HloOpcode::kCosine, "x", {&Find("p")}, {}, &a);
  module_->ReplaceAllUses(a, x);
  module_->RemoveInstruction(a);
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_THAT(NamesOf(schedule, module_->entry()),
              ElementsAre("p", "x", "b", "r"));
  EXPECT_THAT(Messages(schedule), IsEmpty());
}

TEST_F(HloScheduleTest, AllInstructionsMayBeReplaced) {
  Read(kChain);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  HloInstruction& x = Add(HloOpcode::kNegate, "x", {&Find("p")});
  module_->set_root(module_->entry(), x);
  for (absl::string_view name : {"r", "b", "a"}) {
    module_->RemoveInstruction(Find(name));
  }
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_THAT(NamesOf(schedule, module_->entry()), ElementsAre("p", "x"));
}

TEST_F(HloScheduleTest, SequencesOfComputationsThatAreGoneGo) {
  Read(kLoop);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  module_->set_root(module_->entry(), Find("p"));
  module_->RemoveInstruction(Find("w"));
  module_->RemoveUnreachableComputations();
  EXPECT_THAT(Messages(schedule)[0], HasSubstr("expected 1"));
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_EQ(schedule.size(), 1);
  EXPECT_THAT(Messages(schedule), IsEmpty());
}

TEST_F(HloScheduleTest, NewComputationsGetASequence) {
  Read(kLoop);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(), {Find("p").id(), Find("w").id()});
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_EQ(schedule.size(), 3);
  EXPECT_THAT(NamesOf(schedule, *module_->computations()[0]),
              ElementsAre("c", "i", "n", "less"));
}

TEST_F(HloScheduleTest, OtherThreadsStayAsTheyAre) {
  Read(kLoop);
  HloComputation& body = *module_->computations()[1];
  module_->set_execution_thread(body, "other");
  HloSchedule schedule;
  schedule.set_sequence(body, {77});
  const HloSchedule before = schedule;
  ASSERT_TRUE(schedule.Update(*module_, {"main"}).ok());
  EXPECT_EQ(schedule.size(), 3);
  EXPECT_EQ(schedule.sequence(body), before.sequence(body));
}

// b now waits for r's operand's user: control edges win over the old order.
TEST_F(HloScheduleTest, ControlEdgesWinOverTheOldOrder) {
  Read(kChain);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  HloInstruction& a = Find("a");
  HloInstruction& again =
      Add(HloOpcode::kNegate, "again", {&Find("p")}, {&Find("b")});
  module_->ReplaceAllUses(a, again);
  module_->RemoveInstruction(a);
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_THAT(NamesOf(schedule, module_->entry()),
              ElementsAre("p", "b", "again", "r"));
}

TEST_F(HloScheduleTest, AnInstructionMayComeToStandInFrontOfAll) {
  Read(kChain);
  HloSchedule schedule;
  schedule.set_sequence(module_->entry(), {Find("b").id(), Find("a").id(),
                                           Find("p").id(), Find("r").id()});
  ASSERT_TRUE(schedule.Update(*module_).ok());
  EXPECT_THAT(NamesOf(schedule, module_->entry()),
              ElementsAre("p", "a", "b", "r"));
}

TEST_F(HloScheduleTest, ACircleIsAnError) {
  Read(kChain);
  HloSchedule schedule = HloSchedule::FromModule(*module_);
  HloInstruction& x = Add(HloOpcode::kNegate, "x", {&Find("r")});
  module_->ReplaceOperand(Find("a"), 0, x);
  const HloSchedule before = schedule;
  EXPECT_FALSE(schedule.Update(*module_).ok());
  EXPECT_TRUE(schedule == before);
}

}  // namespace
}  // namespace ferry
