// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/status_macros.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

absl::Status HandOn(absl::Status status, int& steps) {
  FERRY_RETURN_IF_ERROR(status);
  ++steps;
  return absl::OkStatus();
}

absl::StatusOr<int> Sum(absl::StatusOr<int> a, absl::StatusOr<int> b) {
  FERRY_ASSIGN_OR_RETURN(int sum, a);
  FERRY_ASSIGN_OR_RETURN(const int more, b);
  return sum + more;
}

TEST(StatusMacrosTest, AnErrorEndsTheFunction) {
  int steps = 0;
  EXPECT_TRUE(HandOn(absl::OkStatus(), steps).ok());
  EXPECT_EQ(HandOn(absl::InternalError("no"), steps),
            absl::InternalError("no"));
  EXPECT_EQ(steps, 1);
}

TEST(StatusMacrosTest, AValueIsAssigned) {
  EXPECT_EQ(*Sum(1, 2), 3);
  EXPECT_EQ(Sum(1, absl::InternalError("no")).status(),
            absl::InternalError("no"));
}

}  // namespace
}  // namespace ferry
