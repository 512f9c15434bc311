// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_numbers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/padding_config.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/window.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Numbers = google::protobuf::RepeatedField<int64_t>;
using Kind = HloAttributeKind;

// --- {1,2}

void AppendNumbers(absl::Span<const int64_t> numbers, std::string& text) {
  text.push_back('{');
  for (size_t i = 0; i < numbers.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? "," : "", numbers[i]);
  }
  text.push_back('}');
}

void AppendNumbers(const Numbers& numbers, std::string& text) {
  AppendNumbers(absl::MakeConstSpan(numbers.data(), numbers.size()), text);
}

// Takes the numbers out of the message.
bool Take(Numbers* numbers, std::string& text) {
  AppendNumbers(*numbers, text);
  numbers->Clear();
  return true;
}

bool TakeIfAny(Numbers* numbers, std::string& text) {
  return !numbers->empty() && Take(numbers, text);
}

bool Put(absl::string_view text, Numbers* numbers) {
  const auto read = ReadIntegers(text);
  if (!read.has_value()) return false;
  numbers->Add(read->begin(), read->end());
  return true;
}

bool ReadNumber(HloLexer& lexer, int64_t& number) {
  const std::optional<int64_t> read = IntegerValue(lexer.ScanInteger());
  number = read.value_or(0);
  return read.has_value();
}

// `{0}`, `{}`; at the lexer's place.
bool ReadNumbers(HloLexer& lexer, Numbers* numbers) {
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    int64_t number = 0;
    if (!numbers->empty() && !lexer.Consume(',')) return false;
    if (!ReadNumber(lexer, number)) return false;
    numbers->Add(number);
  }
  return true;
}

std::string IndexToString(const Numbers& index) {
  std::string text;
  AppendNumbers(index, text);
  return text;
}

// --- window={size=3x3 stride=2x2 pad=0_1x0_1}

void AppendWindowField(absl::string_view name, const proto::Window& window,
                       std::string& text,
                       bool (*is_trivial)(const proto::WindowDimension&),
                       std::string (*value)(const proto::WindowDimension&)) {
  if (is_trivial != nullptr &&
      std::all_of(window.dimensions().begin(), window.dimensions().end(),
                  is_trivial)) {
    return;
  }
  absl::StrAppend(&text, text.back() == '{' ? "" : " ", name, "=");
  for (int i = 0; i < window.dimensions_size(); ++i) {
    absl::StrAppend(&text, i > 0 ? "x" : "", value(window.dimensions(i)));
  }
}

bool WindowFromProto(Instruction& instruction, std::string& text) {
  using Dimension = proto::WindowDimension;
  if (instruction.window().dimensions().empty()) return false;
  const proto::Window& window = instruction.window();
  text.push_back('{');
  AppendWindowField("size", window, text, nullptr,
                    [](const Dimension& d) { return absl::StrCat(d.size()); });
  AppendWindowField(
      "stride", window, text,
      [](const Dimension& d) { return d.stride() == 1; },
      [](const Dimension& d) { return absl::StrCat(d.stride()); });
  AppendWindowField(
      "pad", window, text,
      [](const Dimension& d) {
        return d.padding_low() == 0 && d.padding_high() == 0;
      },
      [](const Dimension& d) {
        return absl::StrCat(d.padding_low(), "_", d.padding_high());
      });
  AppendWindowField(
      "lhs_dilate", window, text,
      [](const Dimension& d) { return d.base_dilation() == 1; },
      [](const Dimension& d) { return absl::StrCat(d.base_dilation()); });
  AppendWindowField(
      "rhs_dilate", window, text,
      [](const Dimension& d) { return d.window_dilation() == 1; },
      [](const Dimension& d) { return absl::StrCat(d.window_dilation()); });
  AppendWindowField(
      "rhs_reversal", window, text,
      [](const Dimension& d) { return !d.window_reversal(); },
      [](const Dimension& d) {
        return std::string(d.window_reversal() ? "1" : "0");
      });
  text.push_back('}');
  instruction.clear_window();
  return true;
}

