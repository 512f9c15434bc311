// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/legal_name.h"

#include <string>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(LegalNameTest, ElementTypesAndTwoUnderscoresAreXlas) {
  for (const std::string legal :
       {"x", "_x", "__xla_x", "tuple", "buffer", "f32x", "_"}) {
    EXPECT_TRUE(IsLegalName(legal)) << legal;
  }
  for (const std::string illegal : {"f32", "token", "__x", "__"}) {
    EXPECT_FALSE(IsLegalName(illegal)) << illegal;
  }
}

TEST(LegalNameTest, IllegalNamesGetAnotherStartOrEnd) {
  EXPECT_EQ(LegalName("__x"), "a_x");
  EXPECT_EQ(LegalName("pred"), "pred_");
}

}  // namespace
}  // namespace ferry
