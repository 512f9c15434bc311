// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_carrying.h"

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace ferry {

void NoteLost(absl::string_view name, CarriedProto& carried) {
  std::vector<std::string>& names = carried.lost_in_text;
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.emplace_back(name);
  }
}

void NoteProtoFields(const google::protobuf::Message& message,
                     absl::string_view prefix, CarriedProto& carried) {
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->name() == "metadata" && !field->is_repeated()) {
      NoteProtoFields(message.GetReflection()->GetMessage(message, field),
                      "metadata.", carried);
    } else {
      NoteLost(absl::StrCat(prefix, field->name()), carried);
    }
  }
  if (!message.GetReflection()->GetUnknownFields(message).empty()) {
    NoteLost("fields of a newer XLA", carried);
  }
}

}  // namespace ferry
