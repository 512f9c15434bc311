// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_VERIFIER_RULES_H_
#define FERRY_HLO_HLO_VERIFIER_RULES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/DenseMap.h"

// The parts of VerifyHlo, one file each; not for use by others.
// Tested by hlo_verifier_test.cc and verify_results_test.cc.
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
  // The same, with a change that repairs it.
  void AddWithFix(DiagnosticCode code, const HloInstruction& instruction,
                  const std::string& message, DiagnosticFix fix) {
    Add(code, PlaceOf(instruction), {message});
    diagnostics_.back().fixes.push_back(std::move(fix));
  }
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// Whether the module stands behind layout assignment: a scheduled one does, and
// one whose result has tiles. From there on precisions may be mixed.
bool IsAfterLayoutAssignment(const HloInstruction& instruction);

// Whether the shapes are compatible; at mixed precision, any two float types
// are.
bool Fits(const HloInstruction& instruction, const Shape& a, const Shape& b);

// What each instruction is looked at for. The functions of several codes say
// which at their tables.

// F1101, F1109: the result (verify_results.cc).
void VerifyResult(const HloInstruction& instruction,
                  HloVerifierFindings& findings);
// F1101, F1109: iota, broadcast, reshape, rng, ... (verify_generators.cc).
// False if the opcode is none of them.
bool VerifyGenerator(const HloInstruction& instruction,
                     HloVerifierFindings& findings);
// F1110: no implicit broadcasts, comparison types (verify_elementwise.cc).
void VerifyElementwise(const HloInstruction& instruction,
                       HloVerifierFindings& findings);
// F1101: before layout assignment, the arrays of floats that go in are of one
// type.
void VerifyOnePrecision(const HloInstruction& instruction,
                        HloVerifierFindings& findings);
// F1102, F1109: called computations (verify_callees.cc).
void VerifyCallees(const HloInstruction& instruction,
                   HloVerifierFindings& findings);
// F1105, F1115: starts and dones (verify_async.cc).
void VerifyAsync(const HloInstruction& instruction,
                 HloVerifierFindings& findings);
// F1101, F1109, F1111: groups of devices, results of collectives (verify_collectives.cc).
void VerifyCollective(const HloInstruction& instruction,
                      HloVerifierFindings& findings);
// F1101, F1105: send, recv, infeed, outfeed (verify_transfers.cc).
void VerifyTransfer(const HloInstruction& instruction,
                    HloVerifierFindings& findings);
// F1104: output_to_operand_aliasing (verify_output_aliasing.cc).
void VerifyOutputAliasing(const HloInstruction& instruction,
                          HloVerifierFindings& findings);
// F1112: values of type b(...) (verify_buffers.cc).
void VerifyBuffers(const HloInstruction& instruction,
                   HloVerifierFindings& findings);
// F1113: memory spaces of copies and slices (verify_memory_spaces.cc).
void VerifyMemorySpaces(const HloInstruction& instruction,
                        HloVerifierFindings& findings);

// F1103, F1104: the header (verify_entry.cc).
void VerifyEntry(const HloModule& module, HloVerifierFindings& findings);

// F1107: layouts (verify_layouts.cc). Shapes are shared by thousands of
// instructions, so each distinct one is looked at once.
class LayoutRule {
 public:
  void Check(const HloInstruction& instruction, HloVerifierFindings& findings);
  // What is wrong in the tree, or null.
  const std::string* Problem(const Shape& shape);

 private:
  llvm::DenseMap<const Shape*, std::string> problems_;
};

// F1114: shardings against shapes (verify_shardings.cc). So are these.
class ShardingRule {
 public:
  void Check(const HloInstruction& instruction, HloVerifierFindings& findings);

 private:
  absl::flat_hash_map<std::pair<absl::string_view, const Shape*>, std::string>
      problems_;
};

// Finds of several operations at once (verify_channels.cc): F1111, channel ids
// that two kinds of operations use.
class ChannelRule {
 public:
  void Check(const HloInstruction& instruction, HloVerifierFindings& findings);

 private:
  absl::flat_hash_map<int64_t, const HloInstruction*> first_;
};

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
// `code`, and what to write instead.
void ExpectShape(const HloInstruction& instruction, DiagnosticCode code,
                 const Shape& expected, HloVerifierFindings& findings);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_RULES_H_
