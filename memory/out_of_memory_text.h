// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_OUT_OF_MEMORY_TEXT_H_
#define FERRY_MEMORY_OUT_OF_MEMORY_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace ferry {

// One entry of the report's lists.
struct ReportedAllocation {
  int64_t size_bytes = 0;
  int64_t unpadded_bytes = 0;
  // `op_name="..." source_file="..." source_line=N`; empty without metadata.
  std::string operator_text;
  std::string shape;            // with layout; empty for what has none
  std::string label;            // the instruction's text, "Argument 3 index {}"
  std::string allocation_type;  // "HLO temp"; empty for arguments and outputs
};

// What the texts about exhausted memory say of one memory space.
struct MemoryUsage {
  std::string space_name;  // "hbm"
  int64_t limit_bytes = 0;
  int64_t reserved_bytes = 0;
  int64_t argument_bytes = 0;
  int64_t output_bytes = 0;
  int64_t alias_bytes = 0;  // of outputs that share with arguments
  // What the program needs besides: constants, scratch of single operations,
  // and temporaries, packed; of these the bytes live at once at the worst
  // moment and what they would be without padding.
  int64_t constant_bytes = 0;
  int64_t scratch_bytes = 0;
  int64_t temp_bytes = 0;
  int64_t temp_live_bytes = 0;
  int64_t temp_unpadded_bytes = 0;
  // The largest first.
  std::vector<ReportedAllocation> program;
  std::vector<ReportedAllocation> arguments_and_outputs;

  int64_t program_bytes() const {
    return constant_bytes + scratch_bytes + temp_bytes;
  }
  // All that must fit below the limit.
  int64_t used_bytes() const {
    return argument_bytes + output_bytes - alias_bytes + program_bytes();
  }
};

// What the TPU compiler says where scheduled memory alone is too much, in one
// line. Of HBM, where it calls the whole requirement "HLO temporaries"; of other
// spaces in the words of the report.
std::string OutOfMemoryMessage(const MemoryUsage& usage);

// What it says where the last bytes tip it over: error E1000 of HBM with a
// report. Of other spaces the same lines under their own name. At most 20
// entries a list. Tested by out_of_memory_text_test.cc.
std::string OutOfMemoryReport(const MemoryUsage& usage);

}  // namespace ferry

#endif  // FERRY_MEMORY_OUT_OF_MEMORY_TEXT_H_
