// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Breadth first from one start after the other. A node reached once is never
// entered again, so all walks together are linear, and the edge that reached it
// first lies on a shortest path from its start. The compiler marks what a walk
// reached when it ends and does not enter marked nodes in later walks: with one
// set of marks for all walks the same outputs are found in the same order.
#include "ferry/passes/offload_walk.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

// The compiler turns a conditional whose branches hold only cheap operations
// into a select on the predicate.
bool BecomesSelect(const HloInstruction& conditional) {
  if (conditional.opcode() != HloOpcode::kConditional ||
      conditional.called_computations().size() != 2) {
    return false;
  }
  for (const HloComputation* branch : conditional.called_computations()) {
    for (const HloInstruction& instruction : branch->instructions()) {
      switch (instruction.opcode()) {
        case HloOpcode::kBroadcast:
        case HloOpcode::kConcatenate:
        case HloOpcode::kDynamicSlice:
        case HloOpcode::kGetTupleElement:
        case HloOpcode::kReduce:
        case HloOpcode::kReshape:
        case HloOpcode::kPad:
        case HloOpcode::kParameter:
        case HloOpcode::kSlice:
        case HloOpcode::kTuple:
        case HloOpcode::kConstant:
          break;
        default:
          if (!HasTrait(instruction.opcode(), kElementwise)) return false;
      }
    }
  }
  return true;
}

bool IsSameShapeCopy(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kCopy &&
         instruction.operand(0).shape() == instruction.shape();
}

bool IsSlice(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kSlice ||
         instruction.opcode() == HloOpcode::kDynamicSlice;
}

std::string PositionText(const OffloadNode& node) {
  return node.position().ToString();
}

std::string HostComputeWarning(const HloInstruction& instruction) {
  if (IsSlice(instruction)) {
    return absl::StrCat(
        "Encountered ", HloOpcodeName(instruction.opcode()),
        " on tensor which is in host memory. ", instruction.name(),
        " does not move the tensor back to device. ", instruction.name(),
        " will be converted into host compute.");
  }
  return absl::StrCat(
      "Found an instruction (\"", instruction.name(),
      "\") which does device compute in host memory space. Converting into "
      "host compute. This is likely to have a very slow execution time. If "
      "you're using JAX, use device_put() to move the inputs to the device so "
      "that computation happens on the device.");
}

}  // namespace

OffloadWalk::OffloadWalk(const OffloadGraph& graph, const PassContext& context,
                         Judge judge, Logger logger)
    : graph_(graph),
      context_(context),
      judge_(judge),
      logger_(logger),
      fetch_paths_(graph, judge),
      on_host_(graph.node_limit()),
      computed_on_host_(graph.node_limit()),
      climbed_(graph.node_limit()),
      as_passed_(graph.node_limit()),
      parent_(graph.node_limit(), kNoNode),
      start_of_(graph.node_limit(), kNoNode) {}

void OffloadWalk::Run() {
  WalkParameters();
  WalkAnnotations();
  if (!stopped_) PlaceUpdatedBuffers();
}

void OffloadWalk::WalkParameters() {
  const HloModule& module = graph_.module();
  const auto parameters = module.entry().parameters();
  const auto& layouts = module.entry_layout().parameters;
  for (size_t number = 0; number < parameters.size() && number < layouts.size();
       ++number) {
    const Shape& layout = *layouts[number];
    for (ShapeWalk walk(layout); !walk.AtEnd(); walk.Next()) {
      if (stopped_) return;
      const int32_t node = walk.ordinal();
      const Shape& leaf = walk.node();
      if (!leaf.IsHostArray()) continue;
      const OffloadNode start = {0, parameters[number], node};
      FERRY_VLOG(
          logger_, 1,
          absl::StrCat("Host parameter #", number,
                       " streamed into program with shape: ", leaf.ToString(),
                       " at index ", ShapeIndexToString(layout.IndexAt(node))));
      WalkFrom({.origin = start, .start = start});
    }
  }
}

