// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CANONICAL_LITERAL_H_
#define FERRY_HLO_CANONICAL_LITERAL_H_

#include <cstddef>

#include "absl/strings/string_view.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// The length of the literal of `shape` at the start of `text` if it stands
// there byte for byte as XLA prints what it reads from it; 0 if it does not, or
// if that is hard to say: then only reading and printing it can tell.
//
// This is how big constants are read at the speed of a scan: most numbers are
// proven canonical by their digits, without being converted. `shape` has the
// form that a constant's has: static arrays, and tuples of such. Never true of
// something that is no literal. Tested by canonical_literal_test.cc.
size_t CanonicalLiteralLength(const Shape& shape, absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_CANONICAL_LITERAL_H_
