// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_SHAPE_COMMAND_H_
#define FERRY_TOOLS_SHAPE_COMMAND_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// `ferry shape SHAPE...`: how many bytes an array takes on a chip, why they are
// more than its elements, and the cheapest layout. Without a layout in its text
// a shape gets the compiler's default. Tested by tests/tools/shape.test.
ExitCode RunShapeCommand(absl::Span<const std::string> arguments);

}  // namespace ferry

#endif  // FERRY_TOOLS_SHAPE_COMMAND_H_
