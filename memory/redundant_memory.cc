// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A copy could go if its buffer and that of what it copies were one: if no two
// values of the two are live at the same time, but for the copy and the copied,
// which are the same bytes.

#include "ferry/memory/redundant_memory.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"
#include "ferry/memory/hlo_alias_analysis.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/live_range.h"

namespace ferry {
namespace {

class Finder {
 public:
  explicit Finder(const BufferAssignment& assignment)
      : assignment_(assignment),
        dataflow_(assignment.dataflow()),
        aliases_(assignment.aliases()),
        buffers_(aliases_.buffer_count()) {
    for (const ValueId value :
         dataflow_.ValuesOf(assignment.module().entry().root())) {
      buffers_[aliases_.BufferOf(value)].is_result = true;
    }
    for (ValueId value = 0; value < dataflow_.value_count(); ++value) {
      const HloInstruction& maker = *dataflow_.position(value, 0).instruction;
      Buffer& buffer = buffers_[aliases_.BufferOf(value)];
      if (maker.opcode() == HloOpcode::kConstant) {
        buffer.constant = &maker;
      } else if (maker.opcode() == HloOpcode::kParameter &&
                 maker.parent().IsEntry()) {
        buffer.argument = &maker;
      }
    }
    for (const InputOutputAlias& alias :
         assignment.module().input_output_aliases()) {
      const std::optional<Donation> donation = Resolve(alias);
      if (!donation.has_value()) continue;
      const ValueId value = dataflow_.ValueAt(*donation->parameter.instruction,
                                              donation->parameter.ordinal);
      buffers_[aliases_.BufferOf(value)].is_given_away = true;
    }
  }

  RedundantMemory Run() {
    RedundantMemory found;
    for (const HloInstruction* instruction :
         assignment_.schedule().sequence()) {
      if (IsVerbatimCopy(*instruction)) {
        found.copies.push_back(Judge(*instruction));
      }
    }
    for (const InputOutputAlias& alias :
         assignment_.module().input_output_aliases()) {
      JudgeDonation(alias, found.donations);
    }
    return found;
  }

 private:
  struct Buffer {
    const HloInstruction* constant = nullptr;
    const HloInstruction* argument = nullptr;
    bool is_given_away = false;
    bool is_result = false;
  };
  struct Donation {
    HloPosition parameter;
    HloPosition result;
  };

  static bool IsVerbatimCopy(const HloInstruction& instruction) {
    return instruction.opcode() == HloOpcode::kCopy &&
           instruction.shape().IsArray() &&
           &instruction.shape() == &instruction.operand(0).shape();
  }

  std::string NameOf(ValueId value) const {
    return absl::StrCat("`", dataflow_.value(value).Name(), "`");
  }

  VerbatimCopy Judge(const HloInstruction& copy) const {
    const ValueId made = dataflow_.ValueAt(copy, 0);
    VerbatimCopy result;
    result.copy = &copy;
    result.size_bytes = assignment_.SliceOf(made).size_bytes;
    result.reason = WhyNeeded(dataflow_.ValueAt(copy.operand(0), 0), made);
    result.is_needed = !result.reason.empty();
    return result;
  }

  std::string WhyNeeded(ValueId copied, ValueId made) const {
    const BufferId from = aliases_.BufferOf(copied);
    const BufferId to = aliases_.BufferOf(made);
    if (from == to) return "";
    const Buffer& source = buffers_[from];
    const Buffer& target = buffers_[to];
    const bool is_changed = aliases_.ValuesOf(to).size() > 1;
    if (source.constant != nullptr && (is_changed || target.is_result)) {
      return absl::StrCat("`", source.constant->name(), "` is a constant");
    }
    if (source.argument != nullptr && !source.is_given_away &&
        (is_changed || target.is_result)) {
      return absl::StrCat("`", source.argument->name(),
                          "` is an argument that is not given away");
    }
    if (source.argument != nullptr && target.argument != nullptr) {
      return absl::StrCat("`", source.argument->name(), "` and `",
                          target.argument->name(), "` are two arguments");
    }
    if (source.is_result && target.is_result) {
      return "both are results of the program";
    }
    return WhyApart(from, to, copied, made);
  }

