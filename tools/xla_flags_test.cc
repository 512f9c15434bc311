// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/xla_flags.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

TEST(XlaFlagsTest, ReadsFlagsWithAndWithoutDashes) {
  PassContext::XlaFlags flags;
  std::vector<std::string> ignored;
  ASSERT_TRUE(
      ReadXlaFlags(
          "xla_disable_automatic_host_compute_offload=true  --xla_foo=3 "
          "--xla_allow_h2h_copy_when_automatic_host_compute_offload_disabled",
          flags, ignored)
          .ok());
  EXPECT_TRUE(flags.disable_automatic_host_compute_offload);
  EXPECT_TRUE(flags.allow_host_to_host_copy);
  EXPECT_THAT(ignored, ElementsAre("xla_foo"));
}

TEST(XlaFlagsTest, TheLastValueCounts) {
  PassContext::XlaFlags flags;
  std::vector<std::string> ignored;
  ASSERT_TRUE(ReadXlaFlags("xla_disable_automatic_host_compute_offload=1 "
                           "xla_disable_automatic_host_compute_offload=false",
                           flags, ignored)
                  .ok());
  EXPECT_FALSE(flags.disable_automatic_host_compute_offload);
}

TEST(XlaFlagsTest, RefusesWhatIsNoFlag) {
  PassContext::XlaFlags flags;
  std::vector<std::string> ignored;
  EXPECT_FALSE(ReadXlaFlags("=true", flags, ignored).ok());
  EXPECT_FALSE(ReadXlaFlags("--", flags, ignored).ok());
  EXPECT_FALSE(ReadXlaFlags("xla_disable_automatic_host_compute_offload=maybe",
                            flags, ignored)
                   .ok());
}

}  // namespace
}  // namespace ferry
