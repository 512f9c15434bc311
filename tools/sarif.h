// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_SARIF_H_
#define FERRY_TOOLS_SARIF_H_

#include <string>

#include "absl/types/span.h"
#include "ferry/tools/check_file.h"

namespace ferry {

// The findings of a run as SARIF 2.1.0, which code hosts and editors show
// beside the code: one rule for each row of diagnostics.def, one result for
// each finding, the way of a value as a code flow. Ends with a line end.
// Tested by sarif_test.cc and tests/tools/check_sarif.test.
std::string CheckResultsToSarif(absl::Span<const CheckResult> results);

}  // namespace ferry

#endif  // FERRY_TOOLS_SARIF_H_
