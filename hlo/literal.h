// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LITERAL_H_
#define FERRY_HLO_LITERAL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// The values of one array of a literal.
//
// Elements stand in row-major order of the logical dimensions, whatever the
// layout says, each in ByteWidth() bytes, little-endian: one byte for types of
// 8 bits and less (s4: sign-extended; pred: 0 or 1; f4 and f6: in the low
// bits), and real part before imaginary part for complex types:
//
//   s16[2,2] { { 1, 2 }, { -1, 0 } }     bytes  01 00 02 00 ff ff 00 00
//
// An elided array (`{...}`) has no bytes, however many elements it claims.
// Tested by literal_test.cc.
class LiteralArray {
 public:
  // `bytes` must hold exactly those of all elements. `shape` is an array of
  // known size and must outlive this.
  LiteralArray(const Shape& shape, std::vector<uint8_t> bytes);
  static LiteralArray Elided(const Shape& shape);
  // From and to the order in which LiteralProto holds elements: by the
  // minor-to-major order of the layout, tiles left aside.
  static LiteralArray FromLayoutOrder(const Shape& shape,
                                      absl::Span<const uint8_t> bytes);
  std::vector<uint8_t> ToLayoutOrder() const;

  const Shape& shape() const { return *shape_; }
  PrimitiveType element_type() const { return shape_->element_type(); }
  bool is_elided() const { return is_elided_; }
  absl::Span<const uint8_t> bytes() const { return bytes_; }
  // Elements that are held: none if elided.
  int64_t element_count() const { return bytes_.size() / byte_width_; }
  // Bytes of one element: 1, 2, 4, 8 or 16.
  static int64_t ByteWidth(PrimitiveType type);

  // The element with the row-major number `index`. Its bits as they are, of
  // types of at most 64 bits.
  uint64_t BitsAt(int64_t index) const;
  // Of pred and integer types; u64 wraps.
  int64_t IntegerAt(int64_t index) const;
  // Of all types that are not complex: f64 is exact, s64 and u64 round.
  double DoubleAt(int64_t index) const;

  // As XLA prints it, in full: "{ { 1, 2 }, { -1, 0 } }", "{...}" if elided.
  void AppendTo(std::string& out) const;

 private:
  LiteralArray(const Shape& shape, std::vector<uint8_t> bytes, bool is_elided);

  const Shape* shape_;
  int64_t byte_width_;
  bool is_elided_;
  std::vector<uint8_t> bytes_;
};

// The value of a constant: an array, or a tuple of such, nested as its shape.
// The arrays of a tuple are held flat, in pre-order of the shape, so that depth
// costs no stack:
//
//   (s32[] , (f32[2], pred[]))   arrays  0: s32[]  1: f32[2]  2: pred[]
//
// HLO text is read by ParseLiteral (literal_parser.h). Tested by
// literal_test.cc.
class Literal {
 public:
  // `arrays` are those of `shape`, which holds arrays and tuples only and must
  // outlive this.
  Literal(const Shape& shape, std::vector<LiteralArray> arrays);
  explicit Literal(LiteralArray array);

  const Shape& shape() const { return *shape_; }
  absl::Span<const LiteralArray> arrays() const { return arrays_; }
  // The only array of a literal that is no tuple.
  const LiteralArray& array() const { return arrays_.front(); }

  // As XLA prints the argument of `constant(...)` in full: "( 1, {2, 3} )".
  std::string ToString() const;
  // As XLA prints the value of a custom-call's `literal`: each array has its
  // shape in front, "( s32[] 1, f32[2]{0} {2, 3} )".
  std::string ToStringWithShapes() const;

 private:
  std::string Print(bool with_shapes) const;

  const Shape* shape_;
  std::vector<LiteralArray> arrays_;
};

}  // namespace ferry

#endif  // FERRY_HLO_LITERAL_H_
