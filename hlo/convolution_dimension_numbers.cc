// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/convolution_dimension_numbers.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/dimension_token.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

using Side = ConvolutionDimensionNumbers::Side;

int64_t SpatialCount(absl::string_view labels) {
  return std::count_if(labels.begin(), labels.end(), HloLexer::IsDigit);
}

// `letters` are those of Side::first and Side::second.
absl::Status ReadSide(absl::string_view labels, absl::string_view letters,
                      absl::string_view what, Side& side) {
  side = Side();
  side.spatial.resize(SpatialCount(labels));
  for (size_t i = 0; i < labels.size(); ++i) {
    const char label = labels[i];
    if (label == '?') continue;
    if (labels.find(label, i + 1) != absl::string_view::npos) {
      return absl::OutOfRangeError(absl::StrCat(
          "expects unique ", what, " dimension numbers, but sees ", labels));
    }
    const int64_t dimension = static_cast<int64_t>(i);
    if (label == letters[0]) {
      side.first = dimension;
    } else if (label == letters[1]) {
      side.second = dimension;
    } else if (const size_t spatial = label - '0';
               spatial < side.spatial.size()) {
      side.spatial[spatial] = dimension;
    } else {
      return absl::OutOfRangeError(
          absl::StrCat("spatial dimensions of ", what,
                       " must count from 0 without a gap, "
                       "but `",
                       labels, "` has ", labels.substr(i, 1)));
    }
  }
  return absl::OkStatus();
}

// Later letters take the place of earlier ones: those that were missing.
void AppendSide(const Side& side, absl::string_view letters, std::string& out) {
  int64_t last = std::max(side.first, side.second);
  for (const int64_t dimension : side.spatial) last = std::max(last, dimension);
  const size_t start = out.size();
  out.append(static_cast<size_t>(last) + 1, '?');
  out[start + side.first] = letters[0];
  out[start + side.second] = letters[1];
  for (size_t i = 0; i < side.spatial.size(); ++i) {
    out[start + side.spatial[i]] = static_cast<char>('0' + i);
  }
}

}  // namespace

void ConvolutionDimensionNumbers::AppendTo(std::string& out) const {
  AppendSide(input, "bf", out);
  out += '_';
  AppendSide(kernel, "io", out);
  out += "->";
  AppendSide(output, "bf", out);
}

absl::Status Read(HloLexer& lexer, ConvolutionDimensionNumbers& numbers) {
  const uint64_t offset = lexer.TokenOffset();
  const absl::string_view token = ScanDimensionLabels(lexer);
  if (token.empty()) {
    return ExpectedError(lexer, "dimension labels like b01f_01io->b01f");
  }
  const uint64_t end = lexer.offset();
  lexer.set_offset(offset);  // where errors are
  const size_t kernel = token.find('_') + 1;
  const size_t output = token.find("->") + 2;
  const absl::string_view lhs = token.substr(0, kernel - 1);
  const absl::string_view rhs = token.substr(kernel, output - 2 - kernel);
  const absl::string_view out = token.substr(output);
  if (SpatialCount(lhs) != SpatialCount(rhs) ||
      SpatialCount(lhs) != SpatialCount(out)) {
    return absl::OutOfRangeError(absl::StrCat(
        "input, kernel, and output must have same number of spatial "
        "dimensions, but got ",
        SpatialCount(lhs), ", ", SpatialCount(rhs), ", ", SpatialCount(out),
        ", respectively."));
  }
  FERRY_RETURN_IF_ERROR(ReadSide(lhs, "bf", "lhs", numbers.input));
  FERRY_RETURN_IF_ERROR(ReadSide(rhs, "io", "rhs", numbers.kernel));
  FERRY_RETURN_IF_ERROR(ReadSide(out, "bf", "output", numbers.output));
  lexer.set_offset(end);
  return absl::OkStatus();
}

}  // namespace ferry
