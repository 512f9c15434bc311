// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_sharding.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/device_mesh.h"
#include "ferry/hlo/iota_tile_assignment.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_metadata.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

// Lists that a canonical form may have to write out.
constexpr int64_t kMostListedDevices = int64_t{1} << 24;

// Both repeated fields of integers, whatever their width.
template <typename Numbers>
std::vector<int64_t> ToVector(const Numbers& numbers) {
  return std::vector<int64_t>(numbers.begin(), numbers.end());
}

// A dimension may stand in the order twice, as in text.
template <typename Numbers>
absl::StatusOr<IotaTileAssignment> IotaFromProto(
    const google::protobuf::RepeatedField<int64_t>& dims, const Numbers& perm) {
  IotaTileAssignment iota;
  iota.reshape_dims = ToVector(dims);
  iota.transpose_perm = ToVector(perm);
  const size_t rank = iota.reshape_dims.size();
  if (iota.transpose_perm.empty() && rank == 1) iota.transpose_perm = {0};
  if (iota.transpose_perm.size() != rank) {
    return absl::InvalidArgumentError(
        absl::StrCat("iota_transpose_perm has ", iota.transpose_perm.size(),
                     " numbers, but iota_reshape_dims ", rank));
  }
  for (const int64_t dimension : iota.transpose_perm) {
    if (dimension >= 0 && dimension < static_cast<int64_t>(rank)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "iota_transpose_perm names dimension ", dimension, " of ", rank));
  }
  return iota;
}

// --- Meshes

absl::StatusOr<DeviceMesh> MeshFromProto(const proto::MeshProto& proto) {
  DeviceMesh mesh;
  for (const auto& axis : proto.axes()) {
    mesh.axes.push_back({.name = axis.name(), .size = axis.size()});
  }
  mesh.device_ids = ToVector(proto.device_ids());
  if (proto.has_iota_transform()) {
    FERRY_ASSIGN_OR_RETURN(
        mesh.iota, IotaFromProto(proto.iota_transform().reshape_dims(),
                                 proto.iota_transform().transpose_perm()));
  }
  FERRY_RETURN_IF_ERROR(mesh.Verify());
  return mesh;
}

void MeshToProto(const DeviceMesh& mesh, proto::MeshProto& proto) {
  for (const MeshAxis& axis : mesh.axes) {
    auto& added = *proto.add_axes();
    added.set_name(axis.name);
    added.set_size(axis.size);
  }
  proto.mutable_device_ids()->Add(mesh.device_ids.begin(),
                                  mesh.device_ids.end());
  if (mesh.iota.empty()) return;
  auto& iota = *proto.mutable_iota_transform();
  iota.mutable_reshape_dims()->Add(mesh.iota.reshape_dims.begin(),
                                   mesh.iota.reshape_dims.end());
  iota.mutable_transpose_perm()->Add(mesh.iota.transpose_perm.begin(),
                                     mesh.iota.transpose_perm.end());
}

using AxisProtos = google::protobuf::RepeatedPtrField<proto::AxisRefProto>;

absl::StatusOr<std::vector<AxisRef>> AxesFromProto(const AxisProtos& protos,
                                                   const DeviceMesh& mesh) {
  std::vector<AxisRef> axes;
  for (const proto::AxisRefProto& proto : protos) {
    AxisRef axis;
    axis.axis = proto.mesh_axis_index();
    if (axis.axis < 0 || axis.axis >= static_cast<int64_t>(mesh.axes.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("mesh_axis_index is ", axis.axis, ", but the mesh has ",
                       mesh.axes.size(), " axes"));
    }
    if (proto.has_sub_axis_info()) {
      axis.pre_size = proto.sub_axis_info().pre_size();
      axis.size = proto.sub_axis_info().size();
      FERRY_RETURN_IF_ERROR(VerifyAxis(mesh, axis));
    }
    axes.push_back(axis);
  }
  return axes;
}

