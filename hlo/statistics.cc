// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/statistics.h"

#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

// XLA takes nan and what overflows, but no written infinity.
absl::Status ReadValue(HloLexer& lexer, double& value) {
  lexer.SkipTrivia();
  const uint64_t offset = lexer.offset();
  if (lexer.ConsumeWord("inf") ||
      (lexer.Consume('-') && lexer.ConsumeWord("inf"))) {
    lexer.set_offset(offset);
    return absl::OutOfRangeError("a statistic must not be infinite");
  }
  lexer.set_offset(offset);
  return ReadDouble(lexer, "a number", value);
}

}  // namespace

void Statistics::clear() {
  visualizing_index = 0;
  values.clear();
}

void Statistics::AppendTo(std::string& out) const {
  absl::StrAppend(&out, "{visualizing_index=", visualizing_index);
  for (const auto& [name, value] : values) {
    absl::StrAppend(&out, ",", name, "=", value);
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, Statistics& statistics) {
  statistics.clear();
  bool is_first = true;
  return ReadList(lexer, "statistics", [&] {
    const absl::string_view name = lexer.ScanAttributeName();
    if (name.empty()) return ExpectedError(lexer, "`name=`");
    if (is_first) {
      is_first = false;
      return ReadInt64(lexer, "the number of a statistic",
                       statistics.visualizing_index);
    }
    return ReadValue(lexer, statistics.values.emplace_back(name, 0.0).second);
  });
}

}  // namespace ferry
