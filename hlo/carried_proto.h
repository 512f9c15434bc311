// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CARRIED_PROTO_H_
#define FERRY_HLO_CARRIED_PROTO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

// What a module's proto said and HLO text has no form for, as the bytes that
// stood there: written again with the module as a proto, lost as text.
//
// Fields that a part of the module has are serialized fields of its message,
// those of a newer XLA among them. What is keyed by an instruction falls away
// with it; nothing here is read by an analysis.
// Tested by proto/hlo_proto_roundtrip_test.cc.
struct CarriedProto {
  // What the module stood in.
  enum class Container : uint8_t {
    kModule,               // HloModuleProto
    kHloProto,             // HloProto, as in dumps
    kWithConfig,           // HloModuleProtoWithConfig
    kSnapshot,             // HloSnapshot, around an HloProto
    kUnoptimizedSnapshot,  // HloUnoptimizedSnapshot
  };
  Container container = Container::kModule;
  // Its other fields, and of a snapshot those of the HloProto inside.
  std::string container_fields;
  std::string hlo_proto_fields;

  std::string module_fields;
  std::string config_fields;
  absl::flat_hash_map<const HloComputation*, std::string> computation_fields;
  absl::flat_hash_map<InstructionId, std::string> instruction_fields;

  // The ids in the proto, where they are not those that a writer would give:
  // other parts of the proto refer to them. Empty otherwise; by InstructionId,
  // and by ComputationId at the time of reading.
  std::vector<int64_t> instruction_ids;
  absl::flat_hash_map<const HloComputation*, int64_t> computation_ids;

  // Names of the fields above, for people: "cross_program_prefetches".
  std::vector<std::string> lost_in_text;
};

}  // namespace ferry

#endif  // FERRY_HLO_CARRIED_PROTO_H_
