// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CHECK_COMMAND_H_
#define FERRY_TOOLS_CHECK_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry check FILE...`: is the placement legal, where does every offloaded
// tensor go? Files are worked on in parallel and reported in order: findings to
// stderr, everything else to stdout. Tested by tests/tools/check_*.test.
ExitCode RunCheckCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_CHECK_COMMAND_H_
