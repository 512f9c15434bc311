// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_assignment_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/human_readable_bytes.h"

namespace ferry {
namespace {

// The result of the program, if it is one array that stands here.
const Shape* ResultShape(const BufferAssignment& assignment,
                         const BufferAllocation& allocation) {
  const HloInstruction& root = assignment.module().entry().root();
  if (root.shape().IsTuple() || allocation.parameter.has_value() ||
      assignment.SliceOf(root, 0).allocation != allocation.id) {
    return nullptr;
  }
  return &root.shape();
}

void AppendAllocationHead(const BufferAssignment& assignment,
                          const BufferAllocation& allocation,
                          std::string& text) {
  absl::StrAppend(&text, "allocation ", allocation.id, ": size ",
                  allocation.size_bytes);
  if (allocation.space != MemorySpace::kDefault) {
    absl::StrAppend(&text, ", color ", static_cast<int64_t>(allocation.space));
  }
  if (allocation.parameter.has_value()) {
    const HloPosition& position = *allocation.parameter;
    absl::StrAppend(&text, ", parameter ",
                    position.instruction->parameter_number(), ", shape |",
                    position.shape().ToString(/*with_layout=*/false),
                    "| at ShapeIndex ", ShapeIndexToString(position.index()));
  }
  const Shape* result = ResultShape(assignment, allocation);
  if (result != nullptr) {
    absl::StrAppend(&text, ", output shape is |",
                    result->ToString(/*with_layout=*/false), "|");
  }
  if (allocation.is_constant) text += ", constant";
  if (allocation.is_thread_local) text += ", thread-local";
  if (allocation.is_live_out) text += ", maybe-live-out";
  if (allocation.is_heap) text += ", preallocated-temp";
  text += ":\n";
}

void AppendValue(const BufferAssignment& assignment,
                 const AssignedValue& assigned, MemorySpace space,
                 std::string& text) {
  const HloValue value = assignment.dataflow().value(assigned.value);
  absl::StrAppend(&text, " value: <", value.id, " ", value.Name(),
                  value.is_phi ? " (phi)" : "", " @",
                  static_cast<int64_t>(space), "> (size=", assigned.size_bytes,
                  ",offset=", assigned.offset_bytes,
                  "): ", value.shape().ToString(), "\n");
}

// What stands at one offset of an allocation.
struct UsedOffset {
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;  // of the largest value
  ValueId last_value = 0;
  int64_t value_count = 0;
  std::map<std::string, int64_t> shapes;

  std::string ShapeList() const {
    std::string text;
    for (const auto& [shape, count] : shapes) {
      absl::StrAppend(&text, text.empty() ? "" : ", ",
                      count == 1 ? "" : absl::StrCat(count, "×"), shape);
    }
    return text;
  }
};

// The largest first, then those whose last value was made first.
std::vector<UsedOffset> UsedOffsets(const BufferAssignment& assignment,
                                    const BufferAllocation& allocation) {
  std::map<int64_t, UsedOffset> by_offset;
  for (const AssignedValue& assigned : allocation.values) {
    UsedOffset& used = by_offset[assigned.offset_bytes];
    used.offset_bytes = assigned.offset_bytes;
    used.size_bytes = std::max(used.size_bytes, assigned.size_bytes);
    used.last_value = std::max(used.last_value, assigned.value);
    ++used.value_count;
    ++used.shapes[assignment.dataflow()
                      .value(assigned.value)
                      .shape()
                      .ToString(
                          /*with_layout=*/false)];
  }
  std::vector<UsedOffset> list;
  for (auto& [offset, used] : by_offset) list.push_back(std::move(used));
  std::stable_sort(list.begin(), list.end(),
                   [](const UsedOffset& a, const UsedOffset& b) {
                     if (a.size_bytes != b.size_bytes) {
                       return a.size_bytes > b.size_bytes;
                     }
                     return a.last_value < b.last_value;
                   });
  return list;
}

void AppendUsedOffsets(const std::vector<UsedOffset>& list, std::string& text) {
  constexpr size_t kAlwaysShown = 50;
  constexpr int64_t kHiddenPercent = 5;
  text +=
      "  cumulative_size;       size;       offset; used_by_n_values; "
      "shapes_list\n"
      "  ------------------------------------------------------------\n";
  int64_t total = 0;
  for (const UsedOffset& used : list) total += used.size_bytes;
  int64_t cumulative = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const UsedOffset& used = list[i];
    if (i >= kAlwaysShown &&
        (total - cumulative) < total / 100.0 * kHiddenPercent) {
      absl::StrAppend(&text, "  The rest ", list.size() - i,
                      " values are less than ", kHiddenPercent,
                      "% of the total size and not shown.\n");
      break;
    }
    cumulative += used.size_bytes;
    absl::StrAppendFormat(
        &text, "  %9s(%3.0f%%); %10s; %12d; %16d; %s\n",
        HumanReadableNumBytes(cumulative),
        total == 0 ? 100.0 : 100.0 * static_cast<double>(cumulative) / total,
        HumanReadableNumBytes(used.size_bytes), used.offset_bytes,
        used.value_count, used.ShapeList());
  }
  text += '\n';
}

// The names of the compiler's report, which do not fit what 3 and 5 are.
std::string ReportedName(MemorySpace space) {
  switch (static_cast<int64_t>(space)) {
    case 0:
      return "default";
    case 1:
      return "vmem";
    case 2:
      return "smem";
    case 3:
      return "hbm";
    case 5:
      return "cmem";
    default:
      return absl::StrCat("color_", static_cast<int64_t>(space));
  }
}

}  // namespace

std::string BufferAssignmentToText(const BufferAssignment& assignment) {
  std::string text = "BufferAssignment:\n";
  for (const BufferAllocation& allocation : assignment.allocations()) {
    AppendAllocationHead(assignment, allocation, text);
    for (const AssignedValue& value : allocation.values) {
      AppendValue(assignment, value, allocation.space, text);
    }
  }
  return text;
}

std::string MemoryUsageToText(const BufferAssignment& assignment) {
  std::map<MemorySpace, std::vector<const BufferAllocation*>> spaces;
  for (const BufferAllocation& allocation : assignment.allocations()) {
    spaces[allocation.space].push_back(&allocation);
  }
  std::string text;
  for (auto& [space, allocations] : spaces) {
    std::stable_sort(allocations.begin(), allocations.end(),
                     [](const BufferAllocation* a, const BufferAllocation* b) {
                       return a->size_bytes > b->size_bytes;
                     });
    int64_t total = 0;
    for (const BufferAllocation* allocation : allocations) {
      total += allocation->size_bytes;
    }
    absl::StrAppend(&text, "Memory Space: ", ReportedName(space),
                    " (color=", static_cast<int64_t>(space),
                    ")\nTotal bytes: ", total, " (",
                    HumanReadableNumBytes(total), ")\n");
    for (const BufferAllocation* allocation : allocations) {
      AppendUsedOffsets(UsedOffsets(assignment, *allocation), text);
    }
    text += '\n';
  }
  return text;
}

}  // namespace ferry
