// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_COMMAND_H_
#define FERRY_TOOLS_MEMORY_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry memory FILE...`: what is every byte for, does it fit the chip?
// Tested by tests/tools/memory.test.
ExitCode RunMemoryCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_COMMAND_H_
