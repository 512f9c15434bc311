// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_literal.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_shape.h"
#include "ferry/hlo/status_macros.h"

// Recursion goes as deep as tuples nest, which is as deep as protobuf reads.

namespace ferry {
namespace {

using Bytes = std::vector<uint8_t>;

// The field of a type whose elements are bytes on the wire; null for others.
std::string* BytesField(PrimitiveType type, proto::LiteralProto& proto) {
  switch (type) {
    case PrimitiveType::kS1:
      return proto.mutable_s1s();
    case PrimitiveType::kS2:
      return proto.mutable_s2s();
    case PrimitiveType::kS4:
      return proto.mutable_s4s();
    case PrimitiveType::kS8:
      return proto.mutable_s8s();
    case PrimitiveType::kS16:
      return proto.mutable_s16s();
    case PrimitiveType::kU1:
      return proto.mutable_u1s();
    case PrimitiveType::kU2:
      return proto.mutable_u2s();
    case PrimitiveType::kU4:
      return proto.mutable_u4s();
    case PrimitiveType::kU8:
      return proto.mutable_u8s();
    case PrimitiveType::kU16:
      return proto.mutable_u16s();
    case PrimitiveType::kF16:
      return proto.mutable_f16s();
    case PrimitiveType::kBF16:
      return proto.mutable_bf16s();
    case PrimitiveType::kF8E5M2:
      return proto.mutable_f8e5m2s();
    case PrimitiveType::kF8E4M3:
      return proto.mutable_f8e4m3s();
    case PrimitiveType::kF8E4M3FN:
      return proto.mutable_f8e4m3fns();
    case PrimitiveType::kF8E4M3B11FNUZ:
      return proto.mutable_f8e4m3b11fnuzs();
    case PrimitiveType::kF8E3M4:
      return proto.mutable_f8e3m4s();
    case PrimitiveType::kF8E5M2FNUZ:
      return proto.mutable_f8e5m2fnuzs();
    case PrimitiveType::kF8E4M3FNUZ:
      return proto.mutable_f8e4m3fnuzs();
    case PrimitiveType::kF4E2M1FN:
      return proto.mutable_f4e2m1fns();
    case PrimitiveType::kF8E8M0FNU:
      return proto.mutable_f8e8m0fnus();
    case PrimitiveType::kF6E3M2FN:
      return proto.mutable_f6e3m2fns();
    case PrimitiveType::kF6E2M3FN:
      return proto.mutable_f6e2m3fns();
    default:
      return nullptr;
  }
}

// Fields of numbers hold them as this machine does: little-endian.
template <typename T>
Bytes ToBytes(const google::protobuf::RepeatedField<T>& numbers) {
  Bytes bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

template <typename T>
void FromBytes(const Bytes& bytes,
               google::protobuf::RepeatedField<T>* numbers) {
  const size_t count = bytes.size() / sizeof(T);
  numbers->Resize(static_cast<int>(count), T());
  if (count > 0)
    std::memcpy(numbers->mutable_data(), bytes.data(), bytes.size());
}

// The elements of an array in layout order, whatever their number.
Bytes ElementBytes(PrimitiveType type, const proto::LiteralProto& proto) {
  switch (type) {
    case PrimitiveType::kPred:
      return ToBytes(proto.preds());
    case PrimitiveType::kS32:
      return ToBytes(proto.s32s());
    case PrimitiveType::kS64:
      return ToBytes(proto.s64s());
    case PrimitiveType::kU32:
      return ToBytes(proto.u32s());
    case PrimitiveType::kU64:
      return ToBytes(proto.u64s());
    case PrimitiveType::kF32:
      return ToBytes(proto.f32s());
    case PrimitiveType::kF64:
      return ToBytes(proto.f64s());
    case PrimitiveType::kC64:
      return ToBytes(proto.c64s());
    case PrimitiveType::kC128:
      return ToBytes(proto.c128s());
    default: {
      // The field is only read.
      const std::string* bytes =
          BytesField(type, const_cast<proto::LiteralProto&>(proto));
      return bytes == nullptr ? Bytes() : Bytes(bytes->begin(), bytes->end());
    }
  }
}

void SetElementBytes(PrimitiveType type, const Bytes& bytes,
                     proto::LiteralProto& proto) {
  switch (type) {
    case PrimitiveType::kPred:
      return FromBytes(bytes, proto.mutable_preds());
    case PrimitiveType::kS32:
      return FromBytes(bytes, proto.mutable_s32s());
    case PrimitiveType::kS64:
      return FromBytes(bytes, proto.mutable_s64s());
    case PrimitiveType::kU32:
      return FromBytes(bytes, proto.mutable_u32s());
    case PrimitiveType::kU64:
      return FromBytes(bytes, proto.mutable_u64s());
    case PrimitiveType::kF32:
      return FromBytes(bytes, proto.mutable_f32s());
    case PrimitiveType::kF64:
      return FromBytes(bytes, proto.mutable_f64s());
    case PrimitiveType::kC64:
      return FromBytes(bytes, proto.mutable_c64s());
    case PrimitiveType::kC128:
      return FromBytes(bytes, proto.mutable_c128s());
    default:
      if (std::string* field = BytesField(type, proto); field != nullptr) {
        field->assign(bytes.begin(), bytes.end());
      }
  }
}

// The field may hold any bits above those of a narrow element.
void Normalize(PrimitiveType type, Bytes& bytes) {
  const int64_t bits = BitWidth(type);
  const bool is_signed = type == PrimitiveType::kS1 ||
                         type == PrimitiveType::kS2 ||
                         type == PrimitiveType::kS4;
  const bool is_narrow = bits < 8 || type == PrimitiveType::kF6E3M2FN ||
                         type == PrimitiveType::kF6E2M3FN;
  if (!is_narrow) return;
  const int width = bits < 8 ? static_cast<int>(bits) : 6;
  const int unused = 8 - width;
  for (uint8_t& byte : bytes) {
    const auto top = static_cast<uint8_t>(byte << unused);
    byte = is_signed ? static_cast<uint8_t>(static_cast<int8_t>(top) >> unused)
                     : static_cast<uint8_t>(top >> unused);
  }
}

absl::Status AppendArrays(const proto::LiteralProto& proto, const Shape& shape,
                          std::vector<LiteralArray>& arrays) {
  if (shape.IsTuple()) {
    const size_t count = shape.tuple_shapes().size();
    if (proto.tuple_literals().size() != static_cast<int>(count)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the literal's shape is a tuple of ", count, ", but it has ",
          proto.tuple_literals().size(), " tuple_literals"));
    }
    for (size_t i = 0; i < count; ++i) {
      FERRY_RETURN_IF_ERROR(
          AppendArrays(proto.tuple_literals(static_cast<int>(i)),
                       *shape.tuple_shapes()[i], arrays));
    }
    return absl::OkStatus();
  }
  if (!shape.IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a literal cannot be of shape ", shape.ToString()));
  }
  if (shape.layout() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the literal's shape ", shape.ToString(), " has no layout"));
  }
  Bytes bytes = ElementBytes(shape.element_type(), proto);
  const int64_t width = LiteralArray::ByteWidth(shape.element_type());
  const std::optional<int64_t> count = shape.ElementCount();
  if (!count.has_value() ||
      static_cast<size_t>(*count) != bytes.size() / width ||
      bytes.size() % width != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the literal's shape ", shape.ToString(), " has ",
        count.has_value() ? absl::StrCat(*count) : std::string("too many"),
        " elements, but it holds ", bytes.size() / width));
  }
  Normalize(shape.element_type(), bytes);
  arrays.push_back(LiteralArray::FromLayoutOrder(shape, bytes));
  return absl::OkStatus();
}

