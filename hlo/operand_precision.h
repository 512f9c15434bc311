// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_OPERAND_PRECISION_H_
#define FERRY_HLO_OPERAND_PRECISION_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// How exactly each operand of a dot or convolution is multiplied:
// `{default,highest}`. The numbers are those of the proto. Tested by
// operand_precision_test.cc.
enum class Precision { kDefault = 0, kHigh = 1, kHighest = 2 };

struct OperandPrecision {
  std::vector<Precision> operands;

  // XLA prints nothing if all are kDefault.
  bool IsPrinted() const;
  // With braces.
  void AppendTo(std::string& out) const;
};

// Upper and lower case are the same.
absl::Status Read(HloLexer& lexer, OperandPrecision& precision);

}  // namespace ferry

#endif  // FERRY_HLO_OPERAND_PRECISION_H_
