// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_INSTRUCTION_READER_H_
#define FERRY_HLO_PROTO_PROTO_INSTRUCTION_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/proto/proto_errors.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/proto_shape.h"

namespace ferry {

// Instructions of one computation by the low half of their ids; null for what
// had errors: uses of it are no errors of their own. Ids below the number of
// instructions, which is what writers give, take no hashing.
class ProtoInstructionIds {
 public:
  explicit ProtoInstructionIds(size_t count) : low_(count) {}

  // Null if nothing has the id.
  HloInstruction* const* Find(int64_t id) const {
    const uint32_t local = LocalProtoId(id);
    if (local < low_.size()) {
      return low_[local].is_there ? &low_[local].instruction : nullptr;
    }
    const auto found = others_.find(local);
    return found == others_.end() ? nullptr : &found->second;
  }
  // The id is known from here on; its instruction is null until it is set.
  // False if the id is taken.
  bool Add(int64_t id) {
    if (Find(id) != nullptr) return false;
    Set(id, nullptr);
    return true;
  }
  void Set(int64_t id, HloInstruction* instruction) {
    const uint32_t local = LocalProtoId(id);
    if (local < low_.size()) {
      low_[local] = {.instruction = instruction, .is_there = true};
    } else {
      others_[local] = instruction;
    }
  }

 private:
  struct Slot {
    HloInstruction* instruction = nullptr;
    bool is_there = false;
  };
  std::vector<Slot> low_;
  absl::flat_hash_map<uint32_t, HloInstruction*> others_;
};

// Computations by their ids, null as above.
using ProtoComputationIds = absl::flat_hash_map<int64_t, HloComputation*>;

// What our own field says of an instruction's known attributes: `name=text` of
// those that fields cannot say, and names of those that fields say and text
// does not have.
struct KeptProtoTexts {
  std::vector<absl::string_view> attributes;
  std::vector<absl::string_view> absent;
  bool empty() const { return attributes.empty() && absent.empty(); }
};

// Reads instructions from serialized HloInstructionProtos.
//
// What nearly every instruction has (name, opcode, shape, ids) is taken where
// it stands; the other fields go through one message, which is used again and
// again. Each field that becomes text is taken out of it, so that what is left
// in the end is what text has no form for: that is carried.
// Tested by hlo_proto_reader_test.cc.
class ProtoInstructionReader {
 public:
  // All must outlive this.
  ProtoInstructionReader(HloModule& module, ProtoErrors& errors,
                         CarriedProto& carried, bool allow_unknown);
  ~ProtoInstructionReader();

  // Reads one and adds it to both `computation`, which has `count` of them in
  // all, and `ids`. Null after an error.
  HloInstruction* Read(absl::string_view bytes, HloComputation& computation,
                       size_t count, const ProtoComputationIds& computations,
                       ProtoInstructionIds& ids);

  // The module's payloads, which metadata may refer to.
  void SetPayloads(std::vector<absl::string_view> payloads) {
    payloads_ = std::move(payloads);
  }
  // By computation id << 32 | the low half of the instruction's.
  void SetKeptTexts(absl::flat_hash_map<int64_t, KeptProtoTexts> texts) {
    kept_texts_ = std::move(texts);
  }
  void set_shape_rules(ShapeRules rules) { shapes_.set_rules(rules); }
  // Of what is read from here on.
  void set_computation_id(int64_t id) { computation_id_ = id; }
  // The id of what was read last, as it stood there.
  int64_t id() const;

 private:
  struct Draft;
  // All that decides what serialized fields mean, and what they mean.
  struct FieldsKey {
    HloOpcode opcode;
    const Shape* shape;
    const Shape* operand_shape;
    std::string bytes;
    friend bool operator==(const FieldsKey&, const FieldsKey&) = default;
    template <typename H>
    friend H AbslHashValue(H state, const FieldsKey& key) {
      return H::combine(std::move(state), key.opcode, key.shape,
                        key.operand_shape, key.bytes);
    }
  };
  struct Fields {
    std::vector<HloAttribute> attributes;
    std::string carried;
  };

  bool Scan(absl::string_view bytes);
  bool ReadOpcode();
  HloInstruction* const* Resolve(absl::string_view field, int64_t id,
                                 const ProtoInstructionIds& ids);
  bool ResolveOperands(const ProtoInstructionIds& ids);
  bool ResolveCallees(const ProtoComputationIds& computations);
  bool CheckOperandCount();
  bool CheckCallees();
  bool CheckConditional();
  bool CheckAsync();
  bool CheckParameter(const HloComputation& computation, size_t count);
  bool ReadShape();
  bool ReadFields();
  bool ReadAttributes();
  bool ReadAttribute(HloAttributeKind kind);
  void FindKeptTexts();
  bool KeepRest();
  bool ReadMetadata();
  bool CheckRequired();
  void Carry(InstructionId id);
  absl::string_view UseName();
  void AddText(HloAttributeKind kind, absl::string_view text);

  HloModule& module_;
  ProtoErrors& errors_;
  CarriedProto& carried_;
  const bool allow_unknown_;
  ProtoShapes shapes_;
  std::vector<absl::string_view> payloads_;
  absl::flat_hash_map<int64_t, KeptProtoTexts> kept_texts_;
  int64_t computation_id_ = 0;
  absl::flat_hash_map<FieldsKey, Fields> known_fields_;
  std::unique_ptr<Draft> draft_;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_INSTRUCTION_READER_H_
