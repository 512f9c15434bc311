// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// ContentFlow says which content each node of a computation has and who reads
// it last. A walk over the instructions keeps a map of the bytes with contents
// that are still needed, and looks up there what each instruction writes. What
// called computations do is known by then: the bytes that they write.

#include "ferry/memory/overwritten_buffers.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/byte_footprint.h"
#include "ferry/memory/can_share_buffer.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/content_flow.h"
#include "ferry/memory/in_place_operands.h"
#include "ferry/memory/tiled_size.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace ferry {
namespace {

class Findings {
 public:
  bool IsFull() const { return diagnostics_.size() >= kMaxOverwrittenBuffers; }

  void Overwritten(const HloInstruction& writer, const HloPosition& content,
                   const HloInstruction* reader) {
    if (IsFull()) return;
    if (!reported_.insert({writer.id(), content.instruction->id()}).second) {
      return;
    }
    Diagnostic finding = MakeDiagnostic(
        DiagnosticCode::kOverwrittenBuffer, PlaceOf(writer),
        {std::string(writer.name()), NameOf(content),
         reader == nullptr ? "the caller"
                           : absl::StrCat("`", reader->name(), "`")});
    finding.notes.push_back(
        {absl::StrCat("`", NameOf(content), "` is made here"),
         PlaceOf(*content.instruction)});
    diagnostics_.push_back(std::move(finding));
  }

  void Misplaced(const HloPosition& at, std::string problem) {
    if (IsFull()) return;
    diagnostics_.push_back(MakeDiagnostic(DiagnosticCode::kMisplacedBuffer,
                                          PlaceOf(*at.instruction),
                                          {NameOf(at), std::move(problem)}));
  }

  std::vector<Diagnostic> Take() { return std::move(diagnostics_); }

  static std::string NameOf(const HloPosition& at) {
    std::string name(at.instruction->name());
    if (at.instruction->shape().IsTuple()) {
      absl::StrAppend(&name, ShapeIndexToString(at.index()));
    }
    return name;
  }

 private:
  std::vector<Diagnostic> diagnostics_;
  llvm::DenseSet<std::pair<InstructionId, InstructionId>> reported_;
};

// What all replays of a program share.
struct Program {
  Program(const BufferAssignment& assignment,
          absl::Span<const AssignedValue> slices)
      : flow(assignment, slices),
        sharing(assignment.module()),
        written(assignment.module().computations().size()) {}

