// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_HOST_OFFLOAD_ANALYSIS_H_
#define FERRY_PASSES_HOST_OFFLOAD_ANALYSIS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/passes/hlo_pass.h"

namespace ferry {

// How far a module has come in a compiler.
enum class OffloadStage {
  kBefore,     // annotations, or nothing about memory inside
  kOffloaded,  // layouts say S(5); no schedule yet
  kScheduled,  // lowered and in execution order
};
absl::string_view OffloadStageName(OffloadStage stage);  // "before", ...

// Bytes that cross the link between device and host. An instruction counts
// once, with the number of times it runs.
struct HostTransfer {
  enum class Direction { kDeviceToHost, kHostToDevice };
  Direction direction;
  // Annotation, slice, update or copy that is, or becomes, the transfer.
  const HloInstruction* instruction;
  // The array that moves: all of a tensor, or the slice.
  const Shape* shape;
  // Of it, unpadded; nullopt if the size is dynamic or beyond 2^63.
  std::optional<int64_t> bytes;
  // Executions a step; nullopt if a loop around it has no known trip count.
  std::optional<int64_t> trip_count;
};

// An instruction that computes on the host.
struct HostComputation {
  const HloInstruction* instruction;
  std::string why;
};

// Where every offloaded tensor goes: from the annotation (or host parameter)
// that put it into host memory, until it comes back to the device, is used by
// a host computation, or leaves the program.
//
// Placement is forward reachability over positions: a value stays in host
// memory through every operation that passes it on (tuple, call, loop slot,
// branch, barrier, slice kept on host, compute done on host) and stops at a
// move to device. Each reached position keeps the edge that reached it, so a
// shortest path from the annotation to any output costs nothing extra.
//
//   %h = MoveToHost(%x) --> tuple{0} --> while{0} --> gte --> ROOT out{1}
//                           start                             layout S(0): E1200
//
// Under Judge::kCompiler the walk is the shipped compiler's, with its order,
// its gaps and its false alarms (what it names in E1200 is named the same).
//
// Linear in positions, counted per call context. Tested by
// host_offload_analysis_test.cc, tests/passes/host_offload/ and, against
// enumeration of all paths, by host_offload_oracle_test.cc.
class HostOffloadAnalysis {
 public:
  // `module` must outlive the result. Log lines go to `context.log` as the site
  // `host_offloader`. FailedPrecondition if VerifyHlo finds an error.
  static absl::StatusOr<HostOffloadAnalysis> Run(const HloModule& module,
                                                 const PassContext& context);

  OffloadStage stage() const { return stage_; }
  // In the order in which a compiler would come upon them; the first with a
  // status decides the verdict.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  // Ordered by instruction.
  const std::vector<HostTransfer>& transfers() const { return transfers_; }
  const std::vector<HostComputation>& host_compute() const {
    return host_compute_;
  }
  // Whether the value may be in host memory when its computation runs, in any
  // calling context.
  bool IsOnHost(const HloPosition& position) const;

 private:
  HostOffloadAnalysis() = default;
  friend class HostOffloadAnalysisBuilder;

  OffloadStage stage_ = OffloadStage::kBefore;
  std::vector<Diagnostic> diagnostics_;
  std::vector<HostTransfer> transfers_;
  std::vector<HostComputation> host_compute_;
  // By InstructionId, the place of its first position in on_host_.
  std::vector<uint32_t> first_position_;
  std::vector<bool> on_host_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_HOST_OFFLOAD_ANALYSIS_H_
