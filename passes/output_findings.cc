// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What leaves the program, and in which memory.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/offload_transfers.h"
#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

// Wrong outputs show their whole way. A module may have thousands of them with
// ways as long as the program, which nobody reads and which would be quadratic.
constexpr size_t kWholePaths = 256;
constexpr size_t kHopsBeyond = 32;

const Shape& OutputLayout(const HloModule& module, int32_t ordinal) {
  return module.entry_layout().result->NodeAt(ordinal);
}

std::string MemoryName(MemorySpace space) {
  return space == MemorySpace::kHost ? "host" : "device";
}

bool Contains(const OffloadWalk& walk, const OffloadNode& node) {
  return std::any_of(walk.wrong_outputs().begin(), walk.wrong_outputs().end(),
                     [&](const OffloadWalk::WrongOutput& output) {
                       return output.node == node;
                     });
}

// Whether the dump says nothing about memory where a program that wants results
// on host would: jax's `lower().as_text("hlo")` leaves memory spaces out.
bool LooksLikeALossyDump(const HloModule& module,
                         const std::vector<DiagnosticHop>& path) {
  const auto has_host = [](const Shape& shape) {
    return absl::StrContains(shape.ToString(), "S(5)");
  };
  const EntryLayout& layout = module.entry_layout();
  if (has_host(*layout.result) ||
      std::any_of(layout.parameters.begin(), layout.parameters.end(),
                  [&](const Shape* shape) { return has_host(*shape); })) {
    return false;
  }
  return path.size() >= 2 && path[path.size() - 2].opcode == "custom-call";
}

void AddOriginNote(Diagnostic& finding, const WalkStart& start) {
  const HloInstruction& origin = *start.origin.instruction;
  if (origin.opcode() != HloOpcode::kParameter) return;
  finding.notes.push_back(
      Note(absl::StrCat("parameter ", origin.parameter_number(),
                        " comes in host memory (entry_computation_layout) and "
                        "nothing moves it to the device on this way")));
}

void AddHostComputeNote(Diagnostic& finding, const OffloadWalk& walk,
                        const OffloadNode& output) {
  const auto path = walk.PathTo(walk.graph().IdOf(output), kHopsBeyond);
  for (const OffloadNode& hop : path) {
    if (!walk.IsComputedOnHost(hop)) continue;
    finding.notes.push_back(
        {.message = absl::StrCat("`", hop.instruction->name(),
                                 "` computes on the host value, so it runs on "
                                 "the host and its result stays there"),
         .place = PlaceOf(*hop.instruction)});
    return;
  }
}

// One E1200. `walk` is the one that found it.
Diagnostic WrongOutputFinding(const OffloadWalk& walk,
                              const OffloadWalk::WrongOutput& output,
                              DiagnosticCode code, size_t max_hops,
                              std::vector<std::string> arguments) {
  const HloModule& module = walk.graph().module();
  const NodeId node = walk.graph().IdOf(output.node);
  Diagnostic finding =
      MakeDiagnostic(code, PlaceOf(*output.node.instruction), arguments);
  finding.output_index = output.node.position().index();
  finding.annotation = DescribeOrigin(walk, node);
  DescribePath(walk, node, max_hops, finding);
  AddOriginNote(finding, walk.starts()[output.start]);
  AddHostComputeNote(finding, walk, output.node);
  if (LooksLikeALossyDump(module, finding.path)) {
    finding.notes.push_back(
        Note("this dump names no host memory in its entry layout; if it came "
             "from jax's lower().as_text(\"hlo\"), which leaves memory kinds "
             "out, dump with --xla_dump_to instead"));
  }
  finding.fixes = OutputFixes(module, *finding.output_index);
  return finding;
}

std::string StartName(const OffloadWalk& walk,
                      const OffloadWalk::WrongOutput& output) {
  const WalkStart& start = walk.starts()[output.start];
  return std::string(start.start.instruction->name());
}

void FindWrongOutputs(const OffloadWalks& walks, Judge judge,
                      std::vector<Diagnostic>& findings) {
  const OffloadWalk& documented = walks.documented;
  const OffloadWalk& compiler = walks.compiler;
  constexpr DiagnosticCode kE1200 =
      DiagnosticCode::kOffloadOutputLocationMismatch;
  const auto hops = [&] {
    return findings.size() < kWholePaths ? SIZE_MAX : kHopsBeyond;
  };
  // What both report comes first, in the compiler's order and with its start.
  for (const auto& output : compiler.wrong_outputs()) {
    const bool agreed = Contains(documented, output.node);
    if (!agreed && judge == Judge::kDocumented) continue;
    Diagnostic finding = WrongOutputFinding(compiler, output, kE1200, hops(),
                                            {StartName(compiler, output)});
    if (!agreed) {
      finding.notes.push_back(
          Note("a false alarm of the compiler: by the documented rules this "
               "output is not the offloaded value"));
    }
    findings.push_back(std::move(finding));
  }
  for (const auto& output : documented.wrong_outputs()) {
    if (Contains(compiler, output.node)) continue;
    if (judge == Judge::kDocumented) {
      Diagnostic finding = WrongOutputFinding(
          documented, output, kE1200, hops(), {StartName(documented, output)});
      finding.notes.push_back(
          Note("the shipped compiler accepts this silently: it copies the "
               "value back to the device for the output, or drops the "
               "annotation"));
      findings.push_back(std::move(finding));
      continue;
    }
    const WalkStart& start = documented.starts()[output.start];
    findings.push_back(WrongOutputFinding(
        documented, output, DiagnosticCode::kRoundTrip, hops(),
        {std::string(start.origin.instruction->name()),
         absl::StrCat("output ",
                      ShapeIndexToString(output.node.position().index()),
                      " is declared on the device")}));
  }
}

