// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PASS_OPTIONS_H_
#define FERRY_PASSES_PASS_OPTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace ferry {

// What stands in braces behind a pass's name: `{kind=bring_back,limit=3}`.
// Names map to texts; a name alone means `true`.
class PassOptions {
 public:
  bool empty() const { return values_.empty(); }
  // Replaces an earlier value.
  void Set(absl::string_view name, absl::string_view value);
  std::optional<absl::string_view> Find(absl::string_view name) const;

  // InvalidArgument, naming the first option that is none of `known`.
  absl::Status ExpectOnly(absl::Span<const absl::string_view> known) const;
  // InvalidArgument if the value is neither "true" nor "false".
  absl::StatusOr<bool> GetBool(absl::string_view name, bool fallback) const;

  // "{kind=bring_back}"; empty without options.
  std::string ToString() const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// One element of a list of passes.
struct PassSpec {
  std::string name;
  PassOptions options;
};

// Reads "verify,repair-host-outputs{kind=bring_back}": what `--passes=` and the
// pipelines say. Spaces count nothing, empty elements are errors, options may
// not hold braces or commas. Tested by pass_options_test.cc.
absl::StatusOr<std::vector<PassSpec>> ParsePassList(absl::string_view text);
std::string PassListToString(absl::Span<const PassSpec> passes);

}  // namespace ferry

#endif  // FERRY_PASSES_PASS_OPTIONS_H_
