// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/essential_constant.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "ferry/hlo/primitive_type.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr absl::string_view kElided = "{...}";

// Tuples of integers count as integers.
bool IsInteger(const Shape& shape) {
  llvm::SmallVector<const Shape*, 8> work = {&shape};
  while (!work.empty()) {
    const Shape& next = *work.pop_back_val();
    if (next.IsTuple()) {
      work.append(next.tuple_shapes().begin(), next.tuple_shapes().end());
      continue;
    }
    const char first = PrimitiveTypeName(next.element_type()).front();
    if (!next.IsArray() || (first != 's' && first != 'u')) return false;
  }
  return true;
}

bool IsComplex(const Shape& shape) {
  return PrimitiveTypeName(shape.element_type()).front() == 'c';
}

bool IsPartOfNumber(char c) {
  return !absl::StrContains("{}(), ", absl::string_view(&c, 1));
}

// Whether each number of the text is `number`, or `word`; of complex ones, the
// imaginary part must be 0.
bool IsAll(absl::string_view text, bool is_complex, absl::string_view number,
           absl::string_view word) {
  int64_t index = 0;
  for (size_t at = 0; at < text.size();) {
    if (absl::StartsWith(text.substr(at), "/*")) {
      const size_t end = text.find("*/", at);
      if (end == absl::string_view::npos) return false;
      at = end + 2;
      continue;
    }
    if (!IsPartOfNumber(text[at])) {
      ++at;
      continue;
    }
    const size_t start = at;
    while (at < text.size() && IsPartOfNumber(text[at])) ++at;
    const absl::string_view one = text.substr(start, at - start);
    const bool is_imaginary = is_complex && index++ % 2 == 1;
    if (is_imaginary ? one != "0" : one != number && one != word) return false;
  }
  return true;
}

}  // namespace

absl::string_view EssentialConstant(const Shape& shape,
                                    absl::string_view literal) {
  constexpr int64_t kMostIntegers = 500000;
  if (absl::StrContains(literal, "...")) return kElided;
  if (shape.IsArray()) {
    // f8e8m0fnu has no zero, so an array of no elements is not all zeros.
    const bool has_zero = shape.element_type() != PrimitiveType::kF8E8M0FNU;
    if (has_zero && IsAll(literal, IsComplex(shape), "0", "false")) return "0";
    if (IsAll(literal, IsComplex(shape), "1", "true")) return "1";
    if (shape.ElementCount().value_or(INT64_MAX) > kMostIntegers) {
      return kElided;
    }
  }
  return IsInteger(shape) ? literal : kElided;
}

}  // namespace ferry
