// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pipelines.h"

#include "ferry/passes/pass_registry.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(PipelinesTest, EveryPipelineIsMadeOfPassesInOrder) {
  for (const Pipeline& pipeline : AllPipelines()) {
    const absl::StatusOr<std::vector<PassSpec>> passes =
        PassesOfPipeline(pipeline.name);
    ASSERT_TRUE(passes.ok()) << passes.status();
    EXPECT_TRUE(CreatePasses(*passes).ok()) << pipeline.name;
    EXPECT_TRUE(CheckPassOrder(*passes).ok()) << pipeline.name;
  }
}

TEST(PipelinesTest, NamesTheNearestPipeline) {
  EXPECT_EQ(PassesOfPipeline("chek").status().message(),
            "there is no pipeline `chek`; did you mean `check`?");
}

TEST(PipelinesTest, RefusesAPassBeforeWhatItNeeds) {
  EXPECT_EQ(
      CheckPassOrder(*ParsePassList("check-host-offload,verify")).message(),
      "`verify` must run before `check-host-offload`");
  // The second run is one more, not a late first one.
  EXPECT_TRUE(
      CheckPassOrder(*ParsePassList("verify,check-host-offload,verify")).ok());
}

}  // namespace
}  // namespace ferry
