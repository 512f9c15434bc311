// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_module_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/fusion_bodies.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/module_header_attributes.h"
#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/origin_recovery_table.h"
#include "ferry/hlo/post_order.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_annotations.h"
#include "ferry/hlo/proto/proto_attribute.h"
#include "ferry/hlo/proto/proto_carrying.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/sanitized_name.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/unknown_value.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

using Module = proto::HloModuleProto;

ShapeIndex ToIndex(const google::protobuf::RepeatedField<int64_t>& numbers) {
  return ShapeIndex(numbers.begin(), numbers.end());
}

std::string BoolsToString(const google::protobuf::RepeatedField<bool>& flags) {
  std::string text = "{";
  for (int i = 0; i < flags.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? "," : "", flags[i] ? "true" : "false");
  }
  return text + "}";
}

OriginRecoveryTable::Array ToArray(const proto::OriginalArrayProto& proto) {
  return {proto.instruction_name(), ToIndex(proto.shape_index())};
}

// The name in `name=value`; empty if the text is anything else or more.
absl::string_view UnknownAttributeName(absl::string_view text) {
  HloLexer lexer(text);
  const absl::string_view name = lexer.ScanAttributeName();
  const bool is_whole = !name.empty() && name.data() == text.data() &&
                        ReadUnknownValue(lexer).ok() &&
                        lexer.offset() == text.size();
  return is_whole ? name : absl::string_view();
}

// Whether operands and control predecessors all stand in front of their users,
// in an order of a whole computation: its instructions were made in one go, so
// that their ids are dense.
bool IsTopological(absl::Span<HloInstruction* const> order) {
  InstructionId first = std::numeric_limits<InstructionId>::max();
  for (const HloInstruction* instruction : order) {
    first = std::min(first, instruction->id());
  }
  std::vector<uint32_t> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]->id() - first] = i;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto is_above = [&](const HloInstruction* other) {
      return places[other->id() - first] < i;
    };
    if (!std::all_of(order[i]->operands().begin(), order[i]->operands().end(),
                     is_above) ||
        !std::all_of(order[i]->control_predecessors().begin(),
                     order[i]->control_predecessors().end(), is_above)) {
      return false;
    }
  }
  return true;
}

// Whether ids are what places say.
bool ArePlain(int64_t computation_id,
              absl::Span<const std::pair<int64_t, HloInstruction*>> ordered) {
  int64_t place = 0;
  return std::all_of(ordered.begin(), ordered.end(), [&](const auto& one) {
    return one.first == FullProtoId(computation_id, place++);
  });
}

}  // namespace

ProtoModuleReader::ProtoModuleReader(HloModule& module, ProtoErrors& errors,
                                     CarriedProto& carried, bool allow_unknown,
                                     int depth)
    : module_(module),
      errors_(errors),
      carried_(carried),
      allow_unknown_(allow_unknown),
      depth_(depth),
      instructions_(module, errors, carried, allow_unknown),
      rest_(std::make_unique<Module>()) {}

ProtoModuleReader::~ProtoModuleReader() = default;

bool ProtoModuleReader::Read(absl::string_view bytes) {
  if (!Scan(bytes)) return false;
  for (Computation& computation : computations_) {
    if (errors_.full()) return false;
    errors_.SetComputation(computation.name);
    computation.has_errors = !ReadComputation(computation);
    if (computation.has_errors) {
      computation_ids_[computation.id] = nullptr;
    }
  }
  if (errors_.count() > 0) return false;
  InstructionPostOrder walk(module_);
  for (Computation& computation : computations_) {
    errors_.SetComputation(computation.name);
    if (!OrderInstructions(computation, walk)) return false;
  }
  errors_.SetComputation("");
  OrderComputations();
  if (!ReadEntry()) return false;
  MarkFusionBodies(module_);
  KeepIds();
  return ReadHeader() && errors_.count() == 0;
}

