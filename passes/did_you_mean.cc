// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/did_you_mean.h"

#include "absl/strings/str_cat.h"
#include "ferry/hlo/string_ref.h"

namespace ferry {

std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> known) {
  // Names of other people's making can be long; a near one never is.
  constexpr size_t kMaxName = 100;
  if (name.size() > kMaxName) return "";
  // More than a third of the letters wrong is another word.
  unsigned best_distance = (name.size() + 2) / 3 + 1;
  absl::string_view best;
  for (absl::string_view candidate : known) {
    const unsigned distance = ToStringRef(name).edit_distance(
        ToStringRef(candidate), /*AllowReplacements=*/true, best_distance);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : absl::StrCat("; did you mean `", best, "`?");
}

}  // namespace ferry
