// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/frontend_attributes.h"

#include <algorithm>

#include "ferry/hlo/value_reader.h"

namespace ferry {

void FrontendAttributes::clear() {
  entries.clear();
  strings.clear();
}

void FrontendAttributes::Sort() {
  const auto has_smaller_key = [](const auto& a, const auto& b) {
    return a.first < b.first;
  };
  std::stable_sort(entries.begin(), entries.end(), has_smaller_key);
  // Backwards, the last of each key comes first, and unique keeps it.
  const auto end = std::unique(
      entries.rbegin(), entries.rend(),
      [](const auto& a, const auto& b) { return a.first == b.first; });
  entries.erase(entries.begin(), end.base());
}

void FrontendAttributes::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out += ',';
    out.append(entries[i].first.data(), entries[i].first.size());
    out += '=';
    AppendQuotedOrBraces(entries[i].second, out);
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, FrontendAttributes& attributes) {
  attributes.clear();
  FERRY_RETURN_IF_ERROR(ReadList(lexer, "frontend attributes", [&] {
    auto& [key, value] = attributes.entries.emplace_back();
    key = lexer.ScanAttributeName();
    if (key.empty()) return ExpectedError(lexer, "`key=`");
    return ReadStringOrBraces(lexer, attributes.strings, value);
  }));
  attributes.Sort();
  return absl::OkStatus();
}

}  // namespace ferry
