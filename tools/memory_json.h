// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_JSON_H_
#define FERRY_TOOLS_MEMORY_JSON_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/memory_file.h"

namespace ferry {

// The document of `ferry memory --json`: one object, or, if `is_list`, an array
// of them. `max_live` limits the list of what is live at the peak; 0: no limit.
// Tested by memory_json_test.cc and tests/tools/memory.test.
std::string MemoryResultsToJson(absl::Span<const MemoryResult> results,
                                bool is_list, int max_live);

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_JSON_H_
