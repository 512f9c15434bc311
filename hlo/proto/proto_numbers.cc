// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_numbers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/convolution_dimension_numbers.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/integer_list.h"
#include "ferry/hlo/operand_precision.h"
#include "ferry/hlo/padding_config.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/slice_ranges.h"
#include "ferry/hlo/sparsity_config.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/value_reader.h"
#include "ferry/hlo/window.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Numbers = google::protobuf::RepeatedField<int64_t>;
using Kind = HloAttributeKind;

// The value of a whole text.
template <typename Value>
std::optional<Value> ReadValue(absl::string_view text) {
  Value value;
  if (!ReadWhole(text, value).ok()) return std::nullopt;
  return value;
}

IntegerList ToList(const Numbers& numbers) {
  IntegerList list;
  list.values.assign(numbers.begin(), numbers.end());
  return list;
}

void Put(const IntegerList& list, Numbers* numbers) {
  numbers->Add(list.values.begin(), list.values.end());
}

// Takes the numbers out of the message.
bool Take(Numbers* numbers, std::string& text) {
  ToList(*numbers).AppendTo(text);
  numbers->Clear();
  return true;
}

// --- window

bool WindowFromProto(Instruction& instruction, std::string& text) {
  if (instruction.window().dimensions().empty()) return false;
  Window window;
  for (const proto::WindowDimension& d : instruction.window().dimensions()) {
    window.dimensions.push_back({.size = d.size(),
                                 .stride = d.stride(),
                                 .padding_low = d.padding_low(),
                                 .padding_high = d.padding_high(),
                                 .base_dilation = d.base_dilation(),
                                 .window_dilation = d.window_dilation(),
                                 .reversal = d.window_reversal()});
  }
  window.AppendTo(text);
  instruction.clear_window();
  return true;
}

bool WindowToProto(absl::string_view text, Instruction& instruction) {
  const auto window = ReadValue<Window>(text);
  if (!window.has_value()) return false;
  proto::Window& proto = *instruction.mutable_window();
  for (const WindowDimension& dimension : window->dimensions) {
    proto::WindowDimension& d = *proto.add_dimensions();
    d.set_size(dimension.size);
    d.set_stride(dimension.stride);
    d.set_padding_low(dimension.padding_low);
    d.set_padding_high(dimension.padding_high);
    d.set_window_dilation(dimension.window_dilation);
    d.set_base_dilation(dimension.base_dilation);
    d.set_window_reversal(dimension.reversal);
  }
  return true;
}

// --- padding

bool PaddingFromProto(Instruction& instruction, std::string& text) {
  PaddingConfig padding;
  for (const auto& d : instruction.padding_config().dimensions()) {
    padding.dimensions.push_back({.low = d.edge_padding_low(),
                                  .high = d.edge_padding_high(),
                                  .interior = d.interior_padding()});
  }
  padding.AppendTo(text);
  instruction.clear_padding_config();
  return true;
}

bool PaddingToProto(absl::string_view text, Instruction& instruction) {
  const auto padding = ReadPadding(text);
  if (!padding.has_value()) return false;
  proto::PaddingConfig& config = *instruction.mutable_padding_config();
  for (const PaddingDimension& dimension : *padding) {
    auto& d = *config.add_dimensions();
    d.set_edge_padding_low(dimension.low);
    d.set_edge_padding_high(dimension.high);
    d.set_interior_padding(dimension.interior);
  }
  return true;
}

// --- slice

bool SliceFromProto(Instruction& instruction, std::string& text) {
  SliceRanges ranges;
  for (const auto& d : instruction.slice_dimensions()) {
    ranges.dimensions.push_back(
        {.start = d.start(), .limit = d.limit(), .stride = d.stride()});
  }
  ranges.AppendTo(text);
  instruction.clear_slice_dimensions();
  return true;
}

bool SliceToProto(absl::string_view text, Instruction& instruction) {
  const auto ranges = ReadValue<SliceRanges>(text);
  if (!ranges.has_value()) return false;
  for (const SliceRange& range : ranges->dimensions) {
    auto& d = *instruction.add_slice_dimensions();
    d.set_start(range.start);
    d.set_limit(range.limit);
    d.set_stride(range.stride);
  }
  return true;
}

// --- dim_labels

// Whether the labels of a side can be written: places are few and small, with
// one digit for each spatial dimension.
bool IsWritable(const ConvolutionDimensionNumbers::Side& side) {
  constexpr int64_t kMostDimensions = 64;
  const auto is_place = [](int64_t place) {
    return place >= 0 && place < kMostDimensions;
  };
  return side.spatial.size() <= 10 && is_place(side.first) &&
         is_place(side.second) &&
         std::all_of(side.spatial.begin(), side.spatial.end(), is_place);
}

