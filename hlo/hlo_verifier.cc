// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The driver, and the rules that are a few lines each. Every rule looks at one
// instruction and its neighbours, so one walk over the module runs them all.

#include "ferry/hlo/hlo_verifier.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/call_graph.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {
namespace {

// Rule F1108. `seen` has the instructions above `instruction`.
void VerifyOrder(const HloInstruction& instruction, const llvm::BitVector& seen,
                 HloVerifierFindings& findings) {
  const auto expect_above = [&](const HloInstruction& other,
                                absl::string_view what) {
    if (&other.parent() != &instruction.parent()) {
      findings.Add(
          DiagnosticCode::kOperandNotAbove, instruction,
          absl::StrCat("Instruction ", instruction.name(), " has the ", what,
                       " ", other.name(), " of another computation, ",
                       other.parent().name()));
    } else if (!seen.test(other.id())) {
      findings.Add(DiagnosticCode::kOperandNotAbove, instruction,
                   absl::StrCat("Instruction ", instruction.name(),
                                " is not scheduled after its ", what, " ",
                                other.name()));
    }
  };
  for (const HloInstruction* operand : instruction.operands()) {
    expect_above(*operand, "operand");
  }
  for (const HloInstruction* before : instruction.control_predecessors()) {
    expect_above(*before, "control predecessor");
  }
}

// Rule F1106.
void VerifyNoRecursion(const HloModule& module, HloVerifierFindings& findings) {
  const CallGraph graph = CallGraph::Build(module);
  const auto cycle = graph.cycle();
  if (cycle.empty()) return;
  std::vector<absl::string_view> names;
  for (const HloComputation* computation : cycle) {
    names.push_back(computation->name());
  }
  names.push_back(cycle.front()->name());
  findings.Add(
      DiagnosticCode::kRecursiveCall, PlaceOf(*cycle.front()),
      {absl::StrCat("computation `", cycle.front()->name(),
                    "` calls itself: ", absl::StrJoin(names, " -> "))});
}

// Rule F1007. The other rules read operands by number.
bool VerifyOperandCount(const HloInstruction& instruction,
                        HloVerifierFindings& findings) {
  const auto [min, max] = LegalOperandCount(instruction.opcode());
  const int64_t count = instruction.operands().size();
  if (count >= min && (max < 0 || count <= max)) return true;
  findings.Add(DiagnosticCode::kOperandCount, PlaceOf(instruction),
               {std::string(HloOpcodeName(instruction.opcode())),
                min == max    ? absl::StrCat(min)
                : count < min ? absl::StrCat("at least ", min)
                              : absl::StrCat("at most ", max),
                absl::StrCat(count)});
  return false;
}

void SortBySource(std::vector<Diagnostic>& diagnostics) {
  const auto key = [](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.place.line, diagnostic.place.column);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) {
                     return key(a) < key(b);
                   });
}

}  // namespace

std::vector<Diagnostic> VerifyHlo(const HloModule& module) {
  HloVerifierFindings findings;
  VerifyNoRecursion(module, findings);
  VerifyEntry(module, findings);
  LayoutRule layouts;
  ShardingRule shardings;
  ChannelRule channels;
  llvm::BitVector seen(module.id_limit());
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      VerifyOrder(instruction, seen, findings);
      seen.set(instruction.id());
      if (!VerifyOperandCount(instruction, findings)) continue;
      VerifyResult(instruction, findings);
      VerifyCallees(instruction, findings);
      VerifyAsync(instruction, findings);
      VerifyCollective(instruction, findings);
      VerifyTransfer(instruction, findings);
      VerifyOutputAliasing(instruction, findings);
      VerifyBuffers(instruction, findings);
      VerifyMemorySpaces(instruction, findings);
      layouts.Check(instruction, findings);
      shardings.Check(instruction, findings);
      channels.Check(instruction, findings);
    }
  }
  SortBySource(findings.diagnostics());
  return std::move(findings.diagnostics());
}

}  // namespace ferry
