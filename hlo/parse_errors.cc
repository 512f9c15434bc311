// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/parse_errors.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/did_you_mean.h"

namespace ferry {
namespace {

// Names in messages are input: they may be megabytes long.
std::string Shorten(absl::string_view text) {
  constexpr size_t kLongest = 400;
  return absl::StrCat(text.substr(0, kLongest),
                      text.size() > kLongest ? "..." : "");
}

}  // namespace

bool ParseErrors::Add(DiagnosticCode code, uint64_t offset,
                      absl::Span<const std::string> arguments) {
  if (full()) return false;
  std::vector<std::string> shown;
  for (const std::string& argument : arguments) {
    shown.push_back(Shorten(argument));
  }
  diagnostics_.push_back(MakeDiagnostic(code, PlaceOf(source_, offset), shown));
  ++count_;
  if (full()) {
    diagnostics_.push_back(MakeDiagnostic(DiagnosticCode::kTooManyErrors,
                                          PlaceOf(source_, offset),
                                          {absl::StrCat(count_)}));
  }
  return false;
}

bool ParseErrors::Expected(HloLexer& lexer, absl::string_view what) {
  const uint64_t offset = lexer.TokenOffset();
  return Add(
      DiagnosticCode::kSyntaxError, offset,
      absl::StrCat("expected ", what, ", but saw ", lexer.DescribeNext()));
}

void ParseErrors::AddNote(std::string message, uint64_t offset) {
  // The last error, not the message that there are too many.
  const bool full_now = full();
  const size_t back = full_now ? 2 : 1;
  if (diagnostics_.size() < back) return;
  DiagnosticNote note{.message = std::move(message), .place = std::nullopt};
  if (offset != kNowhere) note.place = PlaceOf(source_, offset);
  diagnostics_[diagnostics_.size() - back].notes.push_back(std::move(note));
}

void ParseErrors::Suggest(absl::string_view word,
                          absl::Span<const absl::string_view> candidates) {
  if (full() || candidates.size() > kMostCandidates) return;
  const absl::string_view nearest = NearestName(word, candidates);
  if (!nearest.empty()) AddNote(absl::StrCat("did you mean `", nearest, "`?"));
}

void ParseErrors::AddKeptUnknown(
    absl::string_view what, absl::string_view name, uint64_t offset,
    absl::Span<const absl::string_view> candidates) {
  constexpr int kMostNotes = 20;
  if (full() || ++kept_unknown_count_ > kMostNotes) return;
  diagnostics_.push_back(MakeDiagnostic(DiagnosticCode::kKeptUnknown,
                                        PlaceOf(source_, offset),
                                        {std::string(what), Shorten(name)}));
  Suggest(name, candidates);
}

void ParseErrors::AddWarning(DiagnosticCode code, uint64_t offset,
                             absl::Span<const std::string> arguments) {
  diagnostics_.push_back(
      MakeDiagnostic(code, PlaceOf(source_, offset), arguments));
}

}  // namespace ferry
