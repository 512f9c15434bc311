// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_attribute.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/literal.h"
#include "ferry/hlo/literal_parser.h"
#include "ferry/hlo/parse_errors.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/printed_names.h"
#include "ferry/hlo/proto/proto_annotations.h"
#include "ferry/hlo/proto/proto_enum.h"
#include "ferry/hlo/proto/proto_literal.h"
#include "ferry/hlo/proto/proto_numbers.h"
#include "ferry/hlo/proto/proto_shape.h"
#include "ferry/hlo/proto/proto_sharding.h"
#include "ferry/hlo/quoted_string.h"
#include "ferry/hlo/replica_groups.h"
#include "ferry/hlo/replica_groups_parser.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/sharding_parser.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

using Instruction = proto::HloInstructionProto;
using Kind = HloAttributeKind;

absl::Status BadText(Kind kind, absl::string_view text) {
  constexpr size_t kMost = 200;
  return absl::InvalidArgumentError(
      absl::StrCat("the attribute `", HloAttributeName(kind), "=",
                   text.substr(0, kMost), text.size() > kMost ? "..." : "",
                   "` is not of the form that it should have"));
}

// --- Numbers and flags: where they stand, and which value is not printed.

struct IntegerField {
  int64_t (*get)(const Instruction&);
  void (*set)(Instruction&, int64_t);
  void (*clear)(Instruction&);
  // Not printed; nullopt: always printed.
  std::optional<int64_t> hidden;
};

