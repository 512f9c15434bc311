// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/window.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/dimension_token.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/value_reader.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

// The parts in the order of printing.
enum Part { kSize, kStride, kPad, kBaseDilation, kWindowDilation, kReversal };
constexpr absl::string_view kPartNames[] = {
    "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
constexpr int kParts = static_cast<int>(std::size(kPartNames));

absl::Status ReadPads(HloLexer& lexer, DimensionRows& rows) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = ScanPaddings(lexer);
  if (token.empty()) {
    return ExpectedError(lexer, "a window padding like 0_0x3_3");
  }
  if (ReadDimensionRows(token, rows) &&
      std::all_of(rows.begin(), rows.end(),
                  [](const auto& row) { return row.size() == 2; })) {
    return absl::OkStatus();
  }
  lexer.set_offset(offset);
  return absl::OutOfRangeError(
      "expected padding_low and padding_high separated by `_`");
}

// 3x3, or one integer for one dimension.
absl::Status ReadSizes(HloLexer& lexer, DimensionRows& rows) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = ScanDimensionSizes(lexer);
  if (token.empty()) {
    rows.assign(1, {0});
    return ReadInt64(lexer, "sizes like 3x3", rows[0][0]);
  }
  if (ReadDimensionRows(token, rows)) return absl::OkStatus();
  lexer.set_offset(offset);
  return absl::OutOfRangeError("a size does not fit in 64 bits");
}

void Assign(Part part, const std::vector<int64_t>& numbers,
            WindowDimension& dimension) {
  switch (part) {
    case kSize:
      dimension.size = numbers[0];
      break;
    case kStride:
      dimension.stride = numbers[0];
      break;
    case kPad:
      dimension.padding_low = numbers[0];
      dimension.padding_high = numbers[1];
      break;
    case kBaseDilation:
      dimension.base_dilation = numbers[0];
      break;
    case kWindowDilation:
      dimension.window_dilation = numbers[0];
      break;
    case kReversal:
      dimension.reversal = numbers[0] == 1;
      break;
  }
}

// Whether the part of this dimension has to be printed.
bool IsTrivial(Part part, const WindowDimension& dimension) {
  switch (part) {
    case kSize:
      return false;
    case kStride:
      return dimension.stride == 1;
    case kPad:
      return dimension.padding_low == 0 && dimension.padding_high == 0;
    case kBaseDilation:
      return dimension.base_dilation == 1;
    case kWindowDilation:
      return dimension.window_dilation == 1;
    case kReversal:
      return !dimension.reversal;
  }
  return true;
}

void AppendPart(Part part, const WindowDimension& dimension, std::string& out) {
  switch (part) {
    case kSize:
      absl::StrAppend(&out, dimension.size);
      break;
    case kStride:
      absl::StrAppend(&out, dimension.stride);
      break;
    case kPad:
      absl::StrAppend(&out, dimension.padding_low, "_", dimension.padding_high);
      break;
    case kBaseDilation:
      absl::StrAppend(&out, dimension.base_dilation);
      break;
    case kWindowDilation:
      absl::StrAppend(&out, dimension.window_dilation);
      break;
    case kReversal:
      out += dimension.reversal ? '1' : '0';
      break;
  }
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

void Window::AppendTo(std::string& out) const {
  out += '{';
  for (int i = 0; i < kParts; ++i) {
    const Part part = static_cast<Part>(i);
    const auto is_trivial = [&](const WindowDimension& dimension) {
      return IsTrivial(part, dimension);
    };
    if (std::all_of(dimensions.begin(), dimensions.end(), is_trivial)) {
      continue;
    }
    absl::StrAppend(&out, part == kSize ? "" : " ", kPartNames[i], "=");
    for (size_t d = 0; d < dimensions.size(); ++d) {
      if (d > 0) out += 'x';
      AppendPart(part, dimensions[d], out);
    }
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, Window& window) {
  window.dimensions.clear();
  std::array<DimensionRows, kParts> parts;
  const uint64_t start = lexer.TokenOffset();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start a window"));
  while (!lexer.Consume('}')) {
    const uint64_t offset = lexer.TokenOffset();
    const absl::string_view name = lexer.ScanAttributeName();
    const int i =
        std::find(std::begin(kPartNames), std::end(kPartNames), name) -
        std::begin(kPartNames);
    if (i == kParts) {
      lexer.set_offset(offset);
      return ExpectedError(lexer,
                           "`size=`, `stride=`, `pad=`, `lhs_dilate=`, "
                           "`rhs_dilate=`, `rhs_reversal=` or `}`");
    }
    if (!parts[i].empty()) {
      lexer.set_offset(offset);
      return absl::OutOfRangeError(
          absl::StrCat("sub-attribute `", name, "=` already exists"));
    }
    FERRY_RETURN_IF_ERROR(i == kPad ? ReadPads(lexer, parts[i])
                                    : ReadSizes(lexer, parts[i]));
  }
  window.dimensions.resize(parts[kSize].size());
  for (int i = 0; i < kParts; ++i) {
    if (parts[i].empty()) continue;
    if (parts[i].size() != window.dimensions.size()) {
      lexer.set_offset(start);
      return absl::OutOfRangeError(absl::StrCat(
          "expected `", kPartNames[i],
          "=` to have as many numbers as `size=`: ", window.dimensions.size(),
          ", but it has ", parts[i].size()));
    }
    for (size_t d = 0; d < window.dimensions.size(); ++d) {
      Assign(static_cast<Part>(i), parts[i][d], window.dimensions[d]);
    }
  }
  return absl::OkStatus();
}

std::optional<std::vector<WindowDimension>> ReadWindow(absl::string_view text) {
  Window window;
  if (!text.empty() && !ReadWhole(text, window).ok()) return std::nullopt;
  return std::move(window.dimensions);
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

}  // namespace ferry
