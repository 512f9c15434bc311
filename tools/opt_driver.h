// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_OPT_DRIVER_H_
#define FERRY_TOOLS_OPT_DRIVER_H_

namespace ferry {

// All of `ferry-opt`, for compiler engineers: reads a module, verifies it, runs
// passes, prints it. Returns the exit code. Tested by tests/tools/opt_*.test.
int RunFerryOpt(int argc, char** argv);

}  // namespace ferry

#endif  // FERRY_TOOLS_OPT_DRIVER_H_
