// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_attribute_check.h"

#include <algorithm>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "ferry/hlo/literal_parser.h"
#include "ferry/hlo/proto/hlo.pb.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

bool IsValueOfConstant(HloOpcode opcode, Kind kind) {
  return opcode == HloOpcode::kConstant && kind == Kind::kLiteral;
}

bool IsOwn(HloOpcode opcode, Kind kind) {
  // In text a constant's value is no attribute, but its argument.
  return (IsValueOfConstant(opcode, kind) ||
          IsAllowedAttribute(opcode, kind)) &&
         !IsCommonProtoAttribute(kind) && kind != Kind::kMode &&
         kind != Kind::kUnknownOpcode && kind != Kind::kUnknownAttribute;
}

}  // namespace

absl::Span<const HloAttributeKind> OwnProtoAttributes(HloOpcode opcode) {
  static const auto& kinds = *[] {
    auto* all = new std::vector<std::vector<Kind>>();
    const auto opcode_limit = static_cast<int>(HloOpcode::kUnknown);
    for (int i = 0; i <= opcode_limit; ++i) {
      auto& own = all->emplace_back();
      if (i == opcode_limit) break;
      for (int k = 0; k <= static_cast<int>(Kind::kUnknownAttribute); ++k) {
        const auto kind = static_cast<Kind>(k);
        if (IsOwn(static_cast<HloOpcode>(i), kind)) own.push_back(kind);
      }
    }
    return all;
  }();
  return kinds[static_cast<size_t>(opcode)];
}

ProtoAttributeGaps FindProtoAttributeGaps(const HloInstruction& instruction,
                                          const ProtoAttributeInput& input,
                                          proto::HloInstructionProto& fields) {
  ProtoAttributeGaps gaps;
  const auto attributes = instruction.attributes();
  std::string text;
  for (const auto kinds :
       {OwnProtoAttributes(input.opcode), CommonProtoAttributes()}) {
    for (const Kind kind : kinds) {
      if (IsValueOfConstant(input.opcode, kind)) continue;
      text.clear();
      const auto is_read = AttributeFromProto(kind, input, fields, text);
      const auto* found = std::find_if(
          attributes.begin(), attributes.end(),
          [kind](const HloAttribute& one) { return one.kind == kind; });
      const bool is_there = found != attributes.end();
      if (!is_read.ok()) {
        if (is_there) gaps.unreadable.push_back(kind);
      } else if (is_there && (!*is_read || text != found->text)) {
        gaps.different.push_back(kind);
      } else if (!is_there && *is_read) {
        gaps.absent.push_back(kind);
      }
    }
  }
  return gaps;
}

bool IsAttributeText(HloAttributeKind kind, absl::string_view text,
                     const ProtoAttributeInput& input) {
  const bool is_allowed =
      IsCommonProtoAttribute(kind) ||
      absl::c_linear_search(OwnProtoAttributes(input.opcode), kind);
  if (!is_allowed || kind == Kind::kMetadata) return false;
  if (kind == Kind::kLiteral) {
    // Parts of it may be elided.
    return IsValueOfConstant(input.opcode, kind)
               ? ParseLiteral(*input.shape, text).ok()
               : ParseLiteralWithShapes(text, input.context).ok();
  }
  proto::HloInstructionProto fields;
  if (AttributeToProto(kind, text, input, fields).ok()) return true;
  // XLA prints names in them without escapes, so that not all can be read.
  return (kind == Kind::kOrigin || kind == Kind::kSharding) &&
         absl::StartsWith(text, "{") && absl::EndsWith(text, "}") &&
         !absl::StrContains(text, '\n');
}

}  // namespace ferry