void OffloadWalk::WalkAnnotations() {
  for (const OffloadNode& origin : AnnotationsInOrder(graph_)) {
    if (stopped_) return;
    if (IsHost(origin)) continue;  // met on a path: it moves nothing
    if (judge_ == Judge::kCompiler && IsReadByHostCall(origin)) continue;
    std::vector<WalkStart> starts = FindStarts(graph_, origin, passed_over_);
    if (starts.empty()) idle_annotations_.push_back(origin);
    if (!origin.instruction->operands().empty()) {
      FERRY_VLOG(
          logger_, 1,
          absl::StrCat("Offloading \"", origin.instruction->operand(0).name(),
                       "\" to host."));
    }
    for (WalkStart& start : starts) {
      if (stopped_) return;
      WalkFrom(std::move(start));
    }
    if (stopped_) return;
    CheckShape(origin);
    FERRY_VLOG(logger_, 2,
               absl::StrCat("Removing MoveToHost custom call \"",
                            origin.instruction->name(), "\""));
  }
}

// The compiler takes an annotation that a host computation reads directly out
// of the program, for all who read it.
bool OffloadWalk::IsReadByHostCall(const OffloadNode& origin) const {
  bool found = false;
  graph_.ForEachFlow(origin, [&](const OffloadFlow& flow) {
    found |= flow.kind == FlowKind::kHostCall;
  });
  return found;
}

// The compiler replaces the annotation by its operand when all its walks are
// done, which takes equal shapes.
void OffloadWalk::CheckShape(const OffloadNode& origin) {
  const HloInstruction& annotation = *origin.instruction;
  if (AnnotationOf(annotation) != PlacementAnnotation::kMoveToHost ||
      annotation.operands().size() != 1 ||
      annotation.shape().IsCompatibleIgnoringPrecision(
          annotation.operand(0).shape())) {
    return;
  }
  mismatched_annotations_.push_back(origin);
  stopped_ = judge_ == Judge::kCompiler && wrong_outputs_.empty();
}

void OffloadWalk::WalkFrom(WalkStart start) {
  const bool is_parameter = start.origin == start.start;
  // The compiler replaces a root annotation by a copy, or drops it, and never
  // looks at the output's layout.
  if (start.is_program_root && judge_ == Judge::kCompiler) return;
  starts_.push_back(std::move(start));
  const WalkStart& walk = starts_.back();
  FERRY_VLOG(
      logger_, 3,
      absl::StrCat(
          "Walking down host memory offload paths starting "
          "from (",
          walk.start.instruction->name(), ", ",
          ShapeIndexToString(walk.start.position().index()),
          "). Insert copy before: ",
          is_parameter || walk.kind == FlowKind::kUpdate ? "false" : "true"));
  saved_.clear();
  if (is_parameter || walk.is_program_root) {
    Push(walk.start, kNoNode);
  } else {
    if (walk.kind == FlowKind::kUpdate)
      annotated_updates_.push_back(walk.start);
    Follow(walk.origin, {walk.start, walk.kind, 0}, /*at_start=*/true);
  }
  while (!queue_.empty() && !stopped_) {
    const OffloadNode node = queue_.front();
    queue_.pop_front();
    Visit(node);
  }
  if (!stopped_) LogCommit();
}

// Marks a node and queues it, unless it was reached before. Its parent is what
// reached it; kNoNode at a start.
void OffloadWalk::Push(const OffloadNode& node, NodeId parent) {
  const NodeId id = graph_.IdOf(node);
  if (on_host_.test(id)) return;
  on_host_.set(id);
  parent_[id] = parent;
  const bool at_start = parent == kNoNode;
  start_of_[id] = at_start ? starts_.size() - 1 : start_of_[parent];
  const bool came_as_passed =
      at_start ? starts_.back().origin == node : as_passed_.test(parent);
  if (came_as_passed && !computed_on_host_.test(id) &&
      node.instruction->opcode() != HloOpcode::kDynamicUpdateSlice) {
    as_passed_.set(id);
  }
  queue_.push_back(node);
}

void OffloadWalk::Visit(const OffloadNode& node) {
  FERRY_VLOG(logger_, 4,
             absl::StrCat("Visiting instruction: ", PositionText(node)));
  if (logger_.IsOn(2) &&
      node.instruction->opcode() != HloOpcode::kDynamicUpdateSlice) {
    FERRY_VLOG(logger_, 5,
               absl::StrCat("Saving ", PositionText(node),
                            " to be set to host memory."));
    saved_.push_back(node);
  }
  if (LeavesProgram(node)) return;
  graph_.ForEachFlow(node, [&](const OffloadFlow& flow) {
    if (!stopped_) Follow(node, flow, /*at_start=*/false);
  });
}

