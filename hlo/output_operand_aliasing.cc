// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/output_operand_aliasing.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

// {0}: (1, {})
absl::Status ReadAlias(HloLexer& lexer, OutputOperandAlias& alias) {
  FERRY_RETURN_IF_ERROR(ReadShapeIndex(lexer, alias.output_index));
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, ':', "behind the index of the output"));
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '(', "in front of the operand"));
  FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "an operand number", alias.operand));
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, ',', "behind the operand number"));
  FERRY_RETURN_IF_ERROR(ReadShapeIndex(lexer, alias.operand_index));
  return ReadPunctuation(lexer, ')', "behind the operand");
}

}  // namespace

void OutputOperandAliasing::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < aliases.size(); ++i) {
    if (i > 0) out += ", ";
    AppendShapeIndex(aliases[i].output_index, out);
    absl::StrAppend(&out, ": (", aliases[i].operand, ", ");
    AppendShapeIndex(aliases[i].operand_index, out);
    out += ')';
  }
  out += '}';
}

// As XLA does, takes a comma behind the last one.
absl::Status Read(HloLexer& lexer, OutputOperandAliasing& aliasing) {
  aliasing.aliases.clear();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start aliasing"));
  while (!lexer.Consume('}')) {
    FERRY_RETURN_IF_ERROR(ReadAlias(lexer, aliasing.aliases.emplace_back()));
    if (lexer.Consume(',')) continue;
    return ReadPunctuation(lexer, '}', "at the end of aliasing");
  }
  return absl::OkStatus();
}

std::vector<OutputOperandAlias> ReadOutputOperandAliasing(
    absl::string_view text) {
  OutputOperandAliasing aliasing;
  if (text.empty() || !ReadWhole(text, aliasing).ok()) return {};
  return std::move(aliasing.aliases);
}

std::vector<OutputOperandAlias> ReadOutputOperandAliasing(
    const HloInstruction& instruction) {
  std::vector<OutputOperandAlias> aliases = ReadOutputOperandAliasing(
      instruction.attribute(HloAttributeKind::kOutputToOperandAliasing));
  const int64_t operands = instruction.operands().size();
  aliases.erase(std::remove_if(aliases.begin(), aliases.end(),
                               [&](const OutputOperandAlias& alias) {
                                 return alias.operand < 0 ||
                                        alias.operand >= operands;
                               }),
                aliases.end());
  return aliases;
}

}  // namespace ferry
