// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/output_operand_aliasing.h"

#include <algorithm>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace ferry {
namespace {

// Takes `{1,0}` off the front of `text`.
std::optional<ShapeIndex> TakeIndex(absl::string_view& text) {
  text = absl::StripLeadingAsciiWhitespace(text);
  const size_t end = text.find('}');
  if (!absl::ConsumePrefix(&text, "{") || end == absl::string_view::npos) {
    return std::nullopt;
  }
  ShapeIndex index;
  for (absl::string_view number :
       absl::StrSplit(text.substr(0, end - 1), ',', absl::SkipWhitespace())) {
    int64_t element = 0;
    if (!absl::SimpleAtoi(number, &element)) return std::nullopt;
    index.push_back(element);
  }
  text.remove_prefix(end);
  return index;
}

// Takes everything up to and including the first `mark` off the front.
absl::string_view TakeUntil(absl::string_view& text, char mark) {
  const size_t at = text.find(mark);
  if (at == absl::string_view::npos) {
    const absl::string_view all = text;
    text = "";
    return all;
  }
  const absl::string_view front = text.substr(0, at);
  text.remove_prefix(at + 1);
  return front;
}

}  // namespace

std::vector<OutputOperandAlias> ReadOutputOperandAliasing(
    absl::string_view text) {
  std::vector<OutputOperandAlias> aliases;
  TakeUntil(text, '{');
  while (text.find('(') != absl::string_view::npos) {
    OutputOperandAlias alias;
    const auto output_index = TakeIndex(text);
    TakeUntil(text, '(');
    const bool is_number =
        absl::SimpleAtoi(TakeUntil(text, ','), &alias.operand);
    const auto operand_index = TakeIndex(text);
    TakeUntil(text, ')');
    if (const size_t next = text.find('{'); next != absl::string_view::npos) {
      text.remove_prefix(next);
    } else {
      text = "";
    }
    if (!output_index || !is_number || !operand_index) continue;
    alias.output_index = *output_index;
    alias.operand_index = *operand_index;
    aliases.push_back(std::move(alias));
  }
  return aliases;
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
