// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_shape.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/status_macros.h"

// Recursion goes as deep as tuples nest. In protos that is as deep as protobuf
// itself reads (100), in shapes at most kMaxShapeDepth.

namespace ferry {
namespace {

struct TypeNumber {
  PrimitiveType type;
  proto::PrimitiveType number;
};
constexpr TypeNumber kTypeNumbers[] = {
    {PrimitiveType::kPred, proto::PRED},
    {PrimitiveType::kS1, proto::S1},
    {PrimitiveType::kS2, proto::S2},
    {PrimitiveType::kS4, proto::S4},
    {PrimitiveType::kS8, proto::S8},
    {PrimitiveType::kS16, proto::S16},
    {PrimitiveType::kS32, proto::S32},
    {PrimitiveType::kS64, proto::S64},
    {PrimitiveType::kU1, proto::U1},
    {PrimitiveType::kU2, proto::U2},
    {PrimitiveType::kU4, proto::U4},
    {PrimitiveType::kU8, proto::U8},
    {PrimitiveType::kU16, proto::U16},
    {PrimitiveType::kU32, proto::U32},
    {PrimitiveType::kU64, proto::U64},
    {PrimitiveType::kF16, proto::F16},
    {PrimitiveType::kF32, proto::F32},
    {PrimitiveType::kF64, proto::F64},
    {PrimitiveType::kBF16, proto::BF16},
    {PrimitiveType::kC64, proto::C64},
    {PrimitiveType::kC128, proto::C128},
    {PrimitiveType::kF8E5M2, proto::F8E5M2},
    {PrimitiveType::kF8E4M3, proto::F8E4M3},
    {PrimitiveType::kF8E4M3FN, proto::F8E4M3FN},
    {PrimitiveType::kF8E4M3B11FNUZ, proto::F8E4M3B11FNUZ},
    {PrimitiveType::kF8E3M4, proto::F8E3M4},
    {PrimitiveType::kF8E5M2FNUZ, proto::F8E5M2FNUZ},
    {PrimitiveType::kF8E4M3FNUZ, proto::F8E4M3FNUZ},
    {PrimitiveType::kF4E2M1FN, proto::F4E2M1FN},
    {PrimitiveType::kF8E8M0FNU, proto::F8E8M0FNU},
    {PrimitiveType::kF6E3M2FN, proto::F6E3M2FN},
    {PrimitiveType::kF6E2M3FN, proto::F6E2M3FN},
    {PrimitiveType::kTuple, proto::TUPLE},
    {PrimitiveType::kOpaque, proto::OPAQUE_TYPE},
    {PrimitiveType::kToken, proto::TOKEN},
    {PrimitiveType::kBuffer, proto::BUFFER},
};

std::optional<PrimitiveType> TypeOf(int number) {
  static constexpr int kLimit = 64;
  static const auto& by_number = *[] {
    auto* types = new std::vector<std::optional<PrimitiveType>>(kLimit);
    for (const TypeNumber& entry : kTypeNumbers) {
      (*types)[entry.number] = entry.type;
    }
    return types;
  }();
  if (number < 0 || number >= kLimit) return std::nullopt;
  return by_number[number];
}

// What both readers of XLA ask of a layout.
absl::Status CheckLaxLayout(const proto::LayoutProto& proto, int64_t rank) {
  if (proto.minor_to_major_size() != rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the layout's minor_to_major has ", proto.minor_to_major_size(),
        " elements, but the shape ", "has ", rank, " dimensions"));
  }
  for (const proto::TileProto& tile : proto.tiles()) {
    for (const int64_t size : tile.dimensions()) {
      if (size >= 0 || size == Tile::kCombined) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("a tile of the layout has the negative size ", size));
    }
  }
  if (proto.tail_padding_alignment_in_elements() < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the layout's tail padding is negative: ",
                     proto.tail_padding_alignment_in_elements()));
  }
  return absl::OkStatus();
}

// What XLA asks of a layout in a proto; its text reader asks less.
absl::Status CheckLayout(const proto::LayoutProto& proto, int64_t rank) {
  FERRY_RETURN_IF_ERROR(CheckLaxLayout(proto, rank));
  absl::InlinedVector<bool, 8> seen(rank);
  for (const int64_t dimension : proto.minor_to_major()) {
    if (dimension < 0 || dimension >= rank || seen[dimension]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the layout's minor_to_major is no permutation: ", dimension,
          dimension < 0 || dimension >= rank ? " is no dimension"
                                             : " stands there twice"));
    }
    seen[dimension] = true;
  }
  if (proto.has_physical_shape() ||
      proto.index_primitive_type() != proto::PRIMITIVE_TYPE_INVALID ||
      proto.pointer_primitive_type() != proto::PRIMITIVE_TYPE_INVALID) {
    return absl::InvalidArgumentError(
        "the layout has a physical shape, an index or a pointer type, which "
        "are for sparse arrays only");
  }
  return absl::OkStatus();
}

