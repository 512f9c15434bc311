// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_LITERAL_H_
#define FERRY_HLO_PROTO_PROTO_LITERAL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/literal.h"

namespace ferry {

namespace proto {
class LiteralProto;
}  // namespace proto

// Elements stand in protos in the order of the layout and in different fields
// by type; in a Literal they stand in logical order, as bytes.
//
// InvalidArgument, with both numbers, if the elements are not as many as the
// shape says: so no literal is larger than its proto.
// Tested by hlo_proto_roundtrip_test.cc.
absl::StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& proto,
                                         HloContext& context);

// As LiteralFromProto reads it again. InvalidArgument if an array is elided:
// that is a constant without a literal; ResourceExhausted as for ShapeToProto.
absl::Status LiteralToProto(const Literal& literal, proto::LiteralProto& proto);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_LITERAL_H_
