// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/vmodule.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace ferry {

absl::Status VModule::Add(absl::string_view text) {
  absl::Status status;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    piece = absl::StripAsciiWhitespace(piece);
    if (piece.empty()) continue;
    const size_t equals = piece.rfind('=');
    int level = 0;
    if (equals == 0 || equals == absl::string_view::npos ||
        !absl::SimpleAtoi(piece.substr(equals + 1), &level)) {
      status.Update(absl::InvalidArgumentError(
          absl::StrCat("`", piece, "` is no PATTERN=LEVEL")));
      continue;
    }
    patterns_.emplace_back(piece.substr(0, equals), level);
  }
  return status;
}

int VModule::LevelOf(absl::string_view site) const {
  for (const auto& [pattern, level] : patterns_) {
    const bool is_path = absl::StrContains(pattern, '/');
    const std::string path =
        is_path ? absl::StrCat("xla/hlo/transforms/", site) : "";
    if (MatchesGlob(pattern, is_path ? absl::string_view(path) : site)) {
      return level;
    }
  }
  return v_;
}

// On a mismatch the last `*` takes one more character; no earlier one needs to.
bool MatchesGlob(absl::string_view pattern, absl::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = absl::string_view::npos;
  size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != absl::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace ferry
