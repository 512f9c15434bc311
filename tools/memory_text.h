// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_TEXT_H_
#define FERRY_TOOLS_MEMORY_TEXT_H_

#include <string>

#include "ferry/tools/memory_file.h"

namespace ferry {

// For stderr: what is wrong with the input, and, over a limit, the compiler's
// report about it. Empty without either.
std::string MemoryFindingsToText(const MemoryResult& result, bool colour);

// For stdout: what each memory holds, and what is live at the peak of HBM, at
// most `max_live` rows (0: all).
//
//   step.hlo: module jit_f on v5e, stage scheduled
//   hbm: 80.33 MiB (84230144) of 15.75 GiB (16909334528)
//     arguments      48.00 MiB (50331648)
//     ...
//   peak of hbm at step 44, `fusion`:
//     16.00 MiB (16777216)  temp  44-51  fusion  bf16[4096,2048]  model.py:42
//   verdict: OK
//
// Control characters of the input never reach the terminal.
// Tested by memory_text_test.cc and tests/tools/memory.test.
std::string MemorySummaryToText(const MemoryResult& result, int max_live);

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_TEXT_H_
