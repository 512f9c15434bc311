// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_
#define FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/shape.h"

namespace ferry {

namespace proto {
class FrontendAttributes;
class HloInstructionProto;
class OriginalArrayProto;
}  // namespace proto

// The attributes that any instruction may carry and that say nothing about
// devices: frontend_attributes, statistics, result_accuracy, origin,
// backend_config. As AttributeFromProto and its inverse.
// Tested by hlo_proto_roundtrip_test.cc.
bool AnnotationFromProto(HloAttributeKind kind, const Shape* shape,
                         proto::HloInstructionProto& instruction,
                         std::string& text);
bool AnnotationToProto(HloAttributeKind kind, absl::string_view text,
                       proto::HloInstructionProto& instruction);

// `{key="value",other={...}}`, sorted by key as XLA prints it; modules have
// them too. False, with nothing appended, if there are none.
bool FrontendAttributesFromProto(const proto::FrontendAttributes& attributes,
                                 std::string& text);
bool FrontendAttributesToProto(absl::string_view text,
                               proto::FrontendAttributes& attributes);

// `"name" {0}`, without an index if it is empty.
std::string OriginalArrayToString(const proto::OriginalArrayProto& array);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ANNOTATIONS_H_
