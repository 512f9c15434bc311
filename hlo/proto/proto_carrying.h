// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_CARRYING_H_
#define FERRY_HLO_PROTO_PROTO_CARRYING_H_

#include "absl/strings/string_view.h"
#include "ferry/hlo/carried_proto.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace ferry {

// Notes that text has no form for the fields that `message` still has, by name:
// `device_type`, `metadata.profile_info`. `prefix` stands in front of each.
// Tested by hlo_proto_reader_test.cc.
void NoteProtoFields(const google::protobuf::Message& message,
                     absl::string_view prefix, CarriedProto& carried);
// The same for one name; each is noted once.
void NoteLost(absl::string_view name, CarriedProto& carried);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_CARRYING_H_
