// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_enum.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace ferry {
namespace {

constexpr absl::string_view kDirections[] = {"EQ", "NE", "GE",
                                             "GT", "LE", "LT"};
constexpr absl::string_view kCompareTypes[] = {"FLOAT", "TOTALORDER", "SIGNED",
                                               "UNSIGNED"};
constexpr absl::string_view kFusionKinds[] = {"kLoop", "kInput", "kOutput",
                                              "kCustom"};
constexpr absl::string_view kConvolutionKinds[] = {"fprop", "wgrad", "dgrad",
                                                   "unset"};
constexpr absl::string_view kModes[] = {"cross_replica", "cross_partition",
                                        "cross_replica_and_partition",
                                        "flattened_id"};
constexpr absl::string_view kDistributions[] = {"rng_invalid", "rng_uniform",
                                                "rng_normal"};
constexpr absl::string_view kRandomAlgorithms[] = {
    "rng_default", "rng_three_fry", "rng_philox"};
constexpr absl::string_view kDotAlgorithms[] = {
    "unset",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_bf16_bf16_f32_x9",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64"};
constexpr absl::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr absl::string_view kTransposes[] = {"NO_TRANSPOSE", "TRANSPOSE",
                                             "ADJOINT", "TRANSPOSE_INVALID"};
constexpr absl::string_view kPaddingTypes[] = {"PADDING_INVALID",
                                               "PADDING_VALID", "PADDING_SAME"};
constexpr absl::string_view kSchedules[] = {"SCHEDULE_NONE", "SCHEDULE_LATEST",
                                            "SCHEDULE_EARLIEST"};
constexpr absl::string_view kApiVersions[] = {
    "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

struct Row {
  HloAttributeKind kind;
  AttributeEnum facts;
};
constexpr Row kRows[] = {
    {HloAttributeKind::kDirection, {kDirections, false}},
    {HloAttributeKind::kType, {kCompareTypes, false}},
    {HloAttributeKind::kKind, {kFusionKinds, false}},
    {HloAttributeKind::kConvolutionKind, {kConvolutionKinds, false}},
    {HloAttributeKind::kMode, {kModes, false}},
    {HloAttributeKind::kDistribution, {kDistributions, true}},
    {HloAttributeKind::kAlgorithm, {kDotAlgorithms, true}},
    {HloAttributeKind::kFftType, {kFftTypes, false}},
    {HloAttributeKind::kTransposeA, {kTransposes, false}},
    {HloAttributeKind::kPaddingType, {kPaddingTypes, false}},
    {HloAttributeKind::kSchedule, {kSchedules, true}},
    {HloAttributeKind::kApiVersion, {kApiVersions, true}},
};
constexpr AttributeEnum kRandomAlgorithm = {kRandomAlgorithms, true};

}  // namespace

const AttributeEnum* FindAttributeEnum(HloOpcode opcode,
                                       HloAttributeKind kind) {
  if (kind == HloAttributeKind::kAlgorithm &&
      opcode == HloOpcode::kRngBitGenerator) {
    return &kRandomAlgorithm;
  }
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.kind == kind; });
  return row == std::end(kRows) ? nullptr : &row->facts;
}

absl::string_view FindEnumValue(const AttributeEnum& attribute,
                                absl::string_view word) {
  for (absl::string_view value : attribute.values) {
    if (attribute.any_case ? absl::EqualsIgnoreCase(word, value)
                           : word == value) {
      return value;
    }
  }
  return {};
}

}  // namespace ferry
