// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CHECK_JSON_H_
#define FERRY_TOOLS_CHECK_JSON_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/check_file.h"

namespace ferry {

// The answer of `ferry check --json`, which people script against: an object for
// one result, an array of them if `is_list`. Ends with a line end.
// Tested by check_json_test.cc and tests/tools/check_json.test.
std::string CheckResultsToJson(absl::Span<const CheckResult> results,
                               bool is_list);

}  // namespace ferry

#endif  // FERRY_TOOLS_CHECK_JSON_H_