// Computations stay as they are, all else becomes one small message.
bool ProtoModuleReader::Scan(absl::string_view bytes) {
  ProtoFieldReader fields(bytes);
  std::string rest;
  while (fields.Next()) {
    const ProtoField& field = fields.field();
    const bool is_bytes = field.wire == ProtoField::Wire::kBytes;
    if (is_bytes && field.number == Module::kNameFieldNumber) {
      name_ = field.bytes;
    } else if (is_bytes && field.number == Module::kComputationsFieldNumber) {
      computation_bytes_.push_back(field.bytes);
    } else {
      rest.append(field.raw.data(), field.raw.size());
    }
  }
  if (fields.is_damaged()) {
    return errors_.Add(DiagnosticCode::kSyntaxError, "",
                       "the bytes of the module are damaged or cut off");
  }
  if (rest.size() > std::numeric_limits<int>::max() ||
      !rest_->ParseFromString(rest)) {
    return errors_.Add(
        DiagnosticCode::kSyntaxError, "",
        "the fields of the module are damaged, too long, or nest too deep");
  }
  instructions_.SetPayloads(std::vector<absl::string_view>(
      rest_->payloads().begin(), rest_->payloads().end()));
  FindKeptTexts();
  for (int i = 0; i < rest_->schedule().sequences_size(); ++i) {
    sequences_[rest_->schedule().sequences(i).key()] = i;
  }
  computations_.resize(computation_bytes_.size());
  for (size_t i = 0; i < computation_bytes_.size(); ++i) {
    if (!ScanComputation(computation_bytes_[i], computations_[i])) return false;
  }
  return true;
}

// What instructions need when they are read.
void ProtoModuleReader::FindKeptTexts() {
  if (rest_->ferry().is_lax_as_text()) rules_ = ShapeRules::kText;
  instructions_.set_shape_rules(rules_);
  absl::flat_hash_map<int64_t, KeptProtoTexts> all;
  for (const auto& proto : rest_->ferry().unknown_attributes()) {
    KeptProtoTexts kept;
    for (const std::string& text : proto.texts()) {
      const size_t name = text.find('=');
      if (name != std::string::npos &&
          HloAttributeFromName(text.substr(0, name)).has_value()) {
        kept.attributes.push_back(text);
      }
    }
    kept.absent.assign(proto.absent_attributes().begin(),
                       proto.absent_attributes().end());
    if (!kept.empty()) all[proto.instruction_id()] = std::move(kept);
  }
  instructions_.SetKeptTexts(std::move(all));
}

bool ProtoModuleReader::ScanComputation(absl::string_view bytes,
                                        Computation& computation) {
  using Proto = proto::HloComputationProto;
  ProtoFieldReader fields(bytes);
  absl::string_view thread;
  std::string rest;
  while (fields.Next()) {
    const ProtoField& field = fields.field();
    const bool is_bytes = field.wire == ProtoField::Wire::kBytes;
    const bool is_varint = field.wire == ProtoField::Wire::kVarint;
    if (is_bytes && field.number == Proto::kInstructionsFieldNumber) {
      computation.instructions.push_back(field.bytes);
    } else if (is_bytes && field.number == Proto::kNameFieldNumber) {
      computation.name = field.bytes;
    } else if (is_varint && field.number == Proto::kIdFieldNumber) {
      computation.id = static_cast<int64_t>(field.value);
    } else if (is_varint && field.number == Proto::kRootIdFieldNumber) {
      computation.root_id = static_cast<int64_t>(field.value);
    } else if (is_bytes && field.number == Proto::kExecutionThreadFieldNumber) {
      thread = field.bytes;
    } else if (field.number != Proto::kProgramShapeFieldNumber &&
               field.number != Proto::kIsFusionComputationFieldNumber) {
      rest.append(field.raw.data(), field.raw.size());
    }
  }
  errors_.SetComputation(computation.name);
  if (fields.is_damaged()) {
    return errors_.Add(DiagnosticCode::kSyntaxError, "",
                       "its bytes are damaged");
  }
  if (computation.name.empty()) {
    return errors_.BadValue("name", "a computation has none");
  }
  absl::string_view name = computation.name;
  if (!IsSanitizedName(name)) name = module_.SaveText(SanitizeName(name));
  if (!computation_names_.insert(name).second) {
    return errors_.BadValue("name", "another computation has the same name");
  }
  computation.made = &module_.AddComputation(name, HloInstruction::kNoSource);
  if (thread.data() != nullptr)
    module_.set_execution_thread(*computation.made, thread);
  if (!rest.empty()) {
    carried_.computation_fields[computation.made] = std::move(rest);
    NoteLost("fields of a newer XLA", carried_);
  }
  return true;
}

