// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_FUZZ_BAD_INPUT_H_
#define FERRY_TESTS_FUZZ_BAD_INPUT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace ferry {

// Texts that hurt: each kind grows with the wanted size, and is what a reader
// that recurses, searches again and again, or believes what numbers claim
// would take too long or too much memory for.
struct BadInput {
  absl::string_view name;  // "nested_tuple_shape"
  // About this many bytes.
  std::string (*make)(int64_t bytes);
};
absl::Span<const BadInput> BadInputs();

}  // namespace ferry

#endif  // FERRY_TESTS_FUZZ_BAD_INPUT_H_
