// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/window.h"

#include <algorithm>

#include "absl/strings/str_split.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/shape.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

// Numbers joined by `_` within a dimension, dimensions joined by `x`.
using Rows = std::vector<std::vector<int64_t>>;
std::optional<Rows> ReadRows(absl::string_view text) {
  Rows rows;
  for (absl::string_view dimension : absl::StrSplit(text, 'x')) {
    std::vector<int64_t>& row = rows.emplace_back();
    for (absl::string_view digits : absl::StrSplit(dimension, '_')) {
      const std::optional<int64_t> number = IntegerValue(digits);
      if (!number.has_value()) return std::nullopt;
      row.push_back(*number);
    }
  }
  return rows;
}

bool Assign(absl::string_view name, const std::vector<int64_t>& row,
            WindowDimension& dimension) {
  if (name == "pad") {
    if (row.size() != 2) return false;
    dimension.padding_low = row[0];
    dimension.padding_high = row[1];
    return true;
  }
  if (row.size() != 1) return false;
  if (name == "size")
    dimension.size = row[0];
  else if (name == "stride")
    dimension.stride = row[0];
  else if (name == "lhs_dilate")
    dimension.base_dilation = row[0];
  else if (name == "rhs_dilate")
    dimension.window_dilation = row[0];
  else if (name == "rhs_reversal")
    dimension.reversal = row[0] != 0;
  else
    return false;
  return true;
}

// Elements from the first to the last of `size`, `dilation` apart.
std::optional<int64_t> Dilated(int64_t size, int64_t dilation) {
  if (size <= 0) return 0;
  int64_t span = 0;
  if (llvm::MulOverflow(size - 1, dilation, span) ||
      llvm::AddOverflow<int64_t>(span, 1, span)) {
    return std::nullopt;
  }
  return span;
}

}  // namespace

std::optional<std::vector<WindowDimension>> ReadWindow(absl::string_view text) {
  std::vector<WindowDimension> window;
  if (text.empty()) return window;
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return std::nullopt;
  while (!lexer.Consume('}')) {
    const absl::string_view name = lexer.ScanAttributeName();
    const std::optional<Rows> rows = ReadRows(lexer.ScanBareValue());
    if (!rows.has_value()) return std::nullopt;
    if (window.empty()) window.resize(rows->size());
    if (window.size() != rows->size()) return std::nullopt;
    for (size_t i = 0; i < window.size(); ++i) {
      if (!Assign(name, (*rows)[i], window[i])) return std::nullopt;
    }
  }
  return window;
}

std::optional<int64_t> WindowedSize(int64_t base,
                                    const WindowDimension& window) {
  if (base == kUnboundedDimension) return base;
  if (window.stride <= 0) return std::nullopt;
  const std::optional<int64_t> dilated = Dilated(base, window.base_dilation);
  const std::optional<int64_t> reach =
      Dilated(window.size, window.window_dilation);
  if (!dilated.has_value() || !reach.has_value()) return std::nullopt;
  int64_t padded = *dilated;
  if (llvm::AddOverflow(padded, window.padding_low, padded) ||
      llvm::AddOverflow(padded, window.padding_high, padded)) {
    return std::nullopt;
  }
  if (padded < 0) return std::nullopt;
  if (padded < *reach) return 0;
  int64_t room = 0;
  if (llvm::SubOverflow(padded, *reach, room)) return std::nullopt;
  return room / window.stride + 1;
}

std::optional<std::vector<PaddingDimension>> ReadPadding(
    absl::string_view text) {
  std::vector<PaddingDimension> padding;
  if (text.empty()) return padding;
  const std::optional<Rows> rows = ReadRows(text);
  if (!rows.has_value()) return std::nullopt;
  for (const std::vector<int64_t>& row : *rows) {
    if (row.size() != 2 && row.size() != 3) return std::nullopt;
    padding.push_back({row[0], row[1], row.size() == 3 ? row[2] : 0});
  }
  return padding;
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
