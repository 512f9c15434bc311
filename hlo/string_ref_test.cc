// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/string_ref.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(StringRefTest, BothWaysKeepTheBytes) {
  const absl::string_view text("a\0b", 3);
  EXPECT_EQ(ToStringRef(text).data(), text.data());
  EXPECT_EQ(ToStringRef(text).size(), 3);
  EXPECT_EQ(ToStringView(ToStringRef(text)), text);
  EXPECT_TRUE(ToStringView(llvm::StringRef()).empty());
}

}  // namespace
}  // namespace ferry
