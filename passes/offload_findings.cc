// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/offload_findings.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

// What is enough to see where a value comes from. A chain of host compute has
// a finding at every step, so whole paths would be quadratic.
constexpr size_t kHopsOfWarnings = 32;

// How far along a compiler is when it gives up for a finding of this kind.
int StepOf(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::kOperandOfAnnotation:
    case DiagnosticCode::kWideAnnotation:
    case DiagnosticCode::kAnnotationInHostComputation:
      return 0;  // before the tracker
    case DiagnosticCode::kHostComputeDisabled:
    case DiagnosticCode::kOffloadOutputLocationMismatch:
      return 1;
    case DiagnosticCode::kAnnotationShapeMismatch:
    case DiagnosticCode::kUpdatedParameterOnDevice:
    case DiagnosticCode::kAnnotatedParameterUpdated:
      return 2;
    case DiagnosticCode::kUnknownPlacement:
    case DiagnosticCode::kOpaqueConsumer:
      return 3;  // when code is made
    default:
      return 4;
  }
}

}  // namespace

DiagnosticHop DescribeHop(const OffloadNode& node) {
  const HloInstruction& instruction = *node.instruction;
  const DiagnosticPlace place = PlaceOf(instruction);
  return {.instruction = std::string(instruction.name()),
          .shape_index = node.position().index(),
          .opcode = std::string(HloOpcodeName(instruction.opcode())),
          .shape = node.position().shape().ToString(),
          .computation = place.computation,
          .line = place.line,
          .user_source = place.user_source};
}

std::vector<DiagnosticFix> OutputFixes(const HloModule& module,
                                       const ShapeIndex& output_index) {
  const absl::string_view root = module.entry().root().name();
  return {{.title = absl::StrCat("return it on host: set the layout of output ",
                                 ShapeIndexToString(output_index),
                                 " to host memory"),
           .kind = "return_on_host",
           .before = ""},
          {.title = "bring it back: move it to the device",
           .kind = "bring_back",
           .before = std::string(root)}};
}

DiagnosticNote Note(std::string message) {
  return {.message = std::move(message), .place = std::nullopt};
}

void DescribePath(const OffloadWalk& walk, NodeId node, size_t max_hops,
                  Diagnostic& finding) {
  const WalkStart& start = walk.starts()[walk.StartOf(node)];
  const std::vector<OffloadNode> path = walk.PathTo(node, max_hops);
  if (path.front() == start.start) {
    for (const OffloadNode& hop : walk.PassedOverBy(start)) {
      finding.path.push_back(DescribeHop(hop));
    }
  } else {
    finding.notes.push_back(
        Note(absl::StrCat("only the last ", max_hops, " hops are shown")));
  }
  for (const OffloadNode& hop : path) finding.path.push_back(DescribeHop(hop));
}

DiagnosticPlace DescribeOrigin(const OffloadWalk& walk, NodeId node) {
  return PlaceOf(*walk.starts()[walk.StartOf(node)].origin.instruction);
}

Diagnostic FindingOnPath(DiagnosticCode code, const OffloadWalk& walk,
                         const OffloadNode& at, NodeId from,
                         absl::Span<const std::string> arguments) {
  Diagnostic finding =
      MakeDiagnostic(code, PlaceOf(*at.instruction), arguments);
  if (walk.IsHost(from)) {
    finding.annotation = DescribeOrigin(walk, from);
    DescribePath(walk, from, kHopsOfWarnings, finding);
    finding.path.push_back(DescribeHop(at));
  }
  return finding;
}

std::vector<Diagnostic> FindOffloadProblems(const OffloadWalks& walks,
                                            const PassContext& context) {
  std::vector<Diagnostic> findings;
  FindAnnotationProblems(walks.documented, findings);
  FindOutputProblems(walks, context, findings);
  FindPathProblems(walks.documented, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return StepOf(a.code) < StepOf(b.code);
                   });
  return findings;
}

}  // namespace ferry
