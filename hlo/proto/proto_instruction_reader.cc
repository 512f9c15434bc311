// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_instruction_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_attribute.h"
#include "ferry/hlo/proto/proto_attribute_check.h"
#include "ferry/hlo/proto/proto_carrying.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/proto_metadata.h"
#include "ferry/hlo/proto/sanitized_name.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

using Proto = proto::HloInstructionProto;
using Kind = HloAttributeKind;

// Opcodes that XLA had once, as directions of a compare.
struct FormerOpcode {
  absl::string_view name;
  absl::string_view direction;
};
constexpr FormerOpcode kFormerOpcodes[] = {
    {"equal-to", "EQ"},     {"not-equal-to", "NE"},
    {"greater-than", "GT"}, {"greater-than-or-equal-to", "GE"},
    {"less-than", "LT"},    {"less-than-or-equal-to", "LE"},
};

bool IsAsync(HloOpcode opcode) {
  return opcode == HloOpcode::kAsyncStart ||
         opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone;
}

// ((operands), results, ...).
bool IsAsyncStartShape(const Shape& shape) {
  return shape.IsTuple() && shape.tuple_shapes().size() >= 2 &&
         shape.tuple_shapes()[0]->IsTuple();
}

// Messages that XLA writes without anything in them, or that are left empty
// when what was in them has become text.
void DropEmptyMessages(Proto& proto) {
  const auto is_empty = [](const google::protobuf::Message& message) {
    return message.ByteSizeLong() == 0;
  };
#define FERRY_DROP_IF_EMPTY(field) \
  if (proto.has_##field() && is_empty(proto.field())) proto.clear_##field()
  FERRY_DROP_IF_EMPTY(window);
  FERRY_DROP_IF_EMPTY(sparsity_config);
  FERRY_DROP_IF_EMPTY(padding_config);
  FERRY_DROP_IF_EMPTY(dot_dimension_numbers);
  if (proto.has_ragged_dot_dimension_numbers()) {
    auto& ragged = *proto.mutable_ragged_dot_dimension_numbers();
    if (is_empty(ragged.dot_dimension_numbers())) {
      ragged.clear_dot_dimension_numbers();
    }
  }
  FERRY_DROP_IF_EMPTY(ragged_dot_dimension_numbers);
  FERRY_DROP_IF_EMPTY(gather_dimension_numbers);
  FERRY_DROP_IF_EMPTY(scatter_dimension_numbers);
  FERRY_DROP_IF_EMPTY(precision_config);
  FERRY_DROP_IF_EMPTY(triangular_solve_options);
  FERRY_DROP_IF_EMPTY(cholesky_options);
  FERRY_DROP_IF_EMPTY(frontend_attributes);
  FERRY_DROP_IF_EMPTY(statistics_viz);
  FERRY_DROP_IF_EMPTY(result_accuracy);
  FERRY_DROP_IF_EMPTY(parameter_replication);
#undef FERRY_DROP_IF_EMPTY
}

}  // namespace

// What was read of one instruction. Vectors and messages keep their memory for
// the next one.
struct ProtoInstructionReader::Draft {
  absl::string_view name;
  absl::string_view opcode_name;
  absl::string_view shape_bytes;
  bool has_shape = false;
  bool has_damaged_ids = false;
  absl::string_view metadata_bytes;
  int64_t id = 0;
  int64_t parameter_number = 0;
  int64_t tuple_index = 0;
  std::vector<int64_t> operand_ids;
  std::vector<int64_t> predecessor_ids;
  std::vector<int64_t> callee_ids;
  std::string rest_bytes;

  KeptProtoTexts kept;
  HloOpcode opcode = HloOpcode::kUnknown;
  bool is_poisoned = false;
  const Shape* shape = nullptr;
  llvm::SmallVector<HloInstruction*, 8> operands;
  llvm::SmallVector<HloInstruction*, 2> predecessors;
  llvm::SmallVector<HloComputation*, 2> callees;
  llvm::SmallVector<HloAttribute, 8> attributes;
  proto::HloInstructionProto rest;
  // Serialized fields of `rest` that nothing took, and of the metadata.
  std::string carried;
  OpMetadata metadata;
  std::string metadata_rest;
  std::string text;

