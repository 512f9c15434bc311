// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_instruction.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"

namespace ferry {
namespace {

// The end of the value that starts at `begin`: a quoted string, a raw `{...}`
// whose braces match outside strings, or anything up to a comma or brace.
size_t EndOfValue(absl::string_view text, size_t begin) {
  int64_t depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{') ++depth;
    if (c == '}' && depth-- == 0) return i;
    if (c == ',' && depth == 0) return i;
  }
  return text.size();
}

}  // namespace

bool HloInstruction::IsRoot() const { return &parent_->root() == this; }

absl::string_view HloInstruction::attribute(HloAttributeKind kind) const {
  for (const HloAttribute& attribute : attributes_) {
    if (attribute.kind == kind) return attribute.text;
  }
  return "";
}

bool HloInstruction::HasAttribute(HloAttributeKind kind) const {
  return std::any_of(
      attributes_.begin(), attributes_.end(),
      [&](const HloAttribute& attribute) { return attribute.kind == kind; });
}

bool HloInstruction::IsCustomCall(absl::string_view target) const {
  return opcode_ == HloOpcode::kCustomCall && target_ == target;
}

absl::string_view HloInstruction::frontend_attribute(
    absl::string_view key) const {
  const absl::string_view text =
      attribute(HloAttributeKind::kFrontendAttributes);
  size_t at = 1;  // behind the opening brace
  while (at < text.size()) {
    const size_t equals = text.find('=', at);
    if (equals == absl::string_view::npos) return "";
    const size_t end = EndOfValue(text, equals + 1);
    if (absl::StripAsciiWhitespace(text.substr(at, equals - at)) == key) {
      absl::string_view value =
          absl::StripAsciiWhitespace(text.substr(equals + 1, end - equals - 1));
      if (value.size() >= 2 && value.front() == '"') {
        value = value.substr(1, value.size() - 2);
      }
      return value;
    }
    at = end + 1;
  }
  return "";
}

bool HloComputation::IsEntry() const { return &module_->entry() == this; }

ShapeIndex HloPosition::index() const {
  return instruction->shape().IndexAt(ordinal);
}

const Shape& HloPosition::shape() const {
  return instruction->shape().NodeAt(ordinal);
}

std::string HloPosition::ToString() const {
  return absl::StrCat("{Instr: ", instruction->name(),
                      ", ShapeIndex: ", ShapeIndexToString(index()), "}");
}

}  // namespace ferry
