// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/did_you_mean.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/string_ref.h"

namespace ferry {

absl::string_view NearestName(absl::string_view name,
                              absl::Span<const absl::string_view> known) {
  constexpr size_t kLongestName = 64;
  if (name.empty() || name.size() > kLongestName) return "";
  // Two slips in a short word (`agr` for `arg`), a third of a long one.
  const size_t most =
      name.size() < 3 ? 1 : std::max<size_t>(2, name.size() / 3);
  unsigned best_distance = most + 1;
  absl::string_view best;
  for (absl::string_view candidate : known) {
    const size_t longer = std::max(candidate.size(), name.size());
    const size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= best_distance || candidate == name) continue;
    const unsigned distance = ToStringRef(name).edit_distance(
        ToStringRef(candidate), /*AllowReplacements=*/true, best_distance);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> known) {
  const absl::string_view nearest = NearestName(name, known);
  return nearest.empty() ? "" : absl::StrCat("; did you mean `", nearest, "`?");
}

}  // namespace ferry
