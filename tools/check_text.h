// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CHECK_TEXT_H_
#define FERRY_TOOLS_CHECK_TEXT_H_

#include <string>

#include "ferry/tools/check_file.h"

namespace ferry {

// For stderr: the message that a compiler would give, if Ferry has more to say
// than that, then one block per finding. Empty without findings.
std::string CheckFindingsToText(const CheckResult& result, bool colour);

// For stdout:
//
//   step.hlo: module jit_step, stage before
//   transfers:
//     device to host  4.00 MiB (4194304)  x 12  save.1  model.py:41 in loss
//   host compute:
//     tanh.1  its operand `save.1` is in host memory
//   verdict: OK, 1 warning
//
// Control characters of the input never reach the terminal.
// Tested by check_text_test.cc and tests/tools/check_text.test.
std::string CheckSummaryToText(const CheckResult& result);

}  // namespace ferry

#endif  // FERRY_TOOLS_CHECK_TEXT_H_
