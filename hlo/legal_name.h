// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LEGAL_NAME_H_
#define FERRY_HLO_LEGAL_NAME_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// Not every name that a text can spell may stand in a module: XLA keeps those
// of element types and those that start with two underscores for itself. It
// refuses such names of instructions and changes those of computations:
//
//   "f32" -> "f32_"      "__x" -> "a_x", but "__xla_x" is fine
//
// `name` must not be empty. Tested by legal_name_test.cc.
bool IsLegalName(absl::string_view name);
// What XLA changes an illegal name to.
std::string LegalName(absl::string_view name);

}  // namespace ferry

#endif  // FERRY_HLO_LEGAL_NAME_H_
