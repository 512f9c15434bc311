// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LITERAL_NUMBER_H_
#define FERRY_HLO_LITERAL_NUMBER_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {

// Whose spelling a literal has. XLA's reader does not take back all that its
// printer writes:
//
//                 kText, as read     kCanonical, as printed
//   f32[] -0      0                  negative zero
//   c64[] (nan,2) (nan, nan)         (nan, 2)
//   u64[] -1      2^64-1             never
//   f8e8m0fnu[] 5.9e-39   2^-126     2^-127
enum class LiteralDialect { kText, kCanonical };

// The bits of a number token of a literal: `-12`, `1.5e3`, `-nan(0x7f)`.
//
// Ranges are XLA's: a token without point or exponent is an integer of 64 bits
// first, whatever the type, and 2^63 and more read as negative; negative
// numbers wrap for u64; what rounds to infinity is refused, unless it says
// `inf`. `type` has elements and is not complex. InvalidArgument with XLA's
// words. Tested by literal_number_test.cc.
absl::StatusOr<uint64_t> BitsOfNumber(PrimitiveType type,
                                      absl::string_view number,
                                      LiteralDialect dialect);

// The same for both parts of a complex number, whose parts are of type `part`.
absl::StatusOr<std::array<uint64_t, 2>> BitsOfComplex(
    PrimitiveType part, absl::string_view real, absl::string_view imaginary,
    LiteralDialect dialect);

// The type of the parts of c64 and c128; `type` itself for others.
PrimitiveType PartType(PrimitiveType type);

}  // namespace ferry

#endif  // FERRY_HLO_LITERAL_NUMBER_H_
