// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_XLA_FLAGS_H_
#define FERRY_TOOLS_XLA_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Reads "xla_x=true --xla_y=false", as users pass flags to the compiler, into
// `flags`. Flags that mean nothing to Ferry go to `ignored`: people hand over
// the line that they give to the compiler. InvalidArgument for a value that is
// no bool, and for text that is no flag. Tested by xla_flags_test.cc.
absl::Status ReadXlaFlags(absl::string_view text, PassContext::XlaFlags& flags,
                          std::vector<std::string>& ignored);

}  // namespace ferry

#endif  // FERRY_TOOLS_XLA_FLAGS_H_
