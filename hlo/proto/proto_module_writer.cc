// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_module_writer.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/post_order.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/printed_names.h"
#include "ferry/hlo/proto/proto_annotations.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

using Numbers = google::protobuf::RepeatedField<int64_t>;

absl::Status BadHeader(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("the module's attribute `", name,
                   "` is not of the form that it should have"));
}

bool IsFusionComputation(const HloComputation& computation) {
  const auto callers = computation.callers();
  return std::any_of(callers.begin(), callers.end(),
                     [](const HloInstruction* caller) {
                       return caller->opcode() == HloOpcode::kFusion;
                     });
}

void AddIndex(const ShapeIndex& index, Numbers* numbers) {
  numbers->Add(index.begin(), index.end());
}

bool ReadNumber(HloLexer& lexer, int64_t& number) {
  const auto read = IntegerValue(lexer.ScanInteger());
  number = read.value_or(0);
  return read.has_value();
}

bool ReadIndex(HloLexer& lexer, Numbers* index) {
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    int64_t number = 0;
    if (!index->empty() && !lexer.Consume(',')) return false;
    if (!ReadNumber(lexer, number)) return false;
    index->Add(number);
  }
  return true;
}

// { (0, {}), (1, {0}) }
bool ReadDonors(absl::string_view text, proto::HloBufferDonorProto& donors) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    if (!donors.entries().empty() && !lexer.Consume(',')) return false;
    auto& entry = *donors.add_entries();
    int64_t number = 0;
    if (!lexer.Consume('(') || !ReadNumber(lexer, number) ||
        !lexer.Consume(',') ||
        !ReadIndex(lexer, entry.mutable_parameter_shape_index()) ||
        !lexer.Consume(')')) {
      return false;
    }
    entry.set_parameter_number(number);
  }
  return true;
}

// `true`, `{true,false}`.
bool ReadBools(absl::string_view text,
               google::protobuf::RepeatedField<bool>* flags) {
  HloLexer lexer(text);
  const bool is_list = lexer.Consume('{');
  while (!lexer.AtEnd() && !lexer.Consume('}')) {
    lexer.Consume(',');
    const absl::string_view word = lexer.ScanWord();
    if (word != "true" && word != "false") return false;
    flags->Add(word == "true");
    if (!is_list) return lexer.AtEnd();
  }
  return lexer.AtEnd();
}

bool SetArray(absl::string_view name, absl::string_view index,
              proto::OriginalArrayProto& array) {
  array.set_instruction_name(std::string(name));
  HloLexer lexer(index);
  return index.empty() || (ReadIndex(lexer, array.mutable_shape_index()) &&
                           lexer.offset() == index.size());
}

}  // namespace

ProtoModuleWriter::ProtoModuleWriter(const HloModule& module, bool with_config)
    : module_(module),
      carried_(module.carried_proto()),
      with_config_(with_config),
      ids_(module),
      instructions_(ids_, carried_),
      rest_(std::make_unique<proto::HloModuleProto>()),
      config_(std::make_unique<proto::HloModuleConfigProto>()) {}

ProtoModuleWriter::~ProtoModuleWriter() = default;

absl::Status ProtoModuleWriter::Append(std::string& out) {
  using Proto = proto::HloModuleProto;
  if (!module_.name().empty()) {
    AppendBytesField(Proto::kNameFieldNumber, module_.name(), out);
  }
  AppendBytesField(Proto::kEntryComputationNameFieldNumber,
                   module_.entry().name(), out);
  // What is carried comes first: text's own is set or added behind it.
  if (carried_ != nullptr) rest_->MergeFromString(carried_->module_fields);
  instructions_.SetPayloads(std::vector<std::string>(rest_->payloads().begin(),
                                                     rest_->payloads().end()));
  FERRY_RETURN_IF_ERROR(AppendComputations(out));
  rest_->mutable_payloads()->Assign(instructions_.payloads().begin(),
                                    instructions_.payloads().end());
  FERRY_RETURN_IF_ERROR(SetHeader());
  SetUnknownAttributes();
  if (NeedsTextRules()) rest_->mutable_ferry()->set_is_lax_as_text(true);
  if (carried_ != nullptr && !carried_->config_fields.empty()) {
    config_->MergeFromString(carried_->config_fields);
  }
  if (with_config_ && config_->ByteSizeLong() > 0) {
    *rest_->mutable_ferry()->mutable_config() = *config_;
  }
  if (rest_->ByteSizeLong() > std::numeric_limits<int>::max()) {
    return absl::ResourceExhaustedError("the module takes 2 GiB or more");
  }
  rest_->AppendToString(&out);
  return absl::OkStatus();
}

