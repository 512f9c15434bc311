// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_HLO_PROTO_WRITER_H_
#define FERRY_HLO_PROTO_HLO_PROTO_WRITER_H_

#include <string>

#include "absl/status/statusor.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Writes a module as a serialized proto. Reading it again gives the same
// module, and the same text, byte for byte.
//
// A module from text, or from a bare HloModuleProto, becomes a bare
// HloModuleProto, which XLA reads. What that has no field for (replica and
// partition counts, attributes of a newer XLA) goes into one field far outside
// XLA's numbers, which XLA passes over. A module that came in an HloProto or a
// snapshot is written in the same, with all that stood beside it.
//
// InvalidArgument for an attribute that is not of its form, as a pass might
// have set it; ResourceExhausted for what protobuf could not read again: tuples
// nested too deep, 2 GiB of literal. Tested by hlo_proto_roundtrip_test.cc.
absl::StatusOr<std::string> HloToProto(const HloModule& module);

// The same in protobuf's text form. Its readers refuse fields that they do not
// know, so a module with a config that is not trivial becomes an
// HloModuleProtoWithConfig.
absl::StatusOr<std::string> HloToProtoText(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_HLO_PROTO_WRITER_H_
