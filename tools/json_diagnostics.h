// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_JSON_DIAGNOSTICS_H_
#define FERRY_TOOLS_JSON_DIAGNOSTICS_H_

#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/stack_frames.h"

namespace llvm::json {
class OStream;
}  // namespace llvm::json

namespace ferry {

// What the JSON documents of all commands have in common. Each writes one
// attribute, "diagnostics" and "source", into the object that is open.
// Tested by check_json_test.cc.
void WriteDiagnostics(absl::Span<const Diagnostic> diagnostics, Judge judge,
                      llvm::json::OStream& json);
void WriteSource(const UserSource& source, llvm::json::OStream& json);

}  // namespace ferry

#endif  // FERRY_TOOLS_JSON_DIAGNOSTICS_H_