  void Reset() {
    name = opcode_name = shape_bytes = metadata_bytes = {};
    has_shape = has_damaged_ids = is_poisoned = false;
    id = parameter_number = tuple_index = 0;
    operand_ids.clear();
    predecessor_ids.clear();
    callee_ids.clear();
    rest_bytes.clear();
    shape = nullptr;
    operands.clear();
    predecessors.clear();
    callees.clear();
    attributes.clear();
    carried.clear();
    kept = {};
  }
};

ProtoInstructionReader::ProtoInstructionReader(HloModule& module,
                                               ProtoErrors& errors,
                                               CarriedProto& carried,
                                               bool allow_unknown)
    : module_(module),
      errors_(errors),
      carried_(carried),
      allow_unknown_(allow_unknown),
      shapes_(module.context()),
      draft_(std::make_unique<Draft>()) {}

ProtoInstructionReader::~ProtoInstructionReader() = default;

int64_t ProtoInstructionReader::id() const { return draft_->id; }

// Sorts the fields: those that every instruction has are used as they stand,
// the others are for protobuf.
bool ProtoInstructionReader::Scan(absl::string_view bytes) {
  Draft& draft = *draft_;
  ProtoFieldReader fields(bytes);
  while (fields.Next()) {
    const ProtoField& field = fields.field();
    const bool is_bytes = field.wire == ProtoField::Wire::kBytes;
    const bool is_varint = field.wire == ProtoField::Wire::kVarint;
    const uint32_t number = field.number;
    if (is_bytes && number == Proto::kNameFieldNumber) {
      draft.name = field.bytes;
    } else if (is_bytes && number == Proto::kOpcodeFieldNumber) {
      draft.opcode_name = field.bytes;
    } else if (is_bytes && number == Proto::kShapeFieldNumber &&
               !draft.has_shape) {
      draft.shape_bytes = field.bytes;
      draft.has_shape = true;
    } else if (is_bytes && number == Proto::kMetadataFieldNumber &&
               draft.metadata_bytes.empty()) {
      draft.metadata_bytes = field.bytes;
    } else if (is_varint && number == Proto::kIdFieldNumber) {
      draft.id = static_cast<int64_t>(field.value);
    } else if (is_varint && number == Proto::kParameterNumberFieldNumber) {
      draft.parameter_number = static_cast<int64_t>(field.value);
    } else if (is_varint && number == Proto::kTupleIndexFieldNumber) {
      draft.tuple_index = static_cast<int64_t>(field.value);
    } else if (number == Proto::kOperandIdsFieldNumber) {
      draft.has_damaged_ids |= !AppendVarints(field, draft.operand_ids);
    } else if (number == Proto::kControlPredecessorIdsFieldNumber) {
      draft.has_damaged_ids |= !AppendVarints(field, draft.predecessor_ids);
    } else if (number == Proto::kCalledComputationIdsFieldNumber) {
      draft.has_damaged_ids |= !AppendVarints(field, draft.callee_ids);
    } else if (is_bytes && field.bytes.empty() &&
               (number == Proto::kFrontendAttributesFieldNumber ||
                number == Proto::kStatisticsVizFieldNumber)) {
      // XLA writes them everywhere.
    } else {
      draft.rest_bytes.append(field.raw.data(), field.raw.size());
    }
  }
  errors_.SetInstruction(draft.name);
  if (draft.rest_bytes.size() > std::numeric_limits<int>::max()) {
    return errors_.Add(DiagnosticCode::kTooLarge, "",
                       "this instruction takes 2 GiB or more");
  }
  if (fields.is_damaged() || draft.has_damaged_ids) {
    return errors_.Add(DiagnosticCode::kSyntaxError, "",
                       "the bytes of this instruction are damaged");
  }
  return true;
}

