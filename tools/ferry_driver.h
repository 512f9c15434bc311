// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_FERRY_DRIVER_H_
#define FERRY_TOOLS_FERRY_DRIVER_H_

namespace ferry {

// All of `ferry`: finds the command that the first argument names and runs it.
// Returns the exit code. Tested by tests/tools/ferry.test.
int RunFerry(int argc, char** argv);

}  // namespace ferry

#endif  // FERRY_TOOLS_FERRY_DRIVER_H_