bool LabelsFromProto(Instruction& instruction, std::string& text) {
  if (!instruction.has_convolution_dimension_numbers()) return false;
  const auto& d = instruction.convolution_dimension_numbers();
  const auto spatial = [](const Numbers& numbers) {
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  };
  ConvolutionDimensionNumbers numbers;
  numbers.input = {d.input_batch_dimension(), d.input_feature_dimension(),
                   spatial(d.input_spatial_dimensions())};
  numbers.kernel = {d.kernel_input_feature_dimension(),
                    d.kernel_output_feature_dimension(),
                    spatial(d.kernel_spatial_dimensions())};
  numbers.output = {d.output_batch_dimension(), d.output_feature_dimension(),
                    spatial(d.output_spatial_dimensions())};
  if (!IsWritable(numbers.input) || !IsWritable(numbers.kernel) ||
      !IsWritable(numbers.output)) {
    return false;
  }
  numbers.AppendTo(text);
  instruction.clear_convolution_dimension_numbers();
  return true;
}

bool LabelsToProto(absl::string_view text, Instruction& instruction) {
  const auto numbers = ReadValue<ConvolutionDimensionNumbers>(text);
  if (!numbers.has_value()) return false;
  auto& d = *instruction.mutable_convolution_dimension_numbers();
  const auto add = [](const std::vector<int64_t>& from, Numbers* to) {
    to->Add(from.begin(), from.end());
  };
  d.set_input_batch_dimension(numbers->input.first);
  d.set_input_feature_dimension(numbers->input.second);
  add(numbers->input.spatial, d.mutable_input_spatial_dimensions());
  d.set_kernel_input_feature_dimension(numbers->kernel.first);
  d.set_kernel_output_feature_dimension(numbers->kernel.second);
  add(numbers->kernel.spatial, d.mutable_kernel_spatial_dimensions());
  d.set_output_batch_dimension(numbers->output.first);
  d.set_output_feature_dimension(numbers->output.second);
  add(numbers->output.spatial, d.mutable_output_spatial_dimensions());
  return true;
}

// --- source_target_pairs

bool PairsFromProto(Instruction& instruction, std::string& text) {
  IntegerLists pairs;
  for (const proto::SourceTarget& pair : instruction.source_target_pairs()) {
    pairs.lists.push_back({.values = {pair.source(), pair.target()}});
  }
  pairs.AppendTo(text);
  instruction.clear_source_target_pairs();
  return true;
}

bool PairsToProto(absl::string_view text, Instruction& instruction) {
  const auto pairs = ReadValue<IntegerLists>(text);
  if (!pairs.has_value()) return false;
  for (const IntegerList& list : pairs->lists) {
    if (list.values.size() != 2) return false;
    proto::SourceTarget& pair = *instruction.add_source_target_pairs();
    pair.set_source(list.values[0]);
    pair.set_target(list.values[1]);
  }
  return true;
}

// --- output_to_operand_aliasing={{0}: (1, {})}

bool AliasingFromProto(Instruction& instruction, std::string& text) {
  if (instruction.output_operand_aliasing().empty()) return false;
  text.push_back('{');
  bool first = true;
  for (const auto& alias : instruction.output_operand_aliasing()) {
    if (!first) text += ", ";
    ToList(alias.output_shape_index()).AppendTo(text);
    absl::StrAppend(&text, ": (", alias.operand_index(), ", ");
    ToList(alias.operand_shape_index()).AppendTo(text);
    text.push_back(')');
    first = false;
  }
  text.push_back('}');
  instruction.clear_output_operand_aliasing();
  return true;
}

bool AliasingToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  return ReadList(
             lexer, "aliases",
             [&]() -> absl::Status {
               IntegerList output;
               IntegerList index;
               int64_t operand = 0;
               FERRY_RETURN_IF_ERROR(Read(lexer, output));
               FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, ':', ""));
               FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '(', ""));
               FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "an operand", operand));
               FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, ',', ""));
               FERRY_RETURN_IF_ERROR(Read(lexer, index));
               FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, ')', ""));
               auto& alias = *instruction.add_output_operand_aliasing();
               Put(output, alias.mutable_output_shape_index());
               alias.set_operand_index(operand);
               Put(index, alias.mutable_operand_shape_index());
               return absl::OkStatus();
             })
      .ok();
}

