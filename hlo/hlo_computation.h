// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_COMPUTATION_H_
#define FERRY_HLO_HLO_COMPUTATION_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

using ComputationId = uint32_t;

// Walks a computation's list. Stays valid while instructions are inserted, and
// while others than the one it stands on are removed.
template <typename Instruction>
class HloInstructionIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Instruction;
  using difference_type = std::ptrdiff_t;
  using pointer = Instruction*;
  using reference = Instruction&;

  HloInstructionIterator() = default;
  explicit HloInstructionIterator(Instruction* at) : at_(at) {}

  Instruction& operator*() const { return *at_; }
  Instruction* operator->() const { return at_; }
  HloInstructionIterator& operator++() {
    at_ = at_->next_;
    return *this;
  }
  HloInstructionIterator operator++(int) {
    const HloInstructionIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const HloInstructionIterator&,
                         const HloInstructionIterator&) = default;

 private:
  Instruction* at_ = nullptr;  // null at the end
};

// What `for (HloInstruction& instruction : computation.instructions())` reads.
template <typename Instruction>
class HloInstructionRange {
 public:
  using iterator = HloInstructionIterator<Instruction>;
  explicit HloInstructionRange(Instruction* first) : first_(first) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(); }
  bool empty() const { return first_ == nullptr; }

 private:
  Instruction* first_;
};

// A list of instructions, operands before users, with one root. In a scheduled
// module the order of the list is the schedule.
// Tested by hlo_module_test.cc.
class HloComputation {
 public:
  HloComputation(const HloComputation&) = delete;
  HloComputation& operator=(const HloComputation&) = delete;

  // The place in HloModule::computations().
  ComputationId id() const { return id_; }
  absl::string_view name() const { return name_; }
  HloModule& module() const { return *module_; }
  bool IsEntry() const;
  // Called by a fusion, or to combine elements (a reducer): its instructions
  // are part of their caller and no places where values live.
  bool IsFusionBody() const { return is_fusion_body_; }
  // "main" unless given.
  absl::string_view execution_thread() const { return execution_thread_; }

  // const: an analysis; mutable: for passes, which edit through HloModule.
  HloInstructionRange<HloInstruction> instructions() {
    return HloInstructionRange<HloInstruction>(first_);
  }
  HloInstructionRange<const HloInstruction> instructions() const {
    return HloInstructionRange<const HloInstruction>(first_);
  }
  HloInstruction& root() const { return *root_; }
  // parameters()[n] is parameter(n).
  absl::Span<HloInstruction* const> parameters() const {
    return absl::MakeConstSpan(parameters_, parameter_count_);
  }
  // Instructions that call this computation, each once, in module order.
  absl::Span<HloInstruction* const> callers() const {
    return absl::MakeConstSpan(callers_, caller_count_);
  }

  uint64_t source_offset() const { return source_offset_; }

  // Whose names its instructions have: the module's, or, while it is being read
  // from text, its own. See InstructionNames.
  enum class NameScope : uint8_t { kModule, kOpen, kInPlace };
  NameScope name_scope() const { return name_scope_; }

 private:
  friend class HloModule;
  friend class HloInstruction;
  friend class InstructionNames;
  HloComputation() = default;

  HloInstruction* first_ = nullptr;
  HloInstruction* last_ = nullptr;
  absl::string_view name_;
  absl::string_view execution_thread_ = "main";
  HloModule* module_ = nullptr;
  HloInstruction* root_ = nullptr;
  HloInstruction** parameters_ = nullptr;
  uint32_t parameter_count_ = 0;
  uint32_t parameter_capacity_ = 0;
  HloInstruction** callers_ = nullptr;
  uint32_t caller_count_ = 0;
  uint32_t caller_capacity_ = 0;
  uint64_t source_offset_ = HloInstruction::kNoSource;
  ComputationId id_ = 0;
  bool is_fusion_body_ = false;
  NameScope name_scope_ = NameScope::kModule;
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_COMPUTATION_H_
