// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ESSENTIAL_CONSTANT_H_
#define FERRY_HLO_ESSENTIAL_CONSTANT_H_

#include "absl/strings/string_view.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// What a fingerprint says of a constant: `0` or `1` if all elements are that,
// integers as they are, and `{...}` of all else, which may be random weights.
// `literal` is the constant's text in canonical form; the result views it.
// Tested by essential_constant_test.cc.
absl::string_view EssentialConstant(const Shape& shape,
                                    absl::string_view literal);

}  // namespace ferry

#endif  // FERRY_HLO_ESSENTIAL_CONSTANT_H_