// --- sparsity_config

TensorSparsity SideFromProto(const proto::SparsityConfig::Side& side) {
  return {.num_non_zero = side.num_non_zero(),
          .block_size = side.block_size(),
          .dimension = side.dimension(),
          .stride = side.stride()};
}

void SideToProto(const TensorSparsity& tensor,
                 proto::SparsityConfig::Side* side) {
  side->set_num_non_zero(tensor.num_non_zero);
  side->set_block_size(tensor.block_size);
  side->set_dimension(tensor.dimension);
  side->set_stride(tensor.stride);
}

bool SparsityFromProto(Instruction& instruction, std::string& text) {
  const proto::SparsityConfig& proto = instruction.sparsity_config();
  SparsityConfig config;
  if (proto.has_lhs()) config.lhs = SideFromProto(proto.lhs());
  if (proto.has_rhs()) config.rhs = SideFromProto(proto.rhs());
  // XLA writes an empty one everywhere.
  if (!config.IsPrinted()) return false;
  config.AppendTo(text);
  instruction.clear_sparsity_config();
  return true;
}

bool SparsityToProto(absl::string_view text, Instruction& instruction) {
  const auto config = ReadValue<SparsityConfig>(text);
  if (!config.has_value()) return false;
  proto::SparsityConfig& proto = *instruction.mutable_sparsity_config();
  if (config->lhs.has_value()) SideToProto(*config->lhs, proto.mutable_lhs());
  if (config->rhs.has_value()) SideToProto(*config->rhs, proto.mutable_rhs());
  return true;
}

// --- parameter_replication

bool ReplicationFromProto(Instruction& instruction, std::string& text) {
  const auto& flags =
      instruction.parameter_replication().replicated_at_leaf_buffers();
  if (flags.empty()) return false;
  BoolList list;
  list.values.assign(flags.begin(), flags.end());
  list.AppendTo(text);
  instruction.clear_parameter_replication();
  return true;
}

bool ReplicationToProto(absl::string_view text, Instruction& instruction) {
  const auto list = ReadValue<BoolList>(text);
  if (!list.has_value()) return false;
  instruction.mutable_parameter_replication()
      ->mutable_replicated_at_leaf_buffers()
      ->Add(list->values.begin(), list->values.end());
  return true;
}

// --- operand_precision

bool PrecisionFromProto(Instruction& instruction, std::string& text) {
  if (!instruction.has_precision_config()) return false;
  proto::PrecisionConfig& config = *instruction.mutable_precision_config();
  OperandPrecision precision;
  for (const int operand : config.operand_precision()) {
    if (!proto::PrecisionConfig::Precision_IsValid(operand)) return false;
    precision.operands.push_back(static_cast<Precision>(operand));
  }
  if (precision.IsPrinted()) precision.AppendTo(text);
  config.clear_operand_precision();
  return precision.IsPrinted();
}

bool PrecisionToProto(absl::string_view text, Instruction& instruction) {
  const auto precision = ReadValue<OperandPrecision>(text);
  if (!precision.has_value()) return false;
  proto::PrecisionConfig& config = *instruction.mutable_precision_config();
  config.clear_operand_precision();
  for (const Precision operand : precision->operands) {
    config.add_operand_precision(
        static_cast<proto::PrecisionConfig::Precision>(operand));
  }
  return true;
}

// The lists of a dot, wherever its opcode keeps them.
proto::DotDimensionNumbers* DotNumbers(Instruction& instruction) {
  const bool is_ragged = instruction.has_ragged_dot_dimension_numbers() ||
                         instruction.opcode() == "ragged-dot";
  return is_ragged ? instruction.mutable_ragged_dot_dimension_numbers()
                         ->mutable_dot_dimension_numbers()
                   : instruction.mutable_dot_dimension_numbers();
}

