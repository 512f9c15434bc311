// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PACK_COMMAND_H_
#define FERRY_TOOLS_PACK_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry pack FILE.csv`: gives any buffers offsets, as low as possible or below
// a capacity; `--verify=SOLUTION.csv` judges given ones.
// Tested by tests/tools/pack.test.
ExitCode RunPackCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_PACK_COMMAND_H_