#define FERRY_INTEGER_FIELD(field, ...)                              \
  IntegerField {                                                     \
    [](const Instruction& p) { return int64_t{p.field()}; },         \
        [](Instruction& p, int64_t value) { p.set_##field(value); }, \
        [](Instruction& p) { p.clear_##field(); }, __VA_ARGS__       \
  }

std::optional<IntegerField> IntegerFieldOf(Kind kind) {
  switch (kind) {
    case Kind::kChannelId:
      return FERRY_INTEGER_FIELD(channel_id, std::nullopt);
    case Kind::kExponentBits:
      return FERRY_INTEGER_FIELD(exponent_bits, std::nullopt);
    case Kind::kMantissaBits:
      return FERRY_INTEGER_FIELD(mantissa_bits, std::nullopt);
    case Kind::kFeatureGroupCount:
      return FERRY_INTEGER_FIELD(feature_group_count, 1);
    case Kind::kBatchGroupCount:
      return FERRY_INTEGER_FIELD(batch_group_count, 1);
    case Kind::kFeatureIndex:
      return FERRY_INTEGER_FIELD(feature_index, std::nullopt);
    case Kind::kNumCarries:
      return FERRY_INTEGER_FIELD(num_carries, std::nullopt);
    case Kind::kDelta:
      return FERRY_INTEGER_FIELD(delta, std::nullopt);
    case Kind::kK:
      return FERRY_INTEGER_FIELD(k, std::nullopt);
    case Kind::kCrossProgramPrefetchIndex:
      return FERRY_INTEGER_FIELD(cross_program_prefetch_index, std::nullopt);
    default:
      return std::nullopt;
  }
}
#undef FERRY_INTEGER_FIELD

struct FlagField {
  bool (*get)(const Instruction&);
  void (*set)(Instruction&, bool);
  void (*clear)(Instruction&);
  bool is_always_printed;
};

#define FERRY_FLAG_FIELD(owner, mutable_owner, field, always)           \
  FlagField {                                                           \
    [](const Instruction& p) { return p.owner field(); },               \
        [](Instruction& p, bool value) {                                \
          p.mutable_owner set_##field(value);                           \
        },                                                              \
        [](Instruction& p) { p.mutable_owner clear_##field(); }, always \
  }

std::optional<FlagField> FlagFieldOf(Kind kind, HloOpcode opcode) {
  switch (kind) {
    case Kind::kConstrainLayout:
      return FERRY_FLAG_FIELD(, , constrain_layout, false);
    case Kind::kUseGlobalDeviceIds:
      return FERRY_FLAG_FIELD(, , use_global_device_ids, false);
    case Kind::kIsHostTransfer:
      return FERRY_FLAG_FIELD(, , is_host_transfer, false);
    case Kind::kIndicesAreSorted:
      return FERRY_FLAG_FIELD(, , indices_are_sorted, false);
    case Kind::kUniqueIndices:
      return FERRY_FLAG_FIELD(, , unique_indices, false);
    case Kind::kIsStable:
      return FERRY_FLAG_FIELD(, , is_stable, false);
    case Kind::kLargest:
      return FERRY_FLAG_FIELD(, , largest, true);
    case Kind::kIsReverse:
      return FERRY_FLAG_FIELD(, , is_reverse, false);
    case Kind::kIsComposite:
      return FERRY_FLAG_FIELD(, , is_composite, false);
    case Kind::kCustomCallHasSideEffect:
      return FERRY_FLAG_FIELD(, , custom_call_has_side_effect, false);
    case Kind::kLeftSide:
      return FERRY_FLAG_FIELD(triangular_solve_options().,
                              mutable_triangular_solve_options()->, left_side,
                              false);
    case Kind::kUnitDiagonal:
      return FERRY_FLAG_FIELD(triangular_solve_options().,
                              mutable_triangular_solve_options()->,
                              unit_diagonal, false);
    case Kind::kLower:
      if (opcode == HloOpcode::kCholesky) {
        return FERRY_FLAG_FIELD(cholesky_options().,
                                mutable_cholesky_options()->, lower, false);
      }
      return FERRY_FLAG_FIELD(triangular_solve_options().,
                              mutable_triangular_solve_options()->, lower,
                              false);
    default:
      return std::nullopt;
  }
}
#undef FERRY_FLAG_FIELD

// --- Quoted strings, those with a default and bare words.

std::string* StringOf(Kind kind, Instruction& p) {
  switch (kind) {
    case Kind::kInfeedConfig:
      return p.mutable_infeed_config();
    case Kind::kOutfeedConfig:
      return p.mutable_outfeed_config();
    case Kind::kCustomCallTarget:
      return p.mutable_custom_call_target();
    case Kind::kAsyncExecutionThread:
      return p.mutable_async_execution_thread();
    default:
      return nullptr;
  }
}

bool TakeString(Kind kind, std::string& value, std::string& text) {
  const bool is_hidden =
      kind != Kind::kCustomCallTarget &&
      (value.empty() ||
       (kind == Kind::kAsyncExecutionThread && value == "main"));
  if (!is_hidden) AppendQuoted(value, text);
  value.clear();
  return !is_hidden;
}

std::string* WordOf(Kind kind, Instruction& p) {
  switch (kind) {
    case Kind::kKind:
      return p.mutable_fusion_kind();
    case Kind::kDirection:
      return p.mutable_comparison_direction();
    default:
      return nullptr;
  }
}

// What `type` of a compare is if it is not given.
absl::string_view DefaultComparisonType(const Shape* operand) {
  if (operand == nullptr) return "";
  const absl::string_view name = PrimitiveTypeName(operand->element_type());
  if (name[0] == 'f' || name[0] == 'c' || name == "bf16") return "FLOAT";
  return name[0] == 's' ? "SIGNED" : "UNSIGNED";
}

// --- slice_sizes: of a gather, or of the arrays that a collective-permute
// moves in place.

void TakeSliceSizes(const ProtoAttributeInput& input, Instruction& p,
                    std::string& text) {
  const auto& sizes = p.dynamic_slice_sizes();
  const Shape* shape = input.operand_shape;
  const bool is_tuple = shape != nullptr && shape->IsTuple();
  int at = 0;
  absl::StrAppend(&text, "{");
  const size_t count = is_tuple ? shape->tuple_shapes().size() : 1;
  for (size_t i = 0; i < count || at < sizes.size(); ++i) {
    const bool is_last = i + 1 >= count;
    const int rank =
        is_tuple && !is_last
            ? static_cast<int>(shape->tuple_shapes()[i]->dimensions().size())
            : sizes.size();
    absl::StrAppend(&text, i > 0 ? ",{" : "{");
    for (int k = 0; k < rank && at < sizes.size(); ++k) {
      absl::StrAppend(&text, k > 0 ? "," : "", sizes[at++]);
    }
    absl::StrAppend(&text, "}");
  }
  absl::StrAppend(&text, "}");
  p.clear_dynamic_slice_sizes();
}

bool PutSliceSizes(absl::string_view text, Instruction& p) {
  HloLexer lexer(text);
  while (!lexer.AtEnd()) {
    if (lexer.Consume('{') || lexer.Consume('}') || lexer.Consume(',')) {
      continue;
    }
    const auto number = IntegerValue(lexer.ScanInteger());
    if (!number.has_value()) return false;
    p.add_dynamic_slice_sizes(*number);
  }
  return true;
}

// --- Shapes

absl::Status TakeShapes(const ProtoAttributeInput& input, Instruction& p,
                        std::string& text) {
  absl::StrAppend(&text, "{");
  bool first = true;
  for (const proto::ShapeProto& proto : p.operand_shapes_with_layout()) {
    FERRY_ASSIGN_OR_RETURN(const Shape* shape,
                           ShapeFromProto(proto, input.context));
    absl::StrAppend(&text, first ? "" : ", ", shape->ToString());
    first = false;
  }
  absl::StrAppend(&text, "}");
  p.clear_operand_shapes_with_layout();
  p.clear_constrain_layout();
  return absl::OkStatus();
}

// One shape, at the lexer's place.
absl::StatusOr<const Shape*> ScanShape(HloLexer& lexer, HloContext& context) {
  static const auto& nowhere =
      *new std::shared_ptr<const SourceText>(SourceText::FromString("", ""));
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*nowhere, /*max_errors=*/1, diagnostics);
  const Shape* shape = ShapeParser(context, lexer, errors).Parse();
  if (shape == nullptr) {
    return absl::InvalidArgumentError(diagnostics.front().message);
  }
  return shape;
}

absl::Status PutShapes(absl::string_view text, HloContext& context,
                       Instruction& p) {
  HloLexer lexer(text);
  p.set_constrain_layout(true);
  if (!lexer.Consume('{')) {
    return BadText(Kind::kOperandLayoutConstraints, text);
  }
  while (!lexer.Consume('}')) {
    FERRY_ASSIGN_OR_RETURN(const Shape* shape, ScanShape(lexer, context));
    FERRY_RETURN_IF_ERROR(
        ShapeToProto(*shape, *p.add_operand_shapes_with_layout()));
    lexer.Consume(',');
  }
  return absl::OkStatus();
}

// --- Values

// A constant without a literal is elided; a custom-call has none.
absl::StatusOr<bool> TakeLiteral(const ProtoAttributeInput& input,
                                 Instruction& p, std::string& text) {
  const bool is_constant = input.opcode == HloOpcode::kConstant;
  if (!p.has_literal()) {
    if (is_constant) text += "{...}";
    return is_constant;
  }
  FERRY_ASSIGN_OR_RETURN(const Literal literal,
                         LiteralFromProto(p.literal(), input.context));
  if (is_constant && !literal.shape().IsCompatible(*input.shape)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the literal is of shape ", literal.shape().ToString(),
                     ", but the constant of ", input.shape->ToString()));
  }
  text += is_constant ? literal.ToString() : literal.ToStringWithShapes();
  p.clear_literal();
  return true;
}

