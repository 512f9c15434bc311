// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_proto_reader.h"

#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/hlo_form.h"
#include "ferry/hlo/proto/hlo_proto_text.h"
#include "ferry/hlo/proto/proto_carrying.h"
#include "ferry/hlo/proto/proto_errors.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_module_reader.h"

namespace ferry {
namespace {

using Container = CarriedProto::Container;

// Takes the message in field 1 out of `bytes`; the other fields go to `rest`,
// but one numbered `second`, whose bytes are returned.
struct Parts {
  absl::string_view first;
  absl::string_view second;
  std::string rest;
  bool is_damaged = false;
};
Parts TakeApart(absl::string_view bytes, uint32_t second) {
  Parts parts;
  ProtoFieldReader fields(bytes);
  while (fields.Next()) {
    const ProtoField& field = fields.field();
    const bool is_bytes = field.wire == ProtoField::Wire::kBytes;
    if (is_bytes && field.number == 1) {
      parts.first = field.bytes;
    } else if (is_bytes && field.number == second) {
      parts.second = field.bytes;
    } else {
      parts.rest.append(field.raw.data(), field.raw.size());
    }
  }
  parts.is_damaged = fields.is_damaged();
  return parts;
}

class ProtoReader {
 public:
  ProtoReader(HloModule& module, ProtoErrors& errors, bool allow_unknown)
      : module_(module), errors_(errors), allow_unknown_(allow_unknown) {}

  bool Read(absl::string_view bytes) {
    carried_->container = ContainerOf(bytes);
    const absl::string_view module_bytes = Unwrap(bytes);
    if (errors_.count() > 0) return false;
    ProtoModuleReader reader(module_, errors_, *carried_, allow_unknown_);
    if (!reader.Read(module_bytes) || !UseConfig(reader)) return false;
    module_.set_carried_proto(std::move(carried_));
    return true;
  }

 private:
  // The serialized module.
  absl::string_view Unwrap(absl::string_view bytes) {
    constexpr uint32_t kNone = 0;
    switch (carried_->container) {
      case Container::kModule:
        return bytes;
      case Container::kWithConfig: {
        Parts parts = TakeApart(
            bytes, proto::HloModuleProtoWithConfig::kConfigFieldNumber);
        config_ = parts.second;
        carried_->container_fields = std::move(parts.rest);
        return parts.first;
      }
      case Container::kSnapshot: {
        Parts outer = TakeApart(bytes, kNone);
        Parts inner = TakeApart(outer.first, kNone);
        carried_->container_fields = std::move(outer.rest);
        carried_->hlo_proto_fields = std::move(inner.rest);
        NoteLost("the snapshot's arguments and result", *carried_);
        return inner.first;
      }
      case Container::kHloProto:
      case Container::kUnoptimizedSnapshot: {
        Parts parts = TakeApart(bytes, kNone);
        if (!parts.rest.empty()) {
          carried_->lost_in_text.push_back(carried_->container ==
                                                   Container::kHloProto
                                               ? "buffer_assignment"
                                               : "the snapshot's arguments");
        }
        carried_->container_fields = std::move(parts.rest);
        return parts.first;
      }
    }
    return bytes;
  }

  // What text says too goes into the header, the rest is carried.
  bool UseConfig(ProtoModuleReader& reader) {
    proto::HloModuleConfigProto config;
    if (config_.size() > std::numeric_limits<int>::max() ||
        !config.ParseFromArray(config_.data(),
                               static_cast<int>(config_.size()))) {
      return errors_.Add(DiagnosticCode::kSyntaxError, "config",
                         "its bytes are damaged");
    }
    reader.UseConfig(config);
    config.clear_replica_count();
    config.clear_num_partitions();
    config.clear_alias_passthrough_params();
    config.clear_allow_spmd_sharding_propagation_to_output();
    config.clear_allow_spmd_sharding_propagation_to_parameters();
    config.clear_entry_computation_layout();
    config.clear_use_spmd_partitioning();
    if (config.ByteSizeLong() > 0) {
      carried_->config_fields = config.SerializeAsString();
      NoteLost("further fields of config", *carried_);
    }
    return true;
  }

  HloModule& module_;
  ProtoErrors& errors_;
  const bool allow_unknown_;
  absl::string_view config_;
  std::unique_ptr<CarriedProto> carried_ = std::make_unique<CarriedProto>();
};

}  // namespace

HloParseResult ReadHloProto(std::shared_ptr<const SourceText> source,
                            HloContext& context,
                            const HloParserOptions& options) {
  HloParseResult result;
  if (HloFormOf(source->text()) == HloForm::kTextProto) {
    source = TextProtoToBinary(*source, options, result.diagnostics);
    if (source == nullptr) return result;
  }
  ProtoErrors errors(source->name(), options.max_errors, result.diagnostics);
  const absl::string_view bytes = source->text();
  auto module = std::make_unique<HloModule>(context, std::move(source));
  if (ProtoReader(*module, errors, options.allow_unknown).Read(bytes)) {
    result.module = std::move(module);
  }
  return result;
}

HloParseResult ReadHlo(std::shared_ptr<const SourceText> source,
                       HloContext& context, const HloParserOptions& options) {
  return HloFormOf(source->text()) == HloForm::kText
             ? ParseHlo(std::move(source), context, options)
             : ReadHloProto(std::move(source), context, options);
}

}  // namespace ferry
