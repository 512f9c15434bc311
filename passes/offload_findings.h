// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_OFFLOAD_FINDINGS_H_
#define FERRY_PASSES_OFFLOAD_FINDINGS_H_

#include <vector>

#include "ferry/hlo/diagnostic.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/offload_walk.h"

namespace ferry {

// Both walks over one module: by the documented rules, and as the shipped
// compiler does it. Where they differ, users want to know.
// Tested by tests/passes/check_host_offload_*.hlo.
struct OffloadWalks {
  const OffloadWalk& documented;
  const OffloadWalk& compiler;
};

// Everything about the module's placement that a user should hear of, in the
// order in which a compiler would come upon it; the one that decides the
// verdict under `context.judge` is the first with a status.
std::vector<Diagnostic> FindOffloadProblems(const OffloadWalks& walks,
                                            const PassContext& context);

// Parts of the above, one file each.

// E1200 for every wrong output, F4008 for those that the compiler lets pass;
// the reverse, F4004; what the signature makes costly or wrong, F4007, F4020.
// (output_findings.cc)
void FindOutputProblems(const OffloadWalks& walks, const PassContext& context,
                        std::vector<Diagnostic>& findings);
// Annotations that cannot mean what they say: F4003, F4014 to F4017, F4022,
// F4024. (annotation_findings.cc)
void FindAnnotationProblems(const OffloadWalk& documented,
                            std::vector<Diagnostic>& findings);
// What becomes of values on their way: F4001, F4002, F4005, F4006, F4009 to
// F4013, F4018, F4019, F4021. (path_findings.cc)
void FindPathProblems(const OffloadWalk& documented,
                      std::vector<Diagnostic>& findings);

// --- What the three and the reader of lowered modules share.

// Gives `finding` the way to `node`: what the walk passed over, its start, and
// each hop; of more than `max_hops` only the last, and a note that says so.
void DescribePath(const OffloadWalk& walk, NodeId node, size_t max_hops,
                  Diagnostic& finding);
// The annotation or parameter that put the value at `node` into host memory.
DiagnosticPlace DescribeOrigin(const OffloadWalk& walk, NodeId node);
// A finding about `at`, with the way of the value that came there from `from`.
Diagnostic FindingOnPath(DiagnosticCode code, const OffloadWalk& walk,
                         const OffloadNode& at, NodeId from,
                         absl::Span<const std::string> arguments);
DiagnosticHop DescribeHop(const OffloadNode& node);
// Both ways to make E1200 at an output go away.
std::vector<DiagnosticFix> OutputFixes(const HloModule& module,
                                       const ShapeIndex& output_index);
DiagnosticNote Note(std::string message);

}  // namespace ferry

#endif  // FERRY_PASSES_OFFLOAD_FINDINGS_H_
