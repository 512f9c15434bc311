// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_SHAPE_H_
#define FERRY_HLO_PROTO_PROTO_SHAPE_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/shape.h"

namespace ferry {

namespace proto {
class ShapeProto;
}  // namespace proto

// XLA's number of an element type, as in protos.
int PrimitiveTypeNumber(PrimitiveType type);

// InvalidArgument, with a message for people, for what is no shape: an unknown
// element type, a negative size, a layout that does not fit.
//
// An array alone, or in a buffer, may in text have a layout that XLA refuses in
// a proto: no permutation, with types of indices or pointers.
enum class ShapeRules { kProto, kText };
absl::StatusOr<const Shape*> ShapeFromProto(
    const proto::ShapeProto& proto, HloContext& context,
    ShapeRules rules = ShapeRules::kProto);
// Whether the rules for protos allow what text may say.
bool IsReadFromProto(const Shape& shape);

// Writes as XLA does: dynamic flags for every dimension, the tail padding even
// if it is 1. ResourceExhausted if tuples nest deeper than protobuf reads
// again; nothing is written then.
inline constexpr int kMaxShapeDepth = 90;
absl::Status ShapeToProto(const Shape& shape, proto::ShapeProto& proto);

// Shapes by their serialized bytes: those of a module repeat, so that most cost
// one look-up. The bytes must outlive this. Tested by hlo_proto_roundtrip_test.cc.
class ProtoShapes {
 public:
  explicit ProtoShapes(HloContext& context) : context_(context) {}
  absl::StatusOr<const Shape*> Read(absl::string_view bytes);
  // Before the first is read.
  void set_rules(ShapeRules rules) { rules_ = rules; }

 private:
  HloContext& context_;
  ShapeRules rules_ = ShapeRules::kProto;
  absl::flat_hash_map<absl::string_view, const Shape*> shapes_;
};

// The inverse: serialized bytes of shapes, each made once.
class ProtoShapeBytes {
 public:
  // The view is good until the next call.
  absl::StatusOr<absl::string_view> Of(const Shape& shape);
  // Whether one of them is for ShapeRules::kText only.
  bool needs_text_rules() const { return needs_text_rules_; }

 private:
  bool needs_text_rules_ = false;
  absl::flat_hash_map<const Shape*, std::string> bytes_;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_SHAPE_H_
