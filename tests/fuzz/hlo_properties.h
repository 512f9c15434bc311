// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_
#define FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace ferry {

// What holds for every byte string, however broken. Not OK says what does not;
// the sanitizers find the rest. The fuzz targets call these, and
// fuzz_corpus_test.cc calls them on all HLO of the tree.

// Reading ends in a module or in errors, never both; what is read can be
// verified and printed in every form, and every finding can be shown.
absl::Status CheckReadsAnything(absl::string_view text);

// What reads and verifies prints so that it reads, and that print is final:
// read and printed again it is the same bytes.
absl::Status CheckPrintReadsBack(absl::string_view text);

// Any bytes, as a proto or text: reading, verifying, printing and writing them
// as a proto, and reading that, ends in a result or in diagnostics.
absl::Status CheckReadsAnyProto(absl::string_view bytes);

// What reads, from text or proto, and verifies is the same module, byte for
// byte when printed, after it went through a binary proto. Asked of whole
// modules: where bytes are mutated, layouts that cannot be, inside of
// attributes, are more than a proto can say.
absl::Status CheckProtoKeepsAll(absl::string_view bytes);

// Prints the message and aborts, as libFuzzer wants it.
void ExpectHolds(const absl::Status& status);

}  // namespace ferry

#endif  // FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_
