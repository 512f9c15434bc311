// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DIAGNOSTIC_EXPLANATION_H_
#define FERRY_HLO_DIAGNOSTIC_EXPLANATION_H_

#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"

namespace ferry {

// What `ferry explain F4005` prints: the code's name and text, then sample,
// cause and fix, as plain text that ends with a line end. Lives forever.
//
// The words are those of docs/diagnostics.md, or of docs/errors/CODE.md where
// a code has a page of its own; both are compiled in (tools/embed_pages).
// Tested by diagnostic_explanation_test.cc; that no section is missing, by
// tests/diagnostics_docs_test.py.
absl::string_view ExplainDiagnostic(DiagnosticCode code);

}  // namespace ferry

#endif  // FERRY_HLO_DIAGNOSTIC_EXPLANATION_H_
