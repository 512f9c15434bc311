// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/primitive_type.h"

#include <array>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include "ferry/hlo/string_ref.h"

namespace ferry {
namespace {

struct TypeFacts {
  absl::string_view name;
  int32_t bits;
};

constexpr TypeFacts kFacts[] = {
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) {name, bits},
#include "ferry/hlo/primitive_type.def"
};

const TypeFacts& FactsOf(PrimitiveType type) {
  return kFacts[static_cast<size_t>(type)];
}

}  // namespace

absl::string_view PrimitiveTypeName(PrimitiveType type) {
  return FactsOf(type).name;
}

std::optional<PrimitiveType> PrimitiveTypeFromName(absl::string_view name) {
  return llvm::StringSwitch<std::optional<PrimitiveType>>(ToStringRef(name))
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) \
  .Case(name, PrimitiveType::enumerator)
#include "ferry/hlo/primitive_type.def"
      .Default(std::nullopt);
}

int64_t BitWidth(PrimitiveType type) { return FactsOf(type).bits; }

bool IsArrayType(PrimitiveType type) { return FactsOf(type).bits > 0; }

}  // namespace ferry
