// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/pass_options.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

absl::Status BadList(absl::string_view text, size_t offset,
                     absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      "list of passes `", text, "`, column ", offset + 1, ": ", what));
}

// What stands between the braces.
absl::Status ParseOptions(absl::string_view text, PassOptions& options) {
  if (absl::StripAsciiWhitespace(text).empty()) return absl::OkStatus();
  for (absl::string_view element : absl::StrSplit(text, ',')) {
    const size_t equals = element.find('=');
    const absl::string_view name =
        absl::StripAsciiWhitespace(element.substr(0, equals));
    if (name.empty()) {
      return absl::InvalidArgumentError("an option has no name");
    }
    const absl::string_view value =
        equals == absl::string_view::npos
            ? "true"
            : absl::StripAsciiWhitespace(element.substr(equals + 1));
    if (options.Find(name).has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("option `", name, "` is given twice"));
    }
    options.Set(name, value);
  }
  return absl::OkStatus();
}

}  // namespace

void PassOptions::Set(absl::string_view name, absl::string_view value) {
  for (auto& [known, old] : values_) {
    if (known == name) {
      old = std::string(value);
      return;
    }
  }
  values_.emplace_back(name, value);
}

std::optional<absl::string_view> PassOptions::Find(
    absl::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
  }
  return std::nullopt;
}

absl::Status PassOptions::ExpectOnly(
    absl::Span<const absl::string_view> known) const {
  for (const auto& [name, value] : values_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no option `", name, "`", DidYouMean(name, known)));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> PassOptions::GetBool(absl::string_view name,
                                          bool fallback) const {
  const std::optional<absl::string_view> value = Find(name);
  if (!value.has_value()) return fallback;
  if (*value == "true") return true;
  if (*value == "false") return false;
  return absl::InvalidArgumentError(
      absl::StrCat("option `", name, "` is `", *value, "`, not true or false"));
}

std::string PassOptions::ToString() const {
  if (values_.empty()) return "";
  return absl::StrCat(
      "{", absl::StrJoin(values_, ",", absl::PairFormatter("=")), "}");
}

absl::StatusOr<std::vector<PassSpec>> ParsePassList(absl::string_view text) {
  std::vector<PassSpec> passes;
  size_t at = 0;
  while (true) {
    const size_t name_end =
        std::min(text.find_first_of(",{}", at), text.size());
    PassSpec pass;
    pass.name =
        std::string(absl::StripAsciiWhitespace(text.substr(at, name_end - at)));
    if (pass.name.empty()) return BadList(text, at, "expected a pass");
    at = name_end;
    if (at < text.size() && text[at] == '{') {
      const size_t close = text.find_first_of("{}", at + 1);
      if (close == absl::string_view::npos || text[close] != '}') {
        return BadList(text, at, "this brace is never closed");
      }
      const absl::Status status =
          ParseOptions(text.substr(at + 1, close - at - 1), pass.options);
      if (!status.ok()) return BadList(text, at, status.message());
      at = close + 1;
    }
    passes.push_back(std::move(pass));
    while (at < text.size() && absl::ascii_isspace(text[at])) ++at;
    if (at == text.size()) return passes;
    if (text[at] != ',') return BadList(text, at, "expected `,` or the end");
    ++at;
  }
}

std::string PassListToString(absl::Span<const PassSpec> passes) {
  return absl::StrJoin(passes, ",", [](std::string* out, const PassSpec& pass) {
    absl::StrAppend(out, pass.name, pass.options.ToString());
  });
}

}  // namespace ferry
