// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Boxes first, with their nodes; then the edges, for which all nodes must be
// known. A fusion whose body is drawn in its place has no node: what goes into
// it goes to the body's parameters, what comes out of it from the body's root.

#include "ferry/hlo/hlo_dot_printer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/post_order.h"

namespace ferry {
namespace {

// In a quoted string of the language: what is not printable would end the line.
std::string Escape(absl::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return escaped;
}

absl::string_view ColourOf(const HloInstruction& instruction) {
  const HloOpcode opcode = instruction.opcode();
  switch (opcode) {
    case HloOpcode::kParameter:
      return "orange";
    case HloOpcode::kConstant:
    case HloOpcode::kIota:
      return "white";
    case HloOpcode::kDot:
    case HloOpcode::kScaledDot:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kConvolution:
      return "lightblue";
    case HloOpcode::kCopy:
    case HloOpcode::kCopyStart:
    case HloOpcode::kCopyDone:
    case HloOpcode::kSend:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecv:
    case HloOpcode::kRecvDone:
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
      return "salmon";
    case HloOpcode::kBitcast:
    case HloOpcode::kReshape:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kBroadcast:
    case HloOpcode::kTranspose:
    case HloOpcode::kReverse:
    case HloOpcode::kConcatenate:
    case HloOpcode::kSlice:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kPad:
    case HloOpcode::kGather:
    case HloOpcode::kScatter:
      return "palegreen";
    case HloOpcode::kCustomCall:
      return "pink";
    default:
      break;
  }
  if (HasTrait(opcode, kCollective)) return "tan";
  if (HasTrait(opcode, kRunsCallee)) return "plum";
  if (HasTrait(opcode, kElementwise)) return "lightyellow";
  return "lightgrey";
}

// `S(5)`, `S(1) S(5)`: of all leaves, without the default.
std::string MemorySpaces(const Shape& shape) {
  std::vector<int64_t> spaces;
  std::vector<const Shape*> work = {&shape};
  while (!work.empty()) {
    const Shape& next = *work.back();
    work.pop_back();
    work.insert(work.end(), next.tuple_shapes().begin(),
                next.tuple_shapes().end());
    if (next.layout() == nullptr) continue;
    const MemorySpace space = next.layout()->fields().memory_space;
    if (space != MemorySpace::kDefault) {
      spaces.push_back(static_cast<int64_t>(space));
    }
  }
  std::sort(spaces.begin(), spaces.end());
  spaces.erase(std::unique(spaces.begin(), spaces.end()), spaces.end());
  std::string text;
  for (int64_t space : spaces) {
    absl::StrAppend(&text, text.empty() ? "S(" : " S(", space, ")");
  }
  return text;
}

// Deeper boxes are not pushed further in.
std::string Indent(size_t steps) {
  return std::string(2 * std::min<size_t>(steps, 16), ' ');
}

class DotPrinter {
 public:
  explicit DotPrinter(const HloModule& module) : module_(module) {
    shown_.resize(module.id_limit());
    sources_.resize(module.id_limit());
  }

  void Show(const HloComputation& computation) {
    computations_.push_back(&computation);
    for (const HloInstruction& instruction : computation.instructions()) {
      Show(instruction);
    }
  }
  void Show(const Neighborhood& part) {
    computations_.push_back(&part.computation());
    for (const HloInstruction& instruction :
         part.computation().instructions()) {
      if (part.Contains(instruction)) Show(instruction);
    }
  }