bool WindowToProto(absl::string_view text, Instruction& instruction) {
  const auto window = ReadWindow(text);
  if (!window.has_value()) return false;
  proto::Window& proto = *instruction.mutable_window();
  for (const WindowDimension& dimension : *window) {
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

// --- padding=0_1x0_1_2

bool PaddingFromProto(Instruction& instruction, std::string& text) {
  const auto& dimensions = instruction.padding_config().dimensions();
  const bool has_interior =
      std::any_of(dimensions.begin(), dimensions.end(),
                  [](const auto& d) { return d.interior_padding() != 0; });
  bool first = true;
  for (const auto& d : dimensions) {
    absl::StrAppend(&text, first ? "" : "x", d.edge_padding_low(), "_",
                    d.edge_padding_high());
    if (has_interior) absl::StrAppend(&text, "_", d.interior_padding());
    first = false;
  }
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

// --- slice={[0:4], [0:8:2]}

bool SliceFromProto(Instruction& instruction, std::string& text) {
  const auto& dimensions = instruction.slice_dimensions();
  const bool has_strides =
      std::any_of(dimensions.begin(), dimensions.end(),
                  [](const auto& d) { return d.stride() != 1; });
  text.push_back('{');
  for (int i = 0; i < dimensions.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? ", [" : "[", dimensions[i].start(), ":",
                    dimensions[i].limit());
    if (has_strides) absl::StrAppend(&text, ":", dimensions[i].stride());
    text.push_back(']');
  }
  text.push_back('}');
  instruction.clear_slice_dimensions();
  return true;
}

bool SliceToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    if (!instruction.slice_dimensions().empty() && !lexer.Consume(',')) {
      return false;
    }
    int64_t start = 0;
    int64_t limit = 0;
    int64_t stride = 1;
    if (!lexer.Consume('[') || !ReadNumber(lexer, start) ||
        !lexer.Consume(':') || !ReadNumber(lexer, limit) ||
        (lexer.Consume(':') && !ReadNumber(lexer, stride)) ||
        !lexer.Consume(']')) {
      return false;
    }
    auto& d = *instruction.add_slice_dimensions();
    d.set_start(start);
    d.set_limit(limit);
    d.set_stride(stride);
  }
  return true;
}

// --- dim_labels=b01f_01io->b01f

// One of the three words: letters for features and batch, digits for spatial
// dimensions, `?` for what is none of them.
std::optional<std::string> LabelWord(
    absl::Span<const std::pair<char, int64_t>> letters,
    const Numbers& spatial) {
  constexpr int64_t kMostDimensions = 64;
  std::vector<std::pair<char, int64_t>> places(letters.begin(), letters.end());
  if (spatial.size() > 10) return std::nullopt;
  for (int i = 0; i < spatial.size(); ++i) {
    places.emplace_back(static_cast<char>('0' + i), spatial[i]);
  }
  int64_t rank = 0;
  for (const auto& [letter, place] : places) {
    if (place < 0 || place >= kMostDimensions) return std::nullopt;
    rank = std::max(rank, place + 1);
  }
  std::string word(rank, '?');
  for (const auto& [letter, place] : places) word[place] = letter;
  return word;
}

bool LabelsFromProto(Instruction& instruction, std::string& text) {
  if (!instruction.has_convolution_dimension_numbers()) return false;
  const auto& d = instruction.convolution_dimension_numbers();
  const auto lhs = LabelWord(
      {{{'b', d.input_batch_dimension()}, {'f', d.input_feature_dimension()}}},
      d.input_spatial_dimensions());
  const auto rhs = LabelWord({{{'i', d.kernel_input_feature_dimension()},
                               {'o', d.kernel_output_feature_dimension()}}},
                             d.kernel_spatial_dimensions());
  const auto out = LabelWord({{{'b', d.output_batch_dimension()},
                               {'f', d.output_feature_dimension()}}},
                             d.output_spatial_dimensions());
  if (!lhs.has_value() || !rhs.has_value() || !out.has_value()) return false;
  absl::StrAppend(&text, *lhs, "_", *rhs, "->", *out);
  instruction.clear_convolution_dimension_numbers();
  return true;
}