// Elements stand in the order of the layout, so that a literal's shape must have
// one; without, they are in the order of text.
void AddLayouts(const Shape& shape, proto::ShapeProto& proto) {
  for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    AddLayouts(*shape.tuple_shapes()[i],
               *proto.mutable_tuple_shapes(static_cast<int>(i)));
  }
  if (!shape.IsArray() || shape.layout() != nullptr) return;
  proto::LayoutProto& layout = *proto.mutable_layout();
  for (size_t i = shape.dimensions().size(); i-- > 0;) {
    layout.add_minor_to_major(static_cast<int64_t>(i));
  }
}

// ResourceExhausted for tuples that nest too deep.
absl::Status ShapeOfLiteral(const Shape& shape, proto::LiteralProto& proto) {
  FERRY_RETURN_IF_ERROR(ShapeToProto(shape, *proto.mutable_shape()));
  AddLayouts(shape, *proto.mutable_shape());
  return absl::OkStatus();
}

// Takes the arrays of `shape` off the front of `arrays`.
absl::Status WriteArrays(const Shape& shape,
                         absl::Span<const LiteralArray>& arrays,
                         proto::LiteralProto& proto) {
  if (shape.IsTuple()) {
    for (const Shape* element : shape.tuple_shapes()) {
      FERRY_RETURN_IF_ERROR(
          WriteArrays(*element, arrays, *proto.add_tuple_literals()));
      FERRY_RETURN_IF_ERROR(
          ShapeOfLiteral(*element, *proto.mutable_tuple_literals()->rbegin()));
    }
    return absl::OkStatus();
  }
  if (arrays.empty() || arrays[0].is_elided()) {
    return absl::InvalidArgumentError("the literal is elided");
  }
  SetElementBytes(shape.element_type(), arrays[0].ToLayoutOrder(), proto);
  arrays.remove_prefix(1);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& proto,
                                         HloContext& context) {
  FERRY_ASSIGN_OR_RETURN(const Shape* shape,
                         ShapeFromProto(proto.shape(), context));
  std::vector<LiteralArray> arrays;
  FERRY_RETURN_IF_ERROR(AppendArrays(proto, *shape, arrays));
  return Literal(*shape, std::move(arrays));
}

absl::Status LiteralToProto(const Literal& literal,
                            proto::LiteralProto& proto) {
  // Refuses shapes that nest too deep, before anything goes down into one.
  FERRY_RETURN_IF_ERROR(ShapeOfLiteral(literal.shape(), proto));
  absl::Span<const LiteralArray> arrays = literal.arrays();
  return WriteArrays(literal.shape(), arrays, proto);
}

}  // namespace ferry
