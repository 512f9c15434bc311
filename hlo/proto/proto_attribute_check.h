// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ATTRIBUTE_CHECK_H_
#define FERRY_HLO_PROTO_PROTO_ATTRIBUTE_CHECK_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/proto/proto_attribute.h"

namespace ferry {

// What the fields of a proto cannot say of attributes. Text tells things apart
// that fields do not: `feature_group_count=0`, one list of a ragged-dot that is
// empty and one that is left out, `slice_sizes={{1},{2}}` and `{{1,2}}`. XLA
// reads some only in text: `T(0,0)` of an iota.

// The attributes that an opcode has of its own, from hlo_attribute_rules.def:
// all that have fields but CommonProtoAttributes(). None if it is unknown.
absl::Span<const HloAttributeKind> OwnProtoAttributes(HloOpcode opcode);

struct ProtoAttributeGaps {
  std::vector<HloAttributeKind> unreadable;  // refused when read
  std::vector<HloAttributeKind> different;   // read as another text, or not
  std::vector<HloAttributeKind> absent;      // read, though text has none
  bool empty() const {
    return unreadable.empty() && different.empty() && absent.empty();
  }
};

// Reads the attributes of `instruction` from its `fields`, which are taken
// apart. Values of constants are left out: those are exact. Metadata too.
ProtoAttributeGaps FindProtoAttributeGaps(const HloInstruction& instruction,
                                          const ProtoAttributeInput& input,
                                          proto::HloInstructionProto& fields);

// Whether an instruction of the opcode may have the attribute with this text.
// Tested by hlo_proto_roundtrip_test.cc and hlo_proto_reader_test.cc.
bool IsAttributeText(HloAttributeKind kind, absl::string_view text,
                     const ProtoAttributeInput& input);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ATTRIBUTE_CHECK_H_
