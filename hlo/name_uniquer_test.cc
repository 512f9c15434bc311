// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/name_uniquer.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

class NameUniquerTest : public testing::Test {
 protected:
  std::string Take(absl::string_view base) {
    const std::string name =
        uniquer_.GetUniqueName(base, [this](absl::string_view name) {
          return taken_.count(std::string(name)) > 0;
        });
    EXPECT_TRUE(taken_.insert(name).second) << name;
    return name;
  }

  NameUniquer uniquer_;
  std::set<std::string> taken_;
};

TEST_F(NameUniquerTest, FreeNamesStay) {
  EXPECT_EQ(Take("x"), "x");
  EXPECT_EQ(Take("x.7"), "x.7");
  EXPECT_EQ(Take("fusion.clone"), "fusion.clone");
  EXPECT_EQ(Take("x.99999999999999999999"), "x.99999999999999999999");
}

TEST_F(NameUniquerTest, CountsOnFromTheRoot) {
  EXPECT_EQ(Take("x"), "x");
  EXPECT_EQ(Take("x.1"), "x.1");
  EXPECT_EQ(Take("x.3"), "x.3");
  EXPECT_EQ(Take("x"), "x.2");
  EXPECT_EQ(Take("x.3"), "x.4");
  EXPECT_EQ(Take("x.y"), "x.y");
  EXPECT_EQ(Take("x.y"), "x.y.1");
}

// `x` has the number 0, and numbers are written without leading zeros.
TEST_F(NameUniquerTest, ZeroIsANumber) {
  EXPECT_EQ(Take("y.0"), "y.0");
  EXPECT_EQ(Take("y"), "y.1");
  EXPECT_EQ(Take("x"), "x");
  EXPECT_EQ(Take("x.01"), "x.1");
  EXPECT_EQ(Take("x.0"), "x.2");
  EXPECT_EQ(Take("c.-1"), "c.-1");
  EXPECT_EQ(Take("c.-01"), "c.0");
}

TEST(SplitNameTest, KnowsNormalForms) {
  EXPECT_EQ(SplitName("add.12").root, "add");
  EXPECT_EQ(SplitName("add.12").number, 12);
  EXPECT_TRUE(SplitName("add.12").is_normal);
  EXPECT_FALSE(SplitName("add.012").is_normal);
  EXPECT_FALSE(SplitName("add.-0").is_normal);
  EXPECT_TRUE(SplitName("add.0").is_normal);
  EXPECT_FALSE(SplitName("add.").number.has_value());
  EXPECT_EQ(SplitName("a.b.2").root, "a.b");
}

}  // namespace
}  // namespace ferry
