// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/printed_names.h"

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace ferry {
namespace {

bool EndsName(absl::string_view after, char quote) {
  if (quote == '"') {
    return absl::StartsWith(after, "}") || absl::StartsWith(after, " {");
  }
  return !after.empty() &&
         absl::string_view("=,:]}").find(after[0]) != absl::string_view::npos;
}

// Behind the closing quote of a string with escapes that starts at `at`.
size_t EndOfEscaped(absl::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// `a" {1}` or `a"`: what stands behind the first quote and before the brace.
bool SplitArray(absl::string_view array, absl::string_view& name,
                absl::string_view& index) {
  if (absl::ConsumeSuffix(&array, "\"")) {
    name = array;
    return true;
  }
  constexpr absl::string_view kIndex = "\" {";
  const size_t brace = array.rfind(kIndex);
  if (brace == absl::string_view::npos) return false;
  name = array.substr(0, brace);
  index = array.substr(brace + kIndex.size() - 1);
  return true;
}

// `  {"a"} : {"b" {0}}`.
bool SplitArrays(absl::string_view line, PrintedRecovery& entry) {
  constexpr absl::string_view kBetween = "} : {\"";
  if (!absl::ConsumePrefix(&line, "  {\"") ||
      !absl::ConsumeSuffix(&line, "}")) {
    return false;
  }
  const size_t between = line.find(kBetween);
  return between != absl::string_view::npos &&
         SplitArray(line.substr(0, between), entry.old_name, entry.old_index) &&
         SplitArray(line.substr(between + kBetween.size()), entry.new_name,
                    entry.new_index);
}

}  // namespace

std::string EscapePrintedNames(absl::string_view text, char quote) {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' && quote != '"') {
      // A string of metadata, which is printed with escapes.
      const size_t end = EndOfEscaped(text, at);
      const absl::string_view string = text.substr(at, end - at);
      out.append(string.data(), string.size());
      at = end;
      continue;
    }
    ++at;
    out += c;
    if (c != quote) continue;
    const size_t start = at;
    while (at < text.size() &&
           (text[at] != quote || !EndsName(text.substr(at + 1), quote))) {
      ++at;
    }
    out += absl::CEscape(text.substr(start, at - start));
    if (at < text.size()) out += text[at++];
  }
  return out;
}

std::optional<std::vector<PrintedRecovery>> SplitPrintedRecoveryTable(
    absl::string_view table) {
  constexpr absl::string_view kModule = ",\n  \"\n";
  constexpr absl::string_view kModuleEnd = "\n  \"\n";
  std::vector<PrintedRecovery> entries;
  if (!absl::ConsumePrefix(&table, "{\n")) return std::nullopt;
  while (table != "}") {
    const size_t end = table.find('\n');
    if (end == absl::string_view::npos) return std::nullopt;
    absl::string_view line = table.substr(0, end);
    PrintedRecovery& entry = entries.emplace_back();
    const bool has_module =
        end > 0 && absl::StartsWith(table.substr(end - 1), kModule);
    if (has_module) line.remove_suffix(1);
    if (!SplitArrays(line, entry)) return std::nullopt;
    table.remove_prefix(end + 1);
    if (!has_module) continue;
    table.remove_prefix(kModule.size() - 2);
    const size_t module_end = table.find(kModuleEnd);
    if (module_end == absl::string_view::npos) return std::nullopt;
    entry.module_text = table.substr(0, module_end);
    table.remove_prefix(module_end + kModuleEnd.size());
  }
  return entries;
}

}  // namespace ferry
