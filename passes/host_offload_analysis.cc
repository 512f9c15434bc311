// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/host_offload_analysis.h"

#include <utility>
#include <vector>

#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/passes/lowered_offload.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/offload_graph.h"
#include "ferry/passes/offload_transfers.h"
#include "ferry/passes/offload_walk.h"

namespace ferry {

absl::string_view OffloadStageName(OffloadStage stage) {
  switch (stage) {
    case OffloadStage::kBefore:
      return "before";
    case OffloadStage::kOffloaded:
      return "offloaded";
    case OffloadStage::kScheduled:
      return "scheduled";
  }
  return "";
}

// Fills the result from the graph and, before lowering, from two walks over it.
class HostOffloadAnalysisBuilder {
 public:
  static absl::StatusOr<HostOffloadAnalysis> Build(const HloModule& module,
                                                   const PassContext& context) {
    FERRY_ASSIGN_OR_RETURN(const OffloadGraph graph,
                           OffloadGraph::Build(module));
    HostOffloadAnalysis analysis;
    analysis.stage_ = FindOffloadStage(module);
    Number(module, analysis);
    if (analysis.stage_ == OffloadStage::kBefore) {
      Track(graph, context, analysis);
    } else {
      Read(graph, analysis);
    }
    return analysis;
  }

 private:
  static void Number(const HloModule& module, HostOffloadAnalysis& analysis) {
    analysis.first_position_.resize(module.id_limit());
    uint32_t next = 0;
    for (const HloComputation* computation : module.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        analysis.first_position_[instruction.id()] = next;
        next += instruction.shape().node_count();
      }
    }
    analysis.on_host_.resize(next);
  }

  static void Track(const OffloadGraph& graph, const PassContext& context,
                    HostOffloadAnalysis& analysis) {
    // What the compiler does is logged as the compiler logs it.
    OffloadWalk compiler(graph, context, Judge::kCompiler,
                         Logger(context.log, "host_offloader"));
    compiler.Run();
    OffloadWalk documented(graph, context, Judge::kDocumented,
                           Logger(nullptr, ""));
    documented.Run();
    analysis.diagnostics_ =
        FindOffloadProblems({documented, compiler}, context);
    analysis.transfers_ = PredictTransfers(documented);
    analysis.host_compute_ = ListHostCompute(graph, &documented);
    for (NodeId node = 0; node < graph.node_limit(); ++node) {
      if (!documented.IsHost(node)) continue;
      const HloPosition at = graph.NodeOf(node).position();
      analysis.on_host_[analysis.first_position_[at.instruction->id()] +
                        at.ordinal] = true;
    }
  }

  static void Read(const OffloadGraph& graph, HostOffloadAnalysis& analysis) {
    analysis.diagnostics_ = FindLoweredProblems(graph);
    analysis.transfers_ = ListLoweredTransfers(graph);
    analysis.host_compute_ = ListHostCompute(graph, nullptr);
    for (const HloComputation* computation : graph.module().computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        const uint32_t first = analysis.first_position_[instruction.id()];
        for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
          analysis.on_host_[first + walk.ordinal()] =
              walk.node().memory_space() == MemorySpace::kHost;
        }
      }
    }
  }
};

absl::StatusOr<HostOffloadAnalysis> HostOffloadAnalysis::Run(
    const HloModule& module, const PassContext& context) {
  const std::vector<Diagnostic> broken = VerifyHlo(module);
  if (HasError(broken)) {
    return absl::FailedPreconditionError(
        StatusOf(broken, context.judge).message());
  }
  return HostOffloadAnalysisBuilder::Build(module, context);
}

bool HostOffloadAnalysis::IsOnHost(const HloPosition& position) const {
  return on_host_[first_position_[position.instruction->id()] +
                  position.ordinal];
}

}  // namespace ferry
