// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/exit_code.h"

#include <cstddef>
#include <iterator>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ExitCodeTest, ABugDecidesThenUsageThenWhatCannotBeRead) {
  constexpr ExitCode kOrder[] = {ExitCode::kOk,       ExitCode::kInfeasible,
                                 ExitCode::kFindings, ExitCode::kUnreadable,
                                 ExitCode::kUsage,    ExitCode::kInternalError};
  for (size_t i = 0; i < std::size(kOrder); ++i) {
    for (size_t j = i; j < std::size(kOrder); ++j) {
      EXPECT_EQ(Worse(kOrder[i], kOrder[j]), kOrder[j]);
      EXPECT_EQ(Worse(kOrder[j], kOrder[i]), kOrder[j]);
    }
  }
}

}  // namespace
}  // namespace ferry
