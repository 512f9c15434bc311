// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/slice_bounds.h"

#include "ferry/hlo/hlo_lexer.h"

namespace ferry {
namespace {

// The next number, up to `:`, `]` or a space; nullopt if there is none.
std::optional<int64_t> TakeInteger(absl::string_view& rest) {
  const size_t end = rest.find_first_not_of("-0123456789");
  const auto number = IntegerValue(rest.substr(0, end));
  if (!number.has_value()) return std::nullopt;
  rest.remove_prefix(end == absl::string_view::npos ? rest.size() : end);
  return static_cast<int64_t>(*number);
}

bool TakeByte(char byte, absl::string_view& rest) {
  if (rest.empty() || rest.front() != byte) return false;
  rest.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<absl::InlinedVector<SliceBounds, 6>> ReadSliceBounds(
    absl::string_view text) {
  absl::InlinedVector<SliceBounds, 6> bounds;
  if (!TakeByte('{', text)) return std::nullopt;
  while (!TakeByte('}', text)) {
    if (TakeByte(' ', text) || TakeByte(',', text)) continue;
    if (!TakeByte('[', text)) return std::nullopt;
    SliceBounds bound;
    const auto start = TakeInteger(text);
    if (!start.has_value() || !TakeByte(':', text)) return std::nullopt;
    const auto limit = TakeInteger(text);
    if (!limit.has_value()) return std::nullopt;
    bound.start = *start;
    bound.limit = *limit;
    if (TakeByte(':', text)) {
      const auto stride = TakeInteger(text);
      if (!stride.has_value()) return std::nullopt;
      bound.stride = *stride;
    }
    if (!TakeByte(']', text)) return std::nullopt;
    bounds.push_back(bound);
  }
  if (!text.empty()) return std::nullopt;
  return bounds;
}

}  // namespace ferry