// The repeated field of a kind that is one list of numbers; null for others.
// Makes the message around it if there is none.
Numbers* ListOf(Kind kind, Instruction& p) {
  switch (kind) {
    case Kind::kDimensions:
      return p.mutable_dimensions();
    case Kind::kDynamicSliceSizes:
      return p.mutable_dynamic_slice_sizes();
    case Kind::kFftLength:
      return p.mutable_fft_length();
    case Kind::kOffsetDims:
      return p.mutable_gather_dimension_numbers()->mutable_offset_dims();
    case Kind::kCollapsedSliceDims:
      return p.mutable_gather_dimension_numbers()
          ->mutable_collapsed_slice_dims();
    case Kind::kStartIndexMap:
      return p.mutable_gather_dimension_numbers()->mutable_start_index_map();
    case Kind::kOperandBatchingDims:
      return p.mutable_gather_dimension_numbers()
          ->mutable_operand_batching_dims();
    case Kind::kStartIndicesBatchingDims:
      return p.mutable_gather_dimension_numbers()
          ->mutable_start_indices_batching_dims();
    case Kind::kUpdateWindowDims:
      return p.mutable_scatter_dimension_numbers()
          ->mutable_update_window_dims();
    case Kind::kInsertedWindowDims:
      return p.mutable_scatter_dimension_numbers()
          ->mutable_inserted_window_dims();
    case Kind::kScatterDimsToOperandDims:
      return p.mutable_scatter_dimension_numbers()
          ->mutable_scatter_dims_to_operand_dims();
    case Kind::kInputBatchingDims:
      return p.mutable_scatter_dimension_numbers()
          ->mutable_input_batching_dims();
    case Kind::kScatterIndicesBatchingDims:
      return p.mutable_scatter_dimension_numbers()
          ->mutable_scatter_indices_batching_dims();
    case Kind::kLhsBatchDims:
      return DotNumbers(p)->mutable_lhs_batch_dimensions();
    case Kind::kLhsContractingDims:
      return DotNumbers(p)->mutable_lhs_contracting_dimensions();
    case Kind::kRhsBatchDims:
      return DotNumbers(p)->mutable_rhs_batch_dimensions();
    case Kind::kRhsContractingDims:
      return DotNumbers(p)->mutable_rhs_contracting_dimensions();
    case Kind::kLhsRaggedDims:
      return p.mutable_ragged_dot_dimension_numbers()
          ->mutable_lhs_ragged_dimensions();
    case Kind::kRhsGroupDims:
      return p.mutable_ragged_dot_dimension_numbers()
          ->mutable_rhs_group_dimensions();
    default:
      return nullptr;
  }
}

// Lists that XLA does not print when they are empty.
bool IsOptionalList(Kind kind) {
  return kind == Kind::kOperandBatchingDims ||
         kind == Kind::kStartIndicesBatchingDims ||
         kind == Kind::kInputBatchingDims ||
         kind == Kind::kScatterIndicesBatchingDims ||
         kind == Kind::kLhsBatchDims || kind == Kind::kRhsBatchDims;
}

}  // namespace

bool NumbersFromProto(HloAttributeKind kind, Instruction& instruction,
                      std::string& text) {
  switch (kind) {
    case Kind::kWindow:
      return WindowFromProto(instruction, text);
    case Kind::kPadding:
      return PaddingFromProto(instruction, text);
    case Kind::kSlice:
      return SliceFromProto(instruction, text);
    case Kind::kDimLabels:
      return LabelsFromProto(instruction, text);
    case Kind::kSourceTargetPairs:
      return PairsFromProto(instruction, text);
    case Kind::kOutputToOperandAliasing:
      return AliasingFromProto(instruction, text);
    case Kind::kSparsityConfig:
      return SparsityFromProto(instruction, text);
    case Kind::kParameterReplication:
      return ReplicationFromProto(instruction, text);
    case Kind::kOperandPrecision:
      return PrecisionFromProto(instruction, text);
    default: {
      Numbers* numbers = ListOf(kind, instruction);
      if (numbers == nullptr) return false;
      if (IsOptionalList(kind) && numbers->empty()) return false;
      return Take(numbers, text);
    }
  }
}

bool NumbersToProto(HloAttributeKind kind, absl::string_view text,
                    Instruction& instruction) {
  switch (kind) {
    case Kind::kWindow:
      return WindowToProto(text, instruction);
    case Kind::kPadding:
      return PaddingToProto(text, instruction);
    case Kind::kSlice:
      return SliceToProto(text, instruction);
    case Kind::kDimLabels:
      return LabelsToProto(text, instruction);
    case Kind::kSourceTargetPairs:
      return PairsToProto(text, instruction);
    case Kind::kOutputToOperandAliasing:
      return AliasingToProto(text, instruction);
    case Kind::kSparsityConfig:
      return SparsityToProto(text, instruction);
    case Kind::kParameterReplication:
      return ReplicationToProto(text, instruction);
    case Kind::kOperandPrecision:
      return PrecisionToProto(text, instruction);
    default: {
      Numbers* numbers = ListOf(kind, instruction);
      const auto list = ReadValue<IntegerList>(text);
      if (numbers == nullptr || !list.has_value()) return false;
      Put(*list, numbers);
      return true;
    }
  }
}

}  // namespace ferry
