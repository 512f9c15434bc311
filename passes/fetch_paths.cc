// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/fetch_paths.h"

#include <vector>

#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

// What the compiler looks through on the way from a slice to a move to device.
bool IsTransparent(const OffloadFlow& flow) {
  const HloInstruction& to = *flow.to.instruction;
  switch (flow.kind) {
    case FlowKind::kPass:
      return to.opcode() != HloOpcode::kDynamicUpdateSlice;
    case FlowKind::kBackEdge:
      return true;
    case FlowKind::kCopy:
      return true;
    case FlowKind::kCompute:
      return IsTrivialReduce(to);
    default:
      return false;
  }
}

}  // namespace

FetchPaths::FetchPaths(const OffloadGraph& graph, Judge judge)
    : graph_(graph),
      judge_(judge),
      good_(graph.node_limit()),
      bad_(graph.node_limit()) {}

bool FetchPaths::IsIgnored(const OffloadFlow& flow) const {
  return judge_ == Judge::kCompiler &&
         (flow.kind == FlowKind::kOpaque || flow.kind == FlowKind::kBackEdge);
}

// Depth first with a stack of our own. When a node is done, all that can be
// reached from it is known; a node that is met again while it is still open
// (around a loop) decides nothing.
bool FetchPaths::IsFetch(const OffloadNode& slice) {
  struct Open {
    OffloadNode node;
    std::vector<OffloadNode> next;
    size_t done = 0;
  };
  std::vector<Open> stack;
  std::vector<NodeId> seen;
  bool failed = false;
  const auto open = [&](const OffloadNode& node) {
    const NodeId id = graph_.IdOf(node);
    if (good_.test(id)) return;
    if (bad_.test(id)) {
      failed = true;
      return;
    }
    good_.set(id);  // until shown otherwise
    seen.push_back(id);
    Open entry{.node = node, .next = {}};
    graph_.ForEachFlow(node, [&](const OffloadFlow& flow) {
      if (flow.kind == FlowKind::kMoveToDevice || IsIgnored(flow)) return;
      if (IsTransparent(flow)) {
        entry.next.push_back(flow.to);
      } else {
        failed = true;
      }
    });
    if (judge_ == Judge::kDocumented && node.context == 0 &&
        node.instruction->IsRoot()) {
      failed = true;
    }
    stack.push_back(std::move(entry));
  };
  open(slice);
  while (!stack.empty() && !failed) {
    Open& top = stack.back();
    if (top.done == top.next.size()) {
      stack.pop_back();
      continue;
    }
    const OffloadNode next = top.next[top.done++];
    open(next);
  }
  if (!failed) return true;
  // Those still open lead to the failure; the rest is not known yet.
  for (NodeId id : seen) good_.reset(id);
  for (const Open& entry : stack) bad_.set(graph_.IdOf(entry.node));
  bad_.set(graph_.IdOf(slice));
  return false;
}

}  // namespace ferry
