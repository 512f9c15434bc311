// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/live_range_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/stack_frames.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/tiled_size.h"
#include "llvm/ADT/StringMap.h"

namespace ferry {
namespace {

// "117 440 656".
std::string GroupDigits(int64_t number) {
  std::string digits = absl::StrCat(number);
  for (int64_t i = static_cast<int64_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(i, " ");
  }
  return digits;
}

struct LiveValue {
  const HloInstruction* instruction = nullptr;
  std::string index;  // "{0}", "{}" too
  int64_t bytes = 0;
};

// A frame of the user's program or a value, and what is below it.
class FrameTree {
 public:
  explicit FrameTree(absl::string_view name) {
    nodes_.push_back({.name = std::string(name)});
  }

  void Add(const std::vector<std::string>& path, int64_t bytes) {
    size_t node = 0;
    nodes_[node].total += bytes;
    for (const std::string& name : path) {
      node = ChildOf(node, name);
      nodes_[node].total += bytes;
    }
    nodes_[node].own += bytes;
  }

  // The largest first, then by name. Calls may be deep: no recursion.
  std::string ToText() {
    for (Node& node : nodes_) SortChildren(node);
    const int64_t total = nodes_[0].total;
    int64_t remaining = total;
    std::string text;
    struct Open {
      size_t node;
      std::string indent;  // of the lines below the node
      std::string branch;  // in front of its own name
    };
    std::vector<Open> open = {{0, "", ""}};
    while (!open.empty()) {
      const Open top = std::move(open.back());
      open.pop_back();
      const Node& node = nodes_[top.node];
      remaining -= node.own;
      absl::StrAppendFormat(
          &text,
          "    %s%s (%.1f%%, total: %s bytes, current: %s bytes, remaining: "
          "%s bytes)\n",
          top.branch, node.name,
          total == 0 ? 0.0 : 100.0 * static_cast<double>(node.total) / total,
          GroupDigits(node.total), GroupDigits(node.own),
          GroupDigits(remaining));
      for (size_t i = node.children.size(); i-- > 0;) {
        const bool is_last = i + 1 == node.children.size();
        const std::string indent = top.node == 0 ? "  " : top.indent;
        open.push_back({node.children[i],
                        absl::StrCat(indent, is_last ? "    " : "│   "),
                        absl::StrCat(indent, is_last ? "└── " : "├── ")});
      }
    }
    return text;
  }

 private:
  struct Node {
    std::string name;
    int64_t total = 0;
    int64_t own = 0;
    std::vector<size_t> children;
    llvm::StringMap<size_t> child_by_name;
  };

  size_t ChildOf(size_t parent, const std::string& name) {
    const auto [found, is_new] =
        nodes_[parent].child_by_name.try_emplace(name, nodes_.size());
    const size_t child = found->second;
    if (is_new) {
      nodes_[parent].children.push_back(child);
      nodes_.push_back({.name = name});
    }
    return child;
  }

  void SortChildren(Node& node) {
    std::stable_sort(node.children.begin(), node.children.end(),
                     [this](size_t a, size_t b) {
                       return nodes_[a].total != nodes_[b].total
                                  ? nodes_[a].total > nodes_[b].total
                                  : nodes_[a].name < nodes_[b].name;
                     });
  }

  std::vector<Node> nodes_;
};

class LiveRangePrinter {
 public:
  explicit LiveRangePrinter(const BufferAssignment& assignment)
      : assignment_(assignment),
        dataflow_(assignment.dataflow()),
        schedule_(assignment.schedule()) {}

  std::string Print() {
    absl::StrAppend(&text_, "HloLiveRange (max ", schedule_.size(),
                    "):\n  InstructionSequence:\n");
    for (LogicalTime time = 0; time < schedule_.size(); ++time) {
      absl::StrAppend(&text_, "    ", time, ":", schedule_.At(time).name(),
                      "\n");
    }
    text_ += "  BufferLiveRange:\n";
    for (ValueId id = 0; id < dataflow_.value_count(); ++id) {
      const HloLiveRange::XlaRange range = RangeOf(id);
      if (range.start == FlattenedSchedule::kNever) continue;
      const LiveValue value = Describe(id);
      absl::StrAppend(&text_, "    ", value.instruction->name(), value.index,
                      ":", range.start, "-", range.end, "\n");
    }
    PrintPeak();
    return std::move(text_);
  }