bool ProtoModuleReader::ReadComputation(Computation& computation) {
  if (computation.id == -1) return errors_.BadValue("id", "it is -1");
  if (computation.instructions.empty()) {
    return errors_.BadValue("instructions", "the computation has none");
  }
  ProtoInstructionIds ids(computation.instructions.size());
  computation.ids.reserve(computation.instructions.size());
  bool is_good = true;
  instructions_.set_computation_id(computation.id);
  for (const absl::string_view bytes : computation.instructions) {
    if (errors_.full()) return false;
    HloInstruction* made = instructions_.Read(bytes, *computation.made,
                                              computation.instructions.size(),
                                              computation_ids_, ids);
    is_good &= made != nullptr;
    computation.ids.emplace_back(instructions_.id(), made);
  }
  errors_.SetInstruction("");
  // Calls of itself do not come this far: it is known only from here on.
  if (!computation_ids_.try_emplace(computation.id, computation.made).second) {
    return errors_.BadValue(
        "id", absl::StrCat("another computation has the id ", computation.id,
                           " already"));
  }
  return is_good && ReadRoot(computation, ids) &&
         CheckParameters(*computation.made);
}

bool ProtoModuleReader::ReadRoot(const Computation& computation,
                                 const ProtoInstructionIds& ids) {
  HloInstruction* const* root = ids.Find(computation.root_id);
  if (root == nullptr) {
    return errors_.BadValue(
        "root_id",
        absl::StrCat("no instruction has the id ", computation.root_id));
  }
  module_.set_root(*computation.made, **root);
  return true;
}

bool ProtoModuleReader::CheckParameters(const HloComputation& computation) {
  const auto parameters = computation.parameters();
  const auto gap = std::find(parameters.begin(), parameters.end(), nullptr);
  if (gap == parameters.end()) return true;
  return errors_.BadValue(
      "instructions",
      absl::StrCat("there is no parameter ", gap - parameters.begin(),
                   ", but a parameter ", parameters.size() - 1));
}

bool ProtoModuleReader::OrderInstructions(Computation& computation,
                                          InstructionPostOrder& walk) {
  const auto sequence = sequences_.find(computation.id);
  if (sequence != sequences_.end()) {
    const auto& ids =
        rest_->schedule().sequences(sequence->second).value().instruction_ids();
    return OrderBySchedule(computation,
                           absl::MakeConstSpan(ids.data(), ids.size()));
  }
  const auto is_less = [](const auto& a, const auto& b) {
    return LocalProtoId(a.first) < LocalProtoId(b.first);
  };
  if (std::is_sorted(computation.ids.begin(), computation.ids.end(), is_less)) {
    computation.has_plain_ids = ArePlain(computation.id, computation.ids);
    return true;
  }
  std::vector<std::pair<int64_t, HloInstruction*>> by_id = computation.ids;
  std::sort(by_id.begin(), by_id.end(), is_less);
  std::vector<HloInstruction*> order;
  order.reserve(by_id.size());
  for (const auto& [id, instruction] : by_id) order.push_back(instruction);
  module_.SetInstructionOrder(*computation.made, order);
  if (IsTopological(order)) {
    computation.has_plain_ids = ArePlain(computation.id, by_id);
    return true;
  }
  const auto post_order = walk.Of(*computation.made);
  for (size_t i = 0; i < order.size(); ++i) {
    // The order is of const instructions; these are the same.
    order[i] = module_.instruction(post_order[i]->id());
  }
  module_.SetInstructionOrder(*computation.made, order);
  return true;
}

bool ProtoModuleReader::OrderBySchedule(Computation& computation,
                                        absl::Span<const int64_t> sequence) {
  // Nearly always the order of the list is that of the schedule.
  const auto is_same = [](const auto& listed, int64_t id) {
    return LocalProtoId(listed.first) == LocalProtoId(id);
  };
  if (std::equal(computation.ids.begin(), computation.ids.end(),
                 sequence.begin(), sequence.end(), is_same)) {
    computation.has_plain_ids = ArePlain(computation.id, computation.ids);
    return true;
  }
  absl::flat_hash_map<uint32_t, std::pair<int64_t, HloInstruction*>> left;
  left.reserve(computation.ids.size());
  for (const auto& one : computation.ids) left[LocalProtoId(one.first)] = one;
  std::vector<std::pair<int64_t, HloInstruction*>> scheduled;
  std::vector<HloInstruction*> order;
  scheduled.reserve(sequence.size());
  order.reserve(sequence.size());
  for (const int64_t id : sequence) {
    const auto found = left.find(LocalProtoId(id));
    if (found == left.end()) {
      return errors_.BadValue("schedule",
                              absl::StrCat("it names the instruction ", id,
                                           ", which is not there, or twice"));
    }
    scheduled.push_back(found->second);
    order.push_back(found->second.second);
    left.erase(found);
  }
  computation.has_plain_ids = ArePlain(computation.id, scheduled);
  if (!left.empty()) {
    return errors_.BadValue(
        "schedule", absl::StrCat("it has ", sequence.size(),
                                 " instructions, but the computation has ",
                                 computation.ids.size()));
  }
  if (!IsTopological(order)) {
    return errors_.BadValue(
        "schedule", "it has an instruction in front of one that it needs");
  }
  module_.SetInstructionOrder(*computation.made, order);
  return true;
}

