// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_INSTRUCTION_WRITER_H_
#define FERRY_HLO_PROTO_PROTO_INSTRUCTION_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/proto/proto_attribute_check.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/proto_shape.h"

namespace ferry {

namespace proto {
class HloInstructionProto;
}  // namespace proto

// Writes instructions as serialized HloInstructionProtos: the inverse of
// ProtoInstructionReader. Fields stand as XLA writes them, in the order of
// their numbers, with the empty messages that it always has.
// Tested by hlo_proto_roundtrip_test.cc.
class ProtoInstructionWriter {
 public:
  // Both must outlive this; `carried` may be null.
  ProtoInstructionWriter(const ProtoIds& ids, const CarriedProto* carried);
  ~ProtoInstructionWriter();

  // Appends to `out`. ResourceExhausted, naming the instruction, as for
  // ShapeToProto.
  absl::Status Append(const HloInstruction& instruction, std::string& out);

  // The payloads of metadata, which refers to them by their place: those of the
  // proto that the module came from first.
  void SetPayloads(std::vector<std::string> payloads);
  const std::vector<std::string>& payloads() const { return payloads_; }
  // Attributes, `name=text`, and fields of metadata that the fields of the
  // proto have no place for, and attributes that they say but text does not;
  // null if the instruction has none.
  struct UnknownTexts {
    std::vector<std::string> attributes;
    std::vector<std::string> metadata_fields;
    std::vector<std::string> absent;
  };
  const UnknownTexts* FindUnknownTexts(InstructionId id) const {
    const auto found = unknown_texts_.find(id);
    return found == unknown_texts_.end() ? nullptr : &found->second;
  }

  // Whether a shape is one that only text may have.
  bool needs_text_rules() const { return shapes_.needs_text_rules(); }

 private:
  // All that decides whether fields say the same as text.
  struct FieldsKey {
    HloOpcode opcode;
    const Shape* shape;
    const Shape* operand_shape;
    std::string texts;
    friend bool operator==(const FieldsKey&, const FieldsKey&) = default;
    template <typename H>
    friend H AbslHashValue(H state, const FieldsKey& key) {
      return H::combine(std::move(state), key.opcode, key.shape,
                        key.operand_shape, key.texts);
    }
  };

  absl::Status SetFields(const HloInstruction& instruction);
  absl::Status SetAttributes(const HloInstruction& instruction);
  absl::Status CheckFields(const HloInstruction& instruction);
  bool HasPlace(const HloInstruction& instruction, HloAttributeKind kind) const;
  bool IsCarried(const HloInstruction& instruction,
                 const HloAttribute& attribute) const;
  void KeepTexts(const HloInstruction& instruction);
  void SetIds(const HloInstruction& instruction);
  void StorePayload();
  bool SetMetadata(InstructionId id, absl::string_view text);

  const ProtoIds& ids_;
  const CarriedProto* carried_;
  ProtoShapeBytes shapes_;
  OpMetadata metadata_;
  absl::flat_hash_map<InstructionId, UnknownTexts> unknown_texts_;
  // Of the instruction: what turned out not to be of its form, or not to be
  // read again, and what fields say otherwise than text.
  std::vector<HloAttributeKind> formless_;
  ProtoAttributeGaps gaps_;
  // Fields that are known to say what text says.
  absl::flat_hash_set<FieldsKey> known_fields_;
  std::vector<std::string> payloads_;
  absl::flat_hash_map<std::string, int64_t> payload_places_;
  std::unique_ptr<proto::HloInstructionProto> rest_;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_INSTRUCTION_WRITER_H_
