// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_RESULT_ACCURACY_H_
#define FERRY_HLO_RESULT_ACCURACY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// How exact the result of a transcendental operation must be:
// `{mode=highest}` or `{tolerance={atol=1,rtol=0.5,ulps=2}}`.
// Tested by result_accuracy_test.cc.
struct ResultAccuracy {
  enum class Kind { kDefault, kHighest, kTolerance };

  Kind kind = Kind::kDefault;
  // Of kTolerance; none is negative or NaN.
  double atol = 0;
  double rtol = 0;
  int64_t ulps = 0;

  bool IsPrinted() const { return kind != Kind::kDefault; }
  // With braces.
  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, ResultAccuracy& accuracy);

}  // namespace ferry

#endif  // FERRY_HLO_RESULT_ACCURACY_H_