void AxesToProto(const std::vector<AxisRef>& axes, AxisProtos* protos) {
  for (const AxisRef& axis : axes) {
    proto::AxisRefProto& proto = *protos->Add();
    proto.set_mesh_axis_index(axis.axis);
    if (axis.IsWhole()) continue;
    proto.mutable_sub_axis_info()->set_pre_size(axis.pre_size);
    proto.mutable_sub_axis_info()->set_size(axis.size);
  }
}

absl::StatusOr<NamedSharding> NamedFromProto(
    const proto::NamedShardingProto& proto) {
  NamedSharding named;
  FERRY_ASSIGN_OR_RETURN(named.mesh, MeshFromProto(proto.mesh()));
  for (const auto& dimension : proto.dim_shardings()) {
    NamedSharding::Dimension& added = named.dimensions.emplace_back();
    added.is_open = !dimension.is_closed();
    FERRY_ASSIGN_OR_RETURN(added.axes,
                           AxesFromProto(dimension.axes(), named.mesh));
  }
  FERRY_ASSIGN_OR_RETURN(named.replicated,
                         AxesFromProto(proto.replicated_axes(), named.mesh));
  FERRY_ASSIGN_OR_RETURN(named.unreduced,
                         AxesFromProto(proto.unreduced_axes(), named.mesh));
  FERRY_ASSIGN_OR_RETURN(named.manual,
                         AxesFromProto(proto.manual_axes(), named.mesh));
  FERRY_RETURN_IF_ERROR(named.Verify());
  return named;
}

void NamedToProto(const NamedSharding& named,
                  proto::NamedShardingProto& proto) {
  MeshToProto(named.mesh, *proto.mutable_mesh());
  for (const NamedSharding::Dimension& dimension : named.dimensions) {
    auto& added = *proto.add_dim_shardings();
    added.set_is_closed(!dimension.is_open);
    AxesToProto(dimension.axes, added.mutable_axes());
  }
  AxesToProto(named.replicated, proto.mutable_replicated_axes());
  AxesToProto(named.unreduced, proto.mutable_unreduced_axes());
  AxesToProto(named.manual, proto.mutable_manual_axes());
}

// --- Shardings

using MetadataProtos = google::protobuf::RepeatedPtrField<proto::OpMetadata>;

void MetadataOf(const MetadataProtos& protos, HloSharding& sharding) {
  for (const proto::OpMetadata& proto : protos) {
    const std::string bytes = proto.SerializeAsString();
    OpMetadata metadata;
    std::string rest;
    std::string text;
    ReadProtoMetadata(bytes, /*payloads=*/{}, metadata, rest);
    metadata.AppendTo(text);
    sharding.metadata.push_back(std::move(text));
  }
}

// The texts were printed by us or checked by the reader.
void AddMetadata(const HloSharding& sharding, MetadataProtos* protos) {
  OpMetadata metadata;
  for (const std::string& text : sharding.metadata) {
    MetadataToProto(text, metadata, *protos->Add());
  }
}

absl::StatusOr<HloSharding::Kind> KindOf(int type) {
  if (type >= 0 && type <= static_cast<int>(HloSharding::Kind::kUnreduced)) {
    return static_cast<HloSharding::Kind>(type);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a sharding of the unknown type ", type));
}

absl::Status TilesFromProto(const proto::OpSharding& proto,
                            HloSharding& sharding) {
  TileAssignment& tiles = sharding.tiles;
  tiles.dimensions = ToVector(proto.tile_assignment_dimensions());
  if (proto.iota_reshape_dims().empty()) {
    tiles.devices = ToVector(proto.tile_assignment_devices());
    const auto count = CheckedProduct(tiles.dimensions);
    if (count != static_cast<int64_t>(tiles.devices.size())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a tiled sharding lists ", tiles.devices.size(),
          " devices, but its tile_assignment_dimensions say ",
          count.has_value() ? absl::StrCat(*count) : std::string("too many")));
    }
  } else {
    FERRY_ASSIGN_OR_RETURN(
        tiles.iota,
        IotaFromProto(proto.iota_reshape_dims(), proto.iota_transpose_perm()));
  }
  for (const int type : proto.last_tile_dims()) {
    FERRY_ASSIGN_OR_RETURN(sharding.subgroups.emplace_back(), KindOf(type));
  }
  if (proto.replicate_on_last_tile_dim()) {
    sharding.subgroups = {HloSharding::Kind::kReplicated};
  }
  return sharding.Canonicalize(kMostListedDevices);
}

