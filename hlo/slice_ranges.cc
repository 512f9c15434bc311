// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/slice_ranges.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {

void SliceRanges::AppendTo(std::string& out) const {
  const bool has_strides =
      std::any_of(dimensions.begin(), dimensions.end(),
                  [](const SliceRange& range) { return range.stride != 1; });
  out += '{';
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const SliceRange& range = dimensions[i];
    absl::StrAppend(&out, i == 0 ? "[" : ", [", range.start, ":", range.limit);
    if (has_strides) absl::StrAppend(&out, ":", range.stride);
    out += ']';
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, SliceRanges& ranges) {
  ranges.dimensions.clear();
  return ReadList(lexer, "slice ranges", [&] {
    SliceRange& range = ranges.dimensions.emplace_back();
    FERRY_RETURN_IF_ERROR(
        ReadPunctuation(lexer, '[', "at the start of a range"));
    FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "the start", range.start));
    FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, ':', "behind the start"));
    FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "the limit", range.limit));
    if (lexer.Consume(':')) {
      FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "the stride", range.stride));
    }
    return ReadPunctuation(lexer, ']', "at the end of a range");
  });
}

}  // namespace ferry
