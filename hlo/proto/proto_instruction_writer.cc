// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_instruction_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_attribute.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_metadata.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

using Proto = proto::HloInstructionProto;

absl::string_view OpcodeName(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kUnknown
             ? instruction.attribute(HloAttributeKind::kUnknownOpcode)
             : HloOpcodeName(instruction.opcode());
}

ProtoAttributeInput InputOf(const HloInstruction& instruction) {
  const auto operands = instruction.operands();
  return {.context = instruction.parent().module().context(),
          .opcode = instruction.opcode(),
          .shape = &instruction.shape(),
          .operand_shape = operands.empty() ? nullptr : &operands[0]->shape()};
}

}  // namespace

ProtoInstructionWriter::ProtoInstructionWriter(const ProtoIds& ids,
                                               const CarriedProto* carried)
    : ids_(ids), carried_(carried), rest_(std::make_unique<Proto>()) {}

ProtoInstructionWriter::~ProtoInstructionWriter() = default;

void ProtoInstructionWriter::SetIds(const HloInstruction& instruction) {
  Proto& rest = *rest_;
  rest.set_id(ids_.Of(instruction));
  for (const HloInstruction* operand : instruction.operands()) {
    rest.add_operand_ids(ids_.Of(*operand));
  }
  for (const HloInstruction* other : instruction.control_predecessors()) {
    rest.add_control_predecessor_ids(ids_.Of(*other));
  }
  for (const HloComputation* callee : instruction.called_computations()) {
    rest.add_called_computation_ids(ids_.Of(*callee));
  }
  // Text has the condition first, the proto the body.
  if (instruction.opcode() == HloOpcode::kWhile &&
      rest.called_computation_ids_size() == 2) {
    rest.mutable_called_computation_ids()->SwapElements(0, 1);
  }
}

void ProtoInstructionWriter::SetPayloads(std::vector<std::string> payloads) {
  payloads_ = std::move(payloads);
  for (size_t i = 0; i < payloads_.size(); ++i) {
    payload_places_.try_emplace(payloads_[i], static_cast<int64_t>(i));
  }
}

// Moves it from the metadata into the table.
void ProtoInstructionWriter::StorePayload() {
  if (!rest_->metadata().has_metadata_payload()) return;
  proto::Payload& payload =
      *rest_->mutable_metadata()->mutable_metadata_payload();
  const auto [place, is_new] = payload_places_.try_emplace(
      payload.value(), static_cast<int64_t>(payloads_.size()));
  if (is_new) payloads_.push_back(payload.value());
  payload.clear_value();
  payload.set_id(place->second);
}

bool ProtoInstructionWriter::SetMetadata(InstructionId id,
                                         absl::string_view text) {
  if (!MetadataToProto(text, metadata_, *rest_->mutable_metadata())) {
    return false;
  }
  StorePayload();
  if (metadata_.unknown_fields.empty()) return true;
  for (const absl::string_view field : metadata_.unknown_fields) {
    unknown_texts_[id].metadata_fields.emplace_back(field);
  }
  return true;
}

// Which fields mean what is known of the opcodes of this XLA; and text may say
// what no field can.
bool ProtoInstructionWriter::HasPlace(const HloInstruction& instruction,
                                      HloAttributeKind kind) const {
  if (kind == HloAttributeKind::kUnknownAttribute) return false;
  if (std::find(formless_.begin(), formless_.end(), kind) != formless_.end()) {
    return false;
  }
  return instruction.opcode() != HloOpcode::kUnknown ||
         IsCommonProtoAttribute(kind);
}

// Whether fields that were carried say what text has of this attribute, which
// is not of its form.
bool ProtoInstructionWriter::IsCarried(const HloInstruction& instruction,
                                       const HloAttribute& attribute) const {
  if (attribute.kind == HloAttributeKind::kUnknownAttribute ||
      instruction.opcode() == HloOpcode::kUnknown) {
    return false;
  }
  Proto fields = *rest_;
  std::string text;
  const absl::StatusOr<bool> is_there =
      AttributeFromProto(attribute.kind, InputOf(instruction), fields, text);
  return is_there.ok() && *is_there && text == attribute.text;
}

// Attributes without a place among the fields.
void ProtoInstructionWriter::KeepTexts(const HloInstruction& instruction) {
  for (const HloAttribute& attribute : instruction.attributes()) {
    if (attribute.kind == HloAttributeKind::kUnknownOpcode ||
        HasPlace(instruction, attribute.kind) ||
        IsCarried(instruction, attribute)) {
      continue;
    }
    unknown_texts_[instruction.id()].attributes.push_back(
        attribute.kind == HloAttributeKind::kUnknownAttribute
            ? std::string(attribute.text)
            : absl::StrCat(HloAttributeName(attribute.kind), "=",
                           attribute.text));
  }
  for (const HloAttributeKind kind : gaps_.absent) {
    unknown_texts_[instruction.id()].absent.emplace_back(
        HloAttributeName(kind));
  }
}