void TilesToProto(const HloSharding& sharding, proto::OpSharding& proto) {
  const TileAssignment& tiles = sharding.tiles;
  proto.mutable_tile_assignment_dimensions()->Add(tiles.dimensions.begin(),
                                                  tiles.dimensions.end());
  proto.mutable_tile_assignment_devices()->Add(tiles.devices.begin(),
                                               tiles.devices.end());
  proto.mutable_iota_reshape_dims()->Add(tiles.iota.reshape_dims.begin(),
                                         tiles.iota.reshape_dims.end());
  proto.mutable_iota_transpose_perm()->Add(tiles.iota.transpose_perm.begin(),
                                           tiles.iota.transpose_perm.end());
  if (sharding.subgroups.size() == 1 &&
      sharding.subgroups[0] == HloSharding::Kind::kReplicated) {
    proto.set_replicate_on_last_tile_dim(true);
    return;
  }
  for (const HloSharding::Kind kind : sharding.subgroups) {
    proto.add_last_tile_dims(static_cast<proto::OpSharding::Type>(kind));
  }
}

}  // namespace

// Tuples of shardings are of one level; protobuf bounds what claims more.
absl::StatusOr<HloSharding> ShardingFromProto(const proto::OpSharding& proto) {
  HloSharding sharding;
  MetadataOf(proto.metadata(), sharding);
  if (proto.is_shard_group()) {
    sharding.group = proto.shard_group_type() == proto::OpSharding::LIKE
                         ? HloSharding::GroupKind::kShardLike
                         : HloSharding::GroupKind::kShardAs;
    sharding.group_id = proto.shard_group_id();
  }
  if (proto.has_named_sharding()) {
    sharding.kind = HloSharding::Kind::kNamed;
    MetadataOf(proto.named_sharding().metadata(), sharding);
    FERRY_ASSIGN_OR_RETURN(sharding.named,
                           NamedFromProto(proto.named_sharding()));
    return sharding;
  }
  FERRY_ASSIGN_OR_RETURN(sharding.kind, KindOf(proto.type()));
  switch (sharding.kind) {
    case HloSharding::Kind::kTuple:
      for (const proto::OpSharding& element : proto.tuple_shardings()) {
        FERRY_ASSIGN_OR_RETURN(sharding.elements.emplace_back(),
                               ShardingFromProto(element));
      }
      return sharding;
    case HloSharding::Kind::kMaximal:
      if (proto.tile_assignment_devices_size() != 1) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a maximal sharding is on one device, but this one lists ",
            proto.tile_assignment_devices_size()));
      }
      sharding.device = proto.tile_assignment_devices(0);
      return sharding;
    case HloSharding::Kind::kTiled:
      FERRY_RETURN_IF_ERROR(TilesFromProto(proto, sharding));
      return sharding;
    default:
      return sharding;
  }
}

