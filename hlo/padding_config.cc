// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/padding_config.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/dimension_token.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/value_reader.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {

void PaddingConfig::AppendTo(std::string& out) const {
  const bool has_interior = std::any_of(dimensions.begin(), dimensions.end(),
                                        [](const PaddingDimension& dimension) {
                                          return dimension.interior != 0;
                                        });
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const PaddingDimension& dimension = dimensions[i];
    absl::StrAppend(&out, i == 0 ? "" : "x", dimension.low, "_",
                    dimension.high);
    if (has_interior) absl::StrAppend(&out, "_", dimension.interior);
  }
}

absl::Status Read(HloLexer& lexer, PaddingConfig& padding) {
  padding.dimensions.clear();
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = ScanPaddings(lexer);
  if (token.empty()) return ExpectedError(lexer, "a padding like 0_1x0_0_2");
  DimensionRows rows;
  if (!ReadDimensionRows(token, rows)) {
    lexer.set_offset(offset);
    return absl::OutOfRangeError("a padding does not fit in 64 bits");
  }
  for (const std::vector<int64_t>& row : rows) {
    padding.dimensions.push_back(
        {row[0], row[1], row.size() == 3 ? row[2] : 0});
  }
  return absl::OkStatus();
}

std::optional<std::vector<PaddingDimension>> ReadPadding(
    absl::string_view text) {
  PaddingConfig padding;
  if (!text.empty() && !ReadWhole(text, padding).ok()) return std::nullopt;
  return std::move(padding.dimensions);
}

std::optional<int64_t> PaddedSize(int64_t base,
                                  const PaddingDimension& padding) {
  if (base == kUnboundedDimension) return base;
  int64_t size = 0;
  if (llvm::MulOverflow(std::max<int64_t>(base - 1, 0), padding.interior,
                        size) ||
      llvm::AddOverflow(size, base, size) ||
      llvm::AddOverflow(size, padding.low, size) ||
      llvm::AddOverflow(size, padding.high, size)) {
    return std::nullopt;
  }
  return size;
}

}  // namespace ferry