// Gives the places of `letters`, and of the digits in order.
bool ReadLabelWord(absl::string_view word, absl::string_view letters,
                   std::array<int64_t, 2>& places, Numbers* spatial) {
  for (const char c : word) {
    if (HloLexer::IsDigit(c)) spatial->Add(0);
  }
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (HloLexer::IsDigit(c)) {
      if (c - '0' >= spatial->size()) return false;
      spatial->Set(c - '0', static_cast<int64_t>(i));
    } else if (const size_t letter = letters.find(c);
               letter != absl::string_view::npos) {
      places[letter] = static_cast<int64_t>(i);
    } else if (c != '?') {
      return false;
    }
  }
  return true;
}

bool LabelsToProto(absl::string_view text, Instruction& instruction) {
  const std::vector<absl::string_view> sides =
      absl::StrSplit(text, absl::MaxSplits("->", 1));
  if (sides.size() != 2) return false;
  const std::vector<absl::string_view> inputs = absl::StrSplit(sides[0], '_');
  if (inputs.size() != 2) return false;
  auto& d = *instruction.mutable_convolution_dimension_numbers();
  std::array<int64_t, 2> lhs = {};
  std::array<int64_t, 2> rhs = {};
  std::array<int64_t, 2> out = {};
  if (!ReadLabelWord(inputs[0], "bf", lhs,
                     d.mutable_input_spatial_dimensions()) ||
      !ReadLabelWord(inputs[1], "io", rhs,
                     d.mutable_kernel_spatial_dimensions()) ||
      !ReadLabelWord(sides[1], "bf", out,
                     d.mutable_output_spatial_dimensions())) {
    return false;
  }
  d.set_input_batch_dimension(lhs[0]);
  d.set_input_feature_dimension(lhs[1]);
  d.set_kernel_input_feature_dimension(rhs[0]);
  d.set_kernel_output_feature_dimension(rhs[1]);
  d.set_output_batch_dimension(out[0]);
  d.set_output_feature_dimension(out[1]);
  return true;
}

// --- source_target_pairs={{0,1},{1,2}}

bool PairsFromProto(Instruction& instruction, std::string& text) {
  text.push_back('{');
  bool first = true;
  for (const proto::SourceTarget& pair : instruction.source_target_pairs()) {
    absl::StrAppend(&text, first ? "{" : ",{", pair.source(), ",",
                    pair.target(), "}");
    first = false;
  }
  text.push_back('}');
  instruction.clear_source_target_pairs();
  return true;
}

bool PairsToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    if (!instruction.source_target_pairs().empty() && !lexer.Consume(',')) {
      return false;
    }
    Numbers numbers;
    if (!ReadNumbers(lexer, &numbers) || numbers.size() != 2) return false;
    proto::SourceTarget& pair = *instruction.add_source_target_pairs();
    pair.set_source(numbers[0]);
    pair.set_target(numbers[1]);
  }
  return true;
}

// --- output_to_operand_aliasing={{0}: (1, {})}

bool AliasingFromProto(Instruction& instruction, std::string& text) {
  if (instruction.output_operand_aliasing().empty()) return false;
  text.push_back('{');
  bool first = true;
  for (const auto& alias : instruction.output_operand_aliasing()) {
    absl::StrAppend(&text, first ? "" : ", ",
                    IndexToString(alias.output_shape_index()), ": (",
                    alias.operand_index(), ", ",
                    IndexToString(alias.operand_shape_index()), ")");
    first = false;
  }
  text.push_back('}');
  instruction.clear_output_operand_aliasing();
  return true;
}

