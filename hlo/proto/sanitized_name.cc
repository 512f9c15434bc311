// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/sanitized_name.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/primitive_type.h"

namespace ferry {
namespace {

bool IsReservedPrefix(absl::string_view name) {
  return absl::StartsWith(name, "__") && !absl::StartsWith(name, "__xla_");
}

bool IsTypeName(absl::string_view name) {
  const auto type = PrimitiveTypeFromName(name);
  return type.has_value() && *type != PrimitiveType::kTuple &&
         *type != PrimitiveType::kBuffer;
}

}  // namespace

bool IsSanitizedName(absl::string_view name) {
  // Nearly all names have a byte that no element type has, or are longer.
  constexpr size_t kLongestType = 16;
  return !name.empty() && HloLexer::IsWordStart(name[0]) &&
         std::all_of(name.begin(), name.end(), HloLexer::IsWordByte) &&
         !(name[0] == '_' && IsReservedPrefix(name)) &&
         !(name.size() <= kLongestType && IsTypeName(name));
}

std::string SanitizeName(absl::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (!HloLexer::IsWordByte(c)) c = '_';
  }
  if (!HloLexer::IsWordStart(result[0])) result[0] = '_';
  if (IsReservedPrefix(result)) result[0] = 'a';
  if (IsTypeName(result)) result += '_';
  return result;
}

}  // namespace ferry
