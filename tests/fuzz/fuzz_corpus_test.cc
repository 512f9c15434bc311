// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What the fuzzers look for, on all HLO of the tree, what they found once
// among it, and on a few changes of each.

#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/tests/fuzz/hlo_corpus.h"
#include "ferry/tests/fuzz/hlo_mutator.h"
#include "ferry/tests/fuzz/hlo_properties.h"
#include "ferry/tests/random_hlo/random_hlo_module.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(FuzzCorpusTest, AllHloOfTheTreeReadsAndPrintsBack) {
  const std::vector<HloCase> cases = ReadHloCorpus("tests");
  ASSERT_FALSE(cases.empty());
  for (const HloCase& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(CheckReadsAnything(one.text), absl::OkStatus());
    EXPECT_EQ(CheckPrintReadsBack(one.text), absl::OkStatus());
    EXPECT_EQ(CheckProtoKeepsAll(one.text), absl::OkStatus());
  }
}

TEST(FuzzCorpusTest, SoDoChangesOfIt) {
  for (const HloCase& one : ReadHloCorpus("tests")) {
    for (uint32_t seed = 0; seed < 5; ++seed) {
      const std::string changed = MutateHlo(one.text, seed);
      SCOPED_TRACE(one.name + ", seed " + std::to_string(seed));
      EXPECT_EQ(CheckReadsAnything(changed), absl::OkStatus());
      EXPECT_EQ(CheckPrintReadsBack(changed), absl::OkStatus()) << changed;
    }
  }
}

TEST(FuzzCorpusTest, SoDoChangesOfRandomModules) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    HloContext context;
    const std::string text = HloToString(*RandomHloModule(
        {.seed = seed, .operations = 6, .call_depth = 1}, context));
    const std::string changed = MutateHlo(text, seed);
    SCOPED_TRACE(seed);
    EXPECT_EQ(CheckReadsAnything(changed), absl::OkStatus());
    EXPECT_EQ(CheckPrintReadsBack(changed), absl::OkStatus()) << changed;
    EXPECT_EQ(CheckProtoKeepsAll(text), absl::OkStatus());
    EXPECT_EQ(CheckProtoKeepsAll(changed), absl::OkStatus()) << changed;
  }
}

TEST(HloMutatorTest, ChangesTheSameWayForTheSameSeed) {
  const std::string text = "ENTRY e {\n  ROOT p = f32[2] parameter(0)\n}\n";
  EXPECT_EQ(MutateHlo(text, 1), MutateHlo(text, 1));
  EXPECT_NE(MutateHlo(text, 1), MutateHlo(text, 2));
  EXPECT_NE(MutateHlo("", 1), "");
}

}  // namespace
}  // namespace ferry
