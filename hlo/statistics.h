// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STATISTICS_H_
#define FERRY_HLO_STATISTICS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Numbers for a viewer: `{visualizing_index=1,stat-1=33,stat-2=44}`.
// Tested by statistics_test.cc.
struct Statistics {
  // Which of them to show, counted from 1.
  int64_t visualizing_index = 0;
  // In the order of the text; names may repeat.
  std::vector<std::pair<absl::string_view, double>> values;

  void clear();
  // XLA prints nothing without a value.
  bool IsPrinted() const { return !values.empty(); }
  // With braces, values to six digits.
  void AppendTo(std::string& out) const;
};

// The first is the index, whatever its name.
absl::Status Read(HloLexer& lexer, Statistics& statistics);

}  // namespace ferry

#endif  // FERRY_HLO_STATISTICS_H_
