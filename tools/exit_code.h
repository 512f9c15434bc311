// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_EXIT_CODE_H_
#define FERRY_TOOLS_EXIT_CODE_H_

#include <initializer_list>

namespace ferry {

// What the tools end with; the same meaning in all of them.
// Tested by exit_code_test.cc.
enum class ExitCode {
  kOk = 0,             // done, no error found; warnings do not count
  kFindings = 1,       // done, at least one diagnostic is an error
  kUsage = 2,          // the command line is wrong, or asks for what is not
                       // built yet
  kUnreadable = 3,     // an input cannot be read, or is no HLO
  kInfeasible = 4,     // done, and the answer is that it does not fit
  kInternalError = 70  // a bug in Ferry
};

// Of two inputs of one run, the one that decides.
inline ExitCode Worse(ExitCode a, ExitCode b) {
  for (ExitCode code :
       {ExitCode::kInternalError, ExitCode::kUsage, ExitCode::kUnreadable,
        ExitCode::kFindings, ExitCode::kInfeasible}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::kOk;
}

}  // namespace ferry

#endif  // FERRY_TOOLS_EXIT_CODE_H_
