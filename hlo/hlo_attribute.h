// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_ATTRIBUTE_H_
#define FERRY_HLO_HLO_ATTRIBUTE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_opcode.h"

namespace ferry {

// Which attribute, from hlo_attribute.def; the order is that of printing.
//
// An attribute of a newer XLA reads as kUnknownAttribute and keeps its text.
enum class HloAttributeKind : uint8_t {
#define FERRY_HLO_ATTRIBUTE(enumerator, name, form) enumerator,
#include "ferry/hlo/hlo_attribute.def"
};

// How a value is written.
enum class HloAttributeForm : uint8_t {
  kInteger,         // 42
  kNumber,          // 1e-05
  kBool,            // true
  kToken,           // LT  0_1x0_1  b01f_01io->b01f
  kString,          // "quoted"
  kIntegers,        // {0,1}
  kBraces,          // { ... }, whatever stands inside
  kStringOrBraces,  // "quoted" or raw { ... }
  kReplicaGroups,   // {{0,1}}  [2,4]<=[8]  mesh['a'=2] {'a'}
  kShape,           // f32[8]{0}
  kLiteral,         // what stands between the parentheses of `constant(...)`
  kName,            // no fixed name: the text is `name=value`, or the opcode
};

absl::string_view HloAttributeName(HloAttributeKind kind);
HloAttributeForm HloAttributeFormOf(HloAttributeKind kind);
std::optional<HloAttributeKind> HloAttributeFromName(absl::string_view name);

// An attribute is its text until somebody asks: most attributes of most
// instructions are only ever read and written again, and a view into the
// source is the smallest and fastest form of that. The readers below give the
// values that analyses need.
struct HloAttribute {
  HloAttributeKind kind;
  absl::string_view text;  // as printed, without `name=`
};

// `{1,2}`, also with spaces and comments; nullopt if it is anything else.
std::optional<absl::InlinedVector<int64_t, 6>> ReadIntegers(
    absl::string_view text);
std::optional<int64_t> ReadInteger(absl::string_view text);
// The content of a quoted string with its C escapes decoded; raw `{...}`
// values come back as they are.
std::string ReadString(absl::string_view text);

// The attribute names under which an opcode calls computations, in the order
// of HloInstruction::called_computations(): {"condition", "body"} for while.
absl::Span<const absl::string_view> CalledComputationRoles(HloOpcode opcode);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_ATTRIBUTE_H_
