// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_module.h"

#include <algorithm>
#include <new>

#include "ferry/hlo/check.h"
#include "ferry/hlo/instruction_names.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

namespace ferry {
namespace {

// Appends to an array in the arena, which doubles when full. The old array
// stays behind: its bytes are at most those of the new one.
template <typename T>
void Append(T*& elements, uint32_t& count, uint32_t& capacity, T element,
            llvm::BumpPtrAllocator& arena) {
  if (count == capacity) {
    const uint32_t larger = std::max<uint32_t>(2, 2 * capacity);
    T* moved = arena.Allocate<T>(larger);
    std::copy(elements, elements + count, moved);
    elements = moved;
    capacity = larger;
  }
  elements[count++] = element;
}

}  // namespace

struct HloModule::Storage {
  explicit Storage(HloModule& module) : names(module) {}

  llvm::BumpPtrAllocator arena;
  InstructionNames names;
};

HloModule::HloModule(HloContext& context,
                     std::shared_ptr<const SourceText> source)
    : context_(context),
      source_(std::move(source)),
      storage_(std::make_unique<Storage>(*this)) {}

// Instructions and computations stand in the arena and own nothing outside it.
HloModule::~HloModule() = default;

template <typename T>
absl::Span<T> HloModule::Save(absl::Span<const T> elements) {
  if (elements.empty()) return {};
  T* copy = storage_->arena.Allocate<T>(elements.size());
  std::uninitialized_copy(elements.begin(), elements.end(), copy);
  return absl::MakeSpan(copy, elements.size());
}

absl::string_view HloModule::SaveText(absl::string_view text) {
  char* copy = storage_->arena.Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), copy);
  return absl::string_view(copy, text.size());
}

HloComputation& HloModule::AddComputation(absl::string_view name,
                                          uint64_t source_offset) {
  auto* computation =
      new (storage_->arena.Allocate<HloComputation>()) HloComputation();
  computation->name_ = name;
  computation->module_ = this;
  computation->source_offset_ = source_offset;
  computation->id_ = computations_.size();
  computations_.push_back(computation);
  return *computation;
}

void HloModule::set_execution_thread(HloComputation& computation,
                                     absl::string_view thread) {
  computation.execution_thread_ = thread;
}

absl::string_view HloModule::SaveUnquoted(absl::string_view text) {
  const bool plain = text.size() >= 2 && text.front() == '"' &&
                     text.find('\\') == absl::string_view::npos;
  return plain ? text.substr(1, text.size() - 2) : SaveText(ReadString(text));
}

// Parameters come in any order; a gap stays null until it is filled.
void HloModule::AddParameter(HloInstruction& parameter) {
  HloComputation& computation = *parameter.parent_;
  const uint32_t number = parameter.number_;
  while (computation.parameter_count_ <= number) {
    Append<HloInstruction*>(
        computation.parameters_, computation.parameter_count_,
        computation.parameter_capacity_, nullptr, storage_->arena);
  }
  FERRY_CHECK(computation.parameters_[number] == nullptr);
  computation.parameters_[number] = &parameter;
}

void HloModule::Link(HloInstruction& instruction, HloInstruction* before) {
  HloComputation& computation = *instruction.parent_;
  HloInstruction* previous =
      before == nullptr ? computation.last_ : before->previous_;
  instruction.previous_ = previous;
  instruction.next_ = before;
  (previous == nullptr ? computation.first_ : previous->next_) = &instruction;
  (before == nullptr ? computation.last_ : before->previous_) = &instruction;
}

void HloModule::Unlink(HloInstruction& instruction) {
  HloComputation& computation = *instruction.parent_;
  HloInstruction* previous = instruction.previous_;
  HloInstruction* next = instruction.next_;
  (previous == nullptr ? computation.first_ : previous->next_) = next;
  (next == nullptr ? computation.last_ : next->previous_) = previous;
}

void HloModule::AddUser(HloInstruction& instruction, HloInstruction& user) {
  // An instruction is linked to its operands when it is made, so a repeated
  // use finds the user at the end of the list.
  if (instruction.user_count_ > 0 &&
      instruction.users_[instruction.user_count_ - 1] == &user) {
    return;
  }
  Append(instruction.users_, instruction.user_count_,
         instruction.user_capacity_, &user, storage_->arena);
}

void HloModule::RemoveUser(HloInstruction& instruction, HloInstruction& user) {
  HloInstruction** end = instruction.users_ + instruction.user_count_;
  instruction.user_count_ =
      std::remove(instruction.users_, end, &user) - instruction.users_;
}

// They are few, and nearly always in order already.
void HloModule::SortAttributes(HloInstruction& instruction) {
  const absl::Span<HloAttribute> attributes = instruction.attributes_;
  const auto rank = [&](const HloAttribute& attribute) {
    return PrintRank(instruction.opcode(), attribute.kind);
  };
  const auto is_before = [&](const HloAttribute& a, const HloAttribute& b) {
    return rank(a) < rank(b);
  };
  if (std::is_sorted(attributes.begin(), attributes.end(), is_before)) return;
  std::stable_sort(attributes.begin(), attributes.end(), is_before);
}

