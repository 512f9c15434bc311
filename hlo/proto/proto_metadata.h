// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_METADATA_H_
#define FERRY_HLO_PROTO_PROTO_METADATA_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

namespace proto {
class OpMetadata;
}  // namespace proto

// `{op_type="add" op_name="jit(f)/add" source_line=3}`, as XLA prints it; clears
// what it took. False, with nothing taken, if XLA prints none: there is neither
// an operation, nor a file, nor a scheduling name, a frame or a payload.
bool MetadataFromProto(proto::OpMetadata& metadata, std::string& text);
// False if the text is none.
bool MetadataToProto(absl::string_view text, proto::OpMetadata& metadata);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_METADATA_H_
