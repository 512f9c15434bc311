// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/async_sugar.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

const HloInstruction* AsyncCaller(const HloComputation& computation) {
  for (const HloInstruction* caller : computation.callers()) {
    if (caller->opcode() == HloOpcode::kAsyncStart) return caller;
  }
  return nullptr;
}

bool IsParametersAndRoot(const HloComputation& computation) {
  const HloInstruction& root = computation.root();
  for (const HloInstruction& instruction : computation.instructions()) {
    const bool fits =
        &instruction == &root || instruction.opcode() == HloOpcode::kParameter;
    if (!fits) return false;
  }
  return true;
}

// What the reader leaves on the operation: the value of the last async
// operation of the chain that has one.
absl::string_view LastGiven(const HloInstruction& start,
                            HloAttributeKind kind) {
  absl::string_view text = start.attribute(kind);
  for (const HloInstruction* at = &start; at != nullptr;) {
    const HloInstruction* next = nullptr;
    for (const HloInstruction* user : at->users()) {
      const bool is_update = user->opcode() == HloOpcode::kAsyncUpdate;
      if (!is_update && user->opcode() != HloOpcode::kAsyncDone) continue;
      if (user->HasAttribute(kind)) text = user->attribute(kind);
      if (is_update) next = user;
    }
    at = next;
  }
  return text;
}

// Whether the operation has the attribute again when its short form is read.
bool ComesBack(const HloAttribute& attribute, const HloInstruction& start) {
  switch (attribute.kind) {
    case HloAttributeKind::kFrontendAttributes:
    case HloAttributeKind::kOrigin:
    case HloAttributeKind::kMetadata:
    case HloAttributeKind::kBackendConfig:
      return LastGiven(start, attribute.kind) == attribute.text;
    case HloAttributeKind::kSharding:
    case HloAttributeKind::kUnknownAttribute:
      return false;
    default:
      // Statistics are printed twice, which cannot be read.
      return attribute.kind != HloAttributeKind::kStatistics;
  }
}

// Whether reading the short form gives this again.
bool IsLossless(const HloInstruction& start, const HloInstruction& operation) {
  const HloComputation& wrapped = operation.parent();
  const auto parameters = wrapped.parameters();
  const auto operands = operation.operands();
  if (wrapped.callers().size() != 1 || !HasAsyncSugar(operation.opcode()) ||
      !std::equal(parameters.begin(), parameters.end(), operands.begin(),
                  operands.end()) ||
      !operation.control_predecessors().empty()) {
    return false;
  }
  const bool plain_parameters = std::all_of(
      parameters.begin(), parameters.end(), [](const auto* parameter) {
        return parameter->attributes().empty() &&
               parameter->control_predecessors().empty();
      });
  const auto attributes = operation.attributes();
  return plain_parameters && std::all_of(attributes.begin(), attributes.end(),
                                         [&](const auto& attribute) {
                                           return ComesBack(attribute, start);
                                         });
}

}  // namespace

const HloInstruction* AsyncSugar::FindOperation(
    const HloComputation& wrapped) const {
  if (mode_ == HloPrintOptions::AsyncSugar::kNone) return nullptr;
  const HloInstruction* start = AsyncCaller(wrapped);
  if (start == nullptr || !IsParametersAndRoot(wrapped)) return nullptr;
  const HloInstruction& operation = wrapped.root();
  if (operation.opcode() == HloOpcode::kUnknown) return nullptr;
  const bool is_lossless = mode_ == HloPrintOptions::AsyncSugar::kLossless;
  return is_lossless && !IsLossless(*start, operation) ? nullptr : &operation;
}

const HloInstruction* AsyncSugar::OperationOf(const HloComputation& wrapped) {
  const auto [found, is_new] = operations_.try_emplace(&wrapped, nullptr);
  if (is_new) found->second = FindOperation(wrapped);
  return found->second;
}

// Operands are printed first, so each step but the first of a chain is known.
const HloInstruction* AsyncSugar::StartOf(const HloInstruction& instruction) {
  const HloInstruction* at = &instruction;
  llvm::SmallVector<const HloInstruction*, 2> passed;
  while (at->opcode() == HloOpcode::kAsyncUpdate ||
         at->opcode() == HloOpcode::kAsyncDone) {
    const auto known = starts_.find(at);
    if (known != starts_.end()) {
      at = known->second;
      break;
    }
    passed.push_back(at);
    if (at->operands().empty()) return nullptr;
    at = &at->operand(0);
  }
  if (at->opcode() != HloOpcode::kAsyncStart) return nullptr;
  for (const HloInstruction* one : passed) starts_[one] = at;
  return at;
}

const HloInstruction* AsyncSugar::OperationOf(
    const HloInstruction& instruction) {
  const HloInstruction* start = StartOf(instruction);
  if (start == nullptr || start->called_computations().size() != 1) {
    return nullptr;
  }
  return OperationOf(*start->called_computations()[0]);
}

}  // namespace ferry