void HloModule::RemoveUnreachableComputations() {
  llvm::DenseSet<const HloComputation*> reached = {entry_};
  std::vector<HloComputation*> work = {entry_};
  while (!work.empty()) {
    HloComputation& computation = *work.back();
    work.pop_back();
    for (const HloInstruction& instruction : computation.instructions()) {
      for (HloComputation* callee : instruction.called_computations()) {
        if (reached.insert(callee).second) work.push_back(callee);
      }
    }
  }
  std::vector<HloComputation*> kept;
  for (HloComputation* computation : computations_) {
    if (reached.contains(computation)) {
      HloInstruction** end = computation->callers_ + computation->caller_count_;
      end = std::remove_if(computation->callers_, end,
                           [&](const HloInstruction* caller) {
                             return !reached.contains(&caller->parent());
                           });
      computation->caller_count_ = end - computation->callers_;
      kept.push_back(computation);
      continue;
    }
    for (const HloInstruction& instruction : computation->instructions()) {
      storage_->names.Remove(instruction);
      instructions_[instruction.id()] = nullptr;
    }
  }
  SetComputationOrder(kept);
}

void HloModule::SetInstructionOrder(HloComputation& computation,
                                    absl::Span<HloInstruction* const> order) {
  computation.first_ = nullptr;
  computation.last_ = nullptr;
  for (HloInstruction* instruction : order) {
    Link(*instruction, /*before=*/nullptr);
  }
}

HloInstruction& HloModule::AddInstruction(HloComputation& computation,
                                          const InstructionSpec& spec,
                                          HloInstruction* before) {
  auto* instruction =
      new (storage_->arena.Allocate<HloInstruction>()) HloInstruction();
  instruction->opcode_ = spec.opcode;
  instruction->name_ = spec.name;
  instruction->shape_ = spec.shape;
  instruction->parent_ = &computation;
  instruction->number_ = spec.number;
  instruction->source_offset_ = spec.source_offset;
  instruction->id_ = instructions_.size();
  instructions_.push_back(instruction);
  instruction->operands_ = Save(spec.operands);
  for (HloInstruction* operand : instruction->operands_) {
    AddUser(*operand, *instruction);
  }
  instruction->called_computations_ = Save(spec.called_computations);
  for (HloComputation* callee : instruction->called_computations_) {
    if (callee->caller_count_ > 0 &&
        callee->callers_[callee->caller_count_ - 1] == instruction) {
      continue;
    }
    Append(callee->callers_, callee->caller_count_, callee->caller_capacity_,
           instruction, storage_->arena);
  }
  instruction->control_predecessors_ = Save(spec.control_predecessors);
  for (HloInstruction* predecessor : instruction->control_predecessors_) {
    predecessor->has_control_successors_ = true;
  }
  instruction->attributes_ = Save(spec.attributes);
  SortAttributes(*instruction);
  if (spec.opcode == HloOpcode::kCustomCall) {
    instruction->target_ = SaveUnquoted(
        instruction->attribute(HloAttributeKind::kCustomCallTarget));
  }
  if (spec.opcode == HloOpcode::kParameter) AddParameter(*instruction);
  Link(*instruction, before);
  storage_->names.Add(*instruction);
  return *instruction;
}

void HloModule::ReplaceOperand(HloInstruction& user, int64_t operand_number,
                               HloInstruction& replacement) {
  HloInstruction* old = user.operands_[operand_number];
  if (old == &replacement) return;
  user.operands_[operand_number] = &replacement;
  if (std::find(user.operands_.begin(), user.operands_.end(), old) ==
      user.operands_.end()) {
    RemoveUser(*old, user);
  }
  const absl::Span<HloInstruction* const> users = replacement.users();
  if (std::find(users.begin(), users.end(), &user) == users.end()) {
    AddUser(replacement, user);
  }
}

void HloModule::ReplaceOperands(HloInstruction& user,
                                absl::Span<HloInstruction* const> operands) {
  FERRY_CHECK(operands.size() == user.operands_.size());
  llvm::DenseSet<HloInstruction*> wanted(operands.begin(), operands.end());
  // Operands that stay keep their place among the users; the rest of `wanted`
  // is then what is new.
  llvm::DenseSet<HloInstruction*> seen;
  for (HloInstruction* old : user.operands_) {
    if (!seen.insert(old).second) continue;
    if (!wanted.contains(old)) RemoveUser(*old, user);
  }
  std::copy(operands.begin(), operands.end(), user.operands_.begin());
  for (HloInstruction* operand : operands) {
    if (seen.insert(operand).second) AddUser(*operand, user);
  }
}

