// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_OPCODE_H_
#define FERRY_HLO_HLO_OPCODE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace ferry {

// What an instruction does. Names and facts come from hlo_opcode.def.
//
// An opcode of a newer XLA, which the table does not know, reads as kUnknown;
// the instruction then carries its name as the attribute kUnknownOpcode.
// Tested by hlo_opcode_test.cc.
enum class HloOpcode : uint8_t {
#define FERRY_HLO_OPCODE(enumerator, name, min, max, traits) enumerator,
#include "ferry/hlo/hlo_opcode.def"
  kUnknown,
};

// What holds for every instruction of an opcode.
enum HloOpcodeTraits : uint16_t {
  kNoTraits = 0,
  // Result element i depends on element i of each operand (or on a scalar).
  kElementwise = 1 << 0,
  // Text may leave out the result shape.
  kInferable = 1 << 1,
  // May name other computations.
  kCallsComputation = 1 << 2,
  // Control enters the called computations, whose values are values of the
  // program (a reducer or a fusion's body is part of one instruction instead).
  kRunsCallee = 1 << 3,
  kCollective = 1 << 4,
  kHasSideEffect = 1 << 5,
};

// As in HLO text, "get-tuple-element"; "unknown" for kUnknown.
absl::string_view HloOpcodeName(HloOpcode opcode);

// The inverse; nullopt for a name that no opcode has.
std::optional<HloOpcode> HloOpcodeFromName(absl::string_view name);

uint16_t HloOpcodeTraitsOf(HloOpcode opcode);
inline bool HasTrait(HloOpcode opcode, HloOpcodeTraits trait) {
  return (HloOpcodeTraitsOf(opcode) & trait) != 0;
}

// Whether an asynchronous operation of this opcode has a short form,
// `negate-start`: all but those without operands to hand over and those that
// are asynchronous already.
inline bool HasAsyncSugar(HloOpcode opcode) {
  return opcode != HloOpcode::kUnknown && opcode != HloOpcode::kParameter &&
         opcode != HloOpcode::kConstant && opcode != HloOpcode::kAsyncStart &&
         opcode != HloOpcode::kAsyncUpdate && opcode != HloOpcode::kAsyncDone;
}

// Legal operand counts, both ends included; `max` is -1 for any number.
struct OperandCount {
  int min;
  int max;
};
OperandCount LegalOperandCount(HloOpcode opcode);

// The counts that XLA's readers take: of a few opcodes any number, or more than
// there is a use for. What is not legal then is left to the verifier.
OperandCount ReadableOperandCount(HloOpcode opcode);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_OPCODE_H_
