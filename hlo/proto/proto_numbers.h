// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_NUMBERS_H_
#define FERRY_HLO_PROTO_PROTO_NUMBERS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"

namespace ferry {

namespace proto {
class HloInstructionProto;
}  // namespace proto

// The attributes that are made of numbers alone: windows, dimension labels,
// slices, paddings, pairs, aliases, lists. Between their text, as XLA prints
// it, and their messages in an instruction.
//
// Both pass over other kinds, and then return false.
// Tested by hlo_proto_roundtrip_test.cc.

// Appends the text, and clears what it took from `instruction`. False if the
// instruction does not say it, or says what XLA does not print.
bool NumbersFromProto(HloAttributeKind kind,
                      proto::HloInstructionProto& instruction,
                      std::string& text);

// False if the text is not of that form.
bool NumbersToProto(HloAttributeKind kind, absl::string_view text,
                    proto::HloInstructionProto& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_NUMBERS_H_
