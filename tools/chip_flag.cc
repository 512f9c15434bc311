// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/chip_flag.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/tools/byte_size.h"

namespace ferry {
namespace {

// The limit that `text` asks for, where the chip's own is `own`.
absl::StatusOr<int64_t> ReadLimit(absl::string_view text,
                                  std::optional<int64_t> own) {
  absl::string_view number = text;
  if (!absl::ConsumeSuffix(&number, "%")) return ParseByteSize(text);
  double percent = 0;
  if (!absl::SimpleAtod(number, &percent) || !(percent > 0 && percent <= 100)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is no share from 0% to 100%"));
  }
  if (!own.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the chip has no limit that `", text,
                     "` could be a share of; give bytes"));
  }
  return static_cast<int64_t>(
      std::floor(static_cast<double>(*own) * percent / 100));
}

}  // namespace

std::string ChipNames(absl::string_view separator) {
  std::vector<std::string> names;
  for (const MemoryTarget& target : KnownMemoryTargets()) {
    names.push_back(target.name);
  }
  return absl::StrJoin(names, separator);
}

absl::StatusOr<MemoryTarget> ReadChip(const std::string& chip) {
  const MemoryTarget* known = FindMemoryTarget(chip);
  if (known != nullptr) return *known;
  if (!absl::EndsWith(chip, ".json")) {
    return absl::InvalidArgumentError(
        absl::StrCat("--chip: there is no chip `", chip, "`; one of ",
                     ChipNames(", "), ", or a FILE.json"));
  }
  const absl::StatusOr<std::shared_ptr<const SourceText>> file =
      SourceText::FromFile(chip);
  if (!file.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--chip: ", file.status().message()));
  }
  absl::StatusOr<MemoryTarget> target = MemoryTargetFromJson((*file)->text());
  if (!target.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--chip: ", chip, ": ", target.status().message()));
  }
  return target;
}

absl::Status SetLimit(absl::string_view flag, absl::string_view text,
                      MemorySpace space, MemoryTarget& target) {
  if (text.empty()) return absl::OkStatus();
  auto found = std::find_if(
      target.spaces.begin(), target.spaces.end(),
      [&](const MemorySpaceTarget& entry) { return entry.space == space; });
  if (found == target.spaces.end()) {
    found = target.spaces.insert(
        target.spaces.end(),
        {.space = space,
         .name = target.SpaceName(space),
         .offset_alignment_bytes = target.OffsetAlignment(space)});
  }
  const absl::StatusOr<int64_t> limit = ReadLimit(text, found->limit_bytes());
  if (!limit.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": ", limit.status().message()));
  }
  if (*limit > INT64_MAX - found->reserved_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": `", text, "` is more than any chip has"));
  }
  found->usable_bytes = *limit + found->reserved_bytes;
  return absl::OkStatus();
}

}  // namespace ferry
