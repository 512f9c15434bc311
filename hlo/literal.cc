// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/literal.h"

#include <algorithm>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/float_format.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

bool IsUnsigned(PrimitiveType type) {
  return type == PrimitiveType::kPred || PrimitiveTypeName(type).front() == 'u';
}

// Calls `visit(offset)` with the row-major number of each element, in layout
// order. An array without a layout has the descending one.
template <typename Visit>
void ForEachInLayoutOrder(const Shape& shape, int64_t count, Visit visit) {
  const absl::Span<const int64_t> sizes = shape.dimensions();
  const int64_t rank = sizes.size();
  absl::InlinedVector<int64_t, 6> minor_to_major(rank);
  for (int64_t i = 0; i < rank; ++i) {
    minor_to_major[i] = shape.layout() == nullptr
                            ? rank - 1 - i
                            : shape.layout()->minor_to_major()[i];
  }
  absl::InlinedVector<int64_t, 6> strides(rank, 1);
  for (int64_t d = rank - 2; d >= 0; --d) {
    strides[d] = strides[d + 1] * sizes[d + 1];
  }
  absl::InlinedVector<int64_t, 6> index(rank, 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(offset);
    for (int64_t d : minor_to_major) {
      offset += strides[d];
      if (++index[d] < sizes[d]) break;
      offset -= strides[d] * sizes[d];
      index[d] = 0;
    }
  }
}

// Whether the minor-to-major order is a permutation other than the default.
bool HasOtherOrder(const Shape& shape) {
  if (shape.layout() == nullptr) return false;
  const absl::Span<const int64_t> order = shape.layout()->minor_to_major();
  const int64_t rank = shape.dimensions().size();
  absl::InlinedVector<bool, 6> seen(rank, false);
  bool is_default = true;
  for (int64_t i = 0; i < rank; ++i) {
    if (order[i] < 0 || order[i] >= rank || seen[order[i]]) return false;
    seen[order[i]] = true;
    is_default &= order[i] == rank - 1 - i;
  }
  return !is_default;
}

// Prints the braces around the elements of an array, as XLA does on one line.
class BracePrinter {
 public:
  BracePrinter(absl::Span<const int64_t> sizes, std::string& out)
      : sizes_(sizes), rank_(sizes.size()), out_(out), index_(rank_, 0) {}

  // `append(i)` appends the element with the row-major number i.
  template <typename Append>
  void Print(Append append) {
    int64_t element = 0;
    Open(0);
    for (int64_t level = 0; level >= 0;) {
      if (index_[level] == sizes_[level]) {
        Close(level--);
        if (level >= 0) ++index_[level];
        continue;
      }
      if (index_[level] > 0) out_ += ", ";
      if (level + 1 < rank_) {
        Open(++level);
        continue;
      }
      append(element++);
      ++index_[level];
    }
  }

 private:
  bool IsTight(int64_t level) const {
    return level == rank_ - 1 && (rank_ == 1 || sizes_[level] <= 1);
  }
  void Open(int64_t level) {
    index_[level] = 0;
    out_ += '{';
    if (IsTight(level)) return;
    const bool has_comment = rank_ > 3 && level > 0 && level < rank_ - 1;
    if (has_comment) {
      absl::StrAppend(&out_, " /*i", level - 1, "=", index_[level - 1], "*/");
    }
    if (!has_comment || sizes_[level] > 0) out_ += ' ';
  }
  void Close(int64_t level) { out_ += IsTight(level) ? "}" : " }"; }

  const absl::Span<const int64_t> sizes_;
  const int64_t rank_;
  std::string& out_;
  absl::InlinedVector<int64_t, 6> index_;
};

// Appends one element, which stands at the given bytes.
class ElementPrinter {
 public:
  explicit ElementPrinter(const LiteralArray& array)
      : array_(array),
        type_(array.element_type()),
        format_(FloatFormat::Find(type_)),
        has_word_pred_(array.shape().dimensions().empty()) {}

  void Append(int64_t index, std::string& out) const {
    if (format_ != nullptr) {
      format_->AppendTo(array_.BitsAt(index), out);
    } else if (type_ == PrimitiveType::kC64) {
      AppendComplex<uint32_t>(PrimitiveType::kF32, index, out);
    } else if (type_ == PrimitiveType::kC128) {
      AppendComplex<uint64_t>(PrimitiveType::kF64, index, out);
    } else if (type_ == PrimitiveType::kPred && has_word_pred_) {
      out += array_.IntegerAt(index) != 0 ? "true" : "false";
    } else if (type_ == PrimitiveType::kU64) {
      absl::StrAppend(&out, array_.BitsAt(index));
    } else {
      absl::StrAppend(&out, array_.IntegerAt(index));
    }
  }

