// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_errors.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

// Names in messages are input: they may be megabytes long.
std::string Shorten(absl::string_view text) {
  constexpr size_t kLongest = 400;
  return absl::StrCat(text.substr(0, kLongest),
                      text.size() > kLongest ? "..." : "");
}

}  // namespace

DiagnosticPlace ProtoErrors::Place() const {
  DiagnosticPlace place;
  place.file = file_;
  place.computation = Shorten(computation_);
  place.instruction = Shorten(instruction_);
  return place;
}

bool ProtoErrors::Add(DiagnosticCode code, absl::string_view field,
                      absl::string_view message) {
  if (full()) return false;
  std::string text;
  if (!instruction_.empty()) {
    absl::StrAppend(&text, "`", Shorten(instruction_), "` of `",
                    Shorten(computation_), "`: ");
  } else if (!computation_.empty()) {
    absl::StrAppend(&text, "computation `", Shorten(computation_), "`: ");
  }
  if (!field.empty()) absl::StrAppend(&text, field, ": ");
  absl::StrAppend(&text, Shorten(message));
  diagnostics_.push_back(MakeDiagnostic(code, Place(), {text}));
  ++count_;
  if (full()) {
    DiagnosticPlace place;
    place.file = file_;
    diagnostics_.push_back(MakeDiagnostic(DiagnosticCode::kTooManyErrors,
                                          std::move(place),
                                          {absl::StrCat(count_)}));
  }
  return false;
}

bool ProtoErrors::Add(absl::string_view field, const absl::Status& status) {
  return Add(absl::IsResourceExhausted(status) ? DiagnosticCode::kTooLarge
                                               : DiagnosticCode::kBadValue,
             field, absl::string_view(status.message()));
}

void ProtoErrors::AddKeptUnknown(absl::string_view what,
                                 absl::string_view name) {
  constexpr size_t kMostNotes = 20;
  if (full() || kept_unknown_.size() >= kMostNotes) return;
  if (!kept_unknown_.insert(absl::StrCat(what, " ", Shorten(name))).second) {
    return;
  }
  diagnostics_.push_back(MakeDiagnostic(DiagnosticCode::kKeptUnknown, Place(),
                                        {std::string(what), Shorten(name)}));
}

}  // namespace ferry