absl::Status ProtoModuleWriter::AppendComputations(std::string& out) {
  InstructionPostOrder order(module_);
  std::string bytes;
  std::string instruction_bytes;
  for (const HloComputation* computation : MakeComputationPostOrder(module_)) {
    bytes.clear();
    AppendBytesField(proto::HloComputationProto::kNameFieldNumber,
                     computation->name(), bytes);
    for (const HloInstruction* instruction : order.Of(*computation)) {
      instruction_bytes.clear();
      FERRY_RETURN_IF_ERROR(
          instructions_.Append(*instruction, instruction_bytes));
      AppendBytesField(proto::HloComputationProto::kInstructionsFieldNumber,
                       instruction_bytes, bytes);
    }
    FERRY_RETURN_IF_ERROR(AppendComputation(*computation, bytes));
    AppendBytesField(proto::HloModuleProto::kComputationsFieldNumber, bytes,
                     out);
  }
  return absl::OkStatus();
}

// What stands behind the instructions.
absl::Status ProtoModuleWriter::AppendComputation(
    const HloComputation& computation, std::string& out) {
  proto::HloComputationProto proto;
  proto::ProgramShapeProto& shape = *proto.mutable_program_shape();
  for (const HloInstruction* parameter : computation.parameters()) {
    FERRY_RETURN_IF_ERROR(
        ShapeToProto(parameter->shape(), *shape.add_parameters()));
    shape.add_parameter_names(std::string(parameter->name()));
  }
  FERRY_RETURN_IF_ERROR(
      ShapeToProto(computation.root().shape(), *shape.mutable_result()));
  proto.set_id(ids_.Of(computation));
  proto.set_root_id(ids_.Of(computation.root()));
  proto.set_is_fusion_computation(IsFusionComputation(computation));
  if (computation.execution_thread() != "main") {
    proto.set_execution_thread(std::string(computation.execution_thread()));
  }
  if (carried_ != nullptr) {
    const auto more = carried_->computation_fields.find(&computation);
    if (more != carried_->computation_fields.end()) {
      proto.MergeFromString(more->second);
    }
  }
  proto.AppendToString(&out);
  return absl::OkStatus();
}

absl::Status ProtoModuleWriter::SetHeader() {
  rest_->set_entry_computation_id(ids_.Of(module_.entry()));
  FERRY_RETURN_IF_ERROR(SetEntryLayout());
  if (module_.is_scheduled()) SetSchedule();
  SetAliases();
  SetStackFrames();
  // XLA writes these everywhere.
  rest_->mutable_buffer_donor();
  rest_->mutable_frontend_attributes();
  for (const auto& [name, value] : module_.header_attributes()) {
    FERRY_RETURN_IF_ERROR(SetHeaderAttribute(name, value));
  }
  return absl::OkStatus();
}

absl::Status ProtoModuleWriter::SetHeaderAttribute(absl::string_view name,
                                                   absl::string_view value) {
  bool is_good = true;
  if (name == "buffer_donor") {
    is_good = ReadDonors(value, *rest_->mutable_buffer_donor());
  } else if (name == "frontend_attributes") {
    // Those that text cannot say are carried.
    is_good =
        !rest_->frontend_attributes().map().empty() ||
        FrontendAttributesToProto(value, *rest_->mutable_frontend_attributes());
  } else if (name == "origin_recovery_table") {
    return SetRecoveryTable(value);
  } else if (name == "alias_passthrough_params") {
    config_->set_alias_passthrough_params(value == "true");
  } else if (name == "replica_count" || name == "num_partitions") {
    const auto count = ReadInteger(value);
    is_good = count.has_value();
    if (name == "replica_count") {
      config_->set_replica_count(count.value_or(1));
    } else {
      config_->set_num_partitions(count.value_or(1));
      config_->set_use_spmd_partitioning(true);
    }
  } else if (name == "allow_spmd_sharding_propagation_to_parameters") {
    is_good = ReadBools(
        value,
        config_->mutable_allow_spmd_sharding_propagation_to_parameters());
  } else if (name == "allow_spmd_sharding_propagation_to_output") {
    is_good = ReadBools(
        value, config_->mutable_allow_spmd_sharding_propagation_to_output());
  } else {
    auto& attribute = *rest_->mutable_ferry()->add_header_attributes();
    attribute.set_name(std::string(name));
    attribute.set_text(std::string(value));
  }
  return is_good ? absl::OkStatus() : BadHeader(name);
}

absl::Status ProtoModuleWriter::SetEntryLayout() {
  proto::ProgramShapeProto& shape = *rest_->mutable_host_program_shape();
  const EntryLayout& layout = module_.entry_layout();
  const bool has_layout = layout.result != nullptr;
  const auto parameters = module_.entry().parameters();
  const size_t count =
      has_layout ? layout.parameters.size() : parameters.size();
  for (size_t i = 0; i < count; ++i) {
    FERRY_RETURN_IF_ERROR(ShapeToProto(
        has_layout ? *layout.parameters[i] : parameters[i]->shape(),
        *shape.add_parameters()));
    shape.add_parameter_names(absl::StrCat("p", i));
  }
  return ShapeToProto(
      has_layout ? *layout.result : module_.entry().root().shape(),
      *shape.mutable_result());
}

