// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_defaults.h"

#include <algorithm>
#include <string>

#include "absl/types/span.h"
#include "ferry/hlo/integer_list.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

bool Has(absl::Span<const HloAttribute> attributes, Kind kind) {
  return std::any_of(
      attributes.begin(), attributes.end(),
      [&](const HloAttribute& attribute) { return attribute.kind == kind; });
}

std::string FirstDimensions(int64_t rank) {
  IntegerList dimensions;
  for (int64_t i = 0; i < rank; ++i) dimensions.values.push_back(i);
  std::string text;
  dimensions.AppendTo(text);
  return text;
}

}  // namespace

bool IsLeftOut(HloOpcode opcode, const HloAttribute& attribute) {
  const absl::string_view text = attribute.text;
  if (opcode == HloOpcode::kUnknown) return false;
  switch (attribute.kind) {
    case Kind::kMode:
      return true;
    case Kind::kDimensions:
      return opcode == HloOpcode::kRaggedAllToAll;
    case Kind::kFeatureGroupCount:
    case Kind::kBatchGroupCount:
      return text == "1";
    case Kind::kInferredDimension:
      return text == "-1";
    case Kind::kConvolutionKind:
    case Kind::kAlgorithm:
      return text == "unset";
    case Kind::kTransposeA:
      return text == "TRANSPOSE_INVALID";
    case Kind::kPaddingType:
      return text == "PADDING_INVALID";
    case Kind::kSchedule:
      return text == "SCHEDULE_NONE";
    case Kind::kApiVersion:
      return text == "API_VERSION_ORIGINAL";
    case Kind::kWindow:
      return text == "{}" && opcode != HloOpcode::kCustomCall;
    case Kind::kLhsBatchDims:
    case Kind::kRhsBatchDims:
    case Kind::kLhsRaggedDims:
    case Kind::kRhsGroupDims:
    case Kind::kOperandBatchingDims:
    case Kind::kStartIndicesBatchingDims:
    case Kind::kInputBatchingDims:
    case Kind::kScatterIndicesBatchingDims:
      return text == "{}";
    case Kind::kSliceSizes:
      return text == "{}" && opcode != HloOpcode::kGather;
    case Kind::kInfeedConfig:
    case Kind::kOutfeedConfig:
      return text == "\"\"";
    case Kind::kAsyncExecutionThread:
      return opcode != HloOpcode::kAsyncStart || text == "\"main\"";
    case Kind::kLargest:
    case Kind::kIsAssociative:
      return false;
    default:
      return HloAttributeFormOf(attribute.kind) == HloAttributeForm::kBool &&
             text == "false";
  }
}

bool IsDefaultCompareType(absl::string_view type, const Shape& operand) {
  if (!operand.IsArray()) return false;
  switch (PrimitiveTypeName(operand.element_type()).front()) {
    case 's':
      return type == "SIGNED";
    case 'u':
    case 'p':  // pred
      return type == "UNSIGNED";
    default:  // floating point and complex
      return type == "FLOAT";
  }
}

void AddUnwritten(
    HloOpcode opcode, const Shape* shape,
    absl::FunctionRef<absl::string_view(absl::string_view)> save_text,
    llvm::SmallVectorImpl<HloAttribute>& attributes) {
  const auto add = [&](Kind kind, absl::string_view text) {
    if (!Has(attributes, kind)) attributes.push_back({kind, text});
  };
  switch (opcode) {
    case HloOpcode::kTopk:
      add(Kind::kLargest, "true");
      break;
    case HloOpcode::kScan:
      add(Kind::kIsAssociative, "false");
      break;
    case HloOpcode::kBroadcast:
      add(Kind::kDimensions, "{}");
      break;
    case HloOpcode::kMap:
      if (shape != nullptr && !Has(attributes, Kind::kDimensions)) {
        const bool is_buffer = shape->element_type() == PrimitiveType::kBuffer;
        const int64_t rank =
            (is_buffer ? shape->tuple_shapes()[0] : shape)->dimensions().size();
        add(Kind::kDimensions, save_text(FirstDimensions(rank)));
      }
      break;
    case HloOpcode::kOutfeed:
      if (shape != nullptr && !Has(attributes, Kind::kOutfeedShape)) {
        add(Kind::kOutfeedShape, save_text(shape->ToString()));
      }
      break;
    case HloOpcode::kDot:
    case HloOpcode::kScaledDot:
    case HloOpcode::kRaggedDot:
      add(Kind::kLhsContractingDims, "{}");
      add(Kind::kRhsContractingDims, "{}");
      break;
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kAllToAll:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kCollectiveBroadcast:
      add(Kind::kReplicaGroups, "{}");
      break;
    default:
      break;
  }
}

}  // namespace ferry
