// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/operand_precision.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

constexpr absl::string_view kNames[] = {"default", "high", "highest"};

}  // namespace

bool OperandPrecision::IsPrinted() const {
  return std::any_of(operands.begin(), operands.end(), [](Precision precision) {
    return precision != Precision::kDefault;
  });
}

void OperandPrecision::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < operands.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ",",
                    kNames[static_cast<int>(operands[i])]);
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, OperandPrecision& precision) {
  precision.operands.clear();
  return ReadList(lexer, "precisions", [&] {
    const uint64_t offset = lexer.TokenOffset();
    const absl::string_view word = lexer.ScanWord();
    const auto name = std::find_if(
        std::begin(kNames), std::end(kNames), [&](absl::string_view candidate) {
          return absl::EqualsIgnoreCase(candidate, word);
        });
    if (name == std::end(kNames)) {
      lexer.set_offset(offset);
      return ExpectedError(lexer, "a precision (default, high, highest)");
    }
    precision.operands.push_back(
        static_cast<Precision>(name - std::begin(kNames)));
    return absl::OkStatus();
  });
}

}  // namespace ferry
