// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_INSTRUCTION_H_
#define FERRY_HLO_HLO_INSTRUCTION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"

namespace ferry {

class HloComputation;
class HloModule;

// Counted from 0 over the whole module and never reused: what side tables are
// keyed by. HloModule::id_limit() is one past the largest.
using InstructionId = uint32_t;

// One operation of a computation: opcode, shape, operands, users, attributes.
//
// Lives in its module's arena, holds no analysis results, and is edited only
// through HloModule, which keeps operands and users in step:
//
//   %x --operand--> %sum = add(%x, %x)      %sum.operands() = {x, x}
//                                           %x.users()      = {sum}, once each
//
// Names and attribute texts are views into the module's source bytes or arena.
// Tested by hlo_module_test.cc.
class HloInstruction {
 public:
  HloInstruction(const HloInstruction&) = delete;
  HloInstruction& operator=(const HloInstruction&) = delete;

  InstructionId id() const { return id_; }
  HloOpcode opcode() const { return opcode_; }
  absl::string_view name() const { return name_; }
  const Shape& shape() const { return *shape_; }
  HloComputation& parent() const { return *parent_; }
  bool IsRoot() const;

  absl::Span<HloInstruction* const> operands() const { return operands_; }
  HloInstruction& operand(int64_t i) const { return *operands_[i]; }
  // Every instruction that has this one as an operand, once each, in the order
  // in which they came to use it.
  absl::Span<HloInstruction* const> users() const {
    return absl::MakeConstSpan(users_, user_count_);
  }
  // Computations named by attributes, in attribute order; the roles are those
  // of CalledComputationRoles(opcode()). While: condition, then body.
  // Conditional: branches in order (true first).
  absl::Span<HloComputation* const> called_computations() const {
    return called_computations_;
  }
  absl::Span<HloInstruction* const> control_predecessors() const {
    return control_predecessors_;
  }

  // `parameter(N)` and get-tuple-element's `index=N`.
  int64_t parameter_number() const { return number_; }
  int64_t tuple_index() const { return number_; }

  // All other attributes, in the order of printing.
  absl::Span<const HloAttribute> attributes() const { return attributes_; }
  // The value's text, or empty if the instruction has no such attribute.
  absl::string_view attribute(HloAttributeKind kind) const;
  bool HasAttribute(HloAttributeKind kind) const;

  // Shorthands for what nearly every reader of offload modules asks.
  bool IsCustomCall(absl::string_view target) const;
  absl::string_view custom_call_target() const { return target_; }
  // The value of one key of `frontend_attributes`, unquoted; empty if absent.
  absl::string_view frontend_attribute(absl::string_view key) const;

  // Byte offset of the name in the module's source; kNoSource if a pass made
  // the instruction.
  static constexpr uint64_t kNoSource = UINT64_MAX;
  uint64_t source_offset() const { return source_offset_; }

 private:
  friend class HloModule;
  friend class HloComputation;
  template <typename Instruction>
  friend class HloInstructionIterator;
  HloInstruction() = default;

  uint64_t source_offset_ = kNoSource;
  absl::string_view name_;
  const Shape* shape_ = nullptr;
  HloComputation* parent_ = nullptr;
  // The neighbours in the computation's list.
  HloInstruction* previous_ = nullptr;
  HloInstruction* next_ = nullptr;
  absl::Span<HloInstruction*> operands_;
  HloInstruction** users_ = nullptr;
  uint32_t user_count_ = 0;
  uint32_t user_capacity_ = 0;
  absl::Span<HloComputation*> called_computations_;
  absl::Span<HloInstruction*> control_predecessors_;
  absl::Span<HloAttribute> attributes_;
  absl::string_view target_;
  int64_t number_ = -1;
  InstructionId id_ = 0;
  HloOpcode opcode_ = HloOpcode::kUnknown;
  // Whether some instruction may have it among its control predecessors.
  bool has_control_successors_ = false;
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_INSTRUCTION_H_
