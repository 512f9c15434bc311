// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_metadata.h"

#include <cstdint>

#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

using Proto = proto::OpMetadata;

absl::string_view* StringOf(uint32_t number, OpMetadata& metadata) {
  switch (number) {
    case Proto::kOpTypeFieldNumber:
      return &metadata.op_type;
    case Proto::kOpNameFieldNumber:
      return &metadata.op_name;
    case Proto::kSourceFileFieldNumber:
      return &metadata.source_file;
    case Proto::kDeduplicatedNameFieldNumber:
      return &metadata.deduplicated_name;
    case Proto::kSchedulingNameFieldNumber:
      return &metadata.scheduling_name;
    default:
      return nullptr;
  }
}

int32_t* NumberOf(uint32_t number, OpMetadata& metadata) {
  switch (number) {
    case Proto::kSourceLineFieldNumber:
      return &metadata.source_line;
    case Proto::kSourceEndLineFieldNumber:
      return &metadata.source_end_line;
    case Proto::kSourceColumnFieldNumber:
      return &metadata.source_column;
    case Proto::kSourceEndColumnFieldNumber:
      return &metadata.source_end_column;
    case Proto::kStackFrameIdFieldNumber:
      return &metadata.stack_frame_id;
    default:
      return nullptr;
  }
}

// A payload's bytes, or its place among the module's.
bool TakePayload(const ProtoField& field,
                 absl::Span<const absl::string_view> payloads,
                 OpMetadata& metadata) {
  ProtoFieldReader fields(field.bytes);
  while (fields.Next()) {
    const ProtoField& inner = fields.field();
    if (inner.number == proto::Payload::kValueFieldNumber &&
        inner.wire == ProtoField::Wire::kBytes) {
      metadata.metadata_payload = inner.bytes;
    } else if (inner.number == proto::Payload::kIdFieldNumber &&
               inner.wire == ProtoField::Wire::kVarint &&
               inner.value < payloads.size()) {
      metadata.metadata_payload = payloads[inner.value];
    } else {
      return false;
    }
  }
  return metadata.metadata_payload.has_value();
}

// Whether `metadata` took the field.
bool TakeField(const ProtoField& field,
               absl::Span<const absl::string_view> payloads,
               OpMetadata& metadata) {
  if (field.wire == ProtoField::Wire::kBytes) {
    if (absl::string_view* text = StringOf(field.number, metadata)) {
      *text = field.bytes;
      return true;
    }
    if (field.number == Proto::kMetadataPayloadFieldNumber) {
      return TakePayload(field, payloads, metadata);
    }
  } else if (field.wire == ProtoField::Wire::kVarint) {
    if (int32_t* number = NumberOf(field.number, metadata)) {
      *number = static_cast<int32_t>(field.value);
      return true;
    }
  }
  if (field.number != Proto::kProfileTypeFieldNumber) return false;
  std::vector<int64_t> types;
  if (!AppendVarints(field, types)) return false;
  for (const int64_t type : types) {
    if (!proto::ProfileType_IsValid(static_cast<int>(type))) return false;
  }
  metadata.profile_types.insert(metadata.profile_types.end(), types.begin(),
                                types.end());
  return true;
}

}  // namespace

bool ReadProtoMetadata(absl::string_view bytes,
                       absl::Span<const absl::string_view> payloads,
                       OpMetadata& metadata, std::string& rest) {
  metadata.clear();
  ProtoFieldReader fields(bytes);
  while (fields.Next()) {
    if (TakeField(fields.field(), payloads, metadata)) continue;
    rest.append(fields.field().raw.data(), fields.field().raw.size());
  }
  return !fields.is_damaged();
}

bool MetadataToProto(absl::string_view text, OpMetadata& metadata,
                     proto::OpMetadata& proto) {
  metadata.clear();
  if (!ReadWhole(text, metadata).ok()) return false;
  const auto put = [](absl::string_view value, std::string* field) {
    field->assign(value.data(), value.size());
  };
  put(metadata.op_type, proto.mutable_op_type());
  put(metadata.op_name, proto.mutable_op_name());
  put(metadata.source_file, proto.mutable_source_file());
  proto.set_source_line(metadata.source_line);
  proto.set_source_end_line(metadata.source_end_line);
  proto.set_source_column(metadata.source_column);
  proto.set_source_end_column(metadata.source_end_column);
  for (const int32_t type : metadata.profile_types) {
    proto.add_profile_type(static_cast<proto::ProfileType>(type));
  }
  put(metadata.deduplicated_name, proto.mutable_deduplicated_name());
  put(metadata.scheduling_name, proto.mutable_scheduling_name());
  proto.set_stack_frame_id(metadata.stack_frame_id);
  if (metadata.metadata_payload.has_value()) {
    put(*metadata.metadata_payload,
        proto.mutable_metadata_payload()->mutable_value());
  }
  return true;
}

}  // namespace ferry
