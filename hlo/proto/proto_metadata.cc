// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_metadata.h"

#include <cstdint>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/proto/hlo.pb.h"

namespace ferry {
namespace {

using Metadata = proto::OpMetadata;

bool IsPrinted(const Metadata& metadata) {
  return !metadata.op_type().empty() || !metadata.op_name().empty() ||
         !metadata.source_file().empty() ||
         !metadata.scheduling_name().empty() ||
         metadata.stack_frame_id() != 0 ||
         !metadata.metadata_payload().value().empty();
}

void AppendName(absl::string_view name, std::string& text) {
  absl::StrAppend(&text, text.back() == '{' ? "" : " ", name, "=");
}

void TakeString(absl::string_view name, std::string* value, std::string& text) {
  if (value->empty()) return;
  AppendName(name, text);
  absl::StrAppend(&text, "\"", absl::CEscape(*value), "\"");
  value->clear();
}

void AppendNumber(absl::string_view name, int64_t value, std::string& text) {
  if (value == 0) return;
  AppendName(name, text);
  absl::StrAppend(&text, value);
}

void TakeProfileTypes(Metadata& metadata, std::string& text) {
  if (metadata.profile_type().empty()) return;
  AppendName("profile_type", text);
  text.push_back('{');
  for (int i = 0; i < metadata.profile_type_size(); ++i) {
    absl::StrAppend(&text, i > 0 ? "," : "",
                    static_cast<int>(metadata.profile_type(i)));
  }
  text.push_back('}');
  metadata.clear_profile_type();
}

std::string* StringOf(absl::string_view name, Metadata& metadata) {
  if (name == "op_type") return metadata.mutable_op_type();
  if (name == "op_name") return metadata.mutable_op_name();
  if (name == "source_file") return metadata.mutable_source_file();
  if (name == "deduplicated_name") return metadata.mutable_deduplicated_name();
  if (name == "scheduling_name") return metadata.mutable_scheduling_name();
  if (name == "metadata_payload") {
    return metadata.mutable_metadata_payload()->mutable_value();
  }
  return nullptr;
}

bool SetNumber(absl::string_view name, int32_t value, Metadata& metadata) {
  if (name == "source_line") {
    metadata.set_source_line(value);
  } else if (name == "source_end_line") {
    metadata.set_source_end_line(value);
  } else if (name == "source_column") {
    metadata.set_source_column(value);
  } else if (name == "source_end_column") {
    metadata.set_source_end_column(value);
  } else if (name == "stack_frame_id") {
    metadata.set_stack_frame_id(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool MetadataFromProto(Metadata& metadata, std::string& text) {
  if (!IsPrinted(metadata)) return false;
  text.push_back('{');
  TakeString("op_type", metadata.mutable_op_type(), text);
  TakeString("op_name", metadata.mutable_op_name(), text);
  TakeString("source_file", metadata.mutable_source_file(), text);
  AppendNumber("source_line", metadata.source_line(), text);
  AppendNumber("source_end_line", metadata.source_end_line(), text);
  AppendNumber("source_column", metadata.source_column(), text);
  AppendNumber("source_end_column", metadata.source_end_column(), text);
  metadata.clear_source_line();
  metadata.clear_source_end_line();
  metadata.clear_source_column();
  metadata.clear_source_end_column();
  TakeProfileTypes(metadata, text);
  TakeString("deduplicated_name", metadata.mutable_deduplicated_name(), text);
  TakeString("scheduling_name", metadata.mutable_scheduling_name(), text);
  AppendNumber("stack_frame_id", metadata.stack_frame_id(), text);
  metadata.clear_stack_frame_id();
  if (metadata.has_metadata_payload()) {
    proto::Payload& payload = *metadata.mutable_metadata_payload();
    TakeString("metadata_payload", payload.mutable_value(), text);
    if (payload.ByteSizeLong() == 0) metadata.clear_metadata_payload();
  }
  text.push_back('}');
  return true;
}

bool MetadataToProto(absl::string_view text, Metadata& metadata) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    lexer.Consume(',');
    const absl::string_view name = lexer.ScanAttributeName();
    if (std::string* value = StringOf(name, metadata); value != nullptr) {
      const absl::string_view quoted = lexer.ScanString();
      if (quoted.empty()) return false;
      *value = ReadString(quoted);
      continue;
    }
    if (name == "profile_type") {
      const auto types = ReadIntegers(lexer.ScanBraces());
      if (!types.has_value()) return false;
      for (const int64_t type : *types) {
        metadata.add_profile_type(static_cast<proto::ProfileType>(type));
      }
      continue;
    }
    const std::optional<int64_t> value = IntegerValue(lexer.ScanInteger());
    if (!value.has_value() ||
        !SetNumber(name, static_cast<int32_t>(*value), metadata)) {
      return false;
    }
  }
  return true;
}

}  // namespace ferry
