// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/legal_name.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {

bool IsLegalName(absl::string_view name) {
  if (absl::StartsWith(name, "__")) return absl::StartsWith(name, "__xla_");
  const auto type = PrimitiveTypeFromName(name);
  return !type.has_value() || *type == PrimitiveType::kTuple ||
         *type == PrimitiveType::kBuffer;
}

std::string LegalName(absl::string_view name) {
  return name[0] == '_' ? absl::StrCat("a", name.substr(1))
                        : absl::StrCat(name, "_");
}

}  // namespace ferry