// The type of the numbers that a sparse array would hold.
absl::StatusOr<std::optional<PrimitiveType>> PointerTypeOf(int number) {
  if (number == proto::PRIMITIVE_TYPE_INVALID) return std::nullopt;
  const std::optional<PrimitiveType> type = TypeOf(number);
  if (type.has_value()) return type;
  return absl::InvalidArgumentError(
      absl::StrCat("the layout has an index or pointer type that is not known, "
                   "but number ",
                   number));
}

absl::StatusOr<const Layout*> LayoutFromProto(const proto::LayoutProto& proto,
                                              int64_t rank, ShapeRules rules,
                                              HloContext& context) {
  FERRY_RETURN_IF_ERROR(rules == ShapeRules::kProto
                            ? CheckLayout(proto, rank)
                            : CheckLaxLayout(proto, rank));
  LayoutFields fields;
  fields.minor_to_major.assign(proto.minor_to_major().begin(),
                               proto.minor_to_major().end());
  for (const proto::TileProto& tile : proto.tiles()) {
    fields.tiles.emplace_back().dimensions.assign(tile.dimensions().begin(),
                                                  tile.dimensions().end());
  }
  if (proto.tail_padding_alignment_in_elements() != 0) {
    fields.tail_padding_alignment_in_elements =
        proto.tail_padding_alignment_in_elements();
  }
  FERRY_ASSIGN_OR_RETURN(fields.index_type,
                         PointerTypeOf(proto.index_primitive_type()));
  FERRY_ASSIGN_OR_RETURN(fields.pointer_type,
                         PointerTypeOf(proto.pointer_primitive_type()));
  fields.element_size_in_bits = proto.element_size_in_bits();
  fields.memory_space = static_cast<MemorySpace>(proto.memory_space());
  for (const proto::SplitConfigProto& split : proto.split_configs()) {
    SplitConfig& config = fields.split_configs.emplace_back();
    config.dimension = split.dimension();
    config.split_indices.assign(split.split_indices().begin(),
                                split.split_indices().end());
  }
  fields.dynamic_shape_metadata_prefix_bytes =
      proto.dynamic_shape_metadata_prefix_bytes();
  return &context.GetLayout(fields);
}

absl::StatusOr<const Shape*> ArrayFromProto(const proto::ShapeProto& proto,
                                            PrimitiveType type,
                                            ShapeRules rules,
                                            HloContext& context) {
  if (proto.is_dynamic_dimension_size() != 0 &&
      proto.is_dynamic_dimension_size() != proto.dimensions_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the shape has ", proto.dimensions_size(), " dimensions, but says of ",
        proto.is_dynamic_dimension_size(), " whether they are dynamic"));
  }
  absl::InlinedVector<bool, 6> dynamic;
  bool is_dynamic = false;
  for (int i = 0; i < proto.dimensions_size(); ++i) {
    const int64_t size = proto.dimensions(i);
    const bool flag =
        i < proto.is_dynamic_dimension_size() && proto.is_dynamic_dimension(i);
    if (size < 0 && size != kUnboundedDimension) {
      return absl::InvalidArgumentError(
          absl::StrCat("dimension ", i, " has the negative size ", size));
    }
    if (size == kUnboundedDimension && !flag) {
      return absl::InvalidArgumentError(absl::StrCat(
          "dimension ", i, " has no size, but is not marked as dynamic"));
    }
    dynamic.push_back(flag);
    is_dynamic |= flag;
  }
  const Layout* layout = nullptr;
  if (proto.has_layout()) {
    FERRY_ASSIGN_OR_RETURN(
        layout, LayoutFromProto(proto.layout(), proto.dimensions_size(), rules,
                                context));
  }
  return &context.GetArrayShape(
      type,
      absl::MakeConstSpan(proto.dimensions().data(), proto.dimensions_size()),
      layout,
      is_dynamic ? absl::MakeConstSpan(dynamic) : absl::Span<const bool>());
}

void LayoutToProto(const Layout& layout, proto::LayoutProto& proto) {
  const LayoutFields& fields = layout.fields();
  proto.mutable_minor_to_major()->Add(fields.minor_to_major.begin(),
                                      fields.minor_to_major.end());
  for (const Tile& tile : fields.tiles) {
    proto.add_tiles()->mutable_dimensions()->Add(tile.dimensions.begin(),
                                                 tile.dimensions.end());
  }
  proto.set_tail_padding_alignment_in_elements(
      fields.tail_padding_alignment_in_elements);
  if (fields.index_type.has_value()) {
    proto.set_index_primitive_type(static_cast<proto::PrimitiveType>(
        PrimitiveTypeNumber(*fields.index_type)));
  }
  if (fields.pointer_type.has_value()) {
    proto.set_pointer_primitive_type(static_cast<proto::PrimitiveType>(
        PrimitiveTypeNumber(*fields.pointer_type)));
  }
  proto.set_element_size_in_bits(fields.element_size_in_bits);
  proto.set_memory_space(static_cast<int64_t>(fields.memory_space));
  for (const SplitConfig& config : fields.split_configs) {
    proto::SplitConfigProto& split = *proto.add_split_configs();
    split.set_dimension(config.dimension);
    split.mutable_split_indices()->Add(config.split_indices.begin(),
                                       config.split_indices.end());
  }
  proto.set_dynamic_shape_metadata_prefix_bytes(
      fields.dynamic_shape_metadata_prefix_bytes);
}