  ContentProgram flow;
  BufferSharing sharing;
  // By ComputationId: what it writes, and what it calls.
  std::vector<ByteFootprint> written;
  // Parts of a ConcatBitcast start where the one before ends.
  std::set<ByteAddress> parts;
  std::vector<std::pair<HloPosition, AssignedValue>> constants;
  Findings findings;
};

bool Overlap(const AssignedValue& a, const AssignedValue& b) {
  return a.allocation == b.allocation &&
         a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

// Something in `start`, or in what it calls, that writes to `place`, other than
// `except`; a constant only if there is nothing else. Linear in all of it: for
// findings only.
const HloInstruction& FindWriter(const Program& program,
                                 const HloComputation& start,
                                 const AssignedValue& place,
                                 const HloInstruction* except) {
  const HloInstruction* constant = &start.root();
  const HloDataflowAnalysis& dataflow = program.flow.assignment.dataflow();
  llvm::SetVector<const HloComputation*> computations;
  computations.insert(&start);
  for (size_t c = 0; c < computations.size(); ++c) {
    for (const HloInstruction& instruction : computations[c]->instructions()) {
      for (const HloComputation* callee : instruction.called_computations()) {
        if (dataflow.StorageOf(*callee) == ComputationStorage::kGlobal) {
          computations.insert(callee);
        }
      }
      if (instruction.opcode() == HloOpcode::kParameter) continue;
      for (int32_t i = 0; i < instruction.shape().node_count(); ++i) {
        const AssignedValue& slice = program.flow.SliceOf(instruction, i);
        if (!Overlap(slice, place) || &instruction == except ||
            dataflow.position(slice.value, 0).instruction != &instruction) {
          continue;
        }
        if (instruction.opcode() != HloOpcode::kConstant) return instruction;
        constant = &instruction;
      }
    }
  }
  return *constant;
}

// Replays one computation.
class ComputationReplay {
 public:
  ComputationReplay(Program& program, const HloComputation& computation)
      : program_(program),
        assignment_(program.flow.assignment),
        findings_(program.findings),
        flow_(program.flow, computation),
        contents_(flow_.contents()) {}

  // Gives what it writes.
  ByteFootprint Run() {
    for (const HloInstruction* instruction : flow_.order()) {
      CheckPlaces(*instruction);
    }
    Sweep();
    return std::move(written_);
  }

 private:
  // --- Places (F2102).

  void CheckPlaces(const HloInstruction& instruction) {
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      const HloPosition at = {&instruction, walk.ordinal()};
      const AssignedValue& slice =
          program_.flow.SliceOf(instruction, at.ordinal);
      const Content& content = flow_.ContentAt(instruction, at.ordinal);
      if (content.at == at) {
        CheckBlock(at, walk.node(), slice);
      } else if (!IsSamePlace(slice, content.slice)) {
        findings_.Misplaced(
            at, absl::StrCat("it is `", Findings::NameOf(content.at),
                             "`, which stands elsewhere"));
      }
    }
    if (program_.flow.RunsCallees(instruction)) CheckHandedOver(instruction);
  }

  void CheckBlock(const HloPosition& at, const Shape& shape,
                  const AssignedValue& slice) {
    const auto allocations = assignment_.allocations();
    if (slice.allocation >= allocations.size()) {
      return findings_.Misplaced(at, "it has no allocation");
    }
    const BufferAllocation& block = allocations[slice.allocation];
    const MemoryTarget& target = assignment_.target();
    const int64_t bytes = GetTiledSize(shape, target).bytes.ToInt64();
    if (slice.size_bytes != bytes) {
      findings_.Misplaced(at,
                          absl::StrCat("it needs ", bytes, " bytes, but has ",
                                       slice.size_bytes));
    }
    const int64_t alignment = target.OffsetAlignment(block.space);
    if (slice.offset_bytes % alignment != 0 &&
        !program_.parts.contains({slice.allocation, slice.offset_bytes})) {
      findings_.Misplaced(at, absl::StrCat("offset ", slice.offset_bytes,
                                           " is no multiple of ", alignment));
    }
    if (slice.offset_bytes < 0 ||
        slice.offset_bytes > block.size_bytes - slice.size_bytes) {
      findings_.Misplaced(at,
                          absl::StrCat("bytes ", slice.offset_bytes, " to ",
                                       slice.offset_bytes + slice.size_bytes,
                                       " are not within the ", block.size_bytes,
                                       " of its allocation"));
    }
    if (block.space != shape.memory_space()) {
      findings_.Misplaced(
          at,
          absl::StrCat("it belongs to ", target.SpaceName(shape.memory_space()),
                       ", but its allocation is in ",
                       target.SpaceName(block.space)));
    }
  }

  // Node by node, what goes in and comes out stands still.
  void CheckHandedOver(const HloInstruction& caller) {
    const auto callees = caller.called_computations();
    for (size_t i = 0; i < callees.size(); ++i) {
      const HloComputation& callee = *callees[i];
      const auto parameters = callee.parameters();
      switch (caller.opcode()) {
        case HloOpcode::kWhile:
          if (!parameters.empty()) CheckSame(*parameters[0], caller, 0);
          break;
        case HloOpcode::kConditional:
          if (i + 1 < caller.operands().size() && !parameters.empty()) {
            CheckSame(*parameters[0], caller.operand(i + 1), 0);
          }
          CheckSame(callee.root(), caller, 0);
          break;
        default:
          for (size_t p = 0;
               p < std::min(caller.operands().size(), parameters.size()); ++p) {
            CheckSame(*parameters[p], caller.operand(p), 0);
          }
          CheckSame(callee.root(), caller,
                    caller.opcode() == HloOpcode::kAsyncStart
                        ? TupleElementOrdinal(caller.shape(), 1)
                        : 0);
      }
    }
    if (caller.opcode() == HloOpcode::kWhile) {
      CheckSame(caller.operand(0), caller, 0);
      CheckSame(callees.back()->root(), caller, 0);
    }
  }

  // All arrays of `a` stand where those of `b` from `ordinal` on do. Tables do
  // too, but for those of an asynchronous call.
  void CheckSame(const HloInstruction& a, const HloInstruction& b,
                 int32_t ordinal) {
    if (ordinal < 0 ||
        ordinal + a.shape().node_count() > b.shape().node_count()) {
      return;
    }
    for (ShapeWalk walk(a.shape()); !walk.AtEnd(); walk.Next()) {
      if (walk.node().IsTuple() && b.opcode() == HloOpcode::kAsyncStart) {
        continue;
      }
      const HloPosition at = {&a, walk.ordinal()};
      const HloPosition other = {&b, ordinal + walk.ordinal()};
      if (IsSamePlace(program_.flow.SliceOf(a, at.ordinal),
                      program_.flow.SliceOf(b, other.ordinal))) {
        continue;
      }
      findings_.Misplaced(
          at, absl::StrCat("it is handed over as `", Findings::NameOf(other),
                           "`, which stands elsewhere"));
    }
  }

  // --- Third walk: what is overwritten (F2101).

  void Sweep() {
    for (ContentId id = 0; id < contents_.size(); ++id) {
      const Content& content = contents_[id];
      if (flow_.At(*content.at.instruction, content.at.ordinal) != id) continue;
      if (content.is_parameter) {
        Arrive(id);
      } else if (content.at.instruction->opcode() == HloOpcode::kConstant) {
        program_.constants.push_back({content.at, content.slice});
      } else if (!content.is_constant && content.parts.empty() &&
                 content.slice.size_bytes > 0) {
        written_.Add({content.slice.allocation, content.slice.offset_bytes},
                     EndOf(content.slice));
      }
    }
    ContentId next = 0;
    for (size_t step = 0; step < flow_.order().size(); ++step) {
      const HloInstruction& instruction = *flow_.order()[step];
      const bool is_async = instruction.opcode() == HloOpcode::kAsyncStart;
      const bool runs_callees = program_.flow.RunsCallees(instruction);
      if (runs_callees && !is_async) RunCallees(instruction, step);
      // Contents were numbered in the order of the instructions.
      for (; next < contents_.size() &&
             contents_[next].at.instruction == &instruction;
           ++next) {
        const Content& content = contents_[next];
        if (content.is_constant || content.is_parameter ||
            !content.parts.empty() || content.slice.size_bytes == 0 ||
            flow_.At(instruction, content.at.ordinal) != next) {
          continue;
        }
        Overwrite(next, step);
      }
      // Its results are there from now on, and no scratch.
      if (runs_callees && is_async) RunCallees(instruction, step);
    }
  }

  static int64_t EndOf(const AssignedValue& slice) {
    return slice.offset_bytes + slice.size_bytes;
  }

  // What is there before the first instruction.
  void Arrive(ContentId id) {
    const Content& content = contents_[id];
    if (content.slice.size_bytes == 0 || content.last_read == kBeforeAllSteps)
      return;
    ForEachNeeded(
        {content.slice.allocation, content.slice.offset_bytes},
        EndOf(content.slice), [&](ContentId other) {
          // Handed over twice.
          if (IsSamePlace(contents_[other].slice, content.slice)) {
            contents_[other].last_read =
                std::max(contents_[other].last_read, content.last_read);
            return;
          }
          findings_.Overwritten(*content.at.instruction, contents_[other].at,
                                contents_[other].reader);
        });
    needed_.emplace(
        ByteAddress{content.slice.allocation, content.slice.offset_bytes}, id);
  }

  // Visits what is needed of bytes [begin, end), at whatever time.
  template <typename Visit>
  void ForEachNeeded(ByteAddress begin, int64_t end, Visit visit) {
    auto it = needed_.upper_bound(begin);
    if (it != needed_.begin()) {
      const auto previous = std::prev(it);
      if (previous->first.first == begin.first &&
          EndOf(contents_[previous->second].slice) > begin.second) {
        it = previous;
      }
    }
    while (it != needed_.end() && it->first.first == begin.first &&
           it->first.second < end) {
      const ContentId id = it->second;
      ++it;
      visit(id);
    }
  }

  void Forget(ContentId id) {
    const AssignedValue& slice = contents_[id].slice;
    const auto it = needed_.find({slice.allocation, slice.offset_bytes});
    if (it != needed_.end() && it->second == id) needed_.erase(it);
  }

  void Overwrite(ContentId id, ContentStep step) {
    Content& content = contents_[id];
    const HloInstruction& writer = *content.at.instruction;
    const ByteAddress begin = {content.slice.allocation,
                               content.slice.offset_bytes};
    ForEachNeeded(begin, EndOf(content.slice), [&](ContentId other) {
      const Content& old = contents_[other];
      if (old.last_read > step ||
          (old.last_read == step && !MayWriteOver(content, other))) {
        findings_.Overwritten(writer, old.at, old.reader);
      }
      Forget(other);
    });
    content.last_read = std::max(content.last_read, step);
    if (content.reader == nullptr && content.last_read == step) {
      content.reader = &writer;
    }
    needed_.insert_or_assign(begin, id);
  }

  // Whether the instruction that makes `made` and reads `old` for the last
  // time may write over it.
  bool MayWriteOver(const Content& made, ContentId old) {
    const HloInstruction& instruction = *made.at.instruction;
    // What it runs has been replayed.
    if (program_.flow.RunsCallees(instruction)) return true;
    if (contents_[old].at.instruction == &instruction) return false;
    const auto uses = UsesOf(instruction).equal_range(old);
    return uses.first != uses.second &&
           std::all_of(uses.first, uses.second, [&](const auto& use) {
             const auto [operand, node] = use.second;
             const Content& read =
                 flow_.ContentAt(instruction.operand(operand), node);
             return IsSamePlace(read.slice, made.slice) &&
                    MayWriteOver(made.at, operand, node);
           });
  }
  bool MayWriteOver(const HloPosition& made, int32_t operand, int32_t node) {
    const InPlacePair wanted = {made.ordinal, operand, node};
    const auto pairs = assignment_.in_place().PairsOf(*made.instruction);
    // They are in the order of results.
    for (auto it = std::lower_bound(pairs.begin(), pairs.end(), wanted,
                                    [](const auto& a, const auto& b) {
                                      return a.result_ordinal <
                                             b.result_ordinal;
                                    });
         it != pairs.end() && it->result_ordinal == made.ordinal; ++it) {
      if (*it == wanted) return true;
    }
    return &made.shape() ==
               &made.instruction->operand(operand).shape().NodeAt(node) &&
           program_.sharing.CanShare({made.instruction, operand, node},
                                     made.ordinal);
  }

  // Where each content is among the operands, itself or as a part: operand and
  // node.
  using Uses = std::multimap<ContentId, std::pair<int32_t, int32_t>>;
  const Uses& UsesOf(const HloInstruction& instruction) {
    if (uses_instruction_ == &instruction) return uses_;
    uses_instruction_ = &instruction;
    uses_.clear();
    for (size_t i = 0; i < instruction.operands().size(); ++i) {
      const HloInstruction& operand = instruction.operand(i);
      for (int32_t node = 0; node < operand.shape().node_count(); ++node) {
        const std::pair<int32_t, int32_t> use = {static_cast<int32_t>(i), node};
        uses_.emplace(flow_.At(operand, node), use);
        for (const ContentId part : flow_.ContentAt(operand, node).parts) {
          uses_.emplace(part, use);
        }
      }
    }
    return uses_;
  }

  // All that the callees write is written while `caller` runs, or until it is
  // done.
  void RunCallees(const HloInstruction& caller, ContentStep step) {
    const bool is_async = caller.opcode() == HloOpcode::kAsyncStart;
    const ContentStep end = is_async ? DoneOf(caller) : step;
    for (const HloComputation* callee : caller.called_computations()) {
      const ByteFootprint& written = program_.written[callee->id()];
      for (const auto& [begin, end_bytes] : written.ranges()) {
        RunWrite(caller, *callee, step, end, begin, end_bytes);
        written_.Add(begin, end_bytes);
      }
    }
  }

  void RunWrite(const HloInstruction& caller, const HloComputation& callee,
                ContentStep step, ContentStep end, ByteAddress begin,
                int64_t end_bytes) {
    int64_t at = begin.second;
    std::vector<ContentId> over;
    ForEachNeeded(begin, end_bytes,
                  [&](ContentId other) { over.push_back(other); });
    for (const ContentId other : over) {
      const Content old = contents_[other];
      if (old.at.instruction != &caller &&
          (old.last_read > end ||
           (old.last_read > step && !UsesOf(caller).contains(other)))) {
        findings_.Overwritten(FindWriter(program_, callee, old.slice, nullptr),
                              old.at, old.reader);
        Forget(other);
      }
      if (old.last_read < step) continue;
      Reserve(caller, step, end, {begin.first, at},
              std::min(end_bytes, old.slice.offset_bytes));
      at = std::max(at, EndOf(old.slice));
    }
    Reserve(caller, step, end, {begin.first, at}, end_bytes);
  }

  // While something runs at the same time, nobody else may write there.
  void Reserve(const HloInstruction& caller, ContentStep step, ContentStep end,
               ByteAddress begin, int64_t end_bytes) {
    if (end <= step || begin.second >= end_bytes) return;
    ForEachNeeded(begin, end_bytes, [&](ContentId other) { Forget(other); });
    Content scratch;
    scratch.at = {&caller, 0};
    scratch.slice = {0, begin.first, begin.second, end_bytes - begin.second};
    scratch.last_read = end;
    scratch.reader = flow_.order()[end];
    needed_.insert_or_assign(begin, static_cast<ContentId>(contents_.size()));
    contents_.push_back(std::move(scratch));
  }

  // The step at which what `start` began has ended.
  ContentStep DoneOf(const HloInstruction& start) const {
    const HloInstruction* at = &start;
    while (at->opcode() != HloOpcode::kAsyncDone) {
      const HloInstruction* next = nullptr;
      for (const HloInstruction* user : at->users()) {
        if (user->opcode() == HloOpcode::kAsyncDone ||
            user->opcode() == HloOpcode::kAsyncUpdate) {
          next = user;
        }
      }
      if (next == nullptr)
        return static_cast<ContentStep>(flow_.order().size()) - 1;
      at = next;
    }
    return program_.flow.steps[at->id()];
  }
  Program& program_;
  const BufferAssignment& assignment_;
  Findings& findings_;
  ContentFlow flow_;
  std::vector<Content>& contents_;
  std::map<ByteAddress, ContentId> needed_;
  const HloInstruction* uses_instruction_ = nullptr;
  Uses uses_;
  ByteFootprint written_;
};

void FindParts(Program& program) {
  const BufferAssignment& assignment = program.flow.assignment;
  for (const HloComputation* computation : assignment.module().computations()) {
    if (!assignment.dataflow().IsAnalyzed(computation->root())) continue;
    for (const HloInstruction& instruction : computation->instructions()) {
      if (!IsConcatBitcast(instruction)) continue;
      for (const HloInstruction* operand : instruction.operands()) {
        const AssignedValue& slice = program.flow.SliceOf(*operand, 0);
        program.parts.insert({slice.allocation, slice.offset_bytes});
      }
    }
  }
}

// Constants are there from the start: nobody writes them, not even each other.
void CheckConstants(Program& program, ByteFootprint written) {
  for (const auto& [at, slice] : program.constants) {
    if (slice.size_bytes == 0) continue;
    const ByteAddress begin = {slice.allocation, slice.offset_bytes};
    const int64_t end = slice.offset_bytes + slice.size_bytes;
    if (written.Touches(begin, end)) {
      program.findings.Overwritten(
          FindWriter(program, program.flow.assignment.module().entry(), slice,
                     at.instruction),
          at, nullptr);
    }
    written.Add(begin, end);
  }
}

}  // namespace

std::vector<Diagnostic> FindOverwrittenBuffers(
    const BufferAssignment& assignment) {
  std::vector<AssignedValue> slices;
  for (ValueId v = 0; v < assignment.dataflow().value_count(); ++v) {
    slices.push_back(assignment.SliceOf(v));
  }
  return FindOverwrittenBuffers(assignment, slices);
}

std::vector<Diagnostic> FindOverwrittenBuffers(
    const BufferAssignment& assignment,
    absl::Span<const AssignedValue> slices) {
  const HloModule& module = assignment.module();
  Program program(assignment, slices);
  FindParts(program);
  for (const HloComputation* computation : module.computations()) {
    if (assignment.dataflow().StorageOf(*computation) !=
        ComputationStorage::kGlobal) {
      continue;
    }
    program.written[computation->id()] =
        ComputationReplay(program, *computation).Run();
  }
  CheckConstants(program, program.written[module.entry().id()]);
  return program.findings.Take();
}

}  // namespace ferry
