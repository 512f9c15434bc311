// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ATTRIBUTE_H_
#define FERRY_HLO_PROTO_PROTO_ATTRIBUTE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"

namespace ferry {

namespace proto {
class HloInstructionProto;
}  // namespace proto

// Between the text of an attribute, as XLA prints it behind `name=`, and the
// fields of an instruction that mean it. Metadata is not among them: it has a
// message of its own (proto_metadata.h).
//
// What an attribute is does not depend on where it came from: reading a proto
// gives exactly the text that reading HLO text gives.
// Tested by hlo_proto_roundtrip_test.cc.
struct ProtoAttributeInput {
  HloContext& context;
  HloOpcode opcode;
  // Of the instruction, and of its first operand, if it has one.
  const Shape* shape = nullptr;
  const Shape* operand_shape = nullptr;
};

// The attributes that every opcode may have, a newer XLA's too; metadata is one
// more.
absl::Span<const HloAttributeKind> CommonProtoAttributes();
bool IsCommonProtoAttribute(HloAttributeKind kind);

// Appends to `text`, and clears in `instruction` what it took; what stays
// behind, text has no form for. False if XLA prints nothing for it: absent, or
// the default. InvalidArgument for what no text can say.
absl::StatusOr<bool> AttributeFromProto(HloAttributeKind kind,
                                        const ProtoAttributeInput& input,
                                        proto::HloInstructionProto& instruction,
                                        std::string& text);

// InvalidArgument, naming the attribute, if the text is not of its form.
absl::Status AttributeToProto(HloAttributeKind kind, absl::string_view text,
                              const ProtoAttributeInput& input,
                              proto::HloInstructionProto& instruction);

// The fields that XLA always writes for the opcode, and that stand for what its
// text leaves out. To be called before attributes are written.
void SetProtoDefaults(const ProtoAttributeInput& input, int operand_count,
                      proto::HloInstructionProto& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ATTRIBUTE_H_
