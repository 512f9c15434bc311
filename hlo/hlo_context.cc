// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_context.h"

#include <mutex>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "ferry/hlo/check.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

llvm::hash_code HashLayout(const LayoutFields& fields) {
  llvm::hash_code hash = llvm::hash_combine(
      llvm::hash_combine_range(fields.minor_to_major.begin(),
                               fields.minor_to_major.end()),
      fields.tail_padding_alignment_in_elements, fields.element_size_in_bits,
      static_cast<int64_t>(fields.memory_space));
  for (const Tile& tile : fields.tiles) {
    hash = llvm::hash_combine(hash,
                              llvm::hash_combine_range(tile.dimensions.begin(),
                                                       tile.dimensions.end()));
  }
  return hash;
}

}  // namespace

// Two hash tables from a content hash to the objects that have it. Objects are
// held by unique_ptr: their addresses are their identity.
struct HloContext::Pool {
  std::mutex mutex;
  llvm::DenseMap<size_t, llvm::SmallVector<std::unique_ptr<Layout>, 1>> layouts;
  llvm::DenseMap<size_t, llvm::SmallVector<std::unique_ptr<Shape>, 1>> shapes;

  // The stored shape equal to `candidate`, which is stored if there is none.
  const Shape& Intern(std::unique_ptr<Shape> candidate, size_t hash) {
    std::lock_guard lock(mutex);
    auto& bucket = shapes[hash >> 1];  // keep clear of the map's empty keys
    for (const std::unique_ptr<Shape>& shape : bucket) {
      if (shape->element_type_ == candidate->element_type_ &&
          shape->layout_ == candidate->layout_ &&
          shape->dimensions_ == candidate->dimensions_ &&
          shape->dynamic_ == candidate->dynamic_ &&
          shape->tuple_shapes_ == candidate->tuple_shapes_) {
        return *shape;
      }
    }
    bucket.push_back(std::move(candidate));
    return *bucket.back();
  }
};

HloContext::HloContext() : pool_(std::make_unique<Pool>()) {}
HloContext::~HloContext() = default;

const Layout& HloContext::GetLayout(const LayoutFields& fields) {
  const size_t hash = HashLayout(fields);
  std::lock_guard lock(pool_->mutex);
  auto& bucket = pool_->layouts[hash >> 1];
  for (const std::unique_ptr<Layout>& layout : bucket) {
    if (layout->fields_ == fields) return *layout;
  }
  bucket.push_back(std::unique_ptr<Layout>(new Layout(fields)));
  return *bucket.back();
}

const Layout& HloContext::GetDefaultLayout(int64_t rank) {
  LayoutFields fields;
  for (int64_t dimension = rank - 1; dimension >= 0; --dimension) {
    fields.minor_to_major.push_back(dimension);
  }
  return GetLayout(fields);
}

const Shape& HloContext::GetArrayShape(PrimitiveType type,
                                       absl::Span<const int64_t> dimensions,
                                       const Layout* layout,
                                       absl::Span<const bool> dynamic) {
  FERRY_CHECK(IsArrayType(type));
  std::unique_ptr<Shape> shape(new Shape());
  shape->element_type_ = type;
  shape->dimensions_.assign(dimensions.begin(), dimensions.end());
  for (bool flag : dynamic) {
    if (flag) {
      shape->dynamic_.assign(dynamic.begin(), dynamic.end());
      break;
    }
  }
  shape->layout_ = layout;
  const size_t hash = llvm::hash_combine(
      static_cast<int>(type), layout,
      llvm::hash_combine_range(dimensions.begin(), dimensions.end()));
  return pool_->Intern(std::move(shape), hash);
}

const Shape& HloContext::GetTupleShape(
    absl::Span<const Shape* const> elements) {
  std::unique_ptr<Shape> shape(new Shape());
  shape->element_type_ = PrimitiveType::kTuple;
  shape->tuple_shapes_.assign(elements.begin(), elements.end());
  shape->leaf_count_ = 0;
  for (const Shape* element : elements) {
    shape->element_ordinals_.push_back(shape->node_count_);
    shape->node_count_ += element->node_count_;
    shape->leaf_count_ += element->leaf_count_;
  }
  const size_t hash = llvm::hash_combine(
      PrimitiveType::kTuple,
      llvm::hash_combine_range(elements.begin(), elements.end()));
  return pool_->Intern(std::move(shape), hash);
}

const Shape& HloContext::GetShapeWithoutElements(PrimitiveType type) {
  FERRY_CHECK(type == PrimitiveType::kToken || type == PrimitiveType::kOpaque);
  std::unique_ptr<Shape> shape(new Shape());
  shape->element_type_ = type;
  return pool_->Intern(std::move(shape),
                       llvm::hash_value(static_cast<int>(type)));
}

const Shape& HloContext::GetBufferShape(const Shape& inner) {
  std::unique_ptr<Shape> shape(new Shape());
  shape->element_type_ = PrimitiveType::kBuffer;
  shape->tuple_shapes_ = {&inner};
  return pool_->Intern(std::move(shape),
                       llvm::hash_combine(PrimitiveType::kBuffer, &inner));
}

const Shape& HloContext::WithLayout(const Shape& shape, const Layout* layout) {
  if (shape.layout_ == layout) return shape;
  absl::InlinedVector<bool, 6> dynamic(shape.dynamic_.begin(),
                                       shape.dynamic_.end());
  return GetArrayShape(shape.element_type_, shape.dimensions_, layout, dynamic);
}

const Shape& HloContext::WithMemorySpace(const Shape& shape,
                                         MemorySpace space) {
  if (shape.memory_space() == space) return shape;
  LayoutFields fields =
      shape.layout_ != nullptr
          ? shape.layout_->fields()
          : GetDefaultLayout(shape.dimensions_.size()).fields();
  fields.memory_space = space;
  return WithLayout(shape, &GetLayout(fields));
}

const Shape& HloContext::MapLeaves(
    const Shape& shape,
    absl::FunctionRef<const Shape&(int32_t, const Shape&)> map) {
  if (!shape.IsTuple()) return map(0, shape);
  // Tuples that are being made, outermost first.
  struct Open {
    const Shape* tuple;
    int32_t ordinal;
    std::vector<const Shape*> elements;
  };
  std::vector<Open> open = {{&shape, 0, {}}};
  while (true) {
    Open& top = open.back();
    const size_t next = top.elements.size();
    if (next == top.tuple->tuple_shapes().size()) {
      const Shape& made = GetTupleShape(top.elements);
      open.pop_back();
      if (open.empty()) return made;
      open.back().elements.push_back(&made);
      continue;
    }
    const Shape& element = *top.tuple->tuple_shapes()[next];
    const int32_t ordinal = top.ordinal + top.tuple->ElementOrdinal(next);
    if (element.IsTuple()) {
      open.push_back({&element, ordinal, {}});
    } else {
      top.elements.push_back(&map(ordinal, element));
    }
  }
}

}  // namespace ferry
