// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ENUM_H_
#define FERRY_HLO_PROTO_PROTO_ENUM_H_

#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_opcode.h"

namespace ferry {

namespace proto {
class HloInstructionProto;
}  // namespace proto

// The attributes that are one word out of a list: `fft_type=RFFT`. Some have
// another case or a prefix in protos: `rng_philox`, `ALG_DOT_F32_F32_F32`.
// Tested by hlo_proto_roundtrip_test.cc.

// The word, cleared in `instruction`. Empty if XLA does not print it; a number
// that is not in the list stays where it is.
std::string EnumFromProto(HloAttributeKind kind, HloOpcode opcode,
                          proto::HloInstructionProto& instruction);
// False if the list does not have it.
bool EnumToProto(HloAttributeKind kind, absl::string_view text,
                 HloOpcode opcode, proto::HloInstructionProto& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ENUM_H_
