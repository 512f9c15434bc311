// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_manager.h"

#include <functional>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kNegate[] = R"(
HloModule negate

ENTRY main {
  x = f32[8]{0} parameter(0)
  ROOT y = f32[8]{0} negate(x)
}
)";

// Does what it is told.
class Scripted final : public HloPass {
 public:
  using Action = std::function<absl::StatusOr<bool>(HloModule&)>;
  explicit Scripted(Action action) : action_(std::move(action)) {}
  absl::string_view name() const override { return "scripted"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext&) override {
    return action_(module);
  }

 private:
  Action action_;
};

std::vector<std::unique_ptr<HloPass>> Passes(
    std::vector<Scripted::Action> actions) {
  std::vector<std::unique_ptr<HloPass>> passes;
  for (Scripted::Action& action : actions) {
    passes.push_back(std::make_unique<Scripted>(std::move(action)));
  }
  return passes;
}

absl::StatusOr<bool> Nothing(HloModule&) { return false; }
absl::StatusOr<bool> Rename(HloModule& module) {
  module.set_name("renamed");
  return true;
}
absl::StatusOr<bool> BreakShape(HloModule& module) {
  HloInstruction& root = module.entry().root();
  module.set_shape(
      root, module.context().GetArrayShape(PrimitiveType::kF32, {9}, nullptr));
  return true;
}

class PassManagerTest : public testing::Test {
 protected:
  HloContext shapes_;
  std::unique_ptr<HloModule> module_ = *ParseHloText(kNegate, shapes_);
  PassContext context_;
};

TEST_F(PassManagerTest, SaysWhetherSomePassChangedTheModule) {
  PassManager changing(Passes({Nothing, Rename, Nothing}));
  EXPECT_EQ(*changing.Run(*module_, context_), true);
  PassManager idle(Passes({Nothing, Nothing}));
  EXPECT_EQ(*idle.Run(*module_, context_), false);
  ASSERT_EQ(changing.timings().size(), 3u);
  EXPECT_EQ(changing.timings()[1].pass, "scripted");
  EXPECT_TRUE(changing.timings()[1].changed);
  EXPECT_FALSE(changing.timings()[2].changed);
}

TEST_F(PassManagerTest, ShowsEachBoundary) {
  std::vector<std::string> seen;
  PassManagerOptions options;
  options.observer = [&](const PassBoundary& boundary, const HloModule& now) {
    seen.push_back(
        absl::StrCat(boundary.step, " ", boundary.after, " ", boundary.before,
                     " ", boundary.changed ? "changed " : "", now.name()));
  };
  PassManager manager(Passes({Nothing, Rename}), options);
  ASSERT_TRUE(manager.Run(*module_, context_).ok());
  EXPECT_THAT(seen, ElementsAre("0 pipeline-start scripted negate",
                                "1 scripted scripted negate",
                                "2 scripted pipeline-end changed renamed"));
}

TEST_F(PassManagerTest, StopsAtTheFirstFailure) {
  bool went_on = false;
  PassManager manager(Passes({[](HloModule&) -> absl::StatusOr<bool> {
                                return absl::InvalidArgumentError("no");
                              },
                              [&](HloModule&) -> absl::StatusOr<bool> {
                                went_on = true;
                                return false;
                              }}));
  EXPECT_EQ(manager.Run(*module_, context_).status(),
            absl::InvalidArgumentError("no"));
  EXPECT_FALSE(went_on);
}

TEST_F(PassManagerTest, BlamesThePassThatBrokeTheModule) {
  PassManager manager(Passes({BreakShape, Nothing}));
  const absl::Status status = manager.Run(*module_, context_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("pass `scripted` broke the module"));
  EXPECT_TRUE(HasError(context_.diagnostics));
  EXPECT_EQ(manager.timings().size(), 1u);
}

TEST_F(PassManagerTest, RunsNoPassOnABrokenModule) {
  ASSERT_TRUE(BreakShape(*module_).ok());
  PassManager manager(Passes({Rename}));
  EXPECT_FALSE(manager.Run(*module_, context_).ok());
  EXPECT_EQ(module_->name(), "negate");
}

TEST_F(PassManagerTest, VerifiesNothingIfToldSo) {
  PassManagerOptions options;
  options.verify_each = false;
  PassManager manager(Passes({BreakShape}), options);
  EXPECT_TRUE(manager.Run(*module_, context_).ok());
}

TEST_F(PassManagerTest, FindsAPassThatHidesItsChange) {
  PassManagerOptions options;
  options.check_claims = true;
  PassManager manager(Passes({[](HloModule& module) -> absl::StatusOr<bool> {
                        Rename(module).IgnoreError();
                        return false;
                      }}),
                      options);
  EXPECT_DEATH(manager.Run(*module_, context_).IgnoreError(), "bug in ferry");
}

}  // namespace
}  // namespace ferry
