// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_SHARDING_H_
#define FERRY_HLO_PROTO_PROTO_SHARDING_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/replica_groups.h"

namespace ferry {

namespace proto {
class HloInstructionProto;
class OpSharding;
}  // namespace proto

// Between the protos that speak of devices and the values that HLO text is read
// into: what they print as text is the attribute.
//
// InvalidArgument for numbers that do not fit together: an axis that the mesh
// does not have, a permutation that is none. Tested by hlo_proto_roundtrip_test.cc.
absl::StatusOr<HloSharding> ShardingFromProto(const proto::OpSharding& proto);
void ShardingToProto(const HloSharding& sharding, proto::OpSharding& proto);

// The groups of a collective, from whichever of the four fields has them (the
// legacy one too); clears it. No groups at all are all devices in one group.
absl::StatusOr<ReplicaGroups> TakeReplicaGroups(
    proto::HloInstructionProto& instruction);
void ReplicaGroupsToProto(const ReplicaGroups& groups,
                          proto::HloInstructionProto& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_SHARDING_H_
