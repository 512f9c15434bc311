// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_SANITIZED_NAME_H_
#define FERRY_HLO_PROTO_SANITIZED_NAME_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// HLO text can write only some names; a proto may have any. XLA changes those
// of protos when it reads them:
//
//   "2 x$"  -> "__x_" -> "a_x_"     bytes that no name has become `_`
//   "__x"   -> "a_x"                but "__xla_x" stays
//   "f32"   -> "f32_"               an element type
//
// Tested by sanitized_name_test.cc.
bool IsSanitizedName(absl::string_view name);
// `name` must not be empty.
std::string SanitizeName(absl::string_view name);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_SANITIZED_NAME_H_