absl::StatusOr<bool> PutLiteral(absl::string_view text,
                                const ProtoAttributeInput& input,
                                Instruction& p) {
  if (input.opcode != HloOpcode::kConstant) {
    FERRY_ASSIGN_OR_RETURN(const Literal literal,
                           ParseLiteralWithShapes(text, input.context));
    FERRY_RETURN_IF_ERROR(LiteralToProto(literal, *p.mutable_literal()));
    return true;
  }
  if (text == "{...}") return true;
  FERRY_ASSIGN_OR_RETURN(const Literal literal,
                         ParseLiteral(*input.shape, text));
  FERRY_RETURN_IF_ERROR(LiteralToProto(literal, *p.mutable_literal()));
  return true;
}

// --- Devices: sharding, domain, replica_groups

// In text `entry` is the side of the user, in protos that of the operand.
absl::StatusOr<bool> TakeDevices(Kind kind, Instruction& p, std::string& text) {
  if (kind == Kind::kReplicaGroups) {
    FERRY_ASSIGN_OR_RETURN(const ReplicaGroups groups, TakeReplicaGroups(p));
    groups.AppendTo(text);
    return true;
  }
  if (kind == Kind::kSharding) {
    if (!p.has_sharding()) return false;
    FERRY_ASSIGN_OR_RETURN(const HloSharding sharding,
                           ShardingFromProto(p.sharding()));
    sharding.AppendTo(text);
    p.clear_sharding();
    return true;
  }
  if (!p.has_domain_entry_sharding() || !p.has_domain_exit_sharding()) {
    return absl::InvalidArgumentError(
        "domain_entry_sharding and domain_exit_sharding are needed");
  }
  FERRY_ASSIGN_OR_RETURN(const HloSharding entry,
                         ShardingFromProto(p.domain_exit_sharding()));
  FERRY_ASSIGN_OR_RETURN(const HloSharding exit,
                         ShardingFromProto(p.domain_entry_sharding()));
  text += "{kind=\"sharding\", entry=";
  entry.AppendTo(text);
  text += ", exit=";
  exit.AppendTo(text);
  text += "}";
  p.clear_domain_entry_sharding();
  p.clear_domain_exit_sharding();
  return true;
}

