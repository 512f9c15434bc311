// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_annotations.h"

#include <cstdint>

#include "absl/status/status.h"
#include "ferry/hlo/frontend_attributes.h"
#include "ferry/hlo/original_value.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/printed_names.h"
#include "ferry/hlo/quoted_string.h"
#include "ferry/hlo/result_accuracy.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/statistics.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Kind = HloAttributeKind;

// --- statistics

bool StatisticsFromProto(Instruction& instruction, std::string& text) {
  const proto::StatisticsViz& viz = instruction.statistics_viz();
  Statistics statistics;
  statistics.visualizing_index = viz.stat_index_to_visualize();
  for (const proto::Statistic& statistic : viz.statistics()) {
    statistics.values.emplace_back(statistic.stat_name(), statistic.stat_val());
  }
  if (!statistics.IsPrinted()) return false;
  statistics.AppendTo(text);
  // Names that text cannot have stay, to be carried.
  Statistics again;
  if (ReadWhole(text, again).ok()) instruction.clear_statistics_viz();
  return true;
}

bool StatisticsToProto(absl::string_view text, Instruction& instruction) {
  Statistics statistics;
  if (!ReadWhole(text, statistics).ok()) return false;
  proto::StatisticsViz& viz = *instruction.mutable_statistics_viz();
  viz.set_stat_index_to_visualize(statistics.visualizing_index);
  for (const auto& [name, value] : statistics.values) {
    proto::Statistic& statistic = *viz.add_statistics();
    statistic.set_stat_name(std::string(name));
    statistic.set_stat_val(value);
  }
  return true;
}

// --- result_accuracy

bool AccuracyFromProto(Instruction& instruction, std::string& text) {
  if (!instruction.has_result_accuracy()) return false;
  const proto::ResultAccuracy& proto = instruction.result_accuracy();
  ResultAccuracy accuracy;
  if (proto.has_tolerance()) {
    accuracy.kind = ResultAccuracy::Kind::kTolerance;
    accuracy.atol = proto.tolerance().atol();
    accuracy.rtol = proto.tolerance().rtol();
    accuracy.ulps = proto.tolerance().ulps();
  } else if (proto.mode() == proto::ResultAccuracy::HIGHEST) {
    accuracy.kind = ResultAccuracy::Kind::kHighest;
  }
  if (accuracy.IsPrinted()) accuracy.AppendTo(text);
  instruction.clear_result_accuracy();
  return accuracy.IsPrinted();
}

bool AccuracyToProto(absl::string_view text, Instruction& instruction) {
  ResultAccuracy accuracy;
  if (!ReadWhole(text, accuracy).ok()) return false;
  proto::ResultAccuracy& proto = *instruction.mutable_result_accuracy();
  if (accuracy.kind == ResultAccuracy::Kind::kTolerance) {
    proto.mutable_tolerance()->set_atol(accuracy.atol);
    proto.mutable_tolerance()->set_rtol(accuracy.rtol);
    proto.mutable_tolerance()->set_ulps(accuracy.ulps);
  } else {
    proto.set_mode(accuracy.kind == ResultAccuracy::Kind::kHighest
                       ? proto::ResultAccuracy::HIGHEST
                       : proto::ResultAccuracy::DEFAULT);
  }
  return true;
}

// --- origin

// Element numbers that the shape does not have cost memory of their size, so
// they are bounded, all together.
constexpr int64_t kMostForeignElements = int64_t{1} << 20;

absl::StatusOr<bool> OriginFromProto(const Shape* shape,
                                     Instruction& instruction,
                                     std::string& text) {
  if (!instruction.has_original_value()) return false;
  const proto::OriginalValueProto& proto = instruction.original_value();
  OriginalValue value;
  if (proto.is_synthetic_call()) value.set_is_synthetic_call();
  int64_t foreign = 0;
  for (const proto::OriginalValueElementProto& element : proto.elements()) {
    const ShapeIndex index(element.shape_index().begin(),
                           element.shape_index().end());
    const bool is_known =
        shape != nullptr && shape->OrdinalOf(index).has_value();
    for (const int64_t number : index) {
      if (number < 0 || number > kMostForeignElements ||
          (!is_known && (foreign += number) > kMostForeignElements)) {
        return absl::InvalidArgumentError(
            "a shape_index of original_value leads far out of the shape");
      }
    }
    OriginalValue::Array array;
    array.instruction_name = element.original_array().instruction_name();
    array.shape_index.assign(element.original_array().shape_index().begin(),
                             element.original_array().shape_index().end());
    value.SetLeaf(index, std::move(array));
  }
  value.AppendTo(text);
  instruction.clear_original_value();
  return true;
}

bool OriginToProto(absl::string_view text, Instruction& instruction) {
  OriginalValue value;
  const std::string escaped = EscapePrintedNames(text, '"');
  if (!ReadWhole(escaped, value).ok()) return false;
  proto::OriginalValueProto& proto = *instruction.mutable_original_value();
  proto.set_is_synthetic_call(value.is_synthetic_call());
  if (value.is_synthetic_call()) return true;
  for (const OriginalValue::Leaf& leaf : value.Leaves()) {
    auto& element = *proto.add_elements();
    element.mutable_shape_index()->Add(leaf.index.begin(), leaf.index.end());
    if (leaf.array->instruction_name.empty()) continue;
    auto& array = *element.mutable_original_array();
    array.set_instruction_name(std::string(leaf.array->instruction_name));
    array.mutable_shape_index()->Add(leaf.array->shape_index.begin(),
                                     leaf.array->shape_index.end());
  }
  return true;
}

}  // namespace

bool FrontendAttributesFromProto(const proto::FrontendAttributes& proto,
                                 std::string& text) {
  if (proto.map().empty()) return false;
  FrontendAttributes attributes;
  for (const auto& entry : proto.map()) {
    attributes.entries.emplace_back(entry.key(), entry.value());
  }
  attributes.Sort();
  attributes.AppendTo(text);
  return true;
}

bool IsFrontendAttributes(absl::string_view text) {
  FrontendAttributes attributes;
  return ReadWhole(text, attributes).ok();
}

bool FrontendAttributesToProto(absl::string_view text,
                               proto::FrontendAttributes& proto) {
  FrontendAttributes attributes;
  if (!ReadWhole(text, attributes).ok()) return false;
  for (const auto& [key, value] : attributes.entries) {
    auto& entry = *proto.add_map();
    entry.set_key(std::string(key));
    entry.set_value(std::string(value));
  }
  return true;
}

absl::StatusOr<bool> AnnotationFromProto(HloAttributeKind kind,
                                         const Shape* shape,
                                         Instruction& instruction,
                                         std::string& text) {
  switch (kind) {
    case Kind::kFrontendAttributes:
      if (!FrontendAttributesFromProto(instruction.frontend_attributes(),
                                       text)) {
        return false;
      }
      if (IsFrontendAttributes(text)) instruction.clear_frontend_attributes();
      return true;
    case Kind::kStatistics:
      return StatisticsFromProto(instruction, text);
    case Kind::kResultAccuracy:
      return AccuracyFromProto(instruction, text);
    case Kind::kOrigin:
      return OriginFromProto(shape, instruction, text);
    case Kind::kBackendConfig:
      if (instruction.backend_config().empty()) return false;
      AppendQuotedOrBraces(instruction.backend_config(), text);
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
