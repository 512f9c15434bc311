// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_
#define FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_

#include "absl/strings/string_view.h"

namespace ferry {

// What holds for every byte string, however broken: the fuzz targets call
// these, and fuzz_corpus_test.cc calls them on all files in corpus/. A broken
// promise ends the program, as does what the sanitizers find.

// Reading ends in a module or in errors, never both; what is read can be
// verified and printed in every form, and every finding can be shown.
void CheckReadsAnything(absl::string_view text);

// What reads prints so that it reads, and from then on nothing changes: a
// second print is the same bytes.
void CheckPrintReadsBack(absl::string_view text);

}  // namespace ferry

#endif  // FERRY_TESTS_FUZZ_HLO_PROPERTIES_H_