bool AliasingToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    if (!instruction.output_operand_aliasing().empty() && !lexer.Consume(',')) {
      return false;
    }
    auto& alias = *instruction.add_output_operand_aliasing();
    int64_t operand = 0;
    if (!ReadNumbers(lexer, alias.mutable_output_shape_index()) ||
        !lexer.Consume(':') || !lexer.Consume('(') ||
        !ReadNumber(lexer, operand) || !lexer.Consume(',') ||
        !ReadNumbers(lexer, alias.mutable_operand_shape_index()) ||
        !lexer.Consume(')')) {
      return false;
    }
    alias.set_operand_index(operand);
  }
  return true;
}

// --- sparsity_config={lhs={sparsity=1x4 dimension=1 stride=0}}

void AppendSparsity(absl::string_view name,
                    const proto::SparsityConfig::Side& side,
                    std::string& text) {
  absl::StrAppend(&text, text.back() == '{' ? "" : " ", name,
                  "={sparsity=", side.num_non_zero(), "x", side.block_size(),
                  " dimension=", side.dimension(), " stride=", side.stride(),
                  "}");
}

bool SparsityFromProto(Instruction& instruction, std::string& text) {
  const proto::SparsityConfig& config = instruction.sparsity_config();
  // XLA writes an empty one everywhere.
  if (!config.has_lhs() && !config.has_rhs()) return false;
  text.push_back('{');
  if (config.has_lhs()) AppendSparsity("lhs", config.lhs(), text);
  if (config.has_rhs()) AppendSparsity("rhs", config.rhs(), text);
  text.push_back('}');
  instruction.clear_sparsity_config();
  return true;
}

bool SparsityToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  proto::SparsityConfig& config = *instruction.mutable_sparsity_config();
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    const absl::string_view name = lexer.ScanAttributeName();
    proto::SparsityConfig::Side& side =
        name == "lhs" ? *config.mutable_lhs() : *config.mutable_rhs();
    if (!lexer.Consume('{')) return false;
    while (!lexer.Consume('}')) {
      const absl::string_view field = lexer.ScanAttributeName();
      const std::vector<absl::string_view> values =
          absl::StrSplit(lexer.ScanBareValue(), 'x');
      int64_t numbers[2] = {};
      for (size_t i = 0; i < values.size() && i < 2; ++i) {
        if (!absl::SimpleAtoi(values[i], &numbers[i])) return false;
      }
      if (field == "sparsity") {
        side.set_num_non_zero(numbers[0]);
        side.set_block_size(numbers[1]);
      } else if (field == "dimension") {
        side.set_dimension(numbers[0]);
      } else if (field == "stride") {
        side.set_stride(numbers[0]);
      } else {
        return false;
      }
    }
  }
  return true;
}

// --- parameter_replication={true,false}

bool ReplicationFromProto(Instruction& instruction, std::string& text) {
  const auto& flags =
      instruction.parameter_replication().replicated_at_leaf_buffers();
  if (flags.empty()) return false;
  text.push_back('{');
  for (int i = 0; i < flags.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? "," : "", flags[i] ? "true" : "false");
  }
  text.push_back('}');
  instruction.clear_parameter_replication();
  return true;
}

bool ReplicationToProto(absl::string_view text, Instruction& instruction) {
  HloLexer lexer(text);
  auto& flags = *instruction.mutable_parameter_replication()
                     ->mutable_replicated_at_leaf_buffers();
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    if (!flags.empty() && !lexer.Consume(',')) return false;
    const absl::string_view word = lexer.ScanWord();
    if (word != "true" && word != "false") return false;
    flags.Add(word == "true");
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
    default: {
      Numbers* numbers = ListOf(kind, instruction);
      if (numbers == nullptr) return false;
      return IsOptionalList(kind) ? TakeIfAny(numbers, text)
                                  : Take(numbers, text);
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
    default: {
      Numbers* numbers = ListOf(kind, instruction);
      return numbers != nullptr && Put(text, numbers);
    }
  }
}

}  // namespace ferry
