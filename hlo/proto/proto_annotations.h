// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_
#define FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/shape.h"

namespace ferry {

namespace proto {
class FrontendAttributes;
class HloInstructionProto;
}  // namespace proto

// The attributes that any instruction may carry and that say nothing about
// devices: frontend_attributes, statistics, result_accuracy, origin,
// backend_config. As AttributeFromProto and its inverse.
// Tested by hlo_proto_roundtrip_test.cc.
absl::StatusOr<bool> AnnotationFromProto(
    HloAttributeKind kind, const Shape* shape,
    proto::HloInstructionProto& instruction, std::string& text);
bool AnnotationToProto(HloAttributeKind kind, absl::string_view text,
                       proto::HloInstructionProto& instruction);

// Modules have frontend attributes too. False, with nothing appended, if there
// are none.
bool FrontendAttributesFromProto(const proto::FrontendAttributes& proto,
                                 std::string& text);
// Whether the text reads as what it was made of. XLA prints keys as they are,
// so that it may not; the fields are carried then.
bool IsFrontendAttributes(absl::string_view text);
bool FrontendAttributesToProto(absl::string_view text,
                               proto::FrontendAttributes& proto);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_
