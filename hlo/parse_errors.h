// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PARSE_ERRORS_H_
#define FERRY_HLO_PARSE_ERRORS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// Where the reader's errors go. Functions of the reader return whether they
// succeeded; one that fails has added an error, so that `return errors.Add(..)`
// is how failure is written. Tested by hlo_parser_test.cc.
class ParseErrors {
 public:
  // `diagnostics` must outlive this.
  ParseErrors(const SourceText& source, int max_errors,
              std::vector<Diagnostic>& diagnostics)
      : source_(source), max_errors_(max_errors), diagnostics_(diagnostics) {}

  // Adds an error at byte `offset`; returns false.
  bool Add(DiagnosticCode code, uint64_t offset,
           absl::Span<const std::string> arguments);
  bool Add(DiagnosticCode code, uint64_t offset, std::string message) {
    return Add(code, offset, absl::MakeConstSpan(&message, 1));
  }
  // Syntax error "expected WHAT, but saw `x`" at the lexer's next token.
  bool Expected(HloLexer& lexer, absl::string_view what);

  // Adds to the latest diagnostic; without a place if `offset` is kNowhere.
  static constexpr uint64_t kNowhere = UINT64_MAX;
  void AddNote(std::string message, uint64_t offset = kNowhere);
  // "did you mean `x`?" if one of the candidates is near to `word`, as
  // NearestName says. No help from more than kMostCandidates.
  static constexpr size_t kMostCandidates = 50000;
  void Suggest(absl::string_view word,
               absl::Span<const absl::string_view> candidates);
  // A note about something that the reader carries through (F1010). Only the
  // first few are kept: a text may have a million.
  void AddKeptUnknown(absl::string_view what, absl::string_view name,
                      uint64_t offset,
                      absl::Span<const absl::string_view> candidates);

  // Something that reading goes on without.
  void AddWarning(DiagnosticCode code, uint64_t offset,
                  absl::Span<const std::string> arguments);

  int count() const { return count_; }
  // No more errors are wanted: reading should end.
  bool full() const { return count_ >= max_errors_; }

 private:
  const SourceText& source_;
  const int max_errors_;
  std::vector<Diagnostic>& diagnostics_;
  int count_ = 0;
  int kept_unknown_count_ = 0;
};

}  // namespace ferry

#endif  // FERRY_HLO_PARSE_ERRORS_H_
