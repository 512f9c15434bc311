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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

bool IsPermutation(absl::Span<const int64_t> numbers) {
  const int64_t count = numbers.size();
  llvm::SmallBitVector seen(count);
  for (int64_t number : numbers) {
    if (number < 0 || number >= count || seen.test(number)) return false;
    seen.set(number);
  }
  return true;
}

// Rule F1107. Shapes are shared by thousands of instructions, so each distinct
// one is looked at once.
class LayoutRule {
 public:
  void Check(const HloInstruction& instruction, HloVerifierFindings& findings) {
    const Shape* bad = BadNode(instruction.shape());
    if (bad == nullptr) return;
    findings.Add(DiagnosticCode::kBadLayout, instruction,
                 absl::StrCat("the layout of ", bad->ToString(),
                              " must list each of its ",
                              bad->dimensions().size(), " dimensions once"));
  }

 private:
  // The first array of the tree whose layout is none, or null.
  const Shape* BadNode(const Shape& shape) {
    const auto [known, is_new] = bad_nodes_.try_emplace(&shape, nullptr);
    if (!is_new) return known->second;
    llvm::SmallVector<const Shape*, 8> work = {&shape};
    while (!work.empty()) {
      const Shape* node = work.pop_back_val();
      const Layout* layout = node->layout();
      if (layout != nullptr &&
          (layout->minor_to_major().size() != node->dimensions().size() ||
           !IsPermutation(layout->minor_to_major()))) {
        bad_nodes_[&shape] = node;
        return node;
      }
      const auto elements = node->tuple_shapes();
      work.append(elements.rbegin(), elements.rend());
    }
    return nullptr;
  }

  llvm::DenseMap<const Shape*, const Shape*> bad_nodes_;
};

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
  llvm::BitVector seen(module.id_limit());
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      VerifyOrder(instruction, seen, findings);
      VerifyResult(instruction, findings);
      VerifyCallees(instruction, findings);
      VerifyAsync(instruction, findings);
      layouts.Check(instruction, findings);
      seen.set(instruction.id());
    }
  }
  SortBySource(findings.diagnostics());
  return std::move(findings.diagnostics());
}

}  // namespace ferry
