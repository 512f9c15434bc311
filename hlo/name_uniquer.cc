// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/name_uniquer.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/string_ref.h"

namespace ferry {

NumberedName SplitName(absl::string_view name) {
  NumberedName split{name, std::nullopt, true};
  const size_t dot = name.rfind('.');
  if (dot == absl::string_view::npos || dot == 0) return split;
  const absl::string_view digits = name.substr(dot + 1);
  int64_t number = 0;
  if (!absl::SimpleAtoi(digits, &number)) return split;
  split.root = name.substr(0, dot);
  split.number = number;
  const size_t first = digits[0] == '-' ? 1 : 0;
  split.is_normal = digits[first] != '0' || digits == "0";
  return split;
}

std::string NameUniquer::GetUniqueName(
    absl::string_view base,
    absl::FunctionRef<bool(absl::string_view)> is_taken) {
  const NumberedName split = SplitName(base);
  const auto write = [&](int64_t number) {
    if (number == 0 && !split.number.has_value()) {
      return std::string(split.root);
    }
    return absl::StrCat(split.root, ".", number);
  };
  const auto is_number_taken = [&](int64_t number) {
    return is_taken(absl::StrCat(split.root, ".", number)) ||
           (number == 0 && is_taken(split.root));
  };
  const int64_t wanted = split.number.value_or(0);
  if (!is_number_taken(wanted)) return write(wanted);
  int64_t& next = next_[ToStringRef(split.root)];
  while (is_number_taken(next)) ++next;
  return write(next++);
}

}  // namespace ferry
