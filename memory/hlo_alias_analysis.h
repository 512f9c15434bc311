// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HLO_ALIAS_ANALYSIS_H_
#define FERRY_MEMORY_HLO_ALIAS_ANALYSIS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/in_place_operands.h"

namespace ferry {

// Counted from 0 without gaps, in the order of their first values.
using BufferId = uint32_t;

// Which values must stand at the same address: buffers. Each value is in one.
//
//   a loop         init, parameters of condition and body, the body's root and
//                  the result, index by index
//   a conditional  the roots of its branches and the result
//   in place       what InPlaceOperands says
//   donation       results of the entry and the parameters that
//                  input_output_alias names
//   calls          what a computation is called with, where it has several
//                  callers
//
// Values of a buffer may be live at the same time: the bytes are then those of
// both, which is an error of the program, or of what put in no copy.
// Tested by hlo_alias_analysis_test.cc.
class HloAliasAnalysis {
 public:
  // Near-linear in positions. `dataflow` must outlive it.
  static HloAliasAnalysis Run(const HloDataflowAnalysis& dataflow,
                              const InPlaceOperands& in_place);

  size_t buffer_count() const { return starts_.size() - 1; }
  BufferId BufferOf(ValueId value) const { return buffers_[value]; }
  // In the order of their ids.
  absl::Span<const ValueId> ValuesOf(BufferId buffer) const {
    return absl::MakeConstSpan(values_).subspan(
        starts_[buffer], starts_[buffer + 1] - starts_[buffer]);
  }

 private:
  HloAliasAnalysis() = default;

  std::vector<BufferId> buffers_;  // by ValueId
  std::vector<uint32_t> starts_;   // by BufferId, and the end
  std::vector<ValueId> values_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_HLO_ALIAS_ANALYSIS_H_
