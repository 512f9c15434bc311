// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STATUS_MACROS_H_
#define FERRY_HLO_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Short forms for functions that hand on the errors of what they call.
// Tested by status_macros_test.cc.

// Returns the status if it is an error.
#define FERRY_RETURN_IF_ERROR(expression)                               \
  do {                                                                  \
    if (absl::Status ferry_status = (expression); !ferry_status.ok()) { \
      return ferry_status;                                              \
    }                                                                   \
  } while (false)

// Declares or assigns `lhs` from a StatusOr, or returns its error.
#define FERRY_ASSIGN_OR_RETURN(lhs, expression) \
  FERRY_ASSIGN_OR_RETURN_(FERRY_CONCAT_(ferry_or_, __LINE__), lhs, expression)
#define FERRY_ASSIGN_OR_RETURN_(statusor, lhs, expression) \
  auto statusor = (expression);                            \
  if (!statusor.ok()) return statusor.status();            \
  lhs = *std::move(statusor)
#define FERRY_CONCAT_(a, b) FERRY_CONCAT_INNER_(a, b)
#define FERRY_CONCAT_INNER_(a, b) a##b

#endif  // FERRY_HLO_STATUS_MACROS_H_
