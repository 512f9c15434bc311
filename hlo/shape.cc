// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/check.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

bool IsFloatingPoint(PrimitiveType type) {
  const absl::string_view name = PrimitiveTypeName(type);
  return name.front() == 'f' || name == "bf16";
}

bool SameSize(int64_t a, int64_t b) {
  return a == b || a == kUnboundedDimension || b == kUnboundedDimension;
}

// Walks both trees at once, without recursion: nesting depth is input.
bool AreCompatible(const Shape& a, const Shape& b, bool ignore_precision) {
  llvm::SmallVector<std::pair<const Shape*, const Shape*>, 8> work;
  work.push_back({&a, &b});
  while (!work.empty()) {
    auto [x, y] = work.pop_back_val();
    if (x == y) continue;
    const bool same_type =
        x->element_type() == y->element_type() ||
        (ignore_precision && IsFloatingPoint(x->element_type()) &&
         IsFloatingPoint(y->element_type()));
    if (!same_type || x->tuple_shapes().size() != y->tuple_shapes().size() ||
        !std::equal(x->dimensions().begin(), x->dimensions().end(),
                    y->dimensions().begin(), y->dimensions().end(), SameSize)) {
      return false;
    }
    for (size_t i = 0; i < x->tuple_shapes().size(); ++i) {
      work.push_back({x->tuple_shapes()[i], y->tuple_shapes()[i]});
    }
  }
  return true;
}

void AppendArray(const Shape& shape, bool with_layout, std::string& out) {
  absl::StrAppend(&out, PrimitiveTypeName(shape.element_type()), "[");
  for (size_t i = 0; i < shape.dimensions().size(); ++i) {
    if (i > 0) out += ',';
    const int64_t size = shape.dimensions()[i];
    if (size == kUnboundedDimension) {
      out += '?';
      continue;
    }
    absl::StrAppend(&out, shape.is_dynamic_dimension(i) ? "<=" : "", size);
  }
  out += ']';
  if (with_layout && shape.layout() != nullptr) {
    out += shape.layout()->ToString();
  }
}

}  // namespace

std::string ShapeIndexToString(absl::Span<const int64_t> index) {
  return absl::StrCat("{", absl::StrJoin(index, ","), "}");
}

int64_t Shape::element_bits() const {
  const int64_t given =
      layout_ == nullptr ? 0 : layout_->fields().element_size_in_bits;
  return given != 0 ? given : std::max<int64_t>(8, BitWidth(element_type_));
}

std::optional<int64_t> Shape::ElementCount() const {
  // A zero anywhere makes the array empty, however large its other sizes are.
  if (std::find(dimensions_.begin(), dimensions_.end(), 0) !=
      dimensions_.end()) {
    return 0;
  }
  int64_t count = 1;
  for (int64_t size : dimensions_) {
    if (size < 0 || llvm::MulOverflow(count, size, count)) return std::nullopt;
  }
  return count;
}

std::optional<int64_t> Shape::LogicalBytes() const {
  const std::optional<int64_t> count = ElementCount();
  if (!count.has_value()) return std::nullopt;
  int64_t bits = 0;
  if (llvm::MulOverflow(*count, element_bits(), bits)) return std::nullopt;
  return bits / 8 + (bits % 8 != 0);
}

int64_t Shape::ElementHolding(int32_t ordinal) const {
  const auto after = std::upper_bound(element_ordinals_.begin(),
                                      element_ordinals_.end(), ordinal);
  return after - element_ordinals_.begin() - 1;
}

const Shape& Shape::NodeAt(int32_t ordinal) const {
  const Shape* node = this;
  while (ordinal != 0) {
    const int64_t element = node->ElementHolding(ordinal);
    ordinal -= node->element_ordinals_[element];
    node = node->tuple_shapes_[element];
  }
  return *node;
}

ShapeIndex Shape::IndexAt(int32_t ordinal) const {
  ShapeIndex index;
  const Shape* node = this;
  while (ordinal != 0) {
    const int64_t element = node->ElementHolding(ordinal);
    index.push_back(element);
    ordinal -= node->element_ordinals_[element];
    node = node->tuple_shapes_[element];
  }
  return index;
}

std::optional<int32_t> Shape::OrdinalOf(absl::Span<const int64_t> index) const {
  int32_t ordinal = 0;
  const Shape* node = this;
  for (int64_t element : index) {
    if (!node->IsTuple() || element < 0 ||
        element >= static_cast<int64_t>(node->tuple_shapes_.size())) {
      return std::nullopt;
    }
    ordinal += node->element_ordinals_[element];
    node = node->tuple_shapes_[element];
  }
  return ordinal;
}

bool Shape::IsCompatible(const Shape& other) const {
  return AreCompatible(*this, other, /*ignore_precision=*/false);
}

bool Shape::IsCompatibleIgnoringPrecision(const Shape& other) const {
  return AreCompatible(*this, other, /*ignore_precision=*/true);
}

std::string Shape::ToString(bool with_layout) const {
  std::string out;
  // A stack of (tuple or buffer, next element); arrays print at once.
  llvm::SmallVector<std::pair<const Shape*, size_t>, 8> open;
  const Shape* next = this;
  while (true) {
    if (next->IsArray()) {
      AppendArray(*next, with_layout, out);
    } else if (next->IsTuple() ||
               next->element_type_ == PrimitiveType::kBuffer) {
      out += next->IsTuple() ? "(" : "b(";
      open.push_back({next, 0});
    } else {
      absl::StrAppend(&out, PrimitiveTypeName(next->element_type_), "[]");
    }
    while (!open.empty() &&
           open.back().second == open.back().first->tuple_shapes_.size()) {
      out += ')';
      open.pop_back();
    }
    if (open.empty()) return out;
    auto& [tuple, element] = open.back();
    if (element > 0) out += ", ";
    if (element > 0 && element % 5 == 0) {
      absl::StrAppend(&out, "/*index=", element, "*/");
    }
    next = tuple->tuple_shapes_[element++];
  }
}

}  // namespace ferry
