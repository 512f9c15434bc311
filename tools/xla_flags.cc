// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/xla_flags.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace ferry {
namespace {

// Null if Ferry does not honour it.
bool* FindFlag(absl::string_view name, PassContext::XlaFlags& flags) {
  if (name == "xla_disable_automatic_host_compute_offload") {
    return &flags.disable_automatic_host_compute_offload;
  }
  if (name ==
      "xla_allow_h2h_copy_when_automatic_host_compute_offload_disabled") {
    return &flags.allow_host_to_host_copy;
  }
  return nullptr;
}

}  // namespace

absl::Status ReadXlaFlags(absl::string_view text, PassContext::XlaFlags& flags,
                          std::vector<std::string>& ignored) {
  for (absl::string_view piece :
       absl::StrSplit(text, absl::ByAnyChar(" \t\n"), absl::SkipEmpty())) {
    absl::string_view flag = piece;
    if (!absl::ConsumePrefix(&flag, "--")) absl::ConsumePrefix(&flag, "-");
    const size_t equals = flag.find('=');
    const absl::string_view name = flag.substr(0, equals);
    if (name.empty() || !absl::ascii_isalpha(name[0])) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", piece, "` is no flag of XLA; write xla_x=true"));
    }
    bool* value = FindFlag(name, flags);
    if (value == nullptr) {
      ignored.emplace_back(name);
      continue;
    }
    // A name alone switches on, as in XLA.
    *value = true;
    if (equals != absl::string_view::npos &&
        !absl::SimpleAtob(flag.substr(equals + 1), value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", piece, "`: the value must be true or false"));
    }
  }
  return absl::OkStatus();
}

}  // namespace ferry