bool ProtoInstructionReader::ReadOpcode() {
  Draft& draft = *draft_;
  if (const auto opcode = HloOpcodeFromName(draft.opcode_name);
      opcode.has_value()) {
    draft.opcode = *opcode;
    return true;
  }
  for (const FormerOpcode& former : kFormerOpcodes) {
    if (former.name != draft.opcode_name) continue;
    draft.opcode = HloOpcode::kCompare;
    AppendBytesField(Proto::kComparisonDirectionFieldNumber, former.direction,
                     draft.rest_bytes);
    return true;
  }
  if (!allow_unknown_ || !IsSanitizedName(draft.opcode_name)) {
    return errors_.BadValue(
        "opcode", absl::StrCat("unknown opcode `", draft.opcode_name, "`"));
  }
  draft.opcode = HloOpcode::kUnknown;
  draft.attributes.push_back({Kind::kUnknownOpcode, draft.opcode_name});
  errors_.AddKeptUnknown("opcode", draft.opcode_name);
  return true;
}

// Null after an error.
HloInstruction* const* ProtoInstructionReader::Resolve(
    absl::string_view field, int64_t id, const ProtoInstructionIds& ids) {
  HloInstruction* const* found = ids.Find(id);
  // Its own id is known, so that no other instruction takes it.
  if (found == nullptr || LocalProtoId(id) == LocalProtoId(draft_->id)) {
    errors_.BadValue(field,
                     absl::StrCat("no instruction above it has the id ", id));
    return nullptr;
  }
  draft_->is_poisoned |= *found == nullptr;
  return found;
}

bool ProtoInstructionReader::ResolveOperands(const ProtoInstructionIds& ids) {
  Draft& draft = *draft_;
  for (const int64_t id : draft.operand_ids) {
    HloInstruction* const* found = Resolve("operand_ids", id, ids);
    if (found == nullptr) return false;
    draft.operands.push_back(*found);
  }
  auto& others = draft.predecessors;
  for (const int64_t id : draft.predecessor_ids) {
    HloInstruction* const* found = Resolve("control_predecessor_ids", id, ids);
    if (found == nullptr) return false;
    if (std::find(others.begin(), others.end(), *found) == others.end()) {
      others.push_back(*found);
    }
  }
  return true;
}

bool ProtoInstructionReader::ResolveCallees(
    const ProtoComputationIds& computations) {
  Draft& draft = *draft_;
  for (const int64_t id : draft.callee_ids) {
    const auto found = computations.find(id);
    if (found == computations.end()) {
      return errors_.BadValue(
          "called_computation_ids",
          absl::StrCat("no computation above has the id ", id));
    }
    draft.is_poisoned |= found->second == nullptr;
    draft.callees.push_back(found->second);
  }
  // The proto has the body first, text the condition.
  if (draft.opcode == HloOpcode::kWhile && draft.callees.size() == 2) {
    std::swap(draft.callees[0], draft.callees[1]);
  }
  const bool has_role = !CalledComputationRoles(draft.opcode).empty();
  const bool is_link = draft.opcode == HloOpcode::kAsyncUpdate ||
                       draft.opcode == HloOpcode::kAsyncDone;
  if (is_link || (!has_role && draft.opcode != HloOpcode::kUnknown)) {
    draft.callees.clear();
  }
  return true;
}

bool ProtoInstructionReader::CheckOperandCount() {
  const OperandCount legal = ReadableOperandCount(draft_->opcode);
  const auto count = static_cast<int>(draft_->operands.size());
  if (draft_->opcode == HloOpcode::kUnknown ||
      (count >= legal.min && (legal.max < 0 || count <= legal.max))) {
    return true;
  }
  return errors_.BadValue(
      "operand_ids", absl::StrCat("`", draft_->opcode_name, "` needs ",
                                  legal.min, legal.max < 0 ? " or more" : "",
                                  " operands, but has ", count));
}

