// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_ATTRIBUTE_H_
#define FERRY_HLO_HLO_ATTRIBUTE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_opcode.h"

namespace ferry {

// Which attribute, from hlo_attribute.def. PrintRank gives the order.
//
// An attribute of a newer XLA reads as kUnknownAttribute and keeps its text.
// Tested by hlo_attribute_test.cc.
enum class HloAttributeKind : uint8_t {
#define FERRY_HLO_ATTRIBUTE(enumerator, name, form) enumerator,
#include "ferry/hlo/hlo_attribute.def"
};

// How a value is written, and so how the reader checks it.
enum class HloAttributeForm : uint8_t {
  kInteger,             // 42
  kNumber,              // 1e-05
  kBool,                // true
  kEnum,                // LT, one of a list (attribute_enum.h)
  kPadding,             // 0_1x0_1_2
  kDimLabels,           // b01f_01io->b01f
  kString,              // "quoted"
  kIntegers,            // {0,1}
  kIntegerLists,        // {{0,1},{2,3}}, {0,1} too
  kBools,               // {true,false}
  kSlice,               // {[0:4], [0:8:2]}
  kWindow,              // {size=3x3 pad=0_1x0_1}
  kSparsity,            // {lhs={sparsity=1x4 dimension=1 stride=0}}
  kPrecisions,          // {default,highest}
  kAliasing,            // {{0}: (1, {})}
  kShapes,              // {f32[8]{0}, s32[]}
  kSharding,            // {devices=[2,2]<=[4]}
  kDomain,              // {kind="sharding", entry={..}, exit={..}}
  kFrontendAttributes,  // {key="value",other={...}}
  kStatistics,          // {visualizing_index=0,stat-1=33}
  kResultAccuracy,      // {mode=highest}
  kOrigin,              // {({"a"}, {"b" {1}})}
  kMetadata,            // {op_name="x" source_line=1}
  kStringOrBraces,      // "quoted" or raw { ... }
  kSourceTargetPairs,   // {{0,1},{1,0}}
  kReplicaGroups,       // {{0,1}}  [2,4]<=[8]  mesh['a'=2] {'a'}
  kShape,               // f32[8]{0}
  kLiteral,             // of `constant(...)`; with its shape in custom-calls
  kName,  // no fixed name: the text is `name=value`, or the opcode
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

// Whether an instruction of `opcode` may carry the attribute, and whether it
// must. Common attributes (sharding, metadata, ...) are allowed everywhere.
// From hlo_attribute_rules.def.
bool IsAllowedAttribute(HloOpcode opcode, HloAttributeKind kind);
// Attributes of one instruction are kept and printed in ascending order of
// this.
int PrintRank(HloOpcode opcode, HloAttributeKind kind);
absl::Span<const HloAttributeKind> RequiredAttributes(HloOpcode opcode);
// For messages: names of all that the opcode may carry, sorted.
std::vector<absl::string_view> AllowedAttributeNames(HloOpcode opcode);

// The attribute names under which an opcode calls computations, in the order
// of HloInstruction::called_computations(): {"condition", "body"} for while.
absl::Span<const absl::string_view> CalledComputationRoles(HloOpcode opcode);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_ATTRIBUTE_H_
