// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_LOWERED_OFFLOAD_H_
#define FERRY_PASSES_LOWERED_OFFLOAD_H_

#include <vector>

#include "ferry/hlo/diagnostic.h"
#include "ferry/passes/host_offload_analysis.h"
#include "ferry/passes/offload_graph.h"

namespace ferry {

// How far a compiler has taken the module: annotations are left, or layouts
// already say where values are.
// Tested by host_offload_analysis_test.cc.
OffloadStage FindOffloadStage(const HloModule& module);

// --- A module that is lowered is read as it stands.

// Copies, slices and updates between host memory and the device, asynchronous
// ones by their start, and operations that write host memory themselves.
// Ordered by instruction.
std::vector<HostTransfer> ListLoweredTransfers(const OffloadGraph& graph);

// Outputs whose memory is not the one that the entry layout declares: E1200 and
// F4004.
std::vector<Diagnostic> FindLoweredProblems(const OffloadGraph& graph);

}  // namespace ferry

#endif  // FERRY_PASSES_LOWERED_OFFLOAD_H_
