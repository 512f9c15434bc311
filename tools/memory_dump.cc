// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_dump.h"

#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

std::string FileName(absl::string_view name) {
  // Leaves room for a number and a suffix in the 255 bytes of most systems.
  constexpr size_t kMaxBytes = 200;
  std::string text;
  if (name.empty() || name[0] == '.' || name[0] == '-') text = "_";
  for (const char c : name.substr(0, kMaxBytes)) {
    const bool is_fine =
        absl::ascii_isalnum(c) || c == '_' || c == '-' || c == '.';
    text += is_fine ? c : '_';
  }
  return text;
}

}  // namespace

std::string MemoryDumpNames::NameFor(absl::string_view module_name) {
  const std::string base = FileName(module_name);
  std::string name = base;
  for (int number = 2; !used_.insert(absl::AsciiStrToLower(name)).second;
       ++number) {
    name = absl::StrCat(base, ".", number);
  }
  return name;
}

}  // namespace ferry