// By id of the computation, as a map is written.
void ProtoModuleWriter::SetSchedule() {
  std::vector<const HloComputation*> computations;
  for (const HloComputation* computation : module_.computations()) {
    if (!IsFusionComputation(*computation)) computations.push_back(computation);
  }
  std::sort(
      computations.begin(), computations.end(),
      [&](const auto* a, const auto* b) { return ids_.Of(*a) < ids_.Of(*b); });
  proto::HloScheduleProto& schedule = *rest_->mutable_schedule();
  for (const HloComputation* computation : computations) {
    auto& entry = *schedule.add_sequences();
    entry.set_key(ids_.Of(*computation));
    for (const HloInstruction& instruction : computation->instructions()) {
      entry.mutable_value()->add_instruction_ids(ids_.Of(instruction));
    }
  }
}

void ProtoModuleWriter::SetAliases() {
  auto& proto = *rest_->mutable_input_output_alias();
  for (const InputOutputAlias& alias : module_.input_output_aliases()) {
    auto& entry = *proto.add_entries();
    AddIndex(alias.output_index, entry.mutable_output_shape_index());
    entry.set_parameter_number(alias.parameter_number);
    AddIndex(alias.parameter_index, entry.mutable_parameter_shape_index());
    entry.set_kind(alias.must_alias ? proto::MUST_ALIAS : proto::MAY_ALIAS);
  }
}

void ProtoModuleWriter::SetStackFrames() {
  const StackFrames& frames = module_.stack_frames();
  if (frames.empty()) return;
  proto::StackFrameIndexProto& index = *rest_->mutable_stack_frame_index();
  for (const std::string& name : frames.file_names) index.add_file_names(name);
  for (const std::string& name : frames.function_names) {
    index.add_function_names(name);
  }
  for (const StackFrames::FileLocation& from : frames.file_locations) {
    auto& location = *index.add_file_locations();
    location.set_file_name_id(from.file_name_id);
    location.set_function_name_id(from.function_name_id);
    location.set_line(from.line);
    location.set_column(from.column);
    location.set_end_line(from.end_line);
    location.set_end_column(from.end_column);
  }
  for (const StackFrames::Frame& from : frames.frames) {
    auto& frame = *index.add_stack_frames();
    frame.set_file_location_id(from.file_location_id);
    frame.set_parent_frame_id(from.parent_frame_id);
  }
}

absl::Status ProtoModuleWriter::SetRecoveryTable(absl::string_view text) {
  constexpr absl::string_view kName = "origin_recovery_table";
  auto& table = *rest_->mutable_original_value_recovery_table();
  const auto recoveries = SplitPrintedRecoveryTable(text);
  if (!recoveries.has_value()) return BadHeader(kName);
  for (const PrintedRecovery& recovery : *recoveries) {
    auto& entry = *table.add_entries();
    if (!SetArray(recovery.old_name, recovery.old_index,
                  *entry.mutable_old_original_array()) ||
        !SetArray(recovery.new_name, recovery.new_index,
                  *entry.mutable_new_original_array())) {
      return BadHeader(kName);
    }
    if (recovery.module_text.empty()) continue;
    FERRY_ASSIGN_OR_RETURN(const auto inner, ParseHloText(recovery.module_text,
                                                          module_.context()));
    std::string bytes;
    FERRY_RETURN_IF_ERROR(
        ProtoModuleWriter(*inner, /*with_config=*/true).Append(bytes));
    if (!entry.mutable_recovery_module()->ParseFromString(bytes)) {
      return absl::ResourceExhaustedError(
          "a module in origin_recovery_table nests too deep");
    }
  }
  return absl::OkStatus();
}

// Whether only text may have its shapes or aliases.
bool ProtoModuleWriter::NeedsTextRules() const {
  const EntryLayout& layout = module_.entry_layout();
  const auto is_bad = [](const Shape* shape) {
    return !IsReadFromProto(*shape);
  };
  if (instructions_.needs_text_rules() ||
      (layout.result != nullptr && is_bad(layout.result)) ||
      absl::c_any_of(layout.parameters, is_bad)) {
    return true;
  }
  const auto parameters = module_.entry().parameters();
  return absl::c_any_of(module_.input_output_aliases(),
                        [&](const InputOutputAlias& alias) {
                          return alias.parameter_number < 0 ||
                                 alias.parameter_number >=
                                     static_cast<int64_t>(parameters.size()) ||
                                 !parameters[alias.parameter_number]
                                      ->shape()
                                      .OrdinalOf(alias.parameter_index)
                                      .has_value();
                        });
}

void ProtoModuleWriter::SetUnknownAttributes() {
  for (const HloComputation* computation : module_.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      const auto* texts = instructions_.FindUnknownTexts(instruction.id());
      if (texts == nullptr) continue;
      auto& unknown = *rest_->mutable_ferry()->add_unknown_attributes();
      unknown.set_instruction_id(
          FullProtoId(ids_.Of(*computation), ids_.Of(instruction)));
      unknown.mutable_texts()->Assign(texts->attributes.begin(),
                                      texts->attributes.end());
      unknown.mutable_metadata_fields()->Assign(texts->metadata_fields.begin(),
                                                texts->metadata_fields.end());
      unknown.mutable_absent_attributes()->Assign(texts->absent.begin(),
                                                  texts->absent.end());
    }
  }
}

}  // namespace ferry
