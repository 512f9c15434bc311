// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_MODULE_H_
#define FERRY_HLO_HLO_MODULE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/stack_frames.h"

namespace ferry {

// `entry_computation_layout`: the shapes, with layouts and memory spaces, in
// which the caller passes arguments and wants results. It alone decides where
// inputs and outputs live.
struct EntryLayout {
  std::vector<const Shape*> parameters;
  const Shape* result = nullptr;
};

// One pair of `input_output_alias`.
struct InputOutputAlias {
  ShapeIndex output_index;
  int64_t parameter_number = 0;
  ShapeIndex parameter_index;
  bool must_alias = false;
};

// A program: computations, one of them the entry, and what the header says.
//
// Owns everything that its instructions point to: arena, source bytes, names.
// All edits go through it. Not thread-safe; the HloContext is.
// Tested by hlo_module_test.cc.
class HloModule {
 public:
  HloModule(HloContext& context, std::shared_ptr<const SourceText> source);
  HloModule(const HloModule&) = delete;
  HloModule& operator=(const HloModule&) = delete;
  ~HloModule();

  HloContext& context() const { return context_; }
  const SourceText& source() const { return *source_; }

  // --- What the header says.
  absl::string_view name() const { return name_; }
  bool is_scheduled() const { return is_scheduled_; }
  // Null where the text gave none: then it is what the entry's own shapes say.
  const EntryLayout& entry_layout() const { return entry_layout_; }
  absl::Span<const InputOutputAlias> input_output_aliases() const {
    return aliases_;
  }
  // The other header attributes as text, `name` to value, as written.
  absl::Span<const std::pair<absl::string_view, absl::string_view>>
  header_attributes() const {
    return header_attributes_;
  }
  const StackFrames& stack_frames() const { return stack_frames_; }
  // What the proto that the module was read from said and text does not have;
  // null for a module from text.
  const CarriedProto* carried_proto() const { return carried_proto_.get(); }

  // --- Reading.
  // Callees before callers; no element is null.
  absl::Span<HloComputation* const> computations() const {
    return computations_;
  }
  HloComputation& entry() const { return *entry_; }
  // One past the largest InstructionId handed out.
  InstructionId id_limit() const { return instructions_.size(); }
  // Null if the instruction was removed.
  HloInstruction* instruction(InstructionId id) const {
    return instructions_[id];
  }

  // --- Building and editing. Spans are copied into the arena. Texts are not:
  // they must view the source, live forever, or come from SaveText.
  absl::string_view SaveText(absl::string_view text);
  void set_name(absl::string_view name) { name_ = name; }
  void set_is_scheduled(bool is_scheduled) { is_scheduled_ = is_scheduled; }
  void set_entry_layout(EntryLayout layout) {
    entry_layout_ = std::move(layout);
  }
  void set_input_output_aliases(std::vector<InputOutputAlias> aliases) {
    aliases_ = std::move(aliases);
  }
  void AddHeaderAttribute(absl::string_view name, absl::string_view value) {
    header_attributes_.push_back({name, value});
  }
  void set_stack_frames(StackFrames frames) {
    stack_frames_ = std::move(frames);
  }

  void set_carried_proto(std::unique_ptr<const CarriedProto> carried) {
    carried_proto_ = std::move(carried);
  }

  HloComputation& AddComputation(absl::string_view name,
                                 uint64_t source_offset);
  // Puts the module's computations, all of them, into another order; their
  // ids become their places in it.
  void SetComputationOrder(absl::Span<HloComputation* const> order) {
    computations_.assign(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i) order[i]->id_ = i;
  }
  // Removes all computations that the entry does not reach, with their
  // instructions. Linear in the module; computations get new ids.
  void RemoveUnreachableComputations();
  // Puts a computation's instructions, all of them, into another order.
  void SetInstructionOrder(HloComputation& computation,
                           absl::Span<HloInstruction* const> order);
  void set_entry(HloComputation& entry) { entry_ = &entry; }
  void set_execution_thread(HloComputation& computation,
                            absl::string_view thread);
  void set_fusion_body(HloComputation& computation) {
    computation.is_fusion_body_ = true;
  }

