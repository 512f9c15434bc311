// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_MEMORY_REPORT_H_
#define FERRY_MEMORY_MEMORY_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/stack_frames.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/out_of_memory_text.h"

namespace ferry {

// What a byte is for.
enum class MemoryCategory { kArgument, kOutput, kTemporary, kConstant };
absl::string_view MemoryCategoryName(MemoryCategory category);  // "temp"

// What one memory of the chip holds. All in bytes.
struct MemorySpaceReport {
  MemorySpace space = MemorySpace::kDefault;
  std::string name;                       // "hbm"
  std::optional<int64_t> capacity_bytes;  // that there are
  std::optional<int64_t> limit_bytes;     // that a program may use
  int64_t argument_bytes = 0;
  int64_t output_bytes = 0;
  int64_t alias_bytes = 0;  // of outputs that stand where an argument stood
  int64_t constant_bytes = 0;
  int64_t temp_bytes = 0;
  // All allocations: what the compiler's report counts.
  int64_t total_bytes = 0;
  // The most at one moment, arguments included; and what no packing of these
  // buffers can be below.
  int64_t live_peak_bytes = 0;
  int64_t lower_bound_bytes = 0;
  int64_t fragmentation_bytes = 0;  // of all allocations, above the peak
  int64_t padding_bytes = 0;        // of what is live at the peak

  bool Fits() const {
    return !limit_bytes.has_value() || total_bytes <= *limit_bytes;
  }
};

// One value that is live at the peak.
struct LiveAtPeak {
  std::string name;  // "fusion.3{0}"
  std::string shape;
  int64_t bytes = 0;
  int64_t unpadded_bytes = 0;
  MemoryCategory category = MemoryCategory::kTemporary;
  // In steps of the flattened schedule, half-open.
  int64_t from = 0;
  int64_t to = 0;
  UserSource source;
  // Why it is padded, and what keeps it alive.
  std::string why;
  // Steps around the peak in which nothing reads or writes it: what the order
  // of the program makes it wait for.
  int64_t idle_steps = 0;
};

// Bytes that the program holds twice for nothing.
struct TakenTwice {
  // "copy.9": a copy that changes nothing, or the argument that is given away
  // in vain, "w{0}".
  std::string name;
  int64_t bytes = 0;
  std::string why;
  UserSource source;
};

// One value of the program and where it stands.
struct PlacedValue {
  std::string name;
  MemorySpace space = MemorySpace::kDefault;
  int64_t bytes = 0;
  int64_t unpadded_bytes = 0;
  int64_t allocation = 0;
  int64_t offset_bytes = 0;
};

// What every byte of a program is for, and whether it fits the chip. Plain
// data: the module may go.
struct MemoryReport {
  std::string chip;
  // Spaces that the program uses, HBM in any case, by number.
  std::vector<MemorySpaceReport> spaces;
  // The moment at which most of HBM is live, and the largest first.
  int64_t peak_time = 0;
  std::string peak_instruction;
  std::vector<LiveAtPeak> live_at_peak;
  // In the order of the schedule.
  std::vector<TakenTwice> taken_twice;
  // By id of the value; only if they were asked for.
  std::vector<PlacedValue> values;
  // Of the spaces over their limit, for the texts about it.
  std::vector<MemoryUsage> exhausted;

  bool Fits() const { return exhausted.empty(); }
};

struct MemoryReportOptions {
  // Whether to list every value.
  bool with_values = false;
};

// Near-linear in positions. Tested by memory_report_test.cc.
MemoryReport MakeMemoryReport(const BufferAssignment& assignment,
                              const MemoryReportOptions& options = {});

}  // namespace ferry

#endif  // FERRY_MEMORY_MEMORY_REPORT_H_
