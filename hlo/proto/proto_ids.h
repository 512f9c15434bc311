// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_IDS_H_
#define FERRY_HLO_PROTO_PROTO_IDS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// What the halves of an instruction's id mean. Some writers leave the upper one
// empty.
inline uint32_t LocalProtoId(int64_t id) { return static_cast<uint32_t>(id); }
inline int64_t FullProtoId(int64_t computation, int64_t local) {
  return static_cast<int64_t>(static_cast<uint64_t>(computation) << 32 |
                              LocalProtoId(local));
}

// The ids that computations and instructions have in a proto of `module`.
//
//   instruction id = computation id << 32 | place in the computation
//
// where a computation's id is its place in the module: what XLA gives a module
// that it read. A module that came from a proto with other ids keeps those, as
// its buffer assignment may refer to them; what passes added is numbered behind
// them. Tested by hlo_proto_roundtrip_test.cc.
class ProtoIds {
 public:
  explicit ProtoIds(const HloModule& module);

  int64_t Of(const HloComputation& computation) const {
    return computations_[computation.id()];
  }
  int64_t Of(const HloInstruction& instruction) const {
    return instructions_[instruction.id()];
  }

 private:
  void KeepOld(const HloModule& module);

  std::vector<int64_t> computations_;  // by ComputationId
  std::vector<int64_t> instructions_;  // by InstructionId
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_IDS_H_