bool ProtoInstructionReader::CheckCallees() {
  const HloOpcode opcode = draft_->opcode;
  const auto roles = CalledComputationRoles(opcode);
  if (opcode == HloOpcode::kConditional) return CheckConditional();
  if (opcode == HloOpcode::kCustomCall || opcode == HloOpcode::kUnknown ||
      opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone ||
      draft_->callees.size() == roles.size()) {
    return true;
  }
  return errors_.BadValue(
      "called_computation_ids",
      absl::StrCat("`", draft_->opcode_name, "` needs ", roles.size(),
                   " computations, but has ", draft_->callees.size()));
}

bool ProtoInstructionReader::CheckConditional() {
  const Shape& selector = draft_->operands[0]->shape();
  const bool is_pred = selector.element_type() == PrimitiveType::kPred;
  if (!selector.dimensions().empty() ||
      (!is_pred && selector.element_type() != PrimitiveType::kS32)) {
    return errors_.BadValue(
        "operand_ids",
        absl::StrCat("the first operand of a conditional must be a scalar of "
                     "PRED or S32, but is ",
                     selector.ToString()));
  }
  if (draft_->callees.empty() || (is_pred && draft_->callees.size() != 2) ||
      draft_->operands.size() != draft_->callees.size() + 1) {
    return errors_.BadValue(
        "called_computation_ids",
        absl::StrCat("a conditional with ", draft_->operands.size(),
                     " operands and a selector of ", selector.ToString(),
                     " has ", draft_->callees.size(), " branches"));
  }
  return true;
}

bool ProtoInstructionReader::CheckAsync() {
  if (!IsAsync(draft_->opcode)) return true;
  if (draft_->opcode == HloOpcode::kAsyncStart) {
    if (!IsAsyncStartShape(*draft_->shape)) {
      return errors_.BadValue(
          "shape",
          "AsyncStart expects the op shape to be in the form of "
          "((async-operands), async-outputs, state).");
    }
    for (const HloInstruction* caller : draft_->callees[0]->callers()) {
      if (caller->opcode() != HloOpcode::kAsyncStart) continue;
      return errors_.BadValue(
          "called_computation_ids",
          absl::StrCat("Computation ", draft_->callees[0]->name(),
                       " is called by more than one async op."));
    }
    return true;
  }
  const HloInstruction& operand = *draft_->operands[0];
  if (!IsAsync(operand.opcode()) || operand.opcode() == HloOpcode::kAsyncDone) {
    return errors_.BadValue(
        "operand_ids",
        "AsyncUpdate and AsyncDone expect a single async op as their operand.");
  }
  if (draft_->opcode == HloOpcode::kAsyncUpdate &&
      !draft_->shape->IsCompatible(operand.shape())) {
    return errors_.BadValue("shape",
                            "AsyncUpdate expects the op shape to be the same "
                            "as the operand shape.");
  }
  return true;
}

// The table of parameters is dense: a number is less than the instructions.
bool ProtoInstructionReader::CheckParameter(const HloComputation& computation,
                                            size_t count) {
  if (draft_->opcode != HloOpcode::kParameter) return true;
  const int64_t number = draft_->parameter_number;
  if (number < 0 || number >= static_cast<int64_t>(count)) {
    return errors_.BadValue(
        "parameter_number",
        absl::StrCat("it is ", number, ", in a computation of ", count,
                     " instructions"));
  }
  const auto parameters = computation.parameters();
  if (number < static_cast<int64_t>(parameters.size()) &&
      parameters[number] != nullptr) {
    return errors_.BadValue(
        "parameter_number",
        absl::StrCat("`", parameters[number]->name(), "` is parameter ", number,
                     " already"));
  }
  return true;
}

bool ProtoInstructionReader::ReadShape() {
  if (!draft_->has_shape) {
    return errors_.BadValue("shape", "the instruction has none");
  }
  const absl::StatusOr<const Shape*> shape = shapes_.Read(draft_->shape_bytes);
  if (!shape.ok()) return errors_.Add("shape", shape.status());
  draft_->shape = *shape;
  return true;
}

