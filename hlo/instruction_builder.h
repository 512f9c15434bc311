// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_INSTRUCTION_BUILDER_H_
#define FERRY_HLO_INSTRUCTION_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/name_uniquer.h"
#include "ferry/hlo/text_reader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

// What the reader has seen of one instruction so far.
struct InstructionDraft {
  // `x` of `negate-start(x)`: an asynchronous operation in short form.
  enum class Sugar : uint8_t { kNone, kStart, kUpdate, kDone };

  HloOpcode opcode = HloOpcode::kUnknown;
  Sugar sugar = Sugar::kNone;
  HloOpcode wrapped_opcode = HloOpcode::kUnknown;  // with sugar
  bool is_root = false;
  bool is_nested = false;  // an operand written out in place
  // An operand or callee had an error: read on, but make nothing of it.
  bool is_poisoned = false;
  absl::string_view name;  // empty if nested
  absl::string_view opcode_text;
  uint64_t offset = 0;  // of the name
  uint64_t opcode_offset = 0;
  uint64_t end_offset = 0;
  const Shape* shape = nullptr;          // null where the text leaves it out
  const Shape* wrapped_shape = nullptr;  // result of `wrapped_opcode`
  int64_t number = -1;
  llvm::SmallVector<HloInstruction*, 8> operands;
  llvm::SmallVector<HloInstruction*, 2> control_predecessors;
  llvm::SmallVector<HloAttribute, 8> attributes;
  // Called computations with the attribute that named them.
  llvm::SmallVector<std::pair<absl::string_view, HloComputation*>, 2> callees;
  // What an async-update or async-done says that its start calls.
  const HloComputation* restated_callee = nullptr;
  bool has_index = false;  // of get-tuple-element, then in `number`
  bool has_layout_constraints = false;
  llvm::SmallVector<const Shape*, 4> layout_constraints;
  int64_t replication_leaves = -1;  // -1: not given

  // The text of an attribute read so far; empty if there is none.
  absl::string_view text(HloAttributeKind kind) const;
  bool Has(HloAttributeKind kind) const { return !text(kind).empty(); }
  // The opcode whose attributes the text may give.
  HloOpcode rules() const {
    return sugar == Sugar::kStart ? wrapped_opcode : opcode;
  }
  // What that opcode makes, once it is known.
  const Shape& result() const {
    return sugar == Sugar::kStart ? *wrapped_shape : *shape;
  }
};

// Gives each computation a name that no other one has, as XLA does when it adds
// one to the module: in the order in which they end in the text.
class ComputationNames {
 public:
  explicit ComputationNames(HloModule& module) : module_(module) {}
  void Add(HloComputation& computation);

 private:
  HloModule& module_;
  NameUniquer uniquer_;
  absl::flat_hash_set<absl::string_view> taken_;
};

// Turns drafts into instructions: checks what concerns an instruction as a
// whole (operand count, needed attributes, shapes) and expands asynchronous
// short forms into their wrapped computations:
//
//   s = ((f32[8]), f32[8], u32[]) negate-start(x)
//
//   async_wrapped { async_param = f32[8] parameter(0)
//                   ROOT negate = f32[8] negate(async_param) }
//   s = ((f32[8]), f32[8], u32[]) async-start(x), calls=async_wrapped
//
// The checks are in instruction_checks.cc and, those of shapes, in
// instruction_shapes.cc. Tested by
// instruction_builder_test.cc and hlo_parser_test.cc.
class InstructionBuilder {
 public:
  InstructionBuilder(HloModule& module, TextReader reader,
                     ComputationNames& computation_names)
      : module_(module),
        reader_(reader),
        computation_names_(computation_names) {}

  // Null after an error.
  HloInstruction* Build(HloComputation& computation, InstructionDraft& draft);

 private:
  bool CheckOperandCount(const InstructionDraft& draft);
  bool CheckAttributes(const InstructionDraft& draft);
  bool CheckCallees(const InstructionDraft& draft);
  bool CheckConditional(const InstructionDraft& draft);
  bool CheckLayoutConstraints(const InstructionDraft& draft);
  bool CheckReplication(const InstructionDraft& draft);
  bool CheckGlobalIds(const InstructionDraft& draft);
  bool CheckAsync(const InstructionDraft& draft);
  bool CheckAsyncStart(const InstructionDraft& draft);
  bool CheckRestatement(const InstructionDraft& draft,
                        const HloInstruction& start);
  bool CheckLists(const InstructionDraft& draft);
  bool CheckScan(const InstructionDraft& draft);
  bool CheckPermute(const InstructionDraft& draft);
  bool CheckChannel(const InstructionDraft& draft);
  bool CheckShape(const InstructionDraft& draft);
  bool CheckReshape(const InstructionDraft& draft);
  bool CheckIndices(const InstructionDraft& draft);
  bool InferMissingShape(InstructionDraft& draft);
  bool CountInferredNodes(const InstructionDraft& draft);
  bool InferBroadcast(InstructionDraft& draft);
  bool SpreadSharding(InstructionDraft& draft);
  bool RecomputeShape(InstructionDraft& draft);
  const Shape* ResultShape(const InstructionDraft& draft,
                           const Shape& declared);
  void CompleteAttributes(InstructionDraft& draft);
  void OrderCallees(InstructionDraft& draft);
  bool WrapAsync(InstructionDraft& draft);
  void CopyToWrapped(const HloInstruction& instruction);
  HloInstruction* Create(HloComputation& computation,
                         const InstructionDraft& draft);

  HloModule& module_;
  TextReader reader_;
  ComputationNames& computation_names_;
  // Of all shapes that the text left out.
  int64_t inferred_nodes_ = 0;
  // The sharding spread last, over how many leaves, and what it became.
  absl::string_view spread_;
  int64_t spread_leaves_ = -1;
  absl::string_view spread_text_;
  int64_t spread_bytes_ = 0;  // in all
  // Of each async operation, the async-start that its chain begins with.
  llvm::DenseMap<const HloInstruction*, const HloInstruction*> async_starts_;
};

}  // namespace ferry

#endif  // FERRY_HLO_INSTRUCTION_BUILDER_H_
