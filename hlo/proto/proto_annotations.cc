// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_annotations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Kind = HloAttributeKind;

// --- A string, or braces as they are

// XLA prints a value raw if it is braces that match, from its first byte to its
// last.
void AppendStringOrBraces(absl::string_view value, std::string& text) {
  if (!value.empty() && value[0] == '{' &&
      HloLexer(value).ScanBraces().size() == value.size()) {
    absl::StrAppend(&text, value);
  } else {
    absl::StrAppend(&text, "\"", absl::CEscape(value), "\"");
  }
}

// Empty, without a value, if neither is next.
std::optional<std::string> ScanStringOrBraces(HloLexer& lexer) {
  const absl::string_view text =
      lexer.Peek() == '{' ? lexer.ScanBraces() : lexer.ScanString();
  if (text.empty()) return std::nullopt;
  return ReadString(text);
}

// --- statistics={visualizing_index=0,stat-1=33}

bool StatisticsFromProto(Instruction& instruction, std::string& text) {
  const proto::StatisticsViz& viz = instruction.statistics_viz();
  if (viz.statistics().empty()) return false;
  absl::StrAppend(&text, "{visualizing_index=", viz.stat_index_to_visualize());
  for (const proto::Statistic& statistic : viz.statistics()) {
    absl::StrAppend(&text, ",", statistic.stat_name(), "=",
                    statistic.stat_val());
  }
  text.push_back('}');
  instruction.clear_statistics_viz();
  return true;
}

bool StatisticsToProto(absl::string_view text, Instruction& instruction) {
  proto::StatisticsViz& viz = *instruction.mutable_statistics_viz();
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  bool first = true;
  while (!lexer.Consume('}')) {
    if (!first && !lexer.Consume(',')) return false;
    const absl::string_view name = lexer.ScanAttributeName();
    double value = 0;
    if (name.empty() || !absl::SimpleAtod(lexer.ScanNumber(), &value)) {
      return false;
    }
    if (first && name == "visualizing_index") {
      viz.set_stat_index_to_visualize(static_cast<int64_t>(value));
    } else {
      proto::Statistic& statistic = *viz.add_statistics();
      statistic.set_stat_name(std::string(name));
      statistic.set_stat_val(value);
    }
    first = false;
  }
  return true;
}

// --- result_accuracy={mode=highest}, {tolerance={atol=1,rtol=0.5,ulps=2}}

bool AccuracyFromProto(Instruction& instruction, std::string& text) {
  if (!instruction.has_result_accuracy()) return false;
  const proto::ResultAccuracy& accuracy = instruction.result_accuracy();
  if (accuracy.has_tolerance()) {
    const auto& tolerance = accuracy.tolerance();
    absl::StrAppend(&text, "{tolerance={atol=", tolerance.atol(),
                    ",rtol=", tolerance.rtol(), ",ulps=", tolerance.ulps(),
                    "}}");
  } else if (accuracy.mode() == proto::ResultAccuracy::HIGHEST) {
    absl::StrAppend(&text, "{mode=highest}");
  }
  instruction.clear_result_accuracy();
  return !text.empty();
}

bool AccuracyToProto(absl::string_view text, Instruction& instruction) {
  proto::ResultAccuracy& accuracy = *instruction.mutable_result_accuracy();
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  const absl::string_view form = lexer.ScanAttributeName();
  if (form == "mode") {
    const bool is_highest = lexer.ConsumeWord("highest");
    accuracy.set_mode(is_highest ? proto::ResultAccuracy::HIGHEST
                                 : proto::ResultAccuracy::DEFAULT);
    return true;
  }
  if (form != "tolerance" || !lexer.Consume('{')) return false;
  auto& tolerance = *accuracy.mutable_tolerance();
  while (!lexer.Consume('}')) {
    lexer.Consume(',');
    const absl::string_view name = lexer.ScanAttributeName();
    double value = 0;
    if (!absl::SimpleAtod(lexer.ScanNumber(), &value)) return false;
    if (name == "atol") {
      tolerance.set_atol(value);
    } else if (name == "rtol") {
      tolerance.set_rtol(value);
    } else {
      tolerance.set_ulps(static_cast<int64_t>(value));
    }
  }
  return true;
}

// --- origin={({"a"}, {"b" {1}})}

using Elements = std::map<ShapeIndex, const proto::OriginalArrayProto*>;

// The value's tree is that of `shape`; recursion is as deep as its tuples.
void AppendOrigin(const Shape& shape, const Elements& elements,
                  ShapeIndex& index, std::string& text) {
  if (shape.IsTuple()) {
    text.push_back('(');
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (i > 0) text += ", ";
      index.push_back(static_cast<int64_t>(i));
      AppendOrigin(*shape.tuple_shapes()[i], elements, index, text);
      index.pop_back();
    }
    text.push_back(')');
    return;
  }
  const auto found = elements.find(index);
  text.push_back('{');
  if (found != elements.end() && found->second != nullptr) {
    text += OriginalArrayToString(*found->second);
  }
  text.push_back('}');
}