void ProtoInstructionReader::FindKeptTexts() {
  const auto found = kept_texts_.find(FullProtoId(computation_id_, draft_->id));
  if (found != kept_texts_.end()) draft_->kept = found->second;
}

void ProtoInstructionReader::AddText(HloAttributeKind kind,
                                     absl::string_view text) {
  draft_->attributes.push_back({kind, module_.SaveText(text)});
}

// The text that is kept of `kind` wins over its fields.
bool ProtoInstructionReader::ReadAttribute(HloAttributeKind kind) {
  Draft& draft = *draft_;
  draft.text.clear();
  const ProtoAttributeInput input = {
      .context = module_.context(),
      .opcode = draft.opcode,
      .shape = draft.shape,
      .operand_shape =
          draft.operands.empty() ? nullptr : &draft.operands[0]->shape()};
  const absl::StatusOr<bool> is_there =
      AttributeFromProto(kind, input, draft.rest, draft.text);
  const absl::string_view name = HloAttributeName(kind);
  for (const absl::string_view kept : draft.kept.attributes) {
    if (kept.substr(0, kept.find('=')) != name) continue;
    const absl::string_view text = kept.substr(name.size() + 1);
    if (IsAttributeText(kind, text, input)) {
      draft.attributes.push_back({kind, module_.SaveText(text)});
      return true;
    }
    return errors_.BadValue(
        "ferry", absl::StrCat("`", kept, "` is not what it could be"));
  }
  if (absl::c_linear_search(draft.kept.absent, name)) return true;
  if (!is_there.ok()) {
    return errors_.Add(HloAttributeName(kind), is_there.status());
  }
  if (*is_there) AddText(kind, draft.text);
  return true;
}

bool ProtoInstructionReader::ReadMetadata() {
  Draft& draft = *draft_;
  draft.metadata_rest.clear();
  if (draft.metadata_bytes.empty()) return true;
  if (!ReadProtoMetadata(draft.metadata_bytes, payloads_, draft.metadata,
                         draft.metadata_rest)) {
    return errors_.Add(DiagnosticCode::kSyntaxError, "metadata",
                       "it is damaged");
  }
  if (!draft.metadata.IsPrinted()) {
    draft.metadata_rest.assign(draft.metadata_bytes.data(),
                               draft.metadata_bytes.size());
    return true;
  }
  draft.text.clear();
  draft.metadata.AppendTo(draft.text);
  AddText(Kind::kMetadata, draft.text);
  return true;
}

// Fields that mean the same attributes stand thousands of times in a module.
bool ProtoInstructionReader::ReadFields() {
  Draft& draft = *draft_;
  constexpr size_t kLongest = 512;
  constexpr size_t kMostKept = size_t{1} << 16;
  const bool is_kept = draft.rest_bytes.size() <= kLongest &&
                       known_fields_.size() < kMostKept && draft.kept.empty();
  const Shape* operand =
      draft.operands.empty() ? nullptr : &draft.operands[0]->shape();
  FieldsKey key = {draft.opcode, draft.shape, operand, draft.rest_bytes};
  if (const auto known = known_fields_.find(key);
      known != known_fields_.end() && draft.kept.empty()) {
    draft.attributes.append(known->second.attributes.begin(),
                            known->second.attributes.end());
    draft.carried = known->second.carried;
    return true;
  }
  const size_t first = draft.attributes.size();
  if (!ReadAttributes() || !KeepRest()) return false;
  if (!is_kept) return true;
  Fields& fields = known_fields_[std::move(key)];
  fields.attributes.assign(draft.attributes.begin() + first,
                           draft.attributes.end());
  fields.carried = draft.carried;
  return true;
}

bool ProtoInstructionReader::ReadAttributes() {
  Draft& draft = *draft_;
  if (!draft.rest.ParseFromString(draft.rest_bytes)) {
    return errors_.Add(
        DiagnosticCode::kSyntaxError, "",
        "the fields of this instruction are damaged, or nest too deep");
  }
  for (const Kind kind : OwnProtoAttributes(draft.opcode)) {
    if (!ReadAttribute(kind)) return false;
  }
  if (draft.rest_bytes.empty() && draft.kept.empty()) return true;
  for (const Kind kind : CommonProtoAttributes()) {
    if (!ReadAttribute(kind)) return false;
  }
  return true;
}