bool PutSharding(absl::string_view text, proto::OpSharding& proto) {
  const std::optional<HloSharding> sharding = ReadSharding(text);
  if (sharding.has_value()) ShardingToProto(*sharding, proto);
  return sharding.has_value();
}

bool PutDomain(absl::string_view text, Instruction& p) {
  HloLexer lexer(text);
  if (!lexer.Consume('{')) return false;
  while (!lexer.Consume('}')) {
    lexer.Consume(',');
    const absl::string_view name = lexer.ScanAttributeName();
    if (name == "kind") {
      lexer.ScanString();
    } else if (!PutSharding(lexer.ScanBraces(),
                            name == "entry"
                                ? *p.mutable_domain_exit_sharding()
                                : *p.mutable_domain_entry_sharding())) {
      return false;
    }
  }
  return true;
}

bool PutDevices(Kind kind, absl::string_view printed, Instruction& p) {
  const std::string text = EscapePrintedNames(printed, '\'');
  if (kind == Kind::kSharding) return PutSharding(text, *p.mutable_sharding());
  if (kind == Kind::kDomain) return PutDomain(text, p);
  const std::optional<ReplicaGroups> groups = ReadReplicaGroups(text);
  if (groups.has_value()) ReplicaGroupsToProto(*groups, p);
  return groups.has_value();
}

// --- Those that depend on more than one field.

// Numbers whose meaning differs by opcode: `dimensions` of the proto.
bool TakeFirstDimension(Instruction& p, std::string& text) {
  if (p.dimensions().empty()) return false;
  absl::StrAppend(&text, p.dimensions(0));
  p.clear_dimensions();
  return true;
}

bool IsPrintedDimensions(HloOpcode opcode, const Instruction& p) {
  if (opcode == HloOpcode::kAllToAll) return !p.dimensions().empty();
  return opcode != HloOpcode::kRaggedAllToAll;
}

bool TakeInteger(Kind kind, const IntegerField& field, HloOpcode opcode,
                 Instruction& p, std::string& text) {
  int64_t value = field.get(p);
  if (kind == Kind::kChannelId && value <= 0) return false;
  if (kind == Kind::kCrossProgramPrefetchIndex) {
    if (p.has_is_cross_program_prefetch()) {
      value = 0;
      if (!p.is_cross_program_prefetch()) return false;
      p.clear_is_cross_program_prefetch();
    } else if (!p.has_cross_program_prefetch_index()) {
      return false;
    }
  }
  const bool is_count =
      kind == Kind::kFeatureGroupCount || kind == Kind::kBatchGroupCount;
  if (is_count && value == 0) value = 1;
  field.clear(p);
  (void)opcode;
  if (field.hidden.has_value() && value == *field.hidden) return false;
  absl::StrAppend(&text, value);
  return true;
}

bool TakeComparisonType(const ProtoAttributeInput& input, Instruction& p,
                        std::string& text) {
  const std::string type = p.comparison_type();
  p.clear_comparison_type();
  if (type.empty() || type == DefaultComparisonType(input.operand_shape)) {
    return false;
  }
  text += type;
  return true;
}

}  // namespace

absl::Span<const HloAttributeKind> CommonProtoAttributes() {
  static constexpr Kind kKinds[] = {
      Kind::kSharding,   Kind::kFrontendAttributes,
      Kind::kStatistics, Kind::kResultAccuracy,
      Kind::kOrigin,     Kind::kBackendConfig};
  return kKinds;
}

