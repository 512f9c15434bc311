// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of host values on their way through the program.
#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/offload_transfers.h"
#include "ferry/passes/placement_annotation.h"
#include "ferry/passes/update_coverage.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ferry {
namespace {

std::string Name(const OffloadNode& node) {
  return std::string(node.instruction->name());
}

std::string Memory(bool on_host) { return on_host ? "host" : "device"; }

// Reports each (code, instruction) once, however many contexts it runs in, and
// disagreements once for each element.
class Reporter {
 public:
  Reporter(const OffloadWalk& walk, std::vector<Diagnostic>& findings)
      : walk_(walk), findings_(findings) {}

  // Null if it was reported before.
  Diagnostic* Report(DiagnosticCode code, const OffloadNode& at, NodeId from,
                     std::vector<std::string> arguments) {
    const bool by_element = code == DiagnosticCode::kSlotDisagreement ||
                            code == DiagnosticCode::kBranchDisagreement;
    if (!seen_.insert({code, at.instruction, by_element ? at.ordinal : 0})
             .second) {
      return nullptr;
    }
    findings_.push_back(FindingOnPath(code, walk_, at, from, arguments));
    return &findings_.back();
  }

 private:
  const OffloadWalk& walk_;
  std::vector<Diagnostic>& findings_;
  absl::flat_hash_set<
      std::tuple<DiagnosticCode, const HloInstruction*, int32_t>>
      seen_;
};

// Elements of a tuple that somebody reads; all of them if somebody reads the
// tuple as a whole.
size_t ElementsRead(const OffloadGraph& graph, const HloInstruction& tuple) {
  llvm::SmallBitVector read(tuple.shape().tuple_shapes().size());
  if (tuple.IsRoot()) read.set();
  for (const HloInstruction* user : tuple.users()) {
    if (!graph.IsLive(*user)) continue;
    if (user->opcode() == HloOpcode::kGetTupleElement) {
      read.set(user->tuple_index());
    } else {
      read.set();
    }
  }
  return read.count();
}

// Compute that makes several values aborts the compiler on host operands.
// (Of a sort, what nobody reads is dropped before.)
bool CompilerAbortsOn(const OffloadGraph& graph,
                      const HloInstruction& instruction) {
  if (!instruction.shape().IsTuple()) return false;
  return instruction.opcode() != HloOpcode::kSort ||
         ElementsRead(graph, instruction) > 1;
}

void ReportHostCompute(const WalkEvent& event, const OffloadWalk& walk,
                       Reporter& reporter) {
  const HloInstruction& at = *event.at.instruction;
  if (Diagnostic* finding =
          reporter.Report(DiagnosticCode::kHostCompute, event.at, event.from,
                          {Name(event.at)})) {
    const OffloadNode from = walk.graph().NodeOf(event.from);
    if (walk.IsComputedOnHost(from)) {
      // The whole way was told where host compute began.
      finding->path.erase(finding->path.begin(), finding->path.end() - 1);
      finding->notes.push_back(Note(absl::StrCat(
          "its operand `", Name(from), "` is computed on the host already")));
    } else {
      finding->notes.push_back(
          Note("nobody asked for it: bring the operand back with a move to "
               "device (device_put in JAX) to compute on the device"));
    }
  }
  if (!CompilerAbortsOn(walk.graph(), at)) return;
  reporter.Report(DiagnosticCode::kCompilerAborts, event.at, event.from,
                  {Name(event.at), absl::StrCat(HloOpcodeName(at.opcode()),
                                                " on a value in host memory")});
}

void ReportIndex(const WalkEvent& event, Reporter& reporter) {
  Diagnostic* finding =
      reporter.Report(DiagnosticCode::kAnnotatedIndex, event.at, event.from,
                      {Name(event.at), absl::StrCat(event.operand)});
  if (finding == nullptr) return;
  finding->notes.push_back(
      Note("the index is read on the device; move the data (operand 0, or an "
           "update's operand 1) if that is what you want on host"));
  finding->notes.push_back(
      Note("the shipped compiler takes the result of an update for the moved "
           "value; if it leaves the program, that is a false E1200"));
}

void ReportPredicate(const WalkEvent& event, const OffloadWalk& walk,
                     Reporter& reporter) {
  const OffloadNode decided = walk.graph().NodeOf(event.from);
  const bool loop = event.at.instruction->opcode() == HloOpcode::kWhile;
  if (Diagnostic* finding =
          reporter.Report(DiagnosticCode::kHostPredicate, event.at, event.from,
                          {Name(event.at), Name(decided)})) {
    finding->notes.push_back(
        Note(loop ? "bring it to the device before the comparison"
                  : "bring it to the device; the shipped compiler turns small "
                    "branches into a select on it, whose result it then takes "
                    "for a host value (a false E1200)"));
  }
  if (!loop || !event.at.instruction->shape().IsTuple()) return;
  reporter.Report(DiagnosticCode::kCompilerAborts, event.at, event.from,
                  {Name(event.at), "the loop condition is on host"});
}

void ReportHostUpdate(const WalkEvent& event, const OffloadWalk& walk,
                      Reporter& reporter) {
  const OffloadNode buffer = {event.at.context,
                              &event.at.instruction->operand(0), 0};
  if (walk.IsHost(buffer)) {
    ReportHostCompute(event, walk, reporter);
    return;
  }
  if (Diagnostic* finding =
          reporter.Report(DiagnosticCode::kNestedStackOnDevice, event.at,
                          event.from, {Name(event.at), Name(buffer)})) {
    finding->notes.push_back(
        Note("the shipped compiler runs every such update on the host and, if "
             "the buffer is wanted on host, copies all of it in the end; "
             "annotate the update of the outer stack as well"));
  }
}

void ReportEvents(const OffloadWalk& walk, Reporter& reporter) {
  for (const WalkEvent& event : walk.events()) {
    switch (event.kind) {
      case WalkEvent::Kind::kHostCompute:
        ReportHostCompute(event, walk, reporter);
        break;
      case WalkEvent::Kind::kHostUpdate:
        ReportHostUpdate(event, walk, reporter);
        break;
      case WalkEvent::Kind::kIndex:
        ReportIndex(event, reporter);
        break;
      case WalkEvent::Kind::kPredicate:
        ReportPredicate(event, walk, reporter);
        break;
      case WalkEvent::Kind::kOpaque: {
        const OffloadNode operand = walk.graph().NodeOf(event.from);
        reporter.Report(
            DiagnosticCode::kOpaqueConsumer, event.at, event.from,
            {Name(event.at),
             std::string(event.at.instruction->custom_call_target()),
             Name(operand)});
        break;
      }
      default:
        break;
    }
  }
}

// Buffers of annotated updates: device parameters cannot be written from the
// host side, and a broadcast's contents are not sent.
void ReportUpdatedBuffers(const OffloadWalk& walk, Reporter& reporter) {
  const OffloadGraph& graph = walk.graph();
  for (const UpdatedBuffer& buffer : walk.updated_buffers()) {
    const HloInstruction& producer = *buffer.producer.instruction;
    const NodeId update = graph.IdOf(buffer.update);
    if (producer.opcode() == HloOpcode::kParameter) {
      if (Diagnostic* finding = reporter.Report(
              DiagnosticCode::kUpdatedParameterOnDevice, buffer.producer,
              update,
              {Name(buffer.producer),
               ShapeIndexToString(buffer.producer.position().index())})) {
        finding->notes.push_back(
            {.message = absl::StrCat("the annotated update `",
                                     Name(buffer.update), "` writes into it"),
             .place = PlaceOf(*buffer.update.instruction)});
      }
    } else if (producer.opcode() == HloOpcode::kBroadcast &&
               !HidesInitialContents(graph, buffer.update)) {
      if (Diagnostic* finding = reporter.Report(
              DiagnosticCode::kContentsDropped, buffer.producer, update,
              {Name(buffer.producer), Name(buffer.update)})) {
        finding->notes.push_back(
            {.message = "the shipped compiler makes an uninitialised host "
                        "buffer of it: elements that the update does not write "
                        "are undefined",
             .place = PlaceOf(*buffer.update.instruction)});
      }
    }
  }
}

// A device parameter that is annotated and then updated in host memory: a copy
// to host would do, but the compiler drops this annotation.
void ReportAnnotatedBuffers(const OffloadWalk& walk, Reporter& reporter) {
  for (const WalkStart& start : walk.starts()) {
    const HloInstruction& origin = *start.origin.instruction;
    if (start.kind != FlowKind::kPass || start.origin == start.start ||
        start.start.instruction->opcode() != HloOpcode::kDynamicUpdateSlice ||
        origin.operands().size() != 1) {
      continue;
    }
    const OffloadNode made = walk.graph().MakerOf(
        {start.origin.context, &origin.operand(0), start.origin.ordinal});
    if (made.instruction->opcode() != HloOpcode::kParameter ||
        made.context != 0 || walk.IsHost(made)) {
      continue;
    }
    if (Diagnostic* finding = reporter.Report(
            DiagnosticCode::kAnnotatedParameterUpdated, made,
            walk.graph().IdOf(start.start),
            {Name(made), ShapeIndexToString(made.position().index())})) {
      finding->notes.push_back(
          {.message = absl::StrCat(
               "`", origin.name(), "` moves it to host for the update `",
               Name(start.start),
               "`; the shipped compiler wants the parameter itself there and "
               "refuses this: pass it in pinned_host memory"),
           .place = PlaceOf(origin)});
    }
  }
}

// One uninitialised buffer in several places of which only some are on host:
// the compiler gives the wrong one a buffer of its own and repairs it by copies
// of the whole.
void ReportSharedBuffers(const OffloadWalk& walk, Reporter& reporter) {
  const OffloadGraph& graph = walk.graph();
  for (const UpdatedBuffer& buffer : walk.updated_buffers()) {
    const HloInstruction& producer = *buffer.producer.instruction;
    if (!IsUndefinedBuffer(producer)) continue;
    bool device_first = false;
    bool reported = false;
    graph.ForEachFlow(buffer.producer, [&](const OffloadFlow& flow) {
      if (flow.to.instruction->opcode() != HloOpcode::kTuple) return;
      if (!walk.IsHost(flow.to)) {
        device_first = true;
        return;
      }
      if (!device_first || std::exchange(reported, true)) return;
      reporter.Report(
          DiagnosticCode::kRoundTrip, buffer.producer,
          graph.IdOf(buffer.update),
          {Name(buffer.producer),
           absl::StrCat("it fills several elements of `", Name(flow.to),
                        "`, and the shipped compiler splits the wrong one")});
    });
  }
}

void ReportLoopSlots(const OffloadWalk& walk, ContextId body,
                     const OffloadContext::CallSite& site, Reporter& reporter) {
  const HloInstruction& loop = *site.instruction;
  const HloInstruction& root =
      walk.graph().contexts()[body].computation->root();
  for (ShapeWalk walked(loop.shape()); !walked.AtEnd(); walked.Next()) {
    if (!walked.node().IsArray()) continue;
    const int32_t node = walked.ordinal();
    const OffloadNode last = {body, &root, node};
    const OffloadNode first = {site.context, &loop.operand(0), node};
    if (!walk.IsMeantForHost(last) || walk.IsMeantForHost(first)) continue;
    if (Diagnostic* finding = reporter.Report(
            DiagnosticCode::kSlotDisagreement, {site.context, &loop, node},
            walk.graph().IdOf(last),
            {ShapeIndexToString(last.position().index()), Name({0, &loop, 0}),
             Memory(false), Memory(true)})) {
      finding->notes.push_back(
          Note("the shipped compiler says nothing and copies the slot to host "
               "and back in every iteration; move the initial value to host, "
               "or the value back to the device at the end of the body"));
    }
  }
}

void ReportBranches(const OffloadWalk& walk, ContextId context,
                    const HloInstruction& conditional, Reporter& reporter) {
  const auto branches = conditional.called_computations();
  for (ShapeWalk walked(conditional.shape()); !walked.AtEnd(); walked.Next()) {
    if (!walked.node().IsArray()) continue;
    const int32_t node = walked.ordinal();
    std::optional<OffloadNode> on_host;
    std::optional<OffloadNode> on_device;
    for (size_t branch = 0; branch < branches.size(); ++branch) {
      const auto callee =
          walk.graph().CalleeContext(context, conditional, branch);
      if (!callee.has_value()) return;
      const OffloadNode root = {*callee, &branches[branch]->root(), node};
      auto& side = walk.IsMeantForHost(root) ? on_host : on_device;
      if (!side.has_value()) side = root;
    }
    if (!on_host.has_value() || !on_device.has_value()) continue;
    if (Diagnostic* finding = reporter.Report(
            DiagnosticCode::kBranchDisagreement, {context, &conditional, node},
            walk.graph().IdOf(*on_host),
            {ShapeIndexToString(on_host->position().index()),
             std::string(conditional.name()),
             std::string(on_host->instruction->parent().name()),
             std::string(on_device->instruction->parent().name())})) {
      finding->notes.push_back(
          {.message = "the shipped compiler says nothing and copies this "
                      "branch's value to host",
           .place = PlaceOf(*on_device->instruction)});
    }
  }
}

void ReportDisagreements(const OffloadWalk& walk, Reporter& reporter) {
  const OffloadGraph& graph = walk.graph();
  for (ContextId context = 0; context < graph.contexts().size(); ++context) {
    for (const auto& site : graph.contexts()[context].callers) {
      if (site.instruction->opcode() == HloOpcode::kWhile && site.role == 1) {
        ReportLoopSlots(walk, context, site, reporter);
      }
      if (site.instruction->opcode() == HloOpcode::kConditional &&
          site.role == 0) {
        ReportBranches(walk, site.context, *site.instruction, reporter);
      }
    }
  }
}

}  // namespace

void FindPathProblems(const OffloadWalk& walk,
                      std::vector<Diagnostic>& findings) {
  Reporter reporter(walk, findings);
  if (const auto& event = walk.forbidden_compute()) {
    if (Diagnostic* finding = reporter.Report(
            DiagnosticCode::kHostComputeDisabled, event->at, event->from, {})) {
      finding->notes.push_back(
          Note(absl::StrCat("`", Name(event->at),
                            "` would run on the host, which "
                            "xla_disable_automatic_host_compute_offload "
                            "forbids")));
    }
  }
  ReportUpdatedBuffers(walk, reporter);
  ReportAnnotatedBuffers(walk, reporter);
  ReportEvents(walk, reporter);
  ReportSharedBuffers(walk, reporter);
  ReportDisagreements(walk, reporter);
  for (const HloComputation* computation : walk.graph().shared()) {
    size_t sites = 0;
    for (const OffloadContext& context : walk.graph().contexts()) {
      if (context.computation == computation) sites += context.callers.size();
    }
    findings.push_back(MakeDiagnostic(
        DiagnosticCode::kContextsShared, PlaceOf(*computation),
        {std::string(computation->name()), absl::StrCat(sites)}));
  }
}

}  // namespace ferry