bool OriginFromProto(const Shape* shape, Instruction& instruction,
                     std::string& text) {
  if (!instruction.has_original_value() || shape == nullptr) return false;
  const proto::OriginalValueProto& value = instruction.original_value();
  if (value.is_synthetic_call()) {
    text += "{[synthetic_call]}";
  } else {
    Elements elements;
    for (const proto::OriginalValueElementProto& element : value.elements()) {
      const ShapeIndex index(element.shape_index().begin(),
                             element.shape_index().end());
      elements[index] =
          element.has_original_array() ? &element.original_array() : nullptr;
    }
    ShapeIndex index;
    text.push_back('{');
    AppendOrigin(*shape, elements, index, text);
    text.push_back('}');
  }
  instruction.clear_original_value();
  return true;
}

bool ReadIndex(HloLexer& lexer,
               google::protobuf::RepeatedField<int64_t>* index) {
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    lexer.Consume(',');
    const auto number = IntegerValue(lexer.ScanInteger());
    if (!number.has_value()) return false;
    index->Add(*number);
  }
  return true;
}

bool OriginToProto(absl::string_view text, Instruction& instruction) {
  proto::OriginalValueProto& value = *instruction.mutable_original_value();
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  if (lexer.Consume('[')) {
    value.set_is_synthetic_call(true);
    return lexer.ConsumeWord("synthetic_call");
  }
  // Where the next leaf is: the elements read so far in each open tuple.
  std::vector<int64_t> index;
  while (!lexer.AtEnd()) {
    if (lexer.Consume('(')) {
      index.push_back(0);
    } else if (lexer.Consume(')')) {
      if (index.empty()) return false;
      index.pop_back();
    } else if (lexer.Consume(',')) {
      if (index.empty()) return false;
      ++index.back();
    } else if (lexer.Consume('{')) {
      auto& element = *value.add_elements();
      element.mutable_shape_index()->Add(index.begin(), index.end());
      if (lexer.Consume('}')) continue;
      auto& array = *element.mutable_original_array();
      array.set_instruction_name(ReadString(lexer.ScanString()));
      if (lexer.Peek() == '{' &&
          !ReadIndex(lexer, array.mutable_shape_index())) {
        return false;
      }
      if (!lexer.Consume('}')) return false;
    } else {
      return lexer.Consume('}') && lexer.AtEnd();
    }
  }
  return true;
}

}  // namespace

std::string OriginalArrayToString(const proto::OriginalArrayProto& array) {
  std::string text =
      absl::StrCat("\"", absl::CEscape(array.instruction_name()), "\"");
  if (array.shape_index().empty()) return text;
  const ShapeIndex index(array.shape_index().begin(),
                         array.shape_index().end());
  return absl::StrCat(text, " ", ShapeIndexToString(index));
}

bool FrontendAttributesFromProto(const proto::FrontendAttributes& attributes,
                                 std::string& text) {
  if (attributes.map().empty()) return false;
  std::vector<std::pair<absl::string_view, absl::string_view>> entries;
  for (const auto& entry : attributes.map()) {
    entries.emplace_back(entry.key(), entry.value());
  }
  // The last of equal keys counts, as in a map.
  std::stable_sort(
      entries.begin(), entries.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  bool first = true;
  text.push_back('{');
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + 1 < entries.size() && entries[i].first == entries[i + 1].first) {
      continue;
    }
    absl::StrAppend(&text, first ? "" : ",", entries[i].first, "=");
    AppendStringOrBraces(entries[i].second, text);
    first = false;
  }
  text.push_back('}');
  return true;
}

bool FrontendAttributesToProto(absl::string_view text,
                               proto::FrontendAttributes& attributes) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  bool first = true;
  while (!lexer.Consume('}')) {
    if (!first && !lexer.Consume(',')) return false;
    first = false;
    const absl::string_view key = lexer.ScanAttributeName();
    const std::optional<std::string> value = ScanStringOrBraces(lexer);
    if (key.empty() || !value.has_value()) return false;
    auto& entry = *attributes.add_map();
    entry.set_key(std::string(key));
    entry.set_value(*value);
  }
  return true;
}

bool AnnotationFromProto(HloAttributeKind kind, const Shape* shape,
                         Instruction& instruction, std::string& text) {
  switch (kind) {
    case Kind::kFrontendAttributes:
      if (!FrontendAttributesFromProto(instruction.frontend_attributes(),
                                       text)) {
        return false;
      }
      instruction.clear_frontend_attributes();
      return true;
    case Kind::kStatistics:
      return StatisticsFromProto(instruction, text);
    case Kind::kResultAccuracy:
      return AccuracyFromProto(instruction, text);
    case Kind::kOrigin:
      return OriginFromProto(shape, instruction, text);
    case Kind::kBackendConfig:
      if (instruction.backend_config().empty()) return false;
      AppendStringOrBraces(instruction.backend_config(), text);
      instruction.clear_backend_config();
      return true;
    default:
      return false;
  }
}

bool AnnotationToProto(HloAttributeKind kind, absl::string_view text,
                       Instruction& instruction) {
  switch (kind) {
    case Kind::kFrontendAttributes:
      return FrontendAttributesToProto(
          text, *instruction.mutable_frontend_attributes());
    case Kind::kStatistics:
      return StatisticsToProto(text, instruction);
    case Kind::kResultAccuracy:
      return AccuracyToProto(text, instruction);
    case Kind::kOrigin:
      return OriginToProto(text, instruction);
    case Kind::kBackendConfig:
      instruction.set_backend_config(ReadString(text));
      return true;
    default:
      return false;
  }
}

}  // namespace ferry
