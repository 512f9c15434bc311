// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1113: once layouts are decided, a value changes its memory by copies
// alone, and slices may only come from the device and go there.
//
//   dynamic-slice          not from device to host
//   dynamic-update-slice   not from host to device
//   both                   not from fast memory to another, outside of fusions
//                          (within one, memory is that of its operands)
//
// Before layout assignment nothing is decided: the offload passes read such
// slices as wishes. What else computes on host memory is the tracker's to say.

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kMemorySpaceMove;

// A copy to host may change the order of dimensions, one from it may not.
void VerifyCopy(const HloInstruction& copy, HloVerifierFindings& findings) {
  const Shape& from = copy.operand(0).shape();
  const Shape& to = copy.shape();
  if (!from.IsHostArray() || !to.IsArray() || to.IsHostArray() ||
      from.layout() == nullptr || to.layout() == nullptr ||
      from.layout()->minor_to_major() == to.layout()->minor_to_major()) {
    return;
  }
  findings.Add(
      kCode, copy,
      absl::StrCat("a copy from host memory cannot change the layout ",
                   ShapeForMessage(from), " to ", ShapeForMessage(to)));
}

// What is sliced, and what is put in, may come into fast memory but not leave it.
void VerifyFastMemory(const HloInstruction& slice,
                      HloVerifierFindings& findings) {
  const Shape& to = slice.shape();
  if (to.memory_space() == MemorySpace::kFast ||
      slice.parent().IsFusionBody()) {
    return;
  }
  const size_t arrays = slice.opcode() == HloOpcode::kDynamicSlice ? 1 : 2;
  for (const HloInstruction* operand : slice.operands().first(arrays)) {
    const Shape& from = operand->shape();
    if (from.memory_space() != MemorySpace::kFast ||
        from.dimensions().size() != to.dimensions().size()) {
      continue;
    }
    findings.Add(
        kCode, slice,
        absl::StrCat("Instruction shouldn't change layout memory space "
                     "between generic fast memory space and others "
                     "for instruction: ",
                     slice.name(), " takes ", ShapeForMessage(from), " to ",
                     ShapeForMessage(to)));
  }
}

}  // namespace

void VerifyMemorySpaces(const HloInstruction& instruction,
                        HloVerifierFindings& findings) {
  const HloOpcode opcode = instruction.opcode();
  const bool slices = opcode == HloOpcode::kDynamicSlice;
  const bool updates = opcode == HloOpcode::kDynamicUpdateSlice;
  const bool copies = opcode == HloOpcode::kCopy;
  if (!slices && !updates && !copies) return;
  if (!IsAfterLayoutAssignment(instruction)) return;
  if (copies) return VerifyCopy(instruction, findings);
  VerifyFastMemory(instruction, findings);
  const Shape& from = instruction.operand(0).shape();
  const Shape& to = instruction.shape();
  const MemorySpace source = from.memory_space();
  const MemorySpace target = to.memory_space();
  if (source == target) return;
  const auto between = [&] {
    return absl::StrCat(instruction.name(), " takes ", ShapeForMessage(from),
                        " to ", ShapeForMessage(to));
  };
  if (slices && target == MemorySpace::kHost) {
    findings.Add(kCode, instruction,
                 "DynamicSlice instruction shouldn't change layout memory "
                 "space from device to host: " +
                     between());
  } else if (updates && source == MemorySpace::kHost) {
    findings.Add(kCode, instruction,
                 "DynamicUpdateSlice instruction shouldn't change layout "
                 "memory space from host to device: " +
                     between());
  }
}

}  // namespace ferry