 private:
  HloLiveRange::XlaRange RangeOf(ValueId id) const {
    return assignment_.live_ranges().XlaRangeOf(id);
  }

  LiveValue Describe(ValueId id) const {
    constexpr int64_t kTupleEntryBytes = 8;
    const HloValue value = dataflow_.value(id);
    const Shape& shape = value.shape();
    return {.instruction = &value.instruction(),
            .index = ShapeIndexToString(value.defining_position.index()),
            .bytes = shape.IsTuple()
                         ? kTupleEntryBytes *
                               static_cast<int64_t>(shape.tuple_shapes().size())
                         : GetTiledSize(shape, assignment_.target())
                               .unpadded_bytes.ToInt64()};
  }

  // The first time at which most bytes are live.
  LogicalTime FindPeak() const {
    std::vector<int64_t> change(schedule_.size() + 2, 0);
    for (ValueId id = 0; id < dataflow_.value_count(); ++id) {
      const HloLiveRange::XlaRange range = RangeOf(id);
      if (range.start == FlattenedSchedule::kNever) continue;
      const int64_t bytes = Describe(id).bytes;
      change[range.start] += bytes;
      change[std::min(range.end, schedule_.size()) + 1] -= bytes;
    }
    LogicalTime peak = 0;
    int64_t most = 0;
    int64_t live = 0;
    for (LogicalTime time = 0; time <= schedule_.size(); ++time) {
      live += change[time];
      if (live <= most) continue;
      most = live;
      peak = time;
    }
    return peak;
  }

  void PrintPeak() {
    const LogicalTime peak = FindPeak();
    std::vector<LiveValue> live;
    for (ValueId id = 0; id < dataflow_.value_count(); ++id) {
      const HloLiveRange::XlaRange range = RangeOf(id);
      if (range.start == FlattenedSchedule::kNever || range.start > peak ||
          range.end < peak) {
        continue;
      }
      live.push_back(Describe(id));
    }
    std::stable_sort(
        live.begin(), live.end(), [](const LiveValue& a, const LiveValue& b) {
          return std::tuple(-a.bytes, a.instruction->name(), a.index) <
                 std::tuple(-b.bytes, b.instruction->name(), b.index);
        });
    absl::StrAppend(&text_, "  Live ranges at ", peak, " (peak):\n");
    int64_t cumulative = 0;
    FrameTree tree(assignment_.module().entry().name());
    for (const LiveValue& value : live) {
      cumulative += value.bytes;
      absl::StrAppend(&text_, "    ", value.instruction->name(), value.index,
                      ": ", value.bytes, " bytes (cumulative: ", cumulative,
                      " bytes)\n");
      tree.Add(PathOf(value), value.bytes);
    }
    absl::StrAppend(&text_, "  Stack trace breakdown for peak usage: ",
                    GroupDigits(cumulative), " bytes\n", tree.ToText());
  }

  static std::string LabelOf(const HloInstruction& instruction) {
    const std::string op_name = FindUserSource(instruction).op_name;
    return op_name.empty() ? std::string(instruction.name()) : op_name;
  }

  // From below the entry to the value.
  std::vector<std::string> PathOf(const LiveValue& value) const {
    std::vector<std::string> path = {absl::StrCat(
        LabelOf(*value.instruction), value.index == "{}" ? "" : value.index)};
    const HloComputation* computation = &value.instruction->parent();
    while (!computation->IsEntry() && !computation->callers().empty()) {
      path.emplace_back(computation->name());
      const HloInstruction& caller = *computation->callers().front();
      path.push_back(LabelOf(caller));
      computation = &caller.parent();
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const BufferAssignment& assignment_;
  const HloDataflowAnalysis& dataflow_;
  const FlattenedSchedule& schedule_;
  std::string text_;
};

}  // namespace

std::string LiveRangesToText(const BufferAssignment& assignment) {
  return LiveRangePrinter(assignment).Print();
}

}  // namespace ferry