 private:
  template <typename Bits>
  void AppendComplex(PrimitiveType part, int64_t index,
                     std::string& out) const {
    Bits parts[2];
    std::memcpy(parts, array_.bytes().data() + index * sizeof(parts),
                sizeof(parts));
    const FloatFormat& format = *FloatFormat::Find(part);
    out += '(';
    format.AppendTo(parts[0], out);
    out += ", ";
    format.AppendTo(parts[1], out);
    out += ')';
  }

  const LiteralArray& array_;
  const PrimitiveType type_;
  const FloatFormat* format_;
  const bool has_word_pred_;
};

}  // namespace

LiteralArray::LiteralArray(const Shape& shape, std::vector<uint8_t> bytes,
                           bool is_elided)
    : shape_(&shape),
      byte_width_(ByteWidth(shape.element_type())),
      is_elided_(is_elided),
      bytes_(std::move(bytes)) {
  FERRY_CHECK(shape.IsArray());
}

LiteralArray::LiteralArray(const Shape& shape, std::vector<uint8_t> bytes)
    : LiteralArray(shape, std::move(bytes), /*is_elided=*/false) {
  FERRY_CHECK(shape.ElementCount() == element_count() &&
              bytes_.size() % byte_width_ == 0);
}

LiteralArray LiteralArray::Elided(const Shape& shape) {
  return LiteralArray(shape, {}, /*is_elided=*/true);
}

LiteralArray LiteralArray::FromLayoutOrder(const Shape& shape,
                                           absl::Span<const uint8_t> bytes) {
  LiteralArray array(shape, std::vector<uint8_t>(bytes.begin(), bytes.end()));
  if (!HasOtherOrder(shape)) return array;
  const int64_t width = array.byte_width_;
  const uint8_t* from = bytes.data();
  ForEachInLayoutOrder(shape, array.element_count(), [&](int64_t element) {
    std::memcpy(array.bytes_.data() + element * width, from, width);
    from += width;
  });
  return array;
}

std::vector<uint8_t> LiteralArray::ToLayoutOrder() const {
  if (is_elided_ || !HasOtherOrder(*shape_)) return bytes_;
  std::vector<uint8_t> out(bytes_.size());
  uint8_t* to = out.data();
  ForEachInLayoutOrder(*shape_, element_count(), [&](int64_t element) {
    std::memcpy(to, bytes_.data() + element * byte_width_, byte_width_);
    to += byte_width_;
  });
  return out;
}

int64_t LiteralArray::ByteWidth(PrimitiveType type) {
  return std::max<int64_t>(1, BitWidth(type) / 8);
}

uint64_t LiteralArray::BitsAt(int64_t index) const {
  FERRY_CHECK(byte_width_ <= 8 && index >= 0 && index < element_count());
  uint64_t bits = 0;
  std::memcpy(&bits, bytes_.data() + index * byte_width_, byte_width_);
  return bits;
}

int64_t LiteralArray::IntegerAt(int64_t index) const {
  const uint64_t bits = BitsAt(index);
  if (IsUnsigned(element_type())) return bits;
  const int unused = 64 - 8 * byte_width_;
  return static_cast<int64_t>(bits << unused) >> unused;
}

double LiteralArray::DoubleAt(int64_t index) const {
  if (const FloatFormat* format = FloatFormat::Find(element_type())) {
    return format->ToDouble(BitsAt(index));
  }
  if (element_type() == PrimitiveType::kU64) return BitsAt(index);
  return IntegerAt(index);
}

void LiteralArray::AppendTo(std::string& out) const {
  if (is_elided_) {
    out += "{...}";
    return;
  }
  const ElementPrinter printer(*this);
  if (shape_->dimensions().empty()) {
    printer.Append(0, out);
    return;
  }
  BracePrinter(shape_->dimensions(), out).Print([&](int64_t index) {
    printer.Append(index, out);
  });
}

Literal::Literal(const Shape& shape, std::vector<LiteralArray> arrays)
    : shape_(&shape), arrays_(std::move(arrays)) {}

Literal::Literal(LiteralArray array) : shape_(&array.shape()) {
  arrays_.push_back(std::move(array));
}

std::string Literal::ToString() const { return Print(/*with_shapes=*/false); }

std::string Literal::ToStringWithShapes() const {
  return Print(/*with_shapes=*/true);
}

std::string Literal::Print(bool with_shapes) const {
  std::string out;
  // A stack of (tuple, next element); arrays print at once.
  llvm::SmallVector<std::pair<const Shape*, size_t>, 8> open;
  const Shape* next = shape_;
  size_t array = 0;
  while (true) {
    if (next->IsTuple()) {
      out += "( ";
      open.push_back({next, 0});
    } else {
      if (with_shapes) absl::StrAppend(&out, next->ToString(), " ");
      arrays_[array++].AppendTo(out);
    }
    while (!open.empty() &&
           open.back().second == open.back().first->tuple_shapes().size()) {
      out += " )";
      open.pop_back();
    }
    if (open.empty()) return out;
    auto& [tuple, element] = open.back();
    if (element > 0) out += ", ";
    next = tuple->tuple_shapes()[element++];
  }
}

}  // namespace ferry
