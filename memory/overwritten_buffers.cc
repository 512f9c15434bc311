// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A computation is replayed in three walks over its instructions. The first
// gives each node its content, a new one where bytes are written and that of
// another node where they are only handed on. The second finds the last reader
// of each content. The third keeps a map of the bytes with contents that are
// still needed, and looks up there what each instruction writes.
//
// What a computation does to the bytes of its callers is kept as a summary: the
// bytes that it writes, and which nodes of its root are parameters unchanged.

#include "ferry/memory/overwritten_buffers.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
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
#include "ferry/memory/can_share_buffer.h"
#include "ferry/memory/computation_storage.h"
#include "ferry/memory/in_place_operands.h"
#include "ferry/memory/tiled_size.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace ferry {
namespace {

using ContentId = uint32_t;
// A place in the order of one computation.
using Step = int64_t;
constexpr Step kBefore = -1;
constexpr Step kForever = INT64_MAX;

// Where bytes begin.
using Address = std::pair<AllocationId, int64_t>;

// Bytes that are written: ranges that do not touch.
class Footprint {
 public:
  // Begin to end.
  using Ranges = std::map<Address, int64_t>;

  const Ranges& ranges() const { return ranges_; }

  void Add(Address begin, int64_t end_bytes) {
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin()) {
      const auto previous = std::prev(it);
      if (previous->first.first == begin.first &&
          previous->second >= begin.second) {
        if (previous->second >= end_bytes) return;
        begin = previous->first;
        it = ranges_.erase(previous);
      }
    }
    while (it != ranges_.end() && it->first.first == begin.first &&
           it->first.second <= end_bytes) {
      end_bytes = std::max(end_bytes, it->second);
      it = ranges_.erase(it);
    }
    ranges_.emplace_hint(it, begin, end_bytes);
  }

  bool Touches(Address begin, int64_t end_bytes) const {
    auto it = ranges_.lower_bound({begin.first, end_bytes});
    if (it == ranges_.begin()) return false;
    --it;
    return it->first.first == begin.first && it->second > begin.second;
  }

 private:
  Ranges ranges_;
};

// What arrives at a node of a root.
struct Origin {
  enum Kind : uint8_t { kWritten, kParameter, kConstant } kind = kWritten;
  int32_t parameter = 0;
  int32_t ordinal = 0;
};

struct Summary {
  Footprint written;
  std::vector<Origin> root;  // by node
};

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
  Program(const BufferAssignment& a, absl::Span<const AssignedValue> slices)
      : assignment(a),
        slices(slices),
        sharing(a.module()),
        summaries(a.module().computations().size()),
        first(a.module().id_limit()),
        steps(a.module().id_limit()) {
    const auto parameters = a.module().entry().parameters();
    for (const InputOutputAlias& alias : a.module().input_output_aliases()) {
      if (alias.parameter_number < 0 ||
          alias.parameter_number >= static_cast<int64_t>(parameters.size())) {
        continue;
      }
      const HloInstruction& parameter = *parameters[alias.parameter_number];
      const auto node = parameter.shape().OrdinalOf(alias.parameter_index);
      if (node.has_value()) given_away.insert({parameter.id(), *node});
    }
  }

  const AssignedValue& SliceOf(const HloInstruction& instruction,
                               int32_t ordinal) const {
    return slices[assignment.dataflow().ValueAt(instruction, ordinal)];
  }

  const BufferAssignment& assignment;
  absl::Span<const AssignedValue> slices;  // by ValueId
  BufferSharing sharing;
  std::vector<Summary> summaries;  // by ComputationId
  std::vector<uint32_t> first;     // by InstructionId: the node {}
  std::vector<Step> steps;         // by InstructionId
  // Nodes of entry parameters.
  llvm::DenseSet<std::pair<InstructionId, int32_t>> given_away;
  // Parts of a ConcatBitcast start where the one before ends.
  std::set<Address> parts;
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
  const HloDataflowAnalysis& dataflow = program.assignment.dataflow();
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
        const AssignedValue& slice = program.SliceOf(instruction, i);
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

