// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_DIFF_COMMAND_H_
#define FERRY_TOOLS_DIFF_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry diff A B`: what changed the memory that a program needs, and which
// values did it. Tested by tests/tools/diff.test.
ExitCode RunDiffCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_DIFF_COMMAND_H_
