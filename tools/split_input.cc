// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/split_input.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace ferry {
namespace {

bool HoldsMoreThanComments(absl::string_view text) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (!line.empty() && !absl::StartsWith(line, "//")) return true;
  }
  return false;
}

// From the start of `text` to the next marker; `text` goes on behind it.
absl::string_view TakeCase(absl::string_view& text) {
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const absl::string_view line = text.substr(start, end - start);
    if (absl::StripTrailingAsciiWhitespace(line) == kSplitMarker) {
      const absl::string_view taken = text.substr(0, start);
      // The line end stays, so that lines are counted right.
      text.remove_prefix(end);
      return taken;
    }
    start = end + 1;
  }
  const absl::string_view taken = text;
  text = "";
  return taken;
}

}  // namespace

std::vector<std::shared_ptr<const SourceText>> SplitInput(
    const std::shared_ptr<const SourceText>& source) {
  std::vector<std::shared_ptr<const SourceText>> cases;
  absl::string_view rest = source->text();
  size_t lines_before = 0;
  while (!rest.empty()) {
    const absl::string_view text = TakeCase(rest);
    if (HoldsMoreThanComments(text)) {
      cases.push_back(SourceText::FromString(
          absl::StrCat(std::string(lines_before, '\n'), text),
          std::string(source->name())));
    }
    lines_before += std::count(text.begin(), text.end(), '\n');
  }
  if (cases.empty()) cases.push_back(source);
  return cases;
}

}  // namespace ferry
