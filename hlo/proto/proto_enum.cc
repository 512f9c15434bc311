// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_enum.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/proto/hlo.pb.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Kind = HloAttributeKind;

// A value's name in the schema, as HLO text has it. Empty if unknown.
std::string EnumText(const std::string& name, absl::string_view prefix,
                     bool lower) {
  const absl::string_view text = absl::StripPrefix(name, prefix);
  return lower ? absl::AsciiStrToLower(text) : std::string(text);
}

std::string EnumName(absl::string_view text, absl::string_view prefix) {
  return absl::StrCat(prefix, absl::AsciiStrToUpper(text));
}

}  // namespace

std::string EnumFromProto(HloAttributeKind kind, HloOpcode opcode,
                          Instruction& p) {
  std::string text;
  switch (kind) {
    case Kind::kConvolutionKind:
      if (p.conv_kind() == proto::CONVOLUTION_KIND_UNSET) return "";
      text = EnumText(proto::ConvolutionKind_Name(p.conv_kind()),
                      "CONVOLUTION_KIND_", /*lower=*/true);
      if (!text.empty()) p.clear_conv_kind();
      return text;
    case Kind::kDistribution:
      text = EnumText(proto::RandomDistribution_Name(p.distribution()), "",
                      /*lower=*/true);
      if (!text.empty()) p.clear_distribution();
      return text;
    case Kind::kAlgorithm:
      if (opcode == HloOpcode::kRngBitGenerator) {
        text = EnumText(proto::RandomAlgorithm_Name(p.rng_algorithm()), "",
                        /*lower=*/true);
        if (!text.empty()) p.clear_rng_algorithm();
        return text;
      }
      if (p.precision_config().algorithm() ==
          proto::PrecisionConfig::ALG_UNSET) {
        return "";
      }
      text = EnumText(proto::PrecisionConfig::Algorithm_Name(
                          p.precision_config().algorithm()),
                      "ALG_", /*lower=*/true);
      if (!text.empty()) p.mutable_precision_config()->clear_algorithm();
      return text;
    case Kind::kFftType:
      text = proto::FftType_Name(p.fft_type());
      if (!text.empty()) p.clear_fft_type();
      return text;
    case Kind::kTransposeA: {
      const auto value = p.triangular_solve_options().transpose_a();
      if (value == proto::TriangularSolveOptions::TRANSPOSE_INVALID) return "";
      text = proto::TriangularSolveOptions::Transpose_Name(value);
      if (!text.empty()) {
        p.mutable_triangular_solve_options()->clear_transpose_a();
      }
      return text;
    }
    case Kind::kPaddingType:
      if (p.padding_type() == proto::PADDING_INVALID) return "";
      text = proto::PaddingType_Name(p.padding_type());
      if (!text.empty()) p.clear_padding_type();
      return text;
    case Kind::kSchedule:
      if (p.custom_call_schedule() == proto::SCHEDULE_NONE) return "";
      text = proto::CustomCallSchedule_Name(p.custom_call_schedule());
      if (!text.empty()) p.clear_custom_call_schedule();
      return text;
    case Kind::kApiVersion:
      text = proto::CustomCallApiVersion_Name(p.custom_call_api_version());
      if (!text.empty()) p.clear_custom_call_api_version();
      return text == "API_VERSION_ORIGINAL" ? "" : text;
    case Kind::kIsAssociative:
      text = p.is_associative() == proto::TRI_STATE_TRUE ? "true" : "false";
      p.clear_is_associative();
      return text;
    default:
      return "";
  }
}

bool EnumToProto(HloAttributeKind kind, absl::string_view text,
                 HloOpcode opcode, Instruction& p) {
  const std::string name(text);
  switch (kind) {
    case Kind::kConvolutionKind: {
      proto::ConvolutionKind value;
      const bool ok = proto::ConvolutionKind_Parse(
          EnumName(text, "CONVOLUTION_KIND_"), &value);
      if (ok) p.set_conv_kind(value);
      return ok;
    }
    case Kind::kDistribution: {
      proto::RandomDistribution value;
      const bool ok =
          proto::RandomDistribution_Parse(EnumName(text, ""), &value);
      if (ok) p.set_distribution(value);
      return ok;
    }
    case Kind::kAlgorithm: {
      if (opcode == HloOpcode::kRngBitGenerator) {
        proto::RandomAlgorithm value;
        const bool ok =
            proto::RandomAlgorithm_Parse(EnumName(text, ""), &value);
        if (ok) p.set_rng_algorithm(value);
        return ok;
      }
      proto::PrecisionConfig::Algorithm value;
      const bool ok = proto::PrecisionConfig::Algorithm_Parse(
          EnumName(text, "ALG_"), &value);
      if (ok) p.mutable_precision_config()->set_algorithm(value);
      return ok;
    }
    case Kind::kFftType: {
      proto::FftType value;
      const bool ok = proto::FftType_Parse(name, &value);
      if (ok) p.set_fft_type(value);
      return ok;
    }
    case Kind::kTransposeA: {
      proto::TriangularSolveOptions::Transpose value;
      const bool ok =
          proto::TriangularSolveOptions::Transpose_Parse(name, &value);
      if (ok) p.mutable_triangular_solve_options()->set_transpose_a(value);
      return ok;
    }
    case Kind::kPaddingType: {
      proto::PaddingType value;
      const bool ok = proto::PaddingType_Parse(name, &value);
      if (ok) p.set_padding_type(value);
      return ok;
    }
    case Kind::kSchedule: {
      proto::CustomCallSchedule value;
      const bool ok = proto::CustomCallSchedule_Parse(name, &value);
      if (ok) p.set_custom_call_schedule(value);
      return ok;
    }
    case Kind::kApiVersion: {
      proto::CustomCallApiVersion value;
      const bool ok = proto::CustomCallApiVersion_Parse(name, &value);
      if (ok) p.set_custom_call_api_version(value);
      return ok;
    }
    case Kind::kIsAssociative:
      p.set_is_associative(text == "true" ? proto::TRI_STATE_TRUE
                                          : proto::TRI_STATE_FALSE);
      return true;
    default:
      return false;
  }
}

}  // namespace ferry