  // What an instruction is made of.
  struct InstructionSpec {
    HloOpcode opcode;
    absl::string_view name;
    const Shape* shape;
    absl::Span<HloInstruction* const> operands;
    absl::Span<HloComputation* const> called_computations;
    absl::Span<HloInstruction* const> control_predecessors;
    absl::Span<const HloAttribute> attributes;
    int64_t number = -1;  // of a parameter or get-tuple-element
    uint64_t source_offset = HloInstruction::kNoSource;
  };
  // Appends to `computation`, or inserts in front of `before`. Parameters
  // register themselves under their number, which must be new and in the order
  // of magnitude of the computation's size: the table of parameters is dense.
  HloInstruction& AddInstruction(HloComputation& computation,
                                 const InstructionSpec& spec,
                                 HloInstruction* before = nullptr);
  void set_root(HloComputation& computation, HloInstruction& root) {
    computation.root_ = &root;
  }
  void set_shape(HloInstruction& instruction, const Shape& shape) {
    instruction.shape_ = &shape;
  }
  void ReplaceOperand(HloInstruction& user, int64_t operand_number,
                      HloInstruction& replacement);
  // All operands at once, as many as there were; linear in their number and
  // that of the users of those that fall away. What edits many operands of one
  // wide tuple calls this, not ReplaceOperand.
  void ReplaceOperands(HloInstruction& user,
                       absl::Span<HloInstruction* const> operands);
  // All uses but those by `replacement` itself, and the place of root. Linear
  // in the operands of the users and the users of both.
  void ReplaceAllUses(HloInstruction& instruction, HloInstruction& replacement);
  // The instruction must have no users and be no root or parameter. What had
  // to wait for it (its control successors) waits for what it waited for.
  void RemoveInstruction(HloInstruction& instruction);
  // Adds or replaces; kept in the order of printing.
  void SetAttribute(HloInstruction& instruction, HloAttributeKind kind,
                    absl::string_view text);
  // Nothing happens if it is not there.
  void RemoveAttribute(HloInstruction& instruction, HloAttributeKind kind);
  // Adds an attribute of a kind that an instruction may have more of:
  // kUnknownAttribute, behind all others.
  void AddUnknownAttribute(HloInstruction& instruction, absl::string_view text);

  // --- Names. AddInstruction takes any; a pass makes one with UniqueName.
  // A name that no instruction of the module has: `base`, or its root with the
  // next free number (`x.1` for `x`, `x.2` for `x.1`).
  absl::string_view UniqueName(absl::string_view base);
  // Null if there is none.
  HloInstruction* FindInstruction(absl::string_view name) const;
  // Also while the computation is being read.
  HloInstruction* FindInstruction(const HloComputation& computation,
                                  absl::string_view name) const;
  // For readers of text, where names need only be unique in their computation:
  // between the two calls they may be what others have, and the second one
  // gives those new names. A computation that is written in place, within
  // another one, ends first.
  void OpenNameScope(HloComputation& computation, bool is_in_place);
  void CloseNameScope(HloComputation& computation);
  // For a nameless instruction that is about to be added to an open scope.
  absl::string_view UniqueNameInScope(const HloComputation& computation,
                                      absl::string_view base);
  void set_name(HloInstruction& instruction, absl::string_view name) {
    instruction.name_ = SaveText(name);
  }
  void set_name(HloComputation& computation, absl::string_view name) {
    computation.name_ = SaveText(name);
  }

 private:
  template <typename T>
  absl::Span<T> Save(absl::Span<const T> elements);
  absl::string_view SaveUnquoted(absl::string_view text);
  void AddParameter(HloInstruction& parameter);
  void SortAttributes(HloInstruction& instruction);
  void Link(HloInstruction& instruction, HloInstruction* before);
  void Unlink(HloInstruction& instruction);
  void AddUser(HloInstruction& instruction, HloInstruction& user);
  void RemoveUser(HloInstruction& instruction, HloInstruction& user);
  void RemoveControlPredecessor(HloInstruction& instruction,
                                HloInstruction& predecessor);

  HloContext& context_;
  std::shared_ptr<const SourceText> source_;
  // The arena, and the names in use.
  struct Storage;
  std::unique_ptr<Storage> storage_;
  absl::string_view name_;
  bool is_scheduled_ = false;
  EntryLayout entry_layout_;
  std::vector<InputOutputAlias> aliases_;
  std::vector<std::pair<absl::string_view, absl::string_view>>
      header_attributes_;
  StackFrames stack_frames_;
  std::unique_ptr<const CarriedProto> carried_proto_;
  std::vector<HloComputation*> computations_;
  HloComputation* entry_ = nullptr;
  std::vector<HloInstruction*> instructions_;
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_MODULE_H_