// By ids, as XLA keeps them, where that has callees above their callers.
void ProtoModuleReader::OrderComputations() {
  std::vector<const Computation*> by_id;
  for (const Computation& computation : computations_) {
    by_id.push_back(&computation);
  }
  std::sort(by_id.begin(), by_id.end(),
            [](const auto* a, const auto* b) { return a->id < b->id; });
  std::vector<size_t> places(computations_.size());
  std::vector<HloComputation*> order;
  for (size_t i = 0; i < by_id.size(); ++i) {
    places[by_id[i]->made->id()] = i;
    order.push_back(by_id[i]->made);
  }
  for (const Computation& computation : computations_) {
    for (const HloInstruction* caller : computation.made->callers()) {
      if (places[caller->parent().id()] <= places[computation.made->id()]) {
        return;
      }
    }
  }
  module_.SetComputationOrder(order);
}

bool ProtoModuleReader::ReadEntry() {
  const auto entry = computation_ids_.find(rest_->entry_computation_id());
  if (entry == computation_ids_.end()) {
    return errors_.BadValue("entry_computation_id",
                            absl::StrCat("no computation has the id ",
                                         rest_->entry_computation_id()));
  }
  module_.set_entry(*entry->second);
  return true;
}

// Unless a writer would give the same ones.
void ProtoModuleReader::KeepIds() {
  if (rest_->ferry().unknown_attributes_size() > 0) {
    for (const Computation& computation : computations_) {
      for (const auto& [id, instruction] : computation.ids) {
        by_full_id_[FullProtoId(computation.id, id)] = instruction;
      }
    }
  }
  const bool is_canonical =
      std::all_of(computations_.begin(), computations_.end(),
                  [](const Computation& computation) {
                    return computation.has_plain_ids &&
                           computation.id == computation.made->id();
                  });
  if (is_canonical) return;
  carried_.instruction_ids.resize(module_.id_limit());
  for (const Computation& computation : computations_) {
    carried_.computation_ids[computation.made] = computation.id;
    for (const auto& [id, instruction] : computation.ids) {
      carried_.instruction_ids[instruction->id()] = id;
    }
  }
}

// --- What text has in its header

void ProtoModuleReader::AddHeader(absl::string_view name,
                                  absl::string_view text) {
  module_.AddHeaderAttribute(module_.SaveText(name), module_.SaveText(text));
}

bool ProtoModuleReader::ReadHeader() {
  module_.set_name(name_.empty() || IsSanitizedName(name_)
                       ? name_
                       : module_.SaveText(SanitizeName(name_)));
  module_.set_is_scheduled(rest_->has_schedule());
  if (!ReadEntryLayout() || !ReadAliases() || !ReadDonors()) return false;
  ReadStackFrames();
  std::string text;
  if (FrontendAttributesFromProto(rest_->frontend_attributes(), text)) {
    AddHeader("frontend_attributes", text);
  }
  if (text.empty() || IsFrontendAttributes(text)) {
    rest_->clear_frontend_attributes();
  }
  if (!ReadRecoveryTable()) return false;
  UseConfig(rest_->ferry().config());
  if (!ReadExtension()) return false;
  rest_->clear_entry_computation_name();
  rest_->clear_host_program_shape();
  rest_->clear_entry_computation_id();
  rest_->clear_schedule();
  rest_->clear_input_output_alias();
  rest_->clear_buffer_donor();
  rest_->clear_stack_frame_index();
  rest_->clear_original_value_recovery_table();
  rest_->clear_ferry();
  carried_.module_fields = rest_->SerializeAsString();
  // Numbers that say nothing, and what metadata has by now.
  rest_->clear_id();
  rest_->clear_pjrt_id();
  rest_->clear_payloads();
  NoteProtoFields(*rest_, "", carried_);
  return true;
}

