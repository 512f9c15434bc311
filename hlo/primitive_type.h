// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PRIMITIVE_TYPE_H_
#define FERRY_HLO_PRIMITIVE_TYPE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace ferry {

// The element type of an array, or the kind of a shape without elements.
// Names and widths come from primitive_type.def.
// Tested by primitive_type_test.cc.
enum class PrimitiveType : uint8_t {
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) enumerator,
#include "ferry/hlo/primitive_type.def"
};

// The lower-case name in HLO text, for example "bf16".
absl::string_view PrimitiveTypeName(PrimitiveType type);

// The inverse; nullopt for a name that is no type.
std::optional<PrimitiveType> PrimitiveTypeFromName(absl::string_view name);

// Bits that one element takes in an array without `E(n)`; 0 for types without
// elements.
int64_t BitWidth(PrimitiveType type);

// Whether a shape of this type has dimensions and a layout.
bool IsArrayType(PrimitiveType type);

}  // namespace ferry

#endif  // FERRY_HLO_PRIMITIVE_TYPE_H_