  // The values of a buffer that have times, by their start.
  std::vector<ValueId> InOrder(BufferId buffer) const {
    std::vector<ValueId> values;
    for (const ValueId value : aliases_.ValuesOf(buffer)) {
      if (!RangeOf(value).IsEmpty()) values.push_back(value);
    }
    std::stable_sort(values.begin(), values.end(), [&](ValueId a, ValueId b) {
      return RangeOf(a).start < RangeOf(b).start;
    });
    return values;
  }
  LiveRange RangeOf(ValueId value) const {
    return assignment_.live_ranges().RangeOf(value);
  }

  // Two values that could not stand at one address; empty if there are none.
  // Those of one buffer follow one another in time.
  std::string WhyApart(BufferId from, BufferId to, ValueId copied,
                       ValueId made) const {
    const std::vector<ValueId> a = InOrder(from);
    const std::vector<ValueId> b = InOrder(to);
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (RangeOf(a[i]).Overlaps(RangeOf(b[j])) &&
          !(a[i] == copied && b[j] == made)) {
        return absl::StrCat(NameOf(a[i]), " is live while ", NameOf(b[j]),
                            " is");
      }
      if (RangeOf(a[i]).end <= RangeOf(b[j]).end) {
        ++i;
      } else {
        ++j;
      }
    }
    return "";
  }

  std::optional<Donation> Resolve(const InputOutputAlias& alias) const {
    const HloComputation& entry = assignment_.module().entry();
    if (alias.parameter_number < 0 ||
        alias.parameter_number >=
            static_cast<int64_t>(entry.parameters().size())) {
      return std::nullopt;
    }
    const HloInstruction& parameter =
        *entry.parameters()[alias.parameter_number];
    const std::optional<int32_t> in =
        parameter.shape().OrdinalOf(alias.parameter_index);
    const std::optional<int32_t> out =
        entry.root().shape().OrdinalOf(alias.output_index);
    if (!in.has_value() || !out.has_value()) return std::nullopt;
    return Donation{{&parameter, *in}, {&entry.root(), *out}};
  }

  void JudgeDonation(const InputOutputAlias& alias,
                     std::vector<IneffectiveDonation>& found) const {
    const std::optional<Donation> donation = Resolve(alias);
    if (!donation.has_value()) return;
    const ValueId in = dataflow_.ValueAt(*donation->parameter.instruction,
                                         donation->parameter.ordinal);
    const ValueId out = dataflow_.ValueAt(*donation->result.instruction,
                                          donation->result.ordinal);
    IneffectiveDonation finding;
    finding.parameter = donation->parameter;
    finding.result = donation->result;
    finding.size_bytes = assignment_.SliceOf(in).size_bytes;
    const int64_t needed = assignment_.SliceOf(out).size_bytes;
    const HloInstruction& maker = *dataflow_.position(out, 0).instruction;
    if (needed != finding.size_bytes) {
      finding.reason =
          absl::StrCat(NameOf(in), " has ", finding.size_bytes, " bytes, but ",
                       NameOf(out), " needs ", needed);
    } else if (IsVerbatimCopy(maker) &&
               dataflow_.ValueAt(maker.operand(0), 0) != in) {
      finding.reason =
          absl::StrCat(NameOf(out), " only copies ",
                       NameOf(dataflow_.ValueAt(maker.operand(0), 0)),
                       " there, which has bytes of its own");
    } else {
      return;
    }
    found.push_back(std::move(finding));
  }

  const BufferAssignment& assignment_;
  const HloDataflowAnalysis& dataflow_;
  const HloAliasAnalysis& aliases_;
  std::vector<Buffer> buffers_;  // by BufferId
};

}  // namespace

RedundantMemory FindRedundantMemory(const BufferAssignment& assignment) {
  return Finder(assignment).Run();
}

}  // namespace ferry
