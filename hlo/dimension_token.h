// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DIMENSION_TOKEN_H_
#define FERRY_HLO_DIMENSION_TOKEN_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Tokens that speak of all dimensions at once. Each function reads the longest
// token of its kind, or returns an empty view and leaves the lexer where it
// was, as the functions of HloLexer do. Tested by dimension_token_test.cc.

// `3x3`: two or more numbers, none negative.
absl::string_view ScanDimensionSizes(HloLexer& lexer);
// `0_1x-1_2`, `0_0_2x1_1_0`: low, high and, not negative, interior.
absl::string_view ScanPaddings(HloLexer& lexer);
// `b01f_01io->b01f`.
absl::string_view ScanDimensionLabels(HloLexer& lexer);

// The numbers of such a token: joined by `_` in a row, rows joined by `x`.
// False if one does not fit in 64 bits.
using DimensionRows = std::vector<std::vector<int64_t>>;
bool ReadDimensionRows(absl::string_view token, DimensionRows& rows);

}  // namespace ferry

#endif  // FERRY_HLO_DIMENSION_TOKEN_H_
