// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_H_
#define FERRY_HLO_SHAPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/primitive_type.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

// Sizes of dimensions that are not plain numbers.
inline constexpr int64_t kUnboundedDimension = INT64_MIN;  // `?`

// The type of a value: an array with layout, a tuple of shapes, or one of the
// shapes without elements. Immutable and interned in an HloContext, so two
// shapes of one context are equal if and only if they are the same object.
//
// A shape is also a tree, whose nodes are numbered in pre-order. These
// ordinals are what dense tables about positions are sized by:
//
//   (f32[8], (s32[], pred[]))     {}=0  {0}=1  {1}=2  {1,0}=3  {1,1}=4
//
// Tested by shape_test.cc.
class Shape {
 public:
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;

  PrimitiveType element_type() const { return element_type_; }
  bool IsArray() const { return IsArrayType(element_type_); }
  bool IsTuple() const { return element_type_ == PrimitiveType::kTuple; }

  // Array only. A bounded dynamic dimension `<=N` has size N.
  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  bool is_dynamic_dimension(int64_t dimension) const {
    return !dynamic_.empty() && dynamic_[dimension];
  }
  bool is_dynamic() const { return !dynamic_.empty(); }
  // Null for shapes that are no arrays and for an array whose layout is not
  // decided yet.
  const Layout* layout() const { return layout_; }
  // The layout's; kDefault without one.
  MemorySpace memory_space() const {
    return layout_ == nullptr ? MemorySpace::kDefault : layout_->memory_space();
  }
  // An array whose layout says host memory, `S(5)`.
  bool IsHostArray() const {
    return IsArray() && memory_space() == MemorySpace::kHost;
  }
  // Bits of one element as stored: `E(n)` if given, else the type's width.
  int64_t element_bits() const;

  // Tuple only (and the one inner shape of a buffer).
  absl::Span<const Shape* const> tuple_shapes() const { return tuple_shapes_; }

  // Product of the dimensions, 1 for a scalar; nullopt beyond 2^63 or with an
  // unbounded dimension.
  std::optional<int64_t> ElementCount() const;
  // Unpadded bytes of an array, at full bytes per element (4-bit types too,
  // unless the layout says `E(4)`). nullopt as for ElementCount.
  std::optional<int64_t> LogicalBytes() const;

  // Nodes of the tree, this one included.
  int32_t node_count() const { return node_count_; }
  // Nodes that are no tuples.
  int32_t leaf_count() const { return leaf_count_; }
  // The node with a pre-order number below node_count().
  const Shape& NodeAt(int32_t ordinal) const;
  ShapeIndex IndexAt(int32_t ordinal) const;
  // The inverse; nullopt if the path leads out of the tree.
  std::optional<int32_t> OrdinalOf(absl::Span<const int64_t> index) const;
  // The ordinal of tuple element `element` of this node.
  int32_t ElementOrdinal(int64_t element) const {
    return element_ordinals_[element];
  }
  // The tuple element that holds the node `ordinal`, which is not the tuple.
  int64_t ElementHolding(int32_t ordinal) const;

  // Same tree, element types and sizes; layouts and dynamic flags do not count,
  // an unbounded dimension matches any size.
  bool IsCompatible(const Shape& other) const;
  // The same, with any two floating-point types taken as equal.
  bool IsCompatibleIgnoringPrecision(const Shape& other) const;

  // As in HLO text: "(f32[8,2]{1,0:T(2,128)S(5)}, token[])".
  std::string ToString(bool with_layout = true) const;

  friend bool operator==(const Shape& a, const Shape& b) { return &a == &b; }

 private:
  friend class HloContext;
  Shape() = default;

  PrimitiveType element_type_ = PrimitiveType::kToken;
  std::vector<int64_t> dimensions_;
  std::vector<bool> dynamic_;  // empty if no dimension is dynamic
  const Layout* layout_ = nullptr;
  std::vector<const Shape*> tuple_shapes_;
  std::vector<int32_t> element_ordinals_;
  int32_t node_count_ = 1;
  int32_t leaf_count_ = 1;
};

}  // namespace ferry

#endif  // FERRY_HLO_SHAPE_H_
