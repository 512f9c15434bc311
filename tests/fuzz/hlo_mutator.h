// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_FUZZ_HLO_MUTATOR_H_
#define FERRY_TESTS_FUZZ_HLO_MUTATOR_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// `text` with a few changes such as a person or a broken program makes: tokens
// left out, doubled, swapped or replaced, by words of the language (from the
// tables of opcodes, attributes and element types) or by tokens and lines that
// stand elsewhere in the text; numbers at the edges of their types; brackets
// nested deeper. Reaches far behind where a change of single bytes ends.
// The same seed gives the same text. Any bytes are legal input.
// Tested by fuzz_corpus_test.cc.
std::string MutateHlo(absl::string_view text, uint32_t seed);

}  // namespace ferry

#endif  // FERRY_TESTS_FUZZ_HLO_MUTATOR_H_
