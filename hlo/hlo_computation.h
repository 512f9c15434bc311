// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_COMPUTATION_H_
#define FERRY_HLO_HLO_COMPUTATION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_instruction.h"
#include "llvm/ADT/simple_ilist.h"

namespace ferry {

using ComputationId = uint32_t;

// A list of instructions, operands before users, with one root. In a scheduled
// module the order of the list is the schedule.
class HloComputation {
 public:
  using InstructionList = llvm::simple_ilist<HloInstruction>;

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
  InstructionList& instructions() { return instructions_; }
  const InstructionList& instructions() const { return instructions_; }
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

 private:
  friend class HloModule;
  friend class HloInstruction;
  HloComputation() = default;

  InstructionList instructions_;
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
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_COMPUTATION_H_
