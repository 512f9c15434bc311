// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CONVOLUTION_DIMENSION_NUMBERS_H_
#define FERRY_HLO_CONVOLUTION_DIMENSION_NUMBERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Which dimension of input, kernel and output is what: the `dim_labels` of a
// convolution, `b01f_01io->b01f`. The place of a letter is the dimension;
// `b` batch, `f` feature, `i` and `o` those of the kernel, digit k the spatial
// dimension k, `?` none of these. A letter that is missing stands for
// dimension 0, as in XLA. Tested by convolution_dimension_numbers_test.cc.
struct ConvolutionDimensionNumbers {
  // One of the three operands; `first` is b or i, `second` f or o.
  struct Side {
    int64_t first = 0;
    int64_t second = 0;
    std::vector<int64_t> spatial;
  };
  Side input;
  Side kernel;
  Side output;

  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, ConvolutionDimensionNumbers& numbers);

}  // namespace ferry

#endif  // FERRY_HLO_CONVOLUTION_DIMENSION_NUMBERS_H_
