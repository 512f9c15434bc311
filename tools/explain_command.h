// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_EXPLAIN_COMMAND_H_
#define FERRY_TOOLS_EXPLAIN_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry explain CODE...`: what a diagnostic means, an example, the cause, the
// fix. Without a code, one line for each. Tested by tests/tools/explain.test.
ExitCode RunExplainCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_EXPLAIN_COMMAND_H_
