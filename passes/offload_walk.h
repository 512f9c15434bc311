// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_OFFLOAD_WALK_H_
#define FERRY_PASSES_OFFLOAD_WALK_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "ferry/hlo/log.h"
#include "ferry/passes/fetch_paths.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/offload_graph.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {

// What starts pass over, as a tree that they share.
struct PassedOver {
  OffloadNode node;
  int32_t before;  // place of the hop before, or kNothingPassedOver
};
inline constexpr int32_t kNothingPassedOver = -1;

// Where a walk begins. What put the value into host memory is the origin: an
// annotation, a host parameter, or a host computation that returns an annotated
// result. The compiler names the walk by its start: the origin's first real
// consumer, or the parameter itself.
//
//   %h = MoveToHost(%x)   origin
//   %b = bitcast(%h)      passed over: moves no data, stays on the device
//   %t = tuple(%b)        start
struct WalkStart {
  OffloadNode origin;
  // What stands between origin and start: the last of it, as a place in the
  // walk's list of PassedOver; see OffloadWalk::PassedOverBy.
  int32_t passed_over = kNothingPassedOver;
  OffloadNode start;
  // How the start uses the value; kPass for a parameter.
  FlowKind kind = FlowKind::kPass;
  // The annotation (or what is passed over after it) is the program's result:
  // there is no consumer, and `start` is that result.
  bool is_program_root = false;
};

// Something that a walk came upon and did not, or not only, pass through.
struct WalkEvent {
  enum class Kind {
    kMovedToDevice,   // at a move-to-device annotation
    kFetchedBySlice,  // a slice that is the transfer to the device itself
    kHostCompute,     // computes on the host from here on
    kHostUpdate,      // puts a host value into a device buffer
    kIndex,           // takes the value as an index
    kPredicate,       // decides on the value
    kOpaque,          // a kernel of which nothing is known
    kHostCall,        // a marked host computation
    kRedundantMove,   // an annotation on a value that is on host already
    kHostOutput,      // leaves the program where it should
  };
  Kind kind;
  OffloadNode at;
  NodeId from = 0;
  int64_t operand = 0;
};

// An annotated update puts its rows straight into host memory, so its buffer
// has to be there: who makes the buffer.
struct UpdatedBuffer {
  OffloadNode update;
  // A broadcast or constant (whose contents then are not sent), an undefined
  // buffer, a parameter, or an operation that then writes host memory itself.
  OffloadNode producer;
};

// Follows host values forward from all starts, one start after the other, in
// the order and by the rules of the judge: see HostOffloadAnalysis.
// Tested by host_offload_analysis_test.cc and host_offload_oracle_test.cc.
class OffloadWalk {
 public:
  OffloadWalk(const OffloadGraph& graph, const PassContext& context,
              Judge judge, Logger logger);
  void Run();

  // A wrong output: the value reached this leaf of the entry's result, whose
  // layout is not in host memory.
  struct WrongOutput {
    OffloadNode node;
    size_t start;  // place in starts()
  };

  const OffloadGraph& graph() const { return graph_; }
  const std::vector<WalkStart>& starts() const { return starts_; }
  const std::vector<WrongOutput>& wrong_outputs() const {
    return wrong_outputs_;
  }
  const std::vector<WalkEvent>& events() const { return events_; }
  const std::vector<UpdatedBuffer>& updated_buffers() const {
    return updated_buffers_;
  }
  // Live annotations that were met on a path or have no consumer.
  const std::vector<OffloadNode>& idle_annotations() const {
    return idle_annotations_;
  }
  // Annotations whose result is not what their operand is; the compiler fails
  // at the first.
  const std::vector<OffloadNode>& mismatched_annotations() const {
    return mismatched_annotations_;
  }
  // Host compute was needed while XLA's flags forbid it.
  const std::optional<WalkEvent>& forbidden_compute() const {
    return forbidden_compute_;
  }

  bool IsHost(const OffloadNode& node) const {
    return on_host_.test(graph_.IdOf(node));
  }
  bool IsHost(NodeId node) const { return on_host_.test(node); }
  // The same, and the results of the annotations themselves.
  bool IsMeantForHost(const OffloadNode& node) const;
  // Whether the node is a result that host compute made.
  bool IsComputedOnHost(const OffloadNode& node) const {
    return computed_on_host_.test(graph_.IdOf(node));
  }
  // Whether the node still holds the bytes of a host parameter: nothing
  // computed or updated them on the way.
  bool IsParameterAsPassed(const OffloadNode& node) const {
    return as_passed_.test(graph_.IdOf(node));
  }
  // From the start of the walk that reached `node` to `node` itself, along the
  // edges that reached each first; no more than the last `max_hops`.
  std::vector<OffloadNode> PathTo(NodeId node,
                                  size_t max_hops = SIZE_MAX) const;
  // The hops between the start's origin and the start, both left out.
  std::vector<OffloadNode> PassedOverBy(const WalkStart& start) const;
  size_t StartOf(NodeId node) const { return start_of_[node]; }

 private:
  static constexpr uint32_t kNoNode = UINT32_MAX;

  void WalkParameters();
  void WalkAnnotations();
  void PlaceUpdatedBuffers();
  // False if the compiler stops here.
  void WalkFrom(WalkStart start);
  void CheckShape(const OffloadNode& origin);
  bool IsReadByHostCall(const OffloadNode& origin) const;
  void Visit(const OffloadNode& node);
  void Follow(const OffloadNode& from, const OffloadFlow& flow, bool at_start);
  void Push(const OffloadNode& node, NodeId parent);
  bool LeavesProgram(const OffloadNode& node);
  bool NeedHostCompute(const WalkEvent& event);
  void ClimbFrom(const OffloadNode& update);
  void LogTrace(NodeId node) const;
  void LogCommit() const;

  const OffloadGraph& graph_;
  const PassContext& context_;
  const Judge judge_;
  Logger logger_;
  FetchPaths fetch_paths_;

  llvm::BitVector on_host_;
  llvm::BitVector computed_on_host_;
  llvm::BitVector climbed_;
  llvm::BitVector as_passed_;
  std::vector<uint32_t> parent_;  // node, or kNoNode at a start
  std::vector<uint32_t> start_of_;
  std::deque<OffloadNode> queue_;
  std::vector<OffloadNode> saved_;  // in the current walk, for the log

  std::vector<WalkStart> starts_;
  std::vector<PassedOver> passed_over_;
  std::vector<WrongOutput> wrong_outputs_;
  std::vector<WalkEvent> events_;
  std::vector<UpdatedBuffer> updated_buffers_;
  std::vector<OffloadNode> annotated_updates_;
  std::vector<OffloadNode> idle_annotations_;
  std::vector<OffloadNode> mismatched_annotations_;
  std::optional<WalkEvent> forbidden_compute_;
  bool stopped_ = false;
};

// The live annotations that move to host, in the order in which the compiler
// takes them: post-order from the roots, callees right after their callers.
std::vector<OffloadNode> AnnotationsInOrder(const OffloadGraph& graph);

// The starts of the walks of one annotated leaf, in the order of its users.
// What they pass over is added to `passed_over`.
std::vector<WalkStart> FindStarts(const OffloadGraph& graph,
                                  const OffloadNode& origin,
                                  std::vector<PassedOver>& passed_over);

}  // namespace ferry

#endif  // FERRY_PASSES_OFFLOAD_WALK_H_