// What nothing has taken.
bool ProtoInstructionReader::KeepRest() {
  DropEmptyMessages(draft_->rest);
  if (draft_->rest.ByteSizeLong() == 0) return true;
  NoteProtoFields(draft_->rest, "", carried_);
  draft_->carried = draft_->rest.SerializeAsString();
  return true;
}

bool ProtoInstructionReader::CheckRequired() {
  for (const Kind kind : RequiredAttributes(draft_->opcode)) {
    const bool is_there = std::any_of(
        draft_->attributes.begin(), draft_->attributes.end(),
        [kind](const HloAttribute& one) { return one.kind == kind; });
    if (is_there) continue;
    return errors_.BadValue(
        "", absl::StrCat("`", draft_->opcode_name, "` needs what text calls `",
                         HloAttributeName(kind), "`"));
  }
  return true;
}

void ProtoInstructionReader::Carry(InstructionId id) {
  Draft& draft = *draft_;
  if (!draft.metadata_rest.empty()) {
    proto::OpMetadata metadata;
    metadata.ParseFromString(draft.metadata_rest);
    NoteProtoFields(metadata, "metadata.", carried_);
    AppendBytesField(Proto::kMetadataFieldNumber, draft.metadata_rest,
                     draft.carried);
  }
  if (draft.carried.empty()) return;
  carried_.instruction_fields[id] = std::move(draft.carried);
}

// Empty if the name is taken.
absl::string_view ProtoInstructionReader::UseName() {
  absl::string_view name = draft_->name;
  if (!IsSanitizedName(name)) name = module_.SaveText(SanitizeName(name));
  if (module_.FindInstruction(name) == nullptr) return name;
  errors_.BadValue("name", "another instruction has the same name");
  return "";
}

HloInstruction* ProtoInstructionReader::Read(
    absl::string_view bytes, HloComputation& computation, size_t count,
    const ProtoComputationIds& computations, ProtoInstructionIds& ids) {
  Draft& draft = *draft_;
  draft.Reset();
  if (!Scan(bytes)) return nullptr;
  if (!kept_texts_.empty()) FindKeptTexts();
  if (draft.name.empty()) {
    errors_.BadValue("name", "an instruction has none");
    return nullptr;
  }
  if (draft.id < 0) {
    errors_.BadValue("id", absl::StrCat("it is negative: ", draft.id));
    return nullptr;
  }
  // Known from here on, if only as one that failed.
  if (!ids.Add(draft.id)) {
    errors_.BadValue("id", absl::StrCat("another instruction has the id ",
                                        LocalProtoId(draft.id), " already"));
    return nullptr;
  }
  if (!ReadOpcode() || !ReadShape() || !ResolveOperands(ids) ||
      !ResolveCallees(computations)) {
    return nullptr;
  }
  if (draft.is_poisoned || !CheckOperandCount() || !CheckCallees() ||
      !CheckAsync() || !CheckParameter(computation, count) || !ReadFields() ||
      !ReadMetadata() || !CheckRequired()) {
    return nullptr;
  }
  HloModule::InstructionSpec spec;
  spec.opcode = draft.opcode;
  spec.shape = draft.shape;
  spec.operands = draft.operands;
  spec.called_computations = draft.callees;
  spec.control_predecessors = draft.predecessors;
  spec.attributes = draft.attributes;
  if (draft.opcode == HloOpcode::kParameter)
    spec.number = draft.parameter_number;
  if (draft.opcode == HloOpcode::kGetTupleElement) {
    spec.number = draft.tuple_index;
  }
  spec.name = UseName();
  if (spec.name.empty()) return nullptr;
  HloInstruction& made = module_.AddInstruction(computation, spec);
  Carry(made.id());
  ids.Set(draft.id, &made);
  return &made;
}

}  // namespace ferry
