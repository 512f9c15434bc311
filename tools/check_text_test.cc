// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::StartsWith;

TEST(CheckTextTest, SumsUpACleanModule) {
  CheckResult result;
  result.file = "step.hlo";
  result.module = "jit_step";
  result.stage = "before";
  result.transfers = {{HostTransfer::Direction::kDeviceToHost,
                       "save",
                       4194304,
                       4194304,
                       12,
                       {"jit(f)/x", "model.py", 41, "loss"}},
                      {HostTransfer::Direction::kHostToDevice,
                       "back",
                       std::nullopt,
                       std::nullopt,
                       std::nullopt,
                       {"jit(f)/y", "", 0, ""}}};
  result.host_compute = {{"tanh.1", "its operand is in host memory", {}}};
  EXPECT_EQ(CheckSummaryToText(result),
            "step.hlo: module jit_step, stage before\n"
            "transfers:\n"
            "  device to host  4.00 MiB (4194304)  x 12  save  model.py:41 in "
            "loss\n"
            "  host to device  unknown size        x ?   back  jit(f)/y\n"
            "host compute:\n"
            "  tanh.1  its operand is in host memory\n"
            "verdict: OK\n");
}

TEST(CheckTextTest, TheDocumentedMessageComesFirst) {
  CheckResult result;
  result.file = "step.hlo";
  result.diagnostics.push_back(MakeDiagnostic(
      DiagnosticCode::kOffloadOutputLocationMismatch, {}, {"out"}));
  result.verdict = StatusOf(result.diagnostics, Judge::kDocumented);
  EXPECT_THAT(
      CheckFindingsToText(result, /*colour=*/false),
      StartsWith(
          "INVALID_ARGUMENT: E1200: "
          "CompileTimeHostOffloadOutputLocationMismatch:\n"
          "Tensor which is moved to host (starting from out) is returned from "
          "the entry computation but the layout for this output is not set to "
          "host memory.\n"
          "See https://openxla.org/xla/errors/error_1200 for more details.\n"
          "\nerror: E1200: "));
  EXPECT_EQ(CheckSummaryToText(result),
            "step.hlo\nverdict: INVALID_ARGUMENT E1200, 1 error\n");
}

TEST(CheckTextTest, NothingMovesTheCursor) {
  CheckResult result;
  result.file =
      "a\x1b[2J\xff\xc2\x9b"
      "b\n.hlo";
  EXPECT_EQ(CheckSummaryToText(result), "a?[2J??b?.hlo\nverdict: OK\n");
}

}  // namespace
}  // namespace ferry
