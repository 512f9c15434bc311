// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What leaves the program, and in which memory.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/offload_transfers.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {
namespace {

// Wrong outputs show their whole way. A module may have thousands of them with
// ways as long as the program, which nobody reads: all together show this many
// hops, and then each only its last ones.
constexpr size_t kHopsInAll = 100'000;
constexpr size_t kHopsBeyond = 32;

std::string MemoryName(MemorySpace space) {
  return space == MemorySpace::kHost ? "host" : "device";
}

// The wrong outputs of a walk, by their ordinal in the program's result.
llvm::BitVector WrongOrdinals(const OffloadWalk& walk) {
  llvm::BitVector wrong(
      walk.graph().module().entry_layout().result->node_count());
  for (const auto& output : walk.wrong_outputs()) {
    wrong.set(output.node.ordinal);
  }
  return wrong;
}

bool HasHostLeaf(const Shape& shape) {
  for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
    if (walk.node().IsHostArray()) return true;
  }
  return false;
}

// Whether the entry layout names host memory anywhere. A program that wants
// results on host does; jax's `lower().as_text("hlo")` leaves it out.
bool EntryNamesHost(const HloModule& module) {
  const EntryLayout& layout = module.entry_layout();
  return HasHostLeaf(*layout.result) ||
         std::any_of(layout.parameters.begin(), layout.parameters.end(),
                     [](const Shape* shape) { return HasHostLeaf(*shape); });
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
                              bool entry_names_host,
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
  const bool straight_from_kernel =
      finding.path.size() >= 2 &&
      finding.path[finding.path.size() - 2].opcode == "custom-call";
  if (!entry_names_host && straight_from_kernel) {
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
  const llvm::BitVector wrong = WrongOrdinals(documented);
  const llvm::BitVector wrong_for_compiler = WrongOrdinals(compiler);
  const bool entry_names_host = EntryNamesHost(documented.graph().module());
  size_t hops_told = 0;
  const auto hops = [&] {
    if (!findings.empty()) hops_told += findings.back().path.size();
    return hops_told < kHopsInAll ? kHopsInAll : kHopsBeyond;
  };
  // What both report comes first, in the compiler's order and with its start.
  for (const auto& output : compiler.wrong_outputs()) {
    const bool agreed = wrong.test(output.node.ordinal);
    if (!agreed && judge == Judge::kDocumented) continue;
    Diagnostic finding =
        WrongOutputFinding(compiler, output, kE1200, hops(), entry_names_host,
                           {StartName(compiler, output)});
    if (!agreed) {
      finding.notes.push_back(
          Note("a false alarm of the compiler: by the documented rules this "
               "output is not the offloaded value"));
    }
    findings.push_back(std::move(finding));
  }
  for (const auto& output : documented.wrong_outputs()) {
    if (wrong_for_compiler.test(output.node.ordinal)) continue;
    if (judge == Judge::kDocumented) {
      Diagnostic finding =
          WrongOutputFinding(documented, output, kE1200, hops(),
                             entry_names_host, {StartName(documented, output)});
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
        entry_names_host,
        {std::string(start.origin.instruction->name()),
         absl::StrCat("output ",
                      ShapeIndexToString(output.node.position().index()),
                      " is declared on the device")}));
  }
}

// By output ordinal, the parameter whose buffer it shares; -1 for none.
std::vector<int64_t> DonatedParameters(const HloModule& module) {
  const Shape& result = *module.entry_layout().result;
  std::vector<int64_t> donated(result.node_count(), -1);
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    if (const auto output = result.OrdinalOf(alias.output_index)) {
      donated[*output] = alias.parameter_number;
    }
  }
  return donated;
}

void FindHostOutputs(const OffloadWalk& walk,
                     std::vector<Diagnostic>& findings) {
  const HloModule& module = walk.graph().module();
  const HloInstruction& root = module.entry().root();
  const std::vector<int64_t> donated = DonatedParameters(module);
  for (ShapeWalk walked(*module.entry_layout().result); !walked.AtEnd();
       walked.Next()) {
    const int32_t ordinal = walked.ordinal();
    const Shape& layout = walked.node();
    if (!layout.IsHostArray()) continue;
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
    } else if (walk.IsHost(output) && walk.IsParameterAsPassed(output)) {
      // An input that comes back as it is has to be copied, on the host,
      // unless it is donated to the output.
      const NodeId node = walk.graph().IdOf(output);
      const WalkStart& start = walk.starts()[walk.StartOf(node)];
      if (donated[ordinal] == start.origin.instruction->parameter_number()) {
        continue;
      }
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
