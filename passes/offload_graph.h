// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_OFFLOAD_GRAPH_H_
#define FERRY_PASSES_OFFLOAD_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/passes/control_facts.h"
#include "ferry/passes/use_index.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

using ContextId = uint32_t;
using NodeId = uint32_t;

// One way to come into a computation. A computation called from two places has
// two contexts, whose values are told apart:
//
//   entry ──call a──► f (context 1)        f's parameter 0 is on host here
//         ──call b──► f (context 2)        and on the device here
struct OffloadContext {
  const HloComputation* computation;
  // Where control comes from. More than one only where contexts are shared
  // because there would be too many of them.
  struct CallSite {
    ContextId context;
    const HloInstruction* instruction;
    int32_t role;  // place in instruction->called_computations()
  };
  llvm::SmallVector<CallSite, 1> callers;
  NodeId first_node;
};

// A position in a context.
struct OffloadNode {
  ContextId context = 0;
  const HloInstruction* instruction = nullptr;
  int32_t ordinal = 0;

  HloPosition position() const { return {instruction, ordinal}; }
  friend bool operator==(const OffloadNode&, const OffloadNode&) = default;
};

// What an instruction does with a value that one of its operands holds.
enum class FlowKind : uint8_t {
  kPass,        // hands on the same bytes: tuple, loop slot, bitcast, barrier
  kBackEdge,    // the same, from the end of an iteration to the next one
  kUpdate,      // writes them into a part of its result
  kSlice,       // reads a part of them
  kCopy,        // copies them
  kCompute,     // computes with them
  kIndex,       // takes them as an index of a slice or update
  kPredicate,   // decides on them
  kMoveToHost,  // annotations
  kMoveToDevice,
  kHostCall,  // a marked host computation reads them where they are
  kOpaque,    // a kernel of which nothing is known
};

// From a node to where its value is seen next.
struct OffloadFlow {
  OffloadNode to;
  FlowKind kind;
  int64_t operand = 0;  // of to.instruction; -1 where it is a root's flow
};

// The positions of the part of a module that runs, once per calling context,
// with the flows between them. Nodes are dense, so that facts about them are
// plain arrays (tested by offload_graph_test.cc). Building is linear in nodes, enumerating flows is linear in
// flows; the number of nodes is bounded by a constant times the module's
// positions, beyond which contexts of one computation are shared.
class OffloadGraph {
 public:
  // FailedPrecondition if a computation calls itself.
  static absl::StatusOr<OffloadGraph> Build(const HloModule& module);

  const HloModule& module() const { return *module_; }
  NodeId node_limit() const { return node_limit_; }
  absl::Span<const OffloadContext> contexts() const { return contexts_; }
  // Computations whose contexts are shared.
  absl::Span<const HloComputation* const> shared() const { return shared_; }

  NodeId IdOf(const OffloadNode& node) const {
    return contexts_[node.context].first_node +
           local_node_[node.instruction->id()] + node.ordinal;
  }
  OffloadNode NodeOf(NodeId id) const;

  // Whether the instruction, in some context, contributes to the program's
  // result or to a side effect.
  bool IsLive(const HloInstruction& instruction) const {
    return live_[instruction.id()];
  }
  // The same of one node: loop slots and elements of tuples that nobody reads
  // are dead. The node of a tuple as a whole is live if one of its elements is.
  bool IsLive(const OffloadNode& node) const { return live_nodes_[IdOf(node)]; }
  // The context in which `instruction`, in `context`, runs its callee `role`;
  // nullopt if it does not (a dead call, a host computation, a branch that is
  // never taken).
  std::optional<ContextId> CalleeContext(ContextId context,
                                         const HloInstruction& instruction,
                                         int32_t role) const;

  // Whether a compiler puts the computation in place of the call: control comes
  // in once, at one place.
  bool IsInlined(const OffloadContext::CallSite& site) const {
    return facts_.IsInlined(*site.instruction);
  }
  const ControlFacts& facts() const { return facts_; }
  // Whether a node of a loop's result (or initial value) comes out as it went
  // in, and nobody in body or condition reads it: `node` stands for the loop.
  bool OnlyCarries(const OffloadNode& node) const;

  // Live users in order, then what follows if the node is in its computation's root.
  void ForEachFlow(const OffloadNode& node,
                   llvm::function_ref<void(const OffloadFlow&)> visit) const;
  // Where the bytes of a node come from, through what only hands them on (the
  // reverse of kPass, with a loop's initial value before its last iteration).
  // None for a node whose instruction makes the bytes.
  llvm::SmallVector<OffloadNode, 2> SourcesOf(const OffloadNode& node) const;
  // Up through single sources, to where the value is made or ways meet.
  OffloadNode MakerOf(OffloadNode node) const;

 private:
  explicit OffloadGraph(const HloModule& module)
      : module_(&module), uses_(module), facts_(module) {}
  void FindCalledInstructions();
  void FindLiveNodes();
  void FindCarriedNodes();
  bool IsRead(const OffloadNode& node) const;
  bool OnlyReturns(const OffloadNode& state, const OffloadNode& place) const;
  absl::Status AddContexts();
  void ForEachRootFlow(
      const OffloadNode& node,
      llvm::function_ref<void(const OffloadFlow&)> visit) const;

  const HloModule* module_;
  UseIndex uses_;
  ControlFacts facts_;
  std::vector<OffloadContext> contexts_;
  std::vector<const HloComputation*> shared_;
  NodeId node_limit_ = 0;
  llvm::BitVector live_;  // by InstructionId
  llvm::BitVector live_nodes_;
  llvm::BitVector carried_;         // nodes of loops, see OnlyCarries
  std::vector<NodeId> local_node_;  // by InstructionId, in its computation
  // By computation, its instructions in order (ascending local nodes).
  std::vector<std::vector<const HloInstruction*>> in_order_;
  llvm::DenseMap<std::pair<ContextId, InstructionId>,
                 llvm::SmallVector<ContextId, 2>>
      callees_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_OFFLOAD_GRAPH_H_