bool IsCommonProtoAttribute(HloAttributeKind kind) {
  const absl::Span<const Kind> kinds = CommonProtoAttributes();
  return kind == Kind::kMetadata ||
         std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

absl::StatusOr<bool> AttributeFromProto(HloAttributeKind kind,
                                        const ProtoAttributeInput& input,
                                        Instruction& p, std::string& text) {
  const HloOpcode opcode = input.opcode;
  if (const auto integer = IntegerFieldOf(kind); integer.has_value()) {
    return TakeInteger(kind, *integer, opcode, p, text);
  }
  if (const auto flag = FlagFieldOf(kind, opcode); flag.has_value()) {
    const bool value = flag->get(p);
    if (value) flag->clear(p);
    if (!value && !flag->is_always_printed) return false;
    text += value ? "true" : "false";
    return true;
  }
  if (std::string* value = StringOf(kind, p); value != nullptr) {
    return TakeString(kind, *value, text);
  }
  if (std::string* word = WordOf(kind, p); word != nullptr) {
    text += *word;
    word->clear();
    return !text.empty();
  }
  switch (kind) {
    case Kind::kDimensions:
      if (!IsPrintedDimensions(opcode, p)) return false;
      return NumbersFromProto(kind, p, text);
    case Kind::kInferredDimension:
    case Kind::kIotaDimension:
      return TakeFirstDimension(p, text);
    case Kind::kIndexVectorDim:
      if (opcode == HloOpcode::kGather) {
        auto& numbers = *p.mutable_gather_dimension_numbers();
        absl::StrAppend(&text, numbers.index_vector_dim());
        numbers.clear_index_vector_dim();
      } else {
        auto& numbers = *p.mutable_scatter_dimension_numbers();
        absl::StrAppend(&text, numbers.index_vector_dim());
        numbers.clear_index_vector_dim();
      }
      return true;
    case Kind::kSliceSizes:
      if (opcode == HloOpcode::kGather) {
        p.mutable_fft_length()->Swap(p.mutable_gather_slice_sizes());
        return NumbersFromProto(Kind::kFftLength, p, text);
      }
      if (p.dynamic_slice_sizes().empty()) return false;
      TakeSliceSizes(input, p, text);
      return true;
    case Kind::kEpsilon:
      absl::StrAppend(&text, p.epsilon());
      p.clear_epsilon();
      return true;
    case Kind::kType:
      return TakeComparisonType(input, p, text);
    case Kind::kOutfeedShape: {
      FERRY_ASSIGN_OR_RETURN(const Shape* shape,
                             ShapeFromProto(p.outfeed_shape(), input.context));
      absl::StrAppend(&text, shape->ToString());
      p.clear_outfeed_shape();
      return true;
    }
    case Kind::kOperandLayoutConstraints: {
      if (!p.constrain_layout()) return false;
      FERRY_RETURN_IF_ERROR(TakeShapes(input, p, text));
      return true;
    }
    case Kind::kLiteral:
      return TakeLiteral(input, p, text);
    case Kind::kSharding:
    case Kind::kDomain:
    case Kind::kReplicaGroups:
      return TakeDevices(kind, p, text);
    case Kind::kFrontendAttributes:
    case Kind::kStatistics:
    case Kind::kResultAccuracy:
    case Kind::kOrigin:
    case Kind::kBackendConfig:
      return AnnotationFromProto(kind, input.shape, p, text);
    default: {
      if (HloAttributeFormOf(kind) == HloAttributeForm::kEnum ||
          kind == Kind::kIsAssociative) {
        const std::string word = EnumFromProto(kind, opcode, p);
        text += word;
        return !word.empty();
      }
      return NumbersFromProto(kind, p, text);
    }
  }
}

namespace {

// Whether `text` was of the form.
absl::StatusOr<bool> Put(Kind kind, absl::string_view text,
                         const ProtoAttributeInput& input, Instruction& p) {
  const HloOpcode opcode = input.opcode;
  if (const auto integer = IntegerFieldOf(kind); integer.has_value()) {
    const auto value = ReadInteger(text);
    if (value.has_value()) integer->set(p, *value);
    return value.has_value();
  }
  if (const auto flag = FlagFieldOf(kind, opcode); flag.has_value()) {
    flag->set(p, text == "true");
    return text == "true" || text == "false";
  }
  if (std::string* value = StringOf(kind, p); value != nullptr) {
    *value = ReadString(text);
    return true;
  }
  if (std::string* word = WordOf(kind, p); word != nullptr) {
    *word = std::string(text);
    return true;
  }
  switch (kind) {
    case Kind::kMode:
      return true;
    case Kind::kInferredDimension:
    case Kind::kIotaDimension: {
      const auto value = ReadInteger(text);
      if (value.has_value()) p.add_dimensions(*value);
      return value.has_value();
    }
    case Kind::kIndexVectorDim: {
      const auto value = ReadInteger(text);
      if (!value.has_value()) return false;
      if (opcode == HloOpcode::kGather) {
        p.mutable_gather_dimension_numbers()->set_index_vector_dim(*value);
      } else {
        p.mutable_scatter_dimension_numbers()->set_index_vector_dim(*value);
      }
      return true;
    }
    case Kind::kSliceSizes: {
      if (opcode != HloOpcode::kGather) return PutSliceSizes(text, p);
      const bool ok = NumbersToProto(Kind::kFftLength, text, p);
      p.mutable_gather_slice_sizes()->Swap(p.mutable_fft_length());
      return ok;
    }
    case Kind::kEpsilon: {
      float value = 0;
      const bool ok = absl::SimpleAtof(text, &value);
      p.set_epsilon(value);
      return ok;
    }
    case Kind::kType:
      p.set_comparison_type(std::string(text));
      return true;
    case Kind::kOutfeedShape: {
      HloLexer lexer(text);
      FERRY_ASSIGN_OR_RETURN(const Shape* shape,
                             ScanShape(lexer, input.context));
      FERRY_RETURN_IF_ERROR(ShapeToProto(*shape, *p.mutable_outfeed_shape()));
      return true;
    }
    case Kind::kOperandLayoutConstraints: {
      FERRY_RETURN_IF_ERROR(PutShapes(text, input.context, p));
      return true;
    }
    case Kind::kLiteral:
      return PutLiteral(text, input, p);
    case Kind::kSharding:
    case Kind::kDomain:
    case Kind::kReplicaGroups:
      return PutDevices(kind, text, p);
    case Kind::kFrontendAttributes:
    case Kind::kStatistics:
    case Kind::kResultAccuracy:
    case Kind::kOrigin:
    case Kind::kBackendConfig:
      return AnnotationToProto(kind, text, p);
    default:
      if (HloAttributeFormOf(kind) == HloAttributeForm::kEnum ||
          kind == Kind::kIsAssociative) {
        return EnumToProto(kind, text, opcode, p);
      }
      return NumbersToProto(kind, text, p);
  }
}

}  // namespace

absl::Status AttributeToProto(HloAttributeKind kind, absl::string_view text,
                              const ProtoAttributeInput& input,
                              Instruction& instruction) {
  FERRY_ASSIGN_OR_RETURN(const bool ok, Put(kind, text, input, instruction));
  return ok ? absl::OkStatus() : BadText(kind, text);
}

void SetProtoDefaults(const ProtoAttributeInput& input, int operand_count,
                      Instruction& p) {
  switch (input.opcode) {
    case HloOpcode::kConvolution:
      p.mutable_window();
      p.mutable_sparsity_config();
      p.set_feature_group_count(1);
      p.set_batch_group_count(1);
      break;
    case HloOpcode::kCustomCall:
      p.set_feature_group_count(1);
      p.set_batch_group_count(1);
      p.set_custom_call_api_version(proto::API_VERSION_ORIGINAL);
      break;
    case HloOpcode::kReduceWindow:
    case HloOpcode::kSelectAndScatter:
      p.mutable_window();
      break;
    case HloOpcode::kPad:
      p.mutable_padding_config();
      break;
    case HloOpcode::kDot:
    case HloOpcode::kScaledDot:
      p.mutable_dot_dimension_numbers();
      break;
    case HloOpcode::kRaggedDot:
      p.mutable_ragged_dot_dimension_numbers()->mutable_dot_dimension_numbers();
      break;
    case HloOpcode::kCholesky:
      p.mutable_cholesky_options();
      break;
    case HloOpcode::kTriangularSolve:
      p.mutable_triangular_solve_options();
      break;
    case HloOpcode::kCompare:
      p.set_comparison_type(
          std::string(DefaultComparisonType(input.operand_shape)));
      break;
    default:
      break;
  }
  // One for each operand that has a precision.
  int precisions = 0;
  if (input.opcode == HloOpcode::kCustomCall) {
    precisions = operand_count;
    p.mutable_precision_config();
  } else if (input.opcode == HloOpcode::kConvolution ||
             input.opcode == HloOpcode::kDot ||
             input.opcode == HloOpcode::kScaledDot ||
             input.opcode == HloOpcode::kRaggedDot) {
    precisions = std::min(operand_count, 2);
  }
  for (int i = 0; i < precisions; ++i) {
    p.mutable_precision_config()->add_operand_precision(
        proto::PrecisionConfig::DEFAULT);
  }
}

}  // namespace ferry
