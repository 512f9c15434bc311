// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_DIFF_H_
#define FERRY_TOOLS_MEMORY_DIFF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ferry/memory/memory_report.h"
#include "ferry/tools/memory_file.h"

namespace ferry {

// What made the peak of one program differ from that of another one.
//
// Values of the two peaks are matched by what the user wrote, if the dump says
// it, and by name and shape else: names change from one compilation to the
// next. Values that are alike are counted together.
struct MemoryDiff {
  // Both sides of one space; the space of one side only is zero on the other.
  struct Space {
    std::string name;
    MemorySpaceReport before;
    MemorySpaceReport after;
  };
  // Values alike, of which there are more bytes on one side.
  struct Change {
    std::string what;  // "model.py:42 in loss (jit(f)/dot_general)" or a name
    std::string shape;
    int64_t before_count = 0;
    int64_t before_bytes = 0;
    int64_t after_count = 0;
    int64_t after_bytes = 0;

    int64_t growth_bytes() const { return after_bytes - before_bytes; }
  };
  std::vector<Space> spaces;
  // The largest difference first.
  std::vector<Change> changes;
};

MemoryDiff DiffMemory(const MemoryReport& before, const MemoryReport& after);

// Both results have a report. Tested by memory_diff_test.cc.
std::string MemoryDiffToText(const MemoryResult& before,
                             const MemoryResult& after, int max_rows);
std::string MemoryDiffToJson(const MemoryResult& before,
                             const MemoryResult& after);

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_DIFF_H_