// An input that comes back as an output without being donated has to be copied,
// on the host.
bool IsUndonatedParameter(const OffloadWalk& walk, const OffloadNode& output) {
  const WalkStart& start =
      walk.starts()[walk.StartOf(walk.graph().IdOf(output))];
  const HloInstruction& origin = *start.origin.instruction;
  if (origin.opcode() != HloOpcode::kParameter) return false;
  for (const OffloadNode& hop : walk.PathTo(walk.graph().IdOf(output))) {
    if (hop.instruction->opcode() == HloOpcode::kDynamicUpdateSlice ||
        walk.IsComputedOnHost(hop)) {
      return false;
    }
  }
  for (const InputOutputAlias& alias :
       walk.graph().module().input_output_aliases()) {
    if (alias.output_index == output.position().index() &&
        alias.parameter_number == origin.parameter_number()) {
      return false;
    }
  }
  return true;
}

void FindHostOutputs(const OffloadWalk& walk,
                     std::vector<Diagnostic>& findings) {
  const HloModule& module = walk.graph().module();
  const HloInstruction& root = module.entry().root();
  for (int32_t ordinal = 0; ordinal < root.shape().node_count(); ++ordinal) {
    const Shape& layout = OutputLayout(module, ordinal);
    if (!layout.IsArray() || layout.memory_space() != MemorySpace::kHost) {
      continue;
    }
    const OffloadNode output = {0, &root, ordinal};
    const std::string index = ShapeIndexToString(output.position().index());
    if (IsDeviceValueAtHostOutput(walk, ordinal)) {
      const OffloadNode made = walk.graph().MakerOf(output);
      Diagnostic finding = MakeDiagnostic(
          DiagnosticCode::kDeviceValueAtHostOutput, PlaceOf(root),
          {index, std::string(made.instruction->name())});
      finding.output_index = output.position().index();
      finding.notes.push_back(
          {.message = absl::StrCat("`", made.instruction->name(),
                                   "` computes it here; the compiler adds a "
                                   "copy to host of ",
                                   layout.ToString(false)),
           .place = PlaceOf(*made.instruction)});
      findings.push_back(std::move(finding));
    } else if (walk.IsHost(output) && IsUndonatedParameter(walk, output)) {
      const NodeId node = walk.graph().IdOf(output);
      const WalkStart& start = walk.starts()[walk.StartOf(node)];
      Diagnostic finding =
          FindingOnPath(DiagnosticCode::kHostToHostCopy, walk, output, node,
                        {index, std::string(start.origin.instruction->name())});
      finding.path.pop_back();
      finding.output_index = output.position().index();
      finding.notes.push_back(Note(
          "the copy runs on the host, which is slow; donate the parameter to "
          "this output (input_output_alias) and nothing moves"));
      findings.push_back(std::move(finding));
    }
  }
}

// A donated buffer in one memory, a result in the other: the compiler writes
// the result into the donated buffer all the same.
void FindAliasesAcrossMemories(const HloModule& module,
                               std::vector<Diagnostic>& findings) {
  const EntryLayout& layout = module.entry_layout();
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    const auto output = layout.result->OrdinalOf(alias.output_index);
    if (!output.has_value() || alias.parameter_number < 0 ||
        alias.parameter_number >=
            static_cast<int64_t>(layout.parameters.size())) {
      continue;
    }
    const Shape& parameter = *layout.parameters[alias.parameter_number];
    const auto input = parameter.OrdinalOf(alias.parameter_index);
    if (!input.has_value()) continue;
    const MemorySpace to = layout.result->NodeAt(*output).memory_space();
    const MemorySpace from = parameter.NodeAt(*input).memory_space();
    if (to == from) continue;
    Diagnostic finding = MakeDiagnostic(
        DiagnosticCode::kDonatedAcrossMemories, PlaceOf(module.entry().root()),
        {ShapeIndexToString(alias.output_index), MemoryName(to),
         absl::StrCat(alias.parameter_number), MemoryName(from)});
    finding.output_index = alias.output_index;
    finding.notes.push_back(
        {.message = "the shipped compiler writes the output into the donated "
                    "buffer, whatever the entry layout says; drop the "
                    "donation, or make both memories the same",
         .place =
             PlaceOf(*module.entry().parameters()[alias.parameter_number])});
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void FindOutputProblems(const OffloadWalks& walks, const PassContext& context,
                        std::vector<Diagnostic>& findings) {
  FindWrongOutputs(walks, context.judge, findings);
  FindHostOutputs(walks.documented, findings);
  FindAliasesAcrossMemories(walks.documented.graph().module(), findings);
}

}  // namespace ferry