bool IsConcatBitcast(const HloInstruction& instruction) {
  return instruction.IsCustomCall("ConcatBitcast") &&
         !instruction.shape().IsTuple();
}

// Finishes what its operand began.
bool IsDone(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kCopyDone:
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecvDone:
      return true;
    default:
      return false;
  }
}

// Replays one computation.
class ComputationReplay {
 public:
  ComputationReplay(Program& program, const HloComputation& computation)
      : program_(program),
        assignment_(program.assignment),
        findings_(program.findings),
        computation_(&computation) {}

  Summary Run() {
    FindContents();
    FindLastReads();
    Sweep();
    DescribeRoot();
    return std::move(summary_);
  }

 private:
  struct Content {
    HloPosition at;
    AssignedValue slice;
    bool is_constant = false;
    bool is_parameter = false;
    Step last_read = kBefore;
    const HloInstruction* reader = nullptr;
    // Made of these without moving a byte; empty if its bytes are its own.
    std::vector<ContentId> parts;
  };

  // --- First walk: contents.

  void FindContents() {
    size_t count = 0;
    for (const HloInstruction& instruction : computation_->instructions()) {
      program_.first[instruction.id()] = static_cast<uint32_t>(count);
      program_.steps[instruction.id()] = static_cast<Step>(order_.size());
      order_.push_back(&instruction);
      count += instruction.shape().node_count();
    }
    contents_of_.resize(count);
    for (const HloInstruction* instruction : order_) {
      Define(*instruction);
      CheckPlaces(*instruction);
    }
  }

  ContentId& At(const HloInstruction& instruction, int32_t ordinal = 0) {
    return contents_of_[program_.first[instruction.id()] + ordinal];
  }
  const Content& ContentAt(const HloInstruction& instruction,
                           int32_t ordinal = 0) {
    return contents_[At(instruction, ordinal)];
  }

  void Write(const HloInstruction& instruction, int32_t ordinal) {
    At(instruction, ordinal) = static_cast<ContentId>(contents_.size());
    Content content;
    content.at = {&instruction, ordinal};
    content.slice = program_.SliceOf(instruction, ordinal);
    content.is_constant = instruction.opcode() == HloOpcode::kConstant;
    content.is_parameter = instruction.opcode() == HloOpcode::kParameter;
    contents_.push_back(std::move(content));
  }
  void WriteNodes(const HloInstruction& instruction, int32_t from, int32_t to) {
    for (int32_t i = from; i < to; ++i) Write(instruction, i);
  }
  void WriteAll(const HloInstruction& instruction) {
    WriteNodes(instruction, 0, instruction.shape().node_count());
  }

