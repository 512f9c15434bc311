// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_METADATA_H_
#define FERRY_HLO_PROTO_PROTO_METADATA_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/op_metadata.h"

namespace ferry {

namespace proto {
class OpMetadata;
}  // namespace proto

// Metadata from its serialized message, without a copy of its strings. Fields
// that text has no form for are appended to `rest` as they stand; `payloads`
// are the module's, which metadata may refer to by their place. False if the
// bytes are damaged.
//
// Metadata that XLA does not print belongs to `rest` as a whole: the caller
// asks IsPrinted(). Tested by hlo_proto_roundtrip_test.cc.
bool ReadProtoMetadata(absl::string_view bytes,
                       absl::Span<const absl::string_view> payloads,
                       OpMetadata& metadata, std::string& rest);

// Leaves what the text says in `metadata` too, where the fields of other
// versions of XLA are, which the message does not have. False if the text is
// none.
bool MetadataToProto(absl::string_view text, OpMetadata& metadata,
                     proto::OpMetadata& proto);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_METADATA_H_