bool ProtoModuleReader::ReadEntryLayout() {
  if (!rest_->has_host_program_shape()) {
    return errors_.BadValue("host_program_shape",
                            "No program shape found in the proto");
  }
  EntryLayout layout;
  for (const proto::ShapeProto& proto :
       rest_->host_program_shape().parameters()) {
    const auto shape = ShapeFromProto(proto, module_.context(), rules_);
    if (!shape.ok()) return errors_.Add("host_program_shape", shape.status());
    layout.parameters.push_back(*shape);
  }
  const auto result = ShapeFromProto(rest_->host_program_shape().result(),
                                     module_.context(), rules_);
  if (!result.ok()) return errors_.Add("host_program_shape", result.status());
  layout.result = *result;
  module_.set_entry_layout(std::move(layout));
  return true;
}

bool ProtoModuleReader::ReadAliases() {
  constexpr absl::string_view kField = "input_output_alias";
  std::vector<InputOutputAlias> aliases;
  for (const auto& entry : rest_->input_output_alias().entries()) {
    InputOutputAlias& alias = aliases.emplace_back();
    alias.output_index = ToIndex(entry.output_shape_index());
    alias.parameter_number = entry.parameter_number();
    alias.parameter_index = ToIndex(entry.parameter_shape_index());
    alias.must_alias = entry.kind() == proto::MUST_ALIAS;
    // As in text: which parameters there are is for the verifier.
    if (alias.parameter_number < 0) {
      return errors_.BadValue(
          kField, absl::StrCat("parameter ", alias.parameter_number));
    }
    const Shape& result = module_.entry().root().shape();
    if (!result.OrdinalOf(alias.output_index).has_value()) {
      return errors_.BadValue(
          kField, absl::StrCat("the result has the shape ",
                               result.ToString(/*with_layout=*/false),
                               ", which has no ",
                               ShapeIndexToString(alias.output_index)));
    }
  }
  module_.set_input_output_aliases(std::move(aliases));
  return true;
}

bool ProtoModuleReader::ReadDonors() {
  if (rest_->buffer_donor().entries().empty()) return true;
  std::string text = "{ ";
  for (const auto& entry : rest_->buffer_donor().entries()) {
    absl::StrAppend(
        &text, text.size() > 2 ? ", (" : "(", entry.parameter_number(), ", ",
        ShapeIndexToString(ToIndex(entry.parameter_shape_index())), ")");
  }
  AddHeader("buffer_donor", text + " }");
  return true;
}

void ProtoModuleReader::ReadStackFrames() {
  const proto::StackFrameIndexProto& index = rest_->stack_frame_index();
  StackFrames frames;
  for (const std::string& name : index.file_names()) {
    frames.file_names.push_back(name);
  }
  for (const std::string& name : index.function_names()) {
    frames.function_names.push_back(name);
  }
  for (const auto& location : index.file_locations()) {
    frames.file_locations.push_back(
        {.file_name_id = location.file_name_id(),
         .function_name_id = location.function_name_id(),
         .line = location.line(),
         .column = location.column(),
         .end_line = location.end_line(),
         .end_column = location.end_column()});
  }
  for (const auto& frame : index.stack_frames()) {
    frames.frames.push_back({.file_location_id = frame.file_location_id(),
                             .parent_frame_id = frame.parent_frame_id()});
  }
  module_.set_stack_frames(std::move(frames));
}

bool ProtoModuleReader::ReadRecoveryTable() {
  const auto& proto = rest_->original_value_recovery_table();
  if (proto.entries().empty()) return true;
  OriginRecoveryTable table;
  for (const auto& entry : proto.entries()) {
    OriginRecoveryTable::Recovery recovery;
    recovery.new_array = ToArray(entry.new_original_array());
    if (entry.has_recovery_module() &&
        !ReadRecoveryModule(entry.recovery_module(), recovery.module_text)) {
      return false;
    }
    table.entries.try_emplace(ToArray(entry.old_original_array()),
                              std::move(recovery));
  }
  AddHeader("origin_recovery_table", table.ToString());
  return true;
}

bool ProtoModuleReader::ReadRecoveryModule(const proto::HloModuleProto& proto,
                                           std::string& text) {
  if (depth_ >= kMaxDepth) {
    return errors_.Add(DiagnosticCode::kTooLarge,
                       "original_value_recovery_table",
                       "modules in it nest too deep");
  }
  HloModule module(module_.context(),
                   SourceText::FromString(proto.SerializeAsString(), ""));
  CarriedProto carried;
  ProtoModuleReader reader(module, errors_, carried, allow_unknown_,
                           depth_ + 1);
  if (!reader.Read(module.source().text())) return false;
  text = RecoveryModuleText(module);
  return true;
}

