// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_OUTPUT_OPERAND_ALIASING_H_
#define FERRY_HLO_OUTPUT_OPERAND_ALIASING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

// One entry of `output_to_operand_aliasing={output: (operand, index), ...}`:
// this part of the result is written into the bytes of that operand.
struct OutputOperandAlias {
  ShapeIndex output_index;
  int64_t operand = 0;
  ShapeIndex operand_index;
};

// All of them, in the order of the text. Tested by
// output_operand_aliasing_test.cc.
struct OutputOperandAliasing {
  std::vector<OutputOperandAlias> aliases;

  // XLA prints nothing if there are none.
  bool IsPrinted() const { return !aliases.empty(); }
  // With braces.
  void AppendTo(std::string& out) const;
};

absl::Status Read(HloLexer& lexer, OutputOperandAliasing& aliasing);

// Those of an instruction. Entries that name an operand that does not exist are
// left out; there are none if the text is malformed.
std::vector<OutputOperandAlias> ReadOutputOperandAliasing(
    const HloInstruction& instruction);

// The same of an attribute's text alone: operands may not exist.
std::vector<OutputOperandAlias> ReadOutputOperandAliasing(
    absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_OUTPUT_OPERAND_ALIASING_H_
