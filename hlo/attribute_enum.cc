// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_enum.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"

namespace ferry {
namespace {

// kDirection_kUnknown, ...
#define FERRY_ATTRIBUTE_ENUM(attribute, opcode, letters, ...) \
  constexpr absl::string_view attribute##_##opcode[] = {__VA_ARGS__};
#include "ferry/hlo/attribute_enum.def"

enum class Letters { kAsPrinted, kAny };

struct Row {
  HloAttributeKind kind;
  HloOpcode opcode;
  AttributeEnum facts;
};
constexpr Row kRows[] = {
#define FERRY_ATTRIBUTE_ENUM(attribute, opcode, letters, ...) \
  {HloAttributeKind::attribute,                               \
   HloOpcode::opcode,                                         \
   {attribute##_##opcode, Letters::letters == Letters::kAny}},
#include "ferry/hlo/attribute_enum.def"
};

}  // namespace

// Rows of single opcodes stand in front of those of all others.
const AttributeEnum* FindAttributeEnum(HloOpcode opcode,
                                       HloAttributeKind kind) {
  const Row* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
        return r.kind == kind &&
               (r.opcode == opcode || r.opcode == HloOpcode::kUnknown);
      });
  return row == std::end(kRows) ? nullptr : &row->facts;
}

absl::string_view FindEnumValue(const AttributeEnum& attribute,
                                absl::string_view word) {
  for (absl::string_view value : attribute.values) {
    if (attribute.any_case ? absl::EqualsIgnoreCase(word, value)
                           : word == value) {
      return value;
    }
  }
  return {};
}

}  // namespace ferry
