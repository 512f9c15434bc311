// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_VERIFIER_RULES_H_
#define FERRY_HLO_HLO_VERIFIER_RULES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"

// The parts of VerifyHlo, one file each; not for use by others.
// Tested by hlo_verifier_test.cc.
namespace ferry {

// Collects what the rules find.
class HloVerifierFindings {
 public:
  void Add(DiagnosticCode code, DiagnosticPlace place,
           const std::vector<std::string>& arguments) {
    diagnostics_.push_back(MakeDiagnostic(code, std::move(place), arguments));
  }
  void Add(DiagnosticCode code, const HloInstruction& instruction,
           const std::string& message) {
    Add(code, PlaceOf(instruction), {message});
  }
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// F1101 (verify_results.cc).
void VerifyResult(const HloInstruction& instruction,
                  HloVerifierFindings& findings);
// F1102 (verify_callees.cc).
void VerifyCallees(const HloInstruction& instruction,
                   HloVerifierFindings& findings);
// F1105 (verify_async.cc).
void VerifyAsync(const HloInstruction& instruction,
                 HloVerifierFindings& findings);
// F1103, F1104 (verify_entry.cc).
void VerifyEntry(const HloModule& module, HloVerifierFindings& findings);

// Type and size of a shape, for a message: whole if that is short, since a
// loop's state can have thousands of elements.
std::string ShapeForMessage(const Shape& shape);

// Two shapes that do not fit, for a message: whole if they are short, else
// their first nodes that differ and `where` = " at index {3}".
struct ShapeMismatch {
  std::string first;
  std::string second;
  std::string where;
};
ShapeMismatch DescribeMismatch(const Shape& first, const Shape& second);

// The instruction's shape must fit `expected`, else XLA's sentence under
// `code`.
void ExpectShape(const HloInstruction& instruction, DiagnosticCode code,
                 const Shape& expected, HloVerifierFindings& findings);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_RULES_H_
