// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_WALK_H_
#define FERRY_HLO_SHAPE_WALK_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ferry/hlo/shape.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

// Visits the nodes of a shape in pre-order, the order of their ordinals:
//
//   for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
//     walk.ordinal(), walk.node()
//   }
//
// Linear in the nodes of any tree; Shape::NodeAt for each of them is not, where
// tuples lie deep in one another. Tested by shape_test.cc.
class ShapeWalk {
 public:
  explicit ShapeWalk(const Shape& shape) : node_(&shape) {}

  bool AtEnd() const { return node_ == nullptr; }
  const Shape& node() const { return *node_; }
  int32_t ordinal() const { return ordinal_; }

  void Next() {
    ++ordinal_;
    if (node_->IsTuple()) open_.push_back({node_, 0});
    while (!open_.empty()) {
      auto& [tuple, next] = open_.back();
      if (next < tuple->tuple_shapes().size()) {
        node_ = tuple->tuple_shapes()[next++];
        return;
      }
      open_.pop_back();
    }
    node_ = nullptr;
  }

 private:
  const Shape* node_;
  int32_t ordinal_ = 0;
  // The tuples around the node, with the element that comes next.
  llvm::SmallVector<std::pair<const Shape*, size_t>, 4> open_;
};

}  // namespace ferry

#endif  // FERRY_HLO_SHAPE_WALK_H_
