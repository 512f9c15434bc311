// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_registry.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

std::string MessageOf(absl::string_view passes) {
  return std::string(CreatePasses(*ParsePassList(passes)).status().message());
}

TEST(PassRegistryTest, EveryPassBearsItsName) {
  for (const PassInfo& info : AllPasses()) {
    const absl::StatusOr<std::unique_ptr<HloPass>> pass =
        CreatePass({.name = std::string(info.name), .options = {}});
    ASSERT_TRUE(pass.ok()) << pass.status();
    EXPECT_EQ((*pass)->name(), info.name);
  }
}

TEST(PassRegistryTest, NamesTheNearestPass) {
  EXPECT_EQ(MessageOf("verfy"),
            "there is no pass `verfy`; did you mean `verify`?");
  EXPECT_EQ(MessageOf("zzz"), "there is no pass `zzz`");
}

TEST(PassRegistryTest, RefusesOptionsThatThePassDoesNotHave) {
  EXPECT_EQ(MessageOf("verify{deep=true}"),
            "pass `verify`: there is no option `deep`");
}

TEST(PassRegistryTest, RefusesBadValues) {
  EXPECT_EQ(MessageOf("repair-host-outputs{kind=undo}"),
            "pass `repair-host-outputs`: option `kind` is `undo`, not "
            "return_on_host or bring_back");
}

}  // namespace
}  // namespace ferry
