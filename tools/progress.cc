// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/progress.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/tools/output_file.h"

namespace ferry {
namespace {

// To the line's start, and nothing behind it.
constexpr absl::string_view kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress(size_t count, Options options)
    : count_(count),
      options_(options),
      start_(std::chrono::steady_clock::now()) {}

void Progress::Show(size_t done) {
  if (!options_.is_on || done >= count_) return;
  if (std::chrono::steady_clock::now() - start_ < options_.patience) return;
  WriteStderr(absl::StrCat(kEraseLine, done, " of ", count_, " done"));
  is_shown_ = true;
}

void Progress::Clear() {
  if (is_shown_) WriteStderr(kEraseLine);
  is_shown_ = false;
}

}  // namespace ferry