void HloModule::ReplaceAllUses(HloInstruction& instruction,
                               HloInstruction& replacement) {
  if (&instruction == &replacement) return;
  llvm::DenseSet<HloInstruction*> known(replacement.users().begin(),
                                        replacement.users().end());
  bool is_used_by_replacement = false;
  for (HloInstruction* user : instruction.users()) {
    if (user == &replacement) {
      is_used_by_replacement = true;
      continue;
    }
    std::replace(user->operands_.begin(), user->operands_.end(), &instruction,
                 &replacement);
    if (known.insert(user).second) AddUser(replacement, *user);
  }
  instruction.user_count_ = 0;
  if (is_used_by_replacement) AddUser(instruction, replacement);
  if (instruction.IsRoot()) set_root(instruction.parent(), replacement);
}

// `instruction` takes over what `predecessor`, which goes away, waited for.
void HloModule::RemoveControlPredecessor(HloInstruction& instruction,
                                         HloInstruction& predecessor) {
  const auto old = instruction.control_predecessors();
  if (std::find(old.begin(), old.end(), &predecessor) == old.end()) return;
  std::vector<HloInstruction*> left;
  const auto add = [&](HloInstruction* other) {
    if (other == &predecessor) return;
    if (std::find(left.begin(), left.end(), other) == left.end()) {
      left.push_back(other);
    }
  };
  for (HloInstruction* other : old) add(other);
  for (HloInstruction* other : predecessor.control_predecessors()) add(other);
  instruction.control_predecessors_ =
      Save(absl::Span<HloInstruction* const>(left));
}

void HloModule::RemoveInstruction(HloInstruction& instruction) {
  FERRY_CHECK(instruction.users().empty());
  FERRY_CHECK(!instruction.IsRoot());
  FERRY_CHECK(instruction.opcode() != HloOpcode::kParameter);
  for (HloInstruction* operand : instruction.operands_) {
    RemoveUser(*operand, instruction);
  }
  for (HloComputation* callee : instruction.called_computations_) {
    HloInstruction** end = callee->callers_ + callee->caller_count_;
    callee->caller_count_ =
        std::remove(callee->callers_, end, &instruction) - callee->callers_;
  }
  if (instruction.has_control_successors_) {
    for (HloInstruction& other : instruction.parent_->instructions()) {
      RemoveControlPredecessor(other, instruction);
    }
  }
  Unlink(instruction);
  storage_->names.Remove(instruction);
  instructions_[instruction.id()] = nullptr;
}

void HloModule::SetAttribute(HloInstruction& instruction, HloAttributeKind kind,
                             absl::string_view text) {
  if (kind == HloAttributeKind::kCustomCallTarget &&
      instruction.opcode() == HloOpcode::kCustomCall) {
    instruction.target_ = SaveUnquoted(text);
  }
  for (HloAttribute& attribute : instruction.attributes_) {
    if (attribute.kind == kind) {
      attribute.text = text;
      return;
    }
  }
  std::vector<HloAttribute> attributes(instruction.attributes_.begin(),
                                       instruction.attributes_.end());
  attributes.push_back({kind, text});
  instruction.attributes_ = Save(absl::Span<const HloAttribute>(attributes));
  SortAttributes(instruction);
}

void HloModule::RemoveAttribute(HloInstruction& instruction,
                                HloAttributeKind kind) {
  const absl::Span<HloAttribute> attributes = instruction.attributes_;
  const auto end = std::remove_if(
      attributes.begin(), attributes.end(),
      [&](const HloAttribute& attribute) { return attribute.kind == kind; });
  instruction.attributes_ = attributes.first(end - attributes.begin());
}

void HloModule::AddUnknownAttribute(HloInstruction& instruction,
                                    absl::string_view text) {
  std::vector<HloAttribute> attributes(instruction.attributes_.begin(),
                                       instruction.attributes_.end());
  attributes.push_back({HloAttributeKind::kUnknownAttribute, text});
  instruction.attributes_ = Save(absl::Span<const HloAttribute>(attributes));
}

absl::string_view HloModule::UniqueName(absl::string_view base) {
  return SaveText(storage_->names.GetUniqueName(base));
}

absl::string_view HloModule::UniqueNameInScope(
    const HloComputation& computation, absl::string_view base) {
  return SaveText(storage_->names.GetUniqueName(computation, base));
}

HloInstruction* HloModule::FindInstruction(absl::string_view name) const {
  return storage_->names.Find(name);
}

HloInstruction* HloModule::FindInstruction(const HloComputation& computation,
                                           absl::string_view name) const {
  return storage_->names.Find(computation, name);
}

void HloModule::OpenNameScope(HloComputation& computation, bool is_in_place) {
  storage_->names.OpenScope(computation, is_in_place);
}

void HloModule::CloseNameScope(HloComputation& computation) {
  storage_->names.CloseScope(computation);
}

}  // namespace ferry