// --- What the config has

void ProtoModuleReader::UseConfig(const proto::HloModuleConfigProto& config) {
  if (config.alias_passthrough_params()) {
    AddHeader("alias_passthrough_params", "true");
  }
  if (!config.allow_spmd_sharding_propagation_to_parameters().empty()) {
    AddHeader(
        "allow_spmd_sharding_propagation_to_parameters",
        BoolsToString(config.allow_spmd_sharding_propagation_to_parameters()));
  }
  if (!config.allow_spmd_sharding_propagation_to_output().empty()) {
    AddHeader(
        "allow_spmd_sharding_propagation_to_output",
        BoolsToString(config.allow_spmd_sharding_propagation_to_output()));
  }
  if (config.has_replica_count() && config.replica_count() != 1) {
    AddHeader("replica_count", absl::StrCat(config.replica_count()));
  }
  if (config.has_num_partitions() && config.num_partitions() != 1) {
    AddHeader("num_partitions", absl::StrCat(config.num_partitions()));
  }
}

bool ProtoModuleReader::BadExtension(absl::string_view text) {
  return errors_.BadValue("ferry",
                          absl::StrCat("`", text, "` is not `name=value`"));
}

bool ProtoModuleReader::AddMetadataFields(
    HloInstruction& instruction, absl::Span<const std::string* const> fields) {
  if (fields.empty()) return true;
  OpMetadata metadata;
  const absl::string_view old =
      instruction.attribute(HloAttributeKind::kMetadata);
  if (!old.empty() && !ReadWhole(old, metadata).ok()) return BadExtension(old);
  for (const std::string* field : fields) {
    if (UnknownAttributeName(*field).empty()) return BadExtension(*field);
    metadata.unknown_fields.push_back(*field);
  }
  std::string text;
  metadata.AppendTo(text);
  module_.SetAttribute(instruction, HloAttributeKind::kMetadata,
                       module_.SaveText(text));
  return true;
}

// `name=text`. A known name is of an unknown opcode, whose attributes nothing
// relies on, or was kept because it was not of its form.
bool ProtoModuleReader::AddAttribute(HloInstruction& instruction,
                                     absl::string_view attribute) {
  const absl::string_view name = attribute.substr(0, attribute.find('='));
  const std::optional<HloAttributeKind> kind = HloAttributeFromName(name);
  if (!kind.has_value()) {
    if (UnknownAttributeName(attribute).empty()) return BadExtension(attribute);
    errors_.AddKeptUnknown("attribute", name);
  } else if (name.size() == attribute.size()) {
    return BadExtension(attribute);
  } else if (instruction.opcode() == HloOpcode::kUnknown &&
             !IsCommonProtoAttribute(*kind)) {
    module_.SetAttribute(instruction, *kind, attribute.substr(name.size() + 1));
    return true;
  }
  module_.AddUnknownAttribute(instruction, attribute);
  return true;
}

bool ProtoModuleReader::ReadExtension() {
  const proto::FerryModuleExtension& extension = rest_->ferry();
  for (const auto& attribute : extension.header_attributes()) {
    if (absl::c_linear_search(kModuleHeaderAttributes, attribute.name())) {
      return errors_.BadValue(
          "ferry", absl::StrCat("header_attributes has `", attribute.name(),
                                "`, which has fields of its own"));
    }
    const std::string text =
        absl::StrCat(attribute.name(), "=", attribute.text());
    if (UnknownAttributeName(text) != attribute.name()) {
      return BadExtension(text);
    }
    AddHeader(attribute.name(), attribute.text());
    errors_.AddKeptUnknown("module attribute", attribute.name());
  }
  for (const auto& attributes : extension.unknown_attributes()) {
    const auto found = by_full_id_.find(attributes.instruction_id());
    if (found == by_full_id_.end()) continue;
    for (const std::string& text : attributes.texts()) {
      if (!AddAttribute(*found->second, module_.SaveText(text))) return false;
    }
    if (!AddMetadataFields(
            *found->second,
            absl::MakeConstSpan(attributes.metadata_fields().data(),
                                attributes.metadata_fields().size()))) {
      return false;
    }
  }
  return true;
}

}  // namespace ferry
