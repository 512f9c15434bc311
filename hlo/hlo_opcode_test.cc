// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_opcode.h"

#include <optional>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(HloOpcodeTest, NamesAreThoseOfHloText) {
  EXPECT_EQ(HloOpcodeName(HloOpcode::kGetTupleElement), "get-tuple-element");
  EXPECT_EQ(HloOpcodeFromName("copy-start"), HloOpcode::kCopyStart);
  EXPECT_EQ(HloOpcodeFromName("no-such"), std::nullopt);
}

// So that an opcode which is not known never reads as one that is.
TEST(HloOpcodeTest, UnknownHasANameButNoNameIsUnknown) {
  EXPECT_EQ(HloOpcodeName(HloOpcode::kUnknown), "unknown");
  EXPECT_EQ(HloOpcodeFromName("unknown"), std::nullopt);
}

TEST(HloOpcodeTest, TraitsComeFromTheTable) {
  EXPECT_TRUE(HasTrait(HloOpcode::kAdd, kElementwise));
  EXPECT_FALSE(HasTrait(HloOpcode::kAdd, kCallsComputation));
  EXPECT_TRUE(HasTrait(HloOpcode::kWhile, kRunsCallee));
  EXPECT_FALSE(HasTrait(HloOpcode::kFusion, kRunsCallee));
  EXPECT_TRUE(HasTrait(HloOpcode::kAllReduce, kCollective));
}

TEST(HloOpcodeTest, OperandCountsIncludeBothEnds) {
  EXPECT_EQ(LegalOperandCount(HloOpcode::kAdd).min, 2);
  EXPECT_EQ(LegalOperandCount(HloOpcode::kAdd).max, 2);
  EXPECT_EQ(LegalOperandCount(HloOpcode::kTuple).max, -1);
}

TEST(HloOpcodeTest, WhatIsAsynchronousHasNoShortForm) {
  EXPECT_TRUE(HasAsyncSugar(HloOpcode::kNegate));
  EXPECT_FALSE(HasAsyncSugar(HloOpcode::kAsyncStart));
  EXPECT_FALSE(HasAsyncSugar(HloOpcode::kParameter));
}

}  // namespace
}  // namespace ferry