  // `count` nodes from `to` on have the contents of those of `source` from
  // `from` on; if there are not so many, they are written.
  void Forward(const HloInstruction& instruction, int32_t to, int32_t count,
               const HloInstruction& source, int32_t from) {
    if (from < 0 || from + count > source.shape().node_count()) {
      return WriteNodes(instruction, to, to + count);
    }
    for (int32_t i = 0; i < count; ++i) {
      At(instruction, to + i) = At(source, from + i);
    }
  }
  void ForwardAll(const HloInstruction& instruction) {
    const HloInstruction& source = instruction.operand(0);
    Forward(instruction, 0, instruction.shape().node_count(), source,
            source.shape().node_count() == instruction.shape().node_count()
                ? 0
                : -1);
  }
  // The ordinal of a tuple element; -1 if there is none.
  static int32_t ElementOf(const Shape& shape, int64_t element) {
    if (!shape.IsTuple() || element < 0 ||
        element >= static_cast<int64_t>(shape.tuple_shapes().size())) {
      return -1;
    }
    return shape.ElementOrdinal(element);
  }
  void ForwardElement(const HloInstruction& instruction, int64_t element) {
    const HloInstruction& source = instruction.operand(0);
    Forward(instruction, 0, instruction.shape().node_count(), source,
            ElementOf(source.shape(), element));
  }
  // The nodes from `ordinal` on, a table and its elements, hold the operands.
  void ForwardOperands(const HloInstruction& instruction, int32_t ordinal,
                       const Shape& shape) {
    Write(instruction, ordinal);
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      const int32_t to = ordinal + shape.ElementOrdinal(i);
      const int32_t count = shape.tuple_shapes()[i]->node_count();
      if (i < instruction.operands().size()) {
        Forward(instruction, to, count, instruction.operand(i), 0);
      } else {
        WriteNodes(instruction, to, to + count);
      }
    }
  }

  // A tuple, of which element `forwarded` is the operand, or all of them.
  void DefineStart(const HloInstruction& instruction, size_t forwarded) {
    const Shape& shape = instruction.shape();
    WriteAll(instruction);
    if (instruction.operands().empty() || !shape.IsTuple() ||
        forwarded >= shape.tuple_shapes().size()) {
      return;
    }
    const Shape& element = *shape.tuple_shapes()[forwarded];
    const int32_t ordinal = shape.ElementOrdinal(forwarded);
    if (element.IsTuple() && instruction.opcode() != HloOpcode::kCopyStart &&
        instruction.opcode() != HloOpcode::kSend) {
      return ForwardOperands(instruction, ordinal, element);
    }
    Forward(instruction, ordinal, element.node_count(), instruction.operand(0),
            0);
  }

  void Define(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kBitcast:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
      case HloOpcode::kOptBarrier:
      case HloOpcode::kAllReduceDone:
        return ForwardAll(instruction);
      case HloOpcode::kGetTupleElement:
        return ForwardElement(instruction, instruction.tuple_index());
      case HloOpcode::kCopyDone:
        return ForwardElement(instruction, 0);
      case HloOpcode::kAllGatherDone:
      case HloOpcode::kCollectivePermuteDone:
        return ForwardElement(instruction, 1);
      case HloOpcode::kTuple:
        return ForwardOperands(instruction, 0, instruction.shape());
      case HloOpcode::kCopy:
        if (!instruction.shape().IsTuple()) return WriteAll(instruction);
        ForwardAll(instruction);
        return Write(instruction, 0);
      case HloOpcode::kCopyStart:
        return DefineStart(instruction, 1);
      case HloOpcode::kSend:
      case HloOpcode::kAllGatherStart:
      case HloOpcode::kCollectivePermuteStart:
        return DefineStart(instruction, 0);
      case HloOpcode::kRecvDone: {
        WriteAll(instruction);
        const int32_t data = ElementOf(instruction.shape(), 0);
        if (data < 0) return;
        return Forward(instruction, data,
                       instruction.shape().tuple_shapes()[0]->node_count(),
                       instruction.operand(0),
                       ElementOf(instruction.operand(0).shape(), 0));
      }
      case HloOpcode::kAsyncStart:
        DefineStart(instruction, 0);
        return DefineResults(instruction);
      case HloOpcode::kAsyncUpdate:
        ForwardAll(instruction);
        return WriteTables(instruction);
      case HloOpcode::kAsyncDone:
        ForwardElement(instruction, 1);
        return WriteTables(instruction);
      case HloOpcode::kCall:
      case HloOpcode::kWhile:
      case HloOpcode::kConditional:
        WriteAll(instruction);
        return DefineResults(instruction);
      case HloOpcode::kCustomCall:
        WriteAll(instruction);
        if (IsConcatBitcast(instruction)) JoinParts(instruction);
        return;
      default:
        return WriteAll(instruction);
    }
  }

  void WriteTables(const HloInstruction& instruction) {
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      if (walk.node().IsTuple()) Write(instruction, walk.ordinal());
    }
  }

  // Of a result that is what its parts are, if they stand so.
  void JoinParts(const HloInstruction& concat) {
    Content& whole = contents_[At(concat)];
    std::vector<ContentId> parts;
    int64_t offset = whole.slice.offset_bytes;
    for (const HloInstruction* operand : concat.operands()) {
      const Content& part = ContentAt(*operand);
      if (operand->shape().IsTuple() ||
          part.slice.allocation != whole.slice.allocation ||
          part.slice.offset_bytes != offset) {
        return;
      }
      offset += part.slice.size_bytes;
      parts.push_back(At(*operand));
    }
    whole.parts = std::move(parts);
  }

  bool IsReplayed(const HloComputation& callee) const {
    return assignment_.dataflow().StorageOf(callee) ==
           ComputationStorage::kGlobal;
  }

  // Whether the instruction runs computations that were replayed.
  bool RunsCallees(const HloInstruction& instruction) const {
    return HasTrait(instruction.opcode(), kRunsCallee) &&
           !instruction.called_computations().empty() &&
           IsReplayed(*instruction.called_computations()[0]);
  }

  // The results that called computations only hand on.
  void DefineResults(const HloInstruction& caller) {
    if (!RunsCallees(caller)) return;
    const bool is_async = caller.opcode() == HloOpcode::kAsyncStart;
    const int32_t result = is_async ? ElementOf(caller.shape(), 1) : 0;
    if (result < 0) return;
    const HloComputation& callee = *caller.called_computations().back();
    const int32_t count = callee.root().shape().node_count();
    if (result + count > caller.shape().node_count()) return;
    for (int32_t i = 0; i < count; ++i) {
      if (is_async && caller.shape().NodeAt(result + i).IsTuple()) {
        continue;
      }
      const std::optional<ContentId> origin = ResultOf(caller, i);
      if (origin.has_value()) At(caller, result + i) = *origin;
    }
  }

  // The one thing that every callee hands on as node `ordinal`.
  std::optional<ContentId> ResultOf(const HloInstruction& caller,
                                    int32_t ordinal) {
    const auto callees = caller.called_computations();
    if (caller.opcode() == HloOpcode::kWhile) {
      const Origin origin = OriginOf(*callees.back(), ordinal);
      if (origin.kind != Origin::kParameter || origin.ordinal != ordinal) {
        return std::nullopt;
      }
      return At(caller.operand(0), ordinal);
    }
    std::optional<ContentId> common;
    for (size_t i = 0; i < callees.size(); ++i) {
      const Origin origin = OriginOf(*callees[i], ordinal);
      if (origin.kind == Origin::kConstant && callees.size() == 1) {
        contents_[At(caller, ordinal)].is_constant = true;
        return std::nullopt;
      }
      const size_t operand = caller.opcode() == HloOpcode::kConditional
                                 ? i + 1
                                 : static_cast<size_t>(origin.parameter);
      if (origin.kind != Origin::kParameter ||
          operand >= caller.operands().size() ||
          origin.ordinal >= caller.operand(operand).shape().node_count()) {
        return std::nullopt;
      }
      const ContentId content = At(caller.operand(operand), origin.ordinal);
      if (common.has_value() && *common != content) return std::nullopt;
      common = content;
    }
    return common;
  }

  Origin OriginOf(const HloComputation& callee, int32_t ordinal) const {
    const std::vector<Origin>& root = program_.summaries[callee.id()].root;
    if (ordinal >= static_cast<int32_t>(root.size())) return {};
    return root[ordinal];
  }

  // --- Places (F2102).

  void CheckPlaces(const HloInstruction& instruction) {
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      const HloPosition at = {&instruction, walk.ordinal()};
      const AssignedValue& slice = program_.SliceOf(instruction, at.ordinal);
      const Content& content = ContentAt(instruction, at.ordinal);
      if (content.at == at) {
        CheckBlock(at, walk.node(), slice);
      } else if (!SamePlace(slice, content.slice)) {
        findings_.Misplaced(
            at, absl::StrCat("it is `", Findings::NameOf(content.at),
                             "`, which stands elsewhere"));
      }
    }
    if (RunsCallees(instruction)) CheckHandedOver(instruction);
  }

  static bool SamePlace(const AssignedValue& a, const AssignedValue& b) {
    return a.allocation == b.allocation && a.offset_bytes == b.offset_bytes;
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
                        ? ElementOf(caller.shape(), 1)
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
      if (SamePlace(program_.SliceOf(a, at.ordinal),
                    program_.SliceOf(b, other.ordinal))) {
        continue;
      }
      findings_.Misplaced(
          at, absl::StrCat("it is handed over as `", Findings::NameOf(other),
                           "`, which stands elsewhere"));
    }
  }

  // --- Second walk: last readers.

  void Read(ContentId content, Step step, const HloInstruction* reader) {
    Content& c = contents_[content];
    if (step < c.last_read) return;
    c.last_read = step;
    c.reader = reader;
  }
  void ReadAll(const HloInstruction& operand, Step step,
               const HloInstruction* reader) {
    for (int32_t i = 0; i < operand.shape().node_count(); ++i) {
      Read(At(operand, i), step, reader);
    }
  }

  void FindLastReads() {
    for (size_t step = 0; step < order_.size(); ++step) {
      ReadOperands(*order_[step], static_cast<Step>(step));
    }
    ReadAll(computation_->root(), kForever, nullptr);
    const bool is_condition = IsCondition();
    for (Content& content : contents_) {
      if (content.is_parameter && IsKept(content.at, is_condition)) {
        content.last_read = kForever;
        content.reader = nullptr;
      }
    }
    // A part is needed as long as the whole.
    for (ContentId id = static_cast<ContentId>(contents_.size()); id-- > 0;) {
      for (const ContentId part : contents_[id].parts) {
        Read(part, contents_[id].last_read, contents_[id].reader);
      }
    }
  }

  // Whether a parameter must be there when the computation is left: it is the
  // caller's, or the state of a loop, which the body wants after the condition.
  bool IsKept(const HloPosition& at, bool is_condition) const {
    if (!computation_->IsEntry()) return is_condition;
    return !program_.given_away.contains({at.instruction->id(), at.ordinal});
  }
  bool IsCondition() const {
    for (const HloInstruction* caller : computation_->callers()) {
      if (caller->opcode() == HloOpcode::kWhile &&
          caller->called_computations()[0] == computation_) {
        return true;
      }
    }
    return false;
  }

  void ReadOperands(const HloInstruction& instruction, Step step) {
    switch (instruction.opcode()) {
      case HloOpcode::kTuple:
      case HloOpcode::kBitcast:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
      case HloOpcode::kOptBarrier:
        return;
      case HloOpcode::kGetTupleElement:
        return Read(At(instruction.operand(0)), step, &instruction);
      case HloOpcode::kCopy:
        return Read(At(instruction.operand(0)), step, &instruction);
      default:
        if (IsConcatBitcast(instruction) &&
            !contents_[At(instruction)].parts.empty()) {
          return;
        }
        if (IsDone(instruction.opcode())) {
          return ReadStarted(instruction, step);
        }
        for (const HloInstruction* operand : instruction.operands()) {
          ReadAll(*operand, step, &instruction);
        }
    }
  }

  // What was begun is there until it is done, but for operands over which the
  // results are written.
  void ReadStarted(const HloInstruction& done, Step step) {
    const HloInstruction& start = done.operand(0);
    const int32_t operands = ElementOf(start.shape(), 0);
    const int32_t results = ElementOf(start.shape(), 1);
    for (int32_t i = 0; i < start.shape().node_count(); ++i) {
      if (operands >= 0 && results >= 0 && i >= operands && i < results &&
          IsReplaced(start, i, results)) {
        continue;
      }
      Read(At(start, i), step, &done);
    }
  }
  bool IsReplaced(const HloInstruction& start, int32_t operand,
                  int32_t results) {
    const Content& content = ContentAt(start, operand);
    if (content.at.instruction == &start) return false;
    const int32_t end = results + start.shape().tuple_shapes()[1]->node_count();
    for (int32_t i = results; i < end; ++i) {
      if (At(start, i) != At(start, operand) &&
          SamePlace(ContentAt(start, i).slice, content.slice)) {
        return true;
      }
    }
    return false;
  }

  // --- Third walk: what is overwritten (F2101).

  void Sweep() {
    for (ContentId id = 0; id < contents_.size(); ++id) {
      const Content& content = contents_[id];
      if (At(*content.at.instruction, content.at.ordinal) != id) continue;
      if (content.is_parameter) {
        Arrive(id);
      } else if (content.at.instruction->opcode() == HloOpcode::kConstant) {
        program_.constants.push_back({content.at, content.slice});
      } else if (!content.is_constant && content.parts.empty() &&
                 content.slice.size_bytes > 0) {
        summary_.written.Add(
            {content.slice.allocation, content.slice.offset_bytes},
            EndOf(content.slice));
      }
    }
    ContentId next = 0;
    for (size_t step = 0; step < order_.size(); ++step) {
      const HloInstruction& instruction = *order_[step];
      const bool is_async = instruction.opcode() == HloOpcode::kAsyncStart;
      const bool runs_callees = RunsCallees(instruction);
      if (runs_callees && !is_async) RunCallees(instruction, step);
      // Contents were numbered in the order of the instructions.
      for (; next < contents_.size() &&
             contents_[next].at.instruction == &instruction;
           ++next) {
        const Content& content = contents_[next];
        if (content.is_constant || content.is_parameter ||
            !content.parts.empty() || content.slice.size_bytes == 0 ||
            At(instruction, content.at.ordinal) != next) {
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
    if (content.slice.size_bytes == 0 || content.last_read == kBefore) return;
    ForEachNeeded(
        {content.slice.allocation, content.slice.offset_bytes},
        EndOf(content.slice), [&](ContentId other) {
          // Handed over twice.
          if (SamePlace(contents_[other].slice, content.slice)) {
            contents_[other].last_read =
                std::max(contents_[other].last_read, content.last_read);
            return;
          }
          findings_.Overwritten(*content.at.instruction, contents_[other].at,
                                contents_[other].reader);
        });
    needed_.emplace(
        Address{content.slice.allocation, content.slice.offset_bytes}, id);
  }

  // Visits what is needed of bytes [begin, end), at whatever time.
  template <typename Visit>
  void ForEachNeeded(Address begin, int64_t end, Visit visit) {
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

  void Overwrite(ContentId id, Step step) {
    Content& content = contents_[id];
    const HloInstruction& writer = *content.at.instruction;
    const Address begin = {content.slice.allocation,
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
    if (RunsCallees(instruction)) return true;
    if (contents_[old].at.instruction == &instruction) return false;
    const auto uses = UsesOf(instruction).equal_range(old);
    return uses.first != uses.second &&
           std::all_of(uses.first, uses.second, [&](const auto& use) {
             const auto [operand, node] = use.second;
             const Content& read =
                 ContentAt(instruction.operand(operand), node);
             return SamePlace(read.slice, made.slice) &&
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
        uses_.emplace(At(operand, node), use);
        for (const ContentId part : ContentAt(operand, node).parts) {
          uses_.emplace(part, use);
        }
      }
    }
    return uses_;
  }

  // All that the callees write is written while `caller` runs, or until it is
  // done.
  void RunCallees(const HloInstruction& caller, Step step) {
    const bool is_async = caller.opcode() == HloOpcode::kAsyncStart;
    const Step end = is_async ? DoneOf(caller) : step;
    for (const HloComputation* callee : caller.called_computations()) {
      const Footprint& written = program_.summaries[callee->id()].written;
      for (const auto& [begin, end_bytes] : written.ranges()) {
        RunWrite(caller, *callee, step, end, begin, end_bytes);
        summary_.written.Add(begin, end_bytes);
      }
    }
  }

  void RunWrite(const HloInstruction& caller, const HloComputation& callee,
                Step step, Step end, Address begin, int64_t end_bytes) {
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
  void Reserve(const HloInstruction& caller, Step step, Step end, Address begin,
               int64_t end_bytes) {
    if (end <= step || begin.second >= end_bytes) return;
    ForEachNeeded(begin, end_bytes, [&](ContentId other) { Forget(other); });
    Content scratch;
    scratch.at = {&caller, 0};
    scratch.slice = {0, begin.first, begin.second, end_bytes - begin.second};
    scratch.last_read = end;
    scratch.reader = order_[end];
    needed_.insert_or_assign(begin, static_cast<ContentId>(contents_.size()));
    contents_.push_back(std::move(scratch));
  }

  // The step at which what `start` began has ended.
  Step DoneOf(const HloInstruction& start) const {
    const HloInstruction* at = &start;
    while (at->opcode() != HloOpcode::kAsyncDone) {
      const HloInstruction* next = nullptr;
      for (const HloInstruction* user : at->users()) {
        if (user->opcode() == HloOpcode::kAsyncDone ||
            user->opcode() == HloOpcode::kAsyncUpdate) {
          next = user;
        }
      }
      if (next == nullptr) return static_cast<Step>(order_.size()) - 1;
      at = next;
    }
    return program_.steps[at->id()];
  }

  // --- For the callers.

  void DescribeRoot() {
    const HloInstruction& root = computation_->root();
    for (int32_t i = 0; i < root.shape().node_count(); ++i) {
      const Content& content = ContentAt(root, i);
      Origin origin;
      if (content.is_constant) {
        origin.kind = Origin::kConstant;
      } else if (content.is_parameter) {
        origin.kind = Origin::kParameter;
        origin.parameter =
            static_cast<int32_t>(content.at.instruction->parameter_number());
        origin.ordinal = content.at.ordinal;
      }
      summary_.root.push_back(origin);
    }
  }

  Program& program_;
  const BufferAssignment& assignment_;
  Findings& findings_;
  const HloComputation* computation_;
  std::vector<const HloInstruction*> order_;
  std::vector<ContentId> contents_of_;  // by node
  std::vector<Content> contents_;
  std::map<Address, ContentId> needed_;
  const HloInstruction* uses_instruction_ = nullptr;
  Uses uses_;
  Summary summary_;
};

void FindParts(Program& program) {
  const BufferAssignment& assignment = program.assignment;
  for (const HloComputation* computation : assignment.module().computations()) {
    if (!assignment.dataflow().IsAnalyzed(computation->root())) continue;
    for (const HloInstruction& instruction : computation->instructions()) {
      if (!IsConcatBitcast(instruction)) continue;
      for (const HloInstruction* operand : instruction.operands()) {
        const AssignedValue& slice = program.SliceOf(*operand, 0);
        program.parts.insert({slice.allocation, slice.offset_bytes});
      }
    }
  }
}

// Constants are there from the start: nobody writes them, not even each other.
void CheckConstants(Program& program, Footprint written) {
  for (const auto& [at, slice] : program.constants) {
    if (slice.size_bytes == 0) continue;
    const Address begin = {slice.allocation, slice.offset_bytes};
    const int64_t end = slice.offset_bytes + slice.size_bytes;
    if (written.Touches(begin, end)) {
      program.findings.Overwritten(
          FindWriter(program, program.assignment.module().entry(), slice,
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
    program.summaries[computation->id()] =
        ComputationReplay(program, *computation).Run();
  }
  CheckConstants(program, program.summaries[module.entry().id()].written);
  return program.findings.Take();
}

}  // namespace ferry
