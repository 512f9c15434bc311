// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_PARSER_H_
#define FERRY_HLO_HLO_PARSER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

struct HloParserOptions {
  // Carry unknown attributes, opcodes and header attributes through with a
  // note, so that dumps of newer compilers read; false refuses them.
  bool allow_unknown = true;
  // Stop after this many errors.
  int max_errors = 20;
};

struct HloParseResult {
  // Null if and only if `diagnostics` has an error.
  std::unique_ptr<HloModule> module;
  std::vector<Diagnostic> diagnostics;
};

// Reads HLO text. Any byte string ends in a module or in errors with places:
// after an error, reading goes on at the next instruction. Time and memory are
// linear in the text; nesting depth costs no stack.
//
// Accepts what XLA's reader accepts, and refuses what it refuses (syntax,
// operand counts, declared shapes), leaving what only XLA's verifier finds to
// VerifyHlo. `context` must outlive the module.
// Tested by hlo_parser_test.cc and hlo_parser_errors_test.cc.
HloParseResult ParseHlo(std::shared_ptr<const SourceText> source,
                        HloContext& context,
                        const HloParserOptions& options = {});

// The same for a string, with the first error as status: for tests, and for
// embedders that have no use for more than one.
absl::StatusOr<std::unique_ptr<HloModule>> ParseHloText(absl::string_view text,
                                                        HloContext& context);

// One shape, "f32[8,2]{1,0:S(5)}", with nothing behind it.
absl::StatusOr<const Shape*> ParseShape(absl::string_view text,
                                        HloContext& context);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_PARSER_H_
