// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CHECK_H_
#define FERRY_HLO_CHECK_H_

#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"

namespace ferry {

// Reports a bug in Ferry and does not return. By default prints to stderr and
// aborts; the tools install a handler that writes a reproducer and exits 70.
// Tested by check_test.cc and tools/crash_report_test.cc.
using CheckFailureHandler = void (*)(absl::string_view file, int line,
                                     absl::string_view what);
void SetCheckFailureHandler(CheckFailureHandler handler);

[[noreturn]] void CheckFailed(absl::string_view file, int line,
                              absl::string_view what);

}  // namespace ferry

// A condition that only a bug in Ferry can break, never bad input. Stays on in
// release builds.
#define FERRY_CHECK(condition)                              \
  do {                                                      \
    if (ABSL_PREDICT_FALSE(!(condition))) {                 \
      ::ferry::CheckFailed(__FILE__, __LINE__, #condition); \
    }                                                       \
  } while (false)

#endif  // FERRY_HLO_CHECK_H_
