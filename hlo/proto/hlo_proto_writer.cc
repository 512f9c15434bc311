// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_proto_writer.h"

#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/hlo_proto_text.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_module_writer.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

using Container = CarriedProto::Container;

Container ContainerOfModule(const HloModule& module) {
  return module.carried_proto() == nullptr ? Container::kModule
                                           : module.carried_proto()->container;
}

// A message whose field 1 is `first`, with the fields that stood beside it.
std::string Wrap(absl::string_view first, absl::string_view rest) {
  std::string bytes;
  AppendBytesField(1, first, bytes);
  bytes.append(rest.data(), rest.size());
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> HloToProto(const HloModule& module) {
  std::string bytes;
  FERRY_RETURN_IF_ERROR(
      ProtoModuleWriter(module, /*with_config=*/true).Append(bytes));
  switch (ContainerOfModule(module)) {
    case Container::kModule:
    case Container::kWithConfig:
      return bytes;
    case Container::kHloProto:
    case Container::kUnoptimizedSnapshot:
      return Wrap(bytes, module.carried_proto()->container_fields);
    case Container::kSnapshot:
      return Wrap(Wrap(bytes, module.carried_proto()->hlo_proto_fields),
                  module.carried_proto()->container_fields);
  }
  return bytes;
}

absl::StatusOr<std::string> HloToProtoText(const HloModule& module) {
  const Container container = ContainerOfModule(module);
  std::string bytes;
  if (container == Container::kModule || container == Container::kWithConfig) {
    ProtoModuleWriter writer(module, /*with_config=*/false);
    FERRY_RETURN_IF_ERROR(writer.Append(bytes));
    proto::HloModuleConfigProto config = writer.config();
    if (config.ByteSizeLong() > 0 || container == Container::kWithConfig) {
      std::string config_bytes;
      AppendBytesField(proto::HloModuleProtoWithConfig::kConfigFieldNumber,
                       config.SerializeAsString(), config_bytes);
      bytes = Wrap(bytes, config_bytes);
    }
  } else {
    FERRY_ASSIGN_OR_RETURN(bytes, HloToProto(module));
  }
  return BinaryProtoToText(bytes);
}

}  // namespace ferry