void ShardingToProto(const HloSharding& sharding, proto::OpSharding& proto) {
  if (sharding.kind == HloSharding::Kind::kNamed) {
    NamedToProto(sharding.named, *proto.mutable_named_sharding());
    AddMetadata(sharding, proto.mutable_named_sharding()->mutable_metadata());
    return;
  }
  proto.set_type(static_cast<proto::OpSharding::Type>(sharding.kind));
  AddMetadata(sharding, proto.mutable_metadata());
  for (const HloSharding& element : sharding.elements) {
    ShardingToProto(element, *proto.add_tuple_shardings());
  }
  if (sharding.kind == HloSharding::Kind::kMaximal) {
    proto.add_tile_assignment_devices(sharding.device);
  }
  if (sharding.kind == HloSharding::Kind::kTiled) TilesToProto(sharding, proto);
  if (sharding.group != HloSharding::GroupKind::kNone) {
    proto.set_is_shard_group(true);
    proto.set_shard_group_id(sharding.group_id);
    proto.set_shard_group_type(sharding.group ==
                                       HloSharding::GroupKind::kShardLike
                                   ? proto::OpSharding::LIKE
                                   : proto::OpSharding::AS);
  }
}

absl::StatusOr<ReplicaGroups> TakeReplicaGroups(
    proto::HloInstructionProto& instruction) {
  ReplicaGroups groups;
  const auto add = [&groups](const proto::ReplicaGroup& group) {
    groups.ids.insert(groups.ids.end(), group.replica_ids().begin(),
                      group.replica_ids().end());
    groups.ends.push_back(static_cast<int64_t>(groups.ids.size()));
  };
  if (instruction.has_iota_collective_device_list()) {
    const auto& list = instruction.iota_collective_device_list();
    groups.kind = ReplicaGroups::Kind::kIota;
    groups.group_count = list.num_replica_groups();
    groups.group_size = list.num_devices_per_group();
    FERRY_ASSIGN_OR_RETURN(
        groups.iota,
        IotaFromProto(list.iota_reshape_dims(), list.iota_transpose_perm()));
    groups.iota.Canonicalize();
  } else if (instruction.has_mesh_axes_replica_group_list()) {
    const auto& list = instruction.mesh_axes_replica_group_list();
    groups.kind = ReplicaGroups::Kind::kMesh;
    FERRY_ASSIGN_OR_RETURN(groups.mesh, MeshFromProto(list.mesh()));
    FERRY_ASSIGN_OR_RETURN(groups.axes,
                           AxesFromProto(list.axes(), groups.mesh));
    FERRY_RETURN_IF_ERROR(groups.Verify());
  } else {
    const auto& list =
        instruction.has_collective_device_list()
            ? instruction.collective_device_list().replica_groups()
            : instruction.replica_groups();
    std::for_each(list.begin(), list.end(), add);
    instruction.clear_replica_groups();
  }
  instruction.clear_device_list();
  return groups;
}

void ReplicaGroupsToProto(const ReplicaGroups& groups,
                          proto::HloInstructionProto& instruction) {
  switch (groups.kind) {
    case ReplicaGroups::Kind::kLists: {
      auto& list = *instruction.mutable_collective_device_list();
      for (size_t i = 0; i < groups.ends.size(); ++i) {
        const absl::Span<const int64_t> group =
            groups.group(static_cast<int64_t>(i));
        list.add_replica_groups()->mutable_replica_ids()->Add(group.begin(),
                                                              group.end());
      }
      return;
    }
    case ReplicaGroups::Kind::kIota: {
      auto& list = *instruction.mutable_iota_collective_device_list();
      list.set_num_replica_groups(groups.group_count);
      list.set_num_devices_per_group(groups.group_size);
      list.mutable_iota_reshape_dims()->Add(groups.iota.reshape_dims.begin(),
                                            groups.iota.reshape_dims.end());
      list.mutable_iota_transpose_perm()->Add(
          groups.iota.transpose_perm.begin(), groups.iota.transpose_perm.end());
      return;
    }
    case ReplicaGroups::Kind::kMesh: {
      auto& list = *instruction.mutable_mesh_axes_replica_group_list();
      MeshToProto(groups.mesh, *list.mutable_mesh());
      AxesToProto(groups.axes, list.mutable_axes());
      return;
    }
  }
}

}  // namespace ferry