// Looks at the layout of the program's result where the value is (in) it.
// Returns whether the path ends here.
bool OffloadWalk::LeavesProgram(const OffloadNode& node) {
  if (node.context != 0 || !node.instruction->IsRoot()) return false;
  const NodeId id = graph_.IdOf(node);
  const Shape& result = *graph_.module().entry_layout().result;
  if (result.NodeAt(node.ordinal).IsHostArray()) {
    const OffloadNode& start = starts_[start_of_[id]].start;
    FERRY_VLOG(logger_, 2,
               absl::StrCat("Memory offloaded starting from ",
                            PositionText(start), " is output streamed"));
    events_.push_back({WalkEvent::Kind::kHostOutput, node, id});
    return judge_ == Judge::kCompiler;
  }
  wrong_outputs_.push_back({node, start_of_[id]});
  LogTrace(id);
  // The compiler stops here. What else it would find is needed to tell what it
  // misses, so the walk goes on without it saying anything.
  logger_ = Logger(nullptr, "");
  return judge_ == Judge::kCompiler;
}

// Takes one step. At a start the step comes from the origin, which is not part
// of the walk.
void OffloadWalk::Follow(const OffloadNode& from, const OffloadFlow& flow,
                         bool at_start) {
  const NodeId parent = at_start ? kNoNode : graph_.IdOf(from);
  const HloInstruction& to = *flow.to.instruction;
  WalkEvent event = {WalkEvent::Kind::kHostCompute, flow.to, graph_.IdOf(from),
                     flow.operand};
  const auto note = [&](WalkEvent::Kind kind) {
    event.kind = kind;
    events_.push_back(event);
  };
  switch (flow.kind) {
    case FlowKind::kPass:
      Push(flow.to, parent);
      return;
    case FlowKind::kBackEdge:
      if (judge_ == Judge::kDocumented) Push(flow.to, parent);
      return;
    case FlowKind::kUpdate:
      if (!at_start) {
        note(WalkEvent::Kind::kHostUpdate);
        if (!NeedHostCompute(event)) return;
      }
      Push(flow.to, parent);
      return;
    case FlowKind::kCopy:
      if (IsSameShapeCopy(to)) break;
      Push(flow.to, parent);
      return;
    case FlowKind::kIndex:
      note(WalkEvent::Kind::kIndex);
      if (judge_ == Judge::kDocumented) return;
      // The compiler takes every operand for data.
      event.kind = WalkEvent::Kind::kHostCompute;
      if (to.opcode() == HloOpcode::kDynamicUpdateSlice) {
        Push(flow.to, parent);
        return;
      }
      [[fallthrough]];
    case FlowKind::kSlice:
      if (!fetch_paths_.IsFetch(flow.to)) break;
      FERRY_VLOG(logger_, 4,
                 absl::StrCat("Visiting instruction: ", PositionText(flow.to)));
      note(WalkEvent::Kind::kFetchedBySlice);
      return;
    case FlowKind::kPredicate:
      note(WalkEvent::Kind::kPredicate);
      if (judge_ == Judge::kCompiler && BecomesSelect(to)) {
        for (ShapeWalk walk(to.shape()); !walk.AtEnd(); walk.Next()) {
          if (!walk.node().IsArray()) continue;
          Push({flow.to.context, &to, walk.ordinal()}, parent);
        }
      }
      // A loop that carries one array is taken for the array itself.
      if (judge_ == Judge::kCompiler && to.opcode() == HloOpcode::kWhile &&
          to.shape().IsArray()) {
        Push(flow.to, parent);
      }
      return;
    case FlowKind::kMoveToHost:
      FERRY_VLOG(
          logger_, 1,
          absl::StrCat("Removing MoveToHost custom call \"", to.name(), "\""));
      note(WalkEvent::Kind::kRedundantMove);
      Push(flow.to, parent);
      return;
    case FlowKind::kMoveToDevice:
      FERRY_VLOG(logger_, 4,
                 absl::StrCat("Visiting instruction: ", PositionText(flow.to)));
      note(WalkEvent::Kind::kMovedToDevice);
      return;
    case FlowKind::kHostCall:
      note(WalkEvent::Kind::kHostCall);
      return;
    case FlowKind::kOpaque:
      note(WalkEvent::Kind::kOpaque);
      return;
    case FlowKind::kCompute:
      break;
  }
  if (!IsHost(flow.to)) {
    events_.push_back(event);
    computed_on_host_.set(graph_.IdOf(flow.to));
    FERRY_LOG_WARNING(logger_, HostComputeWarning(to));
  }
  if (NeedHostCompute(event)) Push(flow.to, parent);
}