// InvalidArgument after it put an attribute in `formless_`.
absl::Status ProtoInstructionWriter::CheckFields(
    const HloInstruction& instruction) {
  constexpr size_t kLongest = 512;
  constexpr size_t kMostKept = size_t{1} << 16;
  gaps_ = {};
  const ProtoAttributeInput input = InputOf(instruction);
  FieldsKey key = {input.opcode, input.shape, input.operand_shape, ""};
  for (const auto& [kind, text] : instruction.attributes()) {
    const bool is_value = kind == HloAttributeKind::kLiteral &&
                          input.opcode == HloOpcode::kConstant;
    if (is_value || kind == HloAttributeKind::kMetadata) continue;
    absl::StrAppend(&key.texts, static_cast<int>(kind), "=", text, "\n");
  }
  if (known_fields_.contains(key)) return absl::OkStatus();
  Proto fields = *rest_;
  gaps_ = FindProtoAttributeGaps(instruction, input, fields);
  if (gaps_.unreadable.empty()) {
    if (gaps_.empty() && formless_.empty() && key.texts.size() <= kLongest &&
        known_fields_.size() < kMostKept) {
      known_fields_.insert(std::move(key));
    }
    return absl::OkStatus();
  }
  // Those that are left out already leave a field that cannot be read.
  const size_t before = formless_.size();
  for (const HloAttributeKind kind : gaps_.unreadable) {
    if (!absl::c_linear_search(formless_, kind)) formless_.push_back(kind);
  }
  return formless_.size() == before
             ? absl::OkStatus()
             : absl::InvalidArgumentError("fields that are not read");
}

// InvalidArgument after it put an attribute in `formless_`.
absl::Status ProtoInstructionWriter::SetAttributes(
    const HloInstruction& instruction) {
  const ProtoAttributeInput input = InputOf(instruction);
  SetProtoDefaults(input, static_cast<int>(instruction.operands().size()),
                   *rest_);
  for (const auto& [kind, text] : instruction.attributes()) {
    if (kind == HloAttributeKind::kUnknownOpcode ||
        !HasPlace(instruction, kind)) {
      continue;
    }
    absl::Status status;
    if (kind != HloAttributeKind::kMetadata) {
      status = AttributeToProto(kind, text, input, *rest_);
    } else if (!SetMetadata(instruction.id(), text)) {
      status = absl::InvalidArgumentError("metadata");
    }
    if (absl::IsInvalidArgument(status)) formless_.push_back(kind);
    FERRY_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

// All fields that stand behind name, opcode and shape. Each attribute that is
// not of its form costs one more attempt.
absl::Status ProtoInstructionWriter::SetFields(
    const HloInstruction& instruction) {
  formless_.clear();
  Proto& rest = *rest_;
  absl::Status status;
  do {
    unknown_texts_.erase(instruction.id());
    rest.Clear();
    rest.mutable_metadata();
    rest.mutable_frontend_attributes();
    rest.mutable_statistics_viz();
    if (instruction.opcode() == HloOpcode::kParameter) {
      rest.set_parameter_number(instruction.parameter_number());
    } else if (instruction.opcode() == HloOpcode::kGetTupleElement) {
      rest.set_tuple_index(instruction.tuple_index());
    }
    SetIds(instruction);
    status = SetAttributes(instruction);
    if (status.ok()) status = CheckFields(instruction);
  } while (absl::IsInvalidArgument(status));
  return status;
}

absl::Status ProtoInstructionWriter::Append(const HloInstruction& instruction,
                                            std::string& out) {
  Proto& rest = *rest_;
  absl::Status status = SetFields(instruction);
  if (status.ok()) {
    const absl::StatusOr<absl::string_view> shape =
        shapes_.Of(instruction.shape());
    status = shape.status();
    if (status.ok()) {
      AppendBytesField(Proto::kNameFieldNumber, instruction.name(), out);
      AppendBytesField(Proto::kOpcodeFieldNumber, OpcodeName(instruction), out);
      AppendBytesField(Proto::kShapeFieldNumber, *shape, out);
    }
  }
  if (status.ok() && carried_ != nullptr) {
    const auto more = carried_->instruction_fields.find(instruction.id());
    if (more != carried_->instruction_fields.end()) {
      rest.MergeFromString(more->second);
    }
  }
  KeepTexts(instruction);
  if (status.ok() && rest.ByteSizeLong() > std::numeric_limits<int>::max()) {
    status = absl::ResourceExhaustedError("it takes 2 GiB or more");
  }
  if (!status.ok()) {
    return absl::Status(status.code(),
                        absl::StrCat("`", instruction.name(), "` of `",
                                     instruction.parent().name(), "`: ",
                                     absl::string_view(status.message())));
  }
  rest.AppendToString(&out);
  return absl::OkStatus();
}

}  // namespace ferry