bool WriteShape(const Shape& shape, int depth, proto::ShapeProto& proto) {
  if (depth > kMaxShapeDepth) return false;
  proto.set_element_type(static_cast<proto::PrimitiveType>(
      PrimitiveTypeNumber(shape.element_type())));
  for (const Shape* element : shape.tuple_shapes()) {
    if (!WriteShape(*element, depth + 1, *proto.add_tuple_shapes())) {
      return false;
    }
  }
  if (!shape.IsArray()) return true;
  for (size_t i = 0; i < shape.dimensions().size(); ++i) {
    proto.add_dimensions(shape.dimensions()[i]);
    proto.add_is_dynamic_dimension(shape.is_dynamic_dimension(i));
  }
  if (shape.layout() != nullptr) {
    LayoutToProto(*shape.layout(), *proto.mutable_layout());
  }
  return true;
}

}  // namespace

int PrimitiveTypeNumber(PrimitiveType type) {
  for (const TypeNumber& entry : kTypeNumbers) {
    if (entry.type == type) return entry.number;
  }
  return proto::PRIMITIVE_TYPE_INVALID;
}

absl::StatusOr<const Shape*> ShapeFromProto(const proto::ShapeProto& proto,
                                            HloContext& context,
                                            ShapeRules rules) {
  const std::optional<PrimitiveType> type = TypeOf(proto.element_type());
  if (!type.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the shape has no element type that is known, but number ",
                     static_cast<int>(proto.element_type())));
  }
  if (proto.has_layout() && !IsArrayType(*type)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a shape of type ", PrimitiveTypeName(*type), " has no layout"));
  }
  if (*type == PrimitiveType::kTuple) {
    std::vector<const Shape*> elements;
    for (const proto::ShapeProto& element : proto.tuple_shapes()) {
      FERRY_ASSIGN_OR_RETURN(elements.emplace_back(),
                             ShapeFromProto(element, context));
    }
    return &context.GetTupleShape(elements);
  }
  if (*type == PrimitiveType::kBuffer) {
    if (proto.tuple_shapes_size() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("a buffer has one inner shape, but this one has ",
                       proto.tuple_shapes_size()));
    }
    FERRY_ASSIGN_OR_RETURN(
        const Shape* inner,
        ShapeFromProto(proto.tuple_shapes(0), context, rules));
    if (!inner->IsArray()) {
      return absl::InvalidArgumentError(
          "the inner shape of a buffer is no array");
    }
    return &context.GetBufferShape(*inner);
  }
  if (!IsArrayType(*type)) return &context.GetShapeWithoutElements(*type);
  return ArrayFromProto(proto, *type, rules, context);
}

bool IsReadFromProto(const Shape& shape) {
  const bool is_buffer = shape.element_type() == PrimitiveType::kBuffer;
  const Shape& array = is_buffer ? *shape.tuple_shapes()[0] : shape;
  if (!array.IsArray() || array.layout() == nullptr) return true;
  proto::LayoutProto proto;
  LayoutToProto(*array.layout(), proto);
  return CheckLayout(proto, static_cast<int64_t>(array.dimensions().size()))
      .ok();
}

absl::Status ShapeToProto(const Shape& shape, proto::ShapeProto& proto) {
  if (WriteShape(shape, /*depth=*/0, proto)) return absl::OkStatus();
  proto.Clear();
  return absl::ResourceExhaustedError(
      absl::StrCat("a shape of tuples nested deeper than ", kMaxShapeDepth,
                   " has no proto that reads again"));
}

absl::StatusOr<const Shape*> ProtoShapes::Read(absl::string_view bytes) {
  const auto known = shapes_.find(bytes);
  if (known != shapes_.end()) return known->second;
  proto::ShapeProto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError(
        "the shape is damaged, or nests too deep");
  }
  FERRY_ASSIGN_OR_RETURN(const Shape* shape,
                         ShapeFromProto(proto, context_, rules_));
  shapes_.emplace(bytes, shape);
  return shape;
}

absl::StatusOr<absl::string_view> ProtoShapeBytes::Of(const Shape& shape) {
  std::string& bytes = bytes_[&shape];
  // No shape is empty: each has an element type.
  if (bytes.empty()) {
    proto::ShapeProto proto;
    FERRY_RETURN_IF_ERROR(ShapeToProto(shape, proto));
    proto.SerializeToString(&bytes);
    needs_text_rules_ |= !IsReadFromProto(shape);
  }
  return absl::string_view(bytes);
}

}  // namespace ferry
