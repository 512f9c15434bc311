// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_NAME_UNIQUER_H_
#define FERRY_HLO_NAME_UNIQUER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/StringMap.h"

namespace ferry {

// A name as XLA counts it: `add.12` is number 12 of `add`, `add` number 0.
struct NumberedName {
  absl::string_view root;
  // None where the name has no number that fits an int64, as `x`, `x.y`.
  std::optional<int64_t> number;
  // Whether root and number, written out again, give the name: not `x.01`.
  bool is_normal = true;
};
NumberedName SplitName(absl::string_view name);

// Hands out names by the rule of XLA's uniquer: the name itself if it is free,
// else its root with the next free number.
//
//   taken: x, x.1, x.3      x -> x.2      x.3 -> x.4      x.07 -> x.7
//
// `x` and `x.0` are the same number of the same root, so only one of them can
// be taken. Tested by name_uniquer_test.cc.
class NameUniquer {
 public:
  // A name that is not taken. Amortized constant in the number of names.
  std::string GetUniqueName(
      absl::string_view base,
      absl::FunctionRef<bool(absl::string_view)> is_taken);

 private:
  // The number to try next, for roots where one was taken.
  llvm::StringMap<int64_t> next_;
};

}  // namespace ferry

#endif  // FERRY_HLO_NAME_UNIQUER_H_