// Whether XLA's flags let `event` run on the host. Notes the first that they
// forbid.
bool OffloadWalk::NeedHostCompute(const WalkEvent& event) {
  if (!context_.xla_flags.disable_automatic_host_compute_offload) return true;
  if (context_.xla_flags.allow_host_to_host_copy &&
      IsSameShapeCopy(*event.at.instruction)) {
    return true;
  }
  if (!forbidden_compute_.has_value()) forbidden_compute_ = event;
  stopped_ = judge_ == Judge::kCompiler;
  return !stopped_;
}

void OffloadWalk::PlaceUpdatedBuffers() {
  for (const OffloadNode& update : annotated_updates_) ClimbFrom(update);
}

// Up from an annotated update to whoever makes its buffer. What is on the way
// has to be in host memory; in a loop that is the slot, whose other readers
// then read host memory too.
void OffloadWalk::ClimbFrom(const OffloadNode& update) {
  FERRY_VLOG(logger_, 2,
             absl::StrCat("Possibly creating an AllocateBuffer from broadcast "
                          "in host memory space for \"",
                          update.instruction->name(), "\""));
  struct Step {
    OffloadNode node;
    NodeId below;
  };
  std::vector<Step> stack;
  const auto climb = [&](const OffloadNode& below) {
    for (const OffloadNode& source : graph_.SourcesOf(below)) {
      stack.push_back({source, graph_.IdOf(below)});
    }
  };
  climb(update);
  while (!stack.empty()) {
    const auto [node, below] = stack.back();
    stack.pop_back();
    const NodeId id = graph_.IdOf(node);
    if (climbed_.test(id)) continue;
    climbed_.set(id);
    if (graph_.SourcesOf(node).empty()) {
      if (!IsMeantForHost(node)) updated_buffers_.push_back({update, node});
      continue;
    }
    FERRY_VLOG(logger_, 2,
               absl::StrCat("Setting ", PositionText(node),
                            " to have host memory space"));
    Push(node, below);
    climb(node);
  }
  if (judge_ == Judge::kCompiler) queue_.clear();
  while (!queue_.empty()) {
    const OffloadNode node = queue_.front();
    queue_.pop_front();
    Visit(node);
  }
}

bool OffloadWalk::IsMeantForHost(const OffloadNode& node) const {
  return IsHost(node) ||
         AnnotationOf(*node.instruction) == PlacementAnnotation::kMoveToHost;
}

std::vector<OffloadNode> OffloadWalk::PathTo(NodeId node,
                                             size_t max_hops) const {
  std::vector<OffloadNode> path;
  for (NodeId at = node; at != kNoNode && path.size() < max_hops;
       at = parent_[at]) {
    path.push_back(graph_.NodeOf(at));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<OffloadNode> OffloadWalk::PassedOverBy(
    const WalkStart& start) const {
  std::vector<OffloadNode> hops;
  for (int32_t at = start.passed_over; at != kNothingPassedOver;
       at = passed_over_[at].before) {
    hops.push_back(passed_over_[at].node);
  }
  std::reverse(hops.begin(), hops.end());
  return hops;
}

void OffloadWalk::LogTrace(NodeId node) const {
  if (!logger_.IsOn(1)) return;
  FERRY_VLOG(logger_, 1, "Instruction trace leading to error:");
  for (const OffloadNode& hop : PathTo(node)) {
    FERRY_VLOG(logger_, 1, absl::StrCat("  ", PositionText(hop)));
  }
}

void OffloadWalk::LogCommit() const {
  for (const OffloadNode& node : saved_) {
    FERRY_VLOG(
        logger_, 2,
        absl::StrCat("Setting ", PositionText(node), " to memory space 5"));
  }
}

}  // namespace ferry