  std::string Print() {
    absl::StrAppend(&out_, "digraph \"", Escape(module_.name()),
                    "\" {\n  compound=true;\n  node [shape=box, "
                    "style=filled, fontname=\"sans-serif\"];\n");
    for (const HloComputation* computation : computations_) {
      if (FusionAround(*computation) == nullptr) PrintBoxes(*computation);
    }
    for (const HloComputation* computation : computations_) {
      for (const HloInstruction& instruction : computation->instructions()) {
        if (shown_[instruction.id()]) PrintEdges(instruction);
      }
    }
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  struct Frame {
    const HloComputation* computation;
    HloInstructionIterator<const HloInstruction> next;
  };

  void Show(const HloInstruction& instruction) {
    shown_[instruction.id()] = true;
  }
  bool IsShown(const HloInstruction& instruction) const {
    return shown_[instruction.id()];
  }

  // The fusion in whose place the computation is drawn, if any.
  const HloInstruction* FusionAround(const HloComputation& body) const {
    const auto callers = body.callers();
    const bool is_one_fusions = callers.size() == 1 &&
                                callers[0]->opcode() == HloOpcode::kFusion &&
                                callers[0]->called_computations().size() == 1 &&
                                IsShown(*callers[0]) && IsShown(body.root());
    return is_one_fusions ? callers[0] : nullptr;
  }
  bool IsBox(const HloInstruction& instruction) const {
    return instruction.opcode() == HloOpcode::kFusion &&
           instruction.called_computations().size() == 1 &&
           FusionAround(*instruction.called_computations()[0]) == &instruction;
  }

  void PrintBoxes(const HloComputation& outermost) {
    std::vector<Frame> open;
    Open(outermost, open);
    while (!open.empty()) {
      Frame& top = open.back();
      if (top.next == top.computation->instructions().end()) {
        absl::StrAppend(&out_, Indent(open.size()), "}\n");
        open.pop_back();
        continue;
      }
      const HloInstruction& instruction = *top.next;
      ++top.next;
      if (!IsShown(instruction)) continue;
      if (IsBox(instruction)) {
        Open(*instruction.called_computations()[0], open);
      } else {
        PrintNode(instruction, open.size() + 1);
      }
    }
  }

  void Open(const HloComputation& computation, std::vector<Frame>& open) {
    open.push_back({&computation, computation.instructions().begin()});
    const std::string indent = Indent(open.size());
    const HloInstruction* fusion = FusionAround(computation);
    absl::StrAppend(&out_, indent, "subgraph \"cluster_", computation.id(),
                    "\" {\n", indent, "  label=\"");
    if (fusion != nullptr) {
      absl::StrAppend(
          &out_, Escape(fusion->name()), "\\n",
          Escape(fusion->shape().ToString(/*with_layout=*/false)), "\\nfusion ",
          Escape(fusion->attribute(HloAttributeKind::kKind)), "\";\n", indent,
          "  style=filled;\n", indent, "  fillcolor=gray95;\n");
    } else {
      absl::StrAppend(&out_, computation.IsEntry() ? "ENTRY " : "",
                      Escape(computation.name()), "\";\n");
    }
  }

  void PrintNode(const HloInstruction& instruction, size_t steps) {
    std::string what = std::string(HloOpcodeName(instruction.opcode()));
    switch (instruction.opcode()) {
      case HloOpcode::kParameter:
        absl::StrAppend(&what, " ", instruction.parameter_number());
        break;
      case HloOpcode::kGetTupleElement:
        absl::StrAppend(&what, " ", instruction.tuple_index());
        break;
      case HloOpcode::kCustomCall:
        absl::StrAppend(&what, " ", instruction.custom_call_target());
        break;
      case HloOpcode::kUnknown:
        what = std::string(
            instruction.attribute(HloAttributeKind::kUnknownOpcode));
        break;
      default:
        break;
    }
    absl::StrAppend(&out_, Indent(steps), "i", instruction.id(), " [label=\"",
                    Escape(instruction.name()), "\\n",
                    Escape(instruction.shape().ToString(/*with_layout=*/false)),
                    "\\n", Escape(what),
                    "\", fillcolor=", ColourOf(instruction),
                    instruction.IsRoot() ? ", penwidth=2" : "", "];\n");
  }

  // Where edges from the instruction begin.
  const HloInstruction& Source(const HloInstruction& instruction) {
    const HloInstruction* source = &instruction;
    while (IsBox(*source)) {
      const HloInstruction* known = sources_[source->id()];
      source =
          known != nullptr ? known : &source->called_computations()[0]->root();
    }
    // The next one that asks takes one step.
    for (const HloInstruction* at = &instruction; at != source;
         at = &at->called_computations()[0]->root()) {
      if (std::exchange(sources_[at->id()], source) != nullptr) break;
    }
    return *source;
  }
  // Where edges to its operand `number` end.
  const HloInstruction& Target(const HloInstruction& instruction,
                               size_t number) {
    if (!IsBox(instruction)) return instruction;
    const auto parameters = instruction.called_computations()[0]->parameters();
    return number < parameters.size() ? *parameters[number]
                                      : Source(instruction);
  }

  void PrintEdges(const HloInstruction& instruction) {
    const auto operands = instruction.operands();
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!IsShown(*operands[i])) continue;
      const std::string spaces = MemorySpaces(operands[i]->shape());
      PrintEdge(Source(*operands[i]), Target(instruction, i),
                spaces.empty()
                    ? ""
                    : absl::StrCat("xlabel=\"", spaces, "\", color=red"));
    }
    for (const HloInstruction* other : instruction.control_predecessors()) {
      if (!IsShown(*other)) continue;
      PrintEdge(Source(*other), Source(instruction), "style=dotted");
    }
    if (IsBox(instruction)) return;
    for (const HloComputation* callee : instruction.called_computations()) {
      if (!IsShown(callee->root())) continue;
      PrintEdge(
          Source(callee->root()), instruction,
          absl::StrCat("style=dashed, ltail=\"cluster_", callee->id(), "\""));
    }
  }

  void PrintEdge(const HloInstruction& from, const HloInstruction& to,
                 absl::string_view attributes) {
    absl::StrAppend(&out_, "  i", from.id(), " -> i", to.id());
    if (!attributes.empty()) absl::StrAppend(&out_, " [", attributes, "]");
    out_ += ";\n";
  }

  const HloModule& module_;
  std::vector<const HloComputation*> computations_;
  std::vector<bool> shown_;  // by InstructionId
  // Of fusions drawn as boxes, by InstructionId.
  std::vector<const HloInstruction*> sources_;
  std::string out_;
};

}  // namespace

std::string HloToDot(const HloModule& module) {
  DotPrinter printer(module);
  for (const HloComputation* computation : MakeComputationPostOrder(module)) {
    printer.Show(*computation);
  }
  return printer.Print();
}

std::string HloToDot(const HloComputation& computation) {
  DotPrinter printer(computation.module());
  printer.Show(computation);
  return printer.Print();
}

std::string HloToDot(const Neighborhood& part) {
  DotPrinter printer(part.computation().module());
  printer.Show(part);
  return printer.Print();
}

}  // namespace ferry
