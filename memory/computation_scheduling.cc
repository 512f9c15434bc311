// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/computation_scheduling.h"

#include <algorithm>

#include "ferry/hlo/check.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/buffer_takeovers.h"
#include "ferry/memory/schedule_tracker.h"
#include "ferry/memory/tiled_size.h"

namespace ferry {
namespace {

// Only as body of loops: its parameters are the loop's own results.
bool OwnsItsParameters(const HloComputation& computation) {
  const auto callers = computation.callers();
  return !callers.empty() &&
         std::all_of(
             callers.begin(), callers.end(), [&](const HloInstruction* caller) {
               return caller->opcode() == HloOpcode::kWhile &&
                      caller->called_computations()[1] == &computation &&
                      caller->called_computations()[0] != &computation;
             });
}

SchedulingNode::Urgency UrgencyOf(const HloInstruction& instruction) {
  using Urgency = SchedulingNode::Urgency;
  switch (instruction.opcode()) {
    case HloOpcode::kSendDone:
      return Urgency::kFirst;
    case HloOpcode::kOutfeed:
      return instruction.HasAttribute(HloAttributeKind::kOutfeedConfig)
                 ? Urgency::kFirst
                 : Urgency::kNormal;
    case HloOpcode::kInfeed:
      return instruction.HasAttribute(HloAttributeKind::kInfeedConfig)
                 ? Urgency::kLast
                 : Urgency::kNormal;
    default:
      break;
  }
  const Shape& shape = instruction.shape();
  const bool is_scalar =
      shape.IsArray() &&
      std::all_of(shape.dimensions().begin(), shape.dimensions().end(),
                  [](int64_t size) { return size == 1; });
  return is_scalar ? Urgency::kScalar : Urgency::kNormal;
}

}  // namespace

// One computation.
class ComputationScheduling::Builder {
 public:
  Builder(ComputationScheduling& all, const HloComputation& computation)
      : all_(all),
        computation_(computation),
        callee_(all.callees_[computation.id()]) {
    int32_t size = 0;
    for (const HloInstruction& instruction : computation.instructions()) {
      numbers_[&instruction] = size++;
    }
    nodes_.resize(size);
    positions_.resize(size);
  }

  SchedulingProblem Run() {
    for (const HloInstruction& instruction : computation_.instructions()) {
      number_ = numbers_.lookup(&instruction);
      node_ = &nodes_[number_];
      AddPredecessors(instruction);
      node_->urgency = UrgencyOf(instruction);
      node_->users = instruction.users().size();
      Define(instruction);
      AddReads(instruction);
    }
    Finish();
    SchedulingProblem problem(std::move(nodes_), std::move(buffers_));
    callee_.start_bytes = ScheduleTracker(problem).live_bytes();
    return problem;
  }

 private:
  void AddPredecessors(const HloInstruction& instruction) {
    const auto before = instruction.control_predecessors();
    for (size_t i = before.size(); i-- > 0;) {
      node_->predecessors.push_back(numbers_.lookup(before[i]));
    }
    for (const HloInstruction* operand : instruction.operands()) {
      node_->predecessors.push_back(numbers_.lookup(operand));
    }
  }

  const Positions& OperandPositions(const HloInstruction& instruction,
                                    int64_t operand) const {
    return positions_[numbers_.lookup(&instruction.operand(operand))];
  }

  int32_t NewBuffer(const Shape& node, int32_t definer) {
    const int64_t bytes = all_.BytesOf(node);
    if (bytes == 0) return kNoBuffer;
    SchedulingBuffer buffer;
    buffer.bytes = bytes;
    buffer.definer = definer;
    buffers_.push_back(buffer);
    return buffers_.size() - 1;
  }

  void DefineAll(const HloInstruction& instruction, int32_t definer) {
    Positions& positions = positions_[number_];
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      positions.push_back(NewBuffer(walk.node(), definer));
    }
  }

  // Overwrites the nodes from `to` on with those of `from`, as many as that has
  // from `first` on and `count` allows.
  void Forward(int32_t to, const Positions& from, int32_t first,
               int32_t count) {
    Positions& positions = positions_[number_];
    for (int32_t i = 0; i < count; ++i) {
      if (to + i >= static_cast<int32_t>(positions.size()) ||
          first + i >= static_cast<int32_t>(from.size())) {
        return;
      }
      positions[to + i] = from[first + i];
    }
  }

  void ForwardOperand(const HloInstruction& instruction) {
    positions_[number_] = OperandPositions(instruction, 0);
    positions_[number_].resize(instruction.shape().node_count(), kNoBuffer);
  }

  // Element `element` of operand 0 is the result.
  void ForwardElement(const HloInstruction& instruction, int64_t element) {
    const Shape& from = instruction.operand(0).shape();
    positions_[number_].assign(instruction.shape().node_count(), kNoBuffer);
    if (element >= static_cast<int64_t>(from.tuple_shapes().size())) return;
    Forward(0, OperandPositions(instruction, 0), from.ElementOrdinal(element),
            from.tuple_shapes()[element]->node_count());
  }

  // What stands at the nodes `forwards` says is not defined here.
  template <typename Forwarded>
  void DefineOthers(const HloInstruction& instruction, Forwarded forwarded) {
    Positions& positions = positions_[number_];
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      const int32_t known = forwarded(walk.ordinal());
      positions.push_back(known != kNoBuffer ? known
                                             : NewBuffer(walk.node(), number_));
    }
  }

  void Define(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kConstant:
        positions_[number_].assign(instruction.shape().node_count(), kNoBuffer);
        return;
      case HloOpcode::kParameter:
        return DefineParameter(instruction);
      case HloOpcode::kTuple:
        return DefineTuple(instruction);
      case HloOpcode::kGetTupleElement:
        return ForwardElement(instruction, instruction.tuple_index());
      case HloOpcode::kBitcast:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
      case HloOpcode::kOptBarrier:
      case HloOpcode::kAllReduceDone:
      case HloOpcode::kAsyncUpdate:
        return ForwardOperand(instruction);
      case HloOpcode::kCopyDone:
        return ForwardElement(instruction, 0);
      case HloOpcode::kAsyncDone:
      case HloOpcode::kAllGatherDone:
      case HloOpcode::kCollectivePermuteDone:
        return ForwardElement(instruction, 1);
      case HloOpcode::kWhile:
        return DefineWhile(instruction);
      case HloOpcode::kCall:
        return DefineCall(instruction);
      default:
        break;
    }
    DefineStartsAndOthers(instruction);
  }

  void DefineStartsAndOthers(const HloInstruction& instruction) {
    DefineAllBut(instruction);
    switch (instruction.opcode()) {
      case HloOpcode::kConditional:
        for (const HloComputation* branch : instruction.called_computations()) {
          node_->instead_bytes = std::max(
              node_->instead_bytes, all_.callees_[branch->id()].needed_bytes);
        }
        return;
      case HloOpcode::kAsyncStart:
        if (!instruction.called_computations().empty()) {
          node_->instead_bytes =
              all_.callees_[instruction.called_computations()[0]->id()]
                  .needed_bytes;
        }
        return;
      default:
        AddTakeovers(instruction);
    }
  }

  // Element that the operands of a start stand at; -1 for everything else.
  static int64_t ElementOfOperands(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kAsyncStart:
      case HloOpcode::kSend:
      case HloOpcode::kRecvDone:
      case HloOpcode::kAllGatherStart:
      case HloOpcode::kCollectivePermuteStart:
        return 0;
      case HloOpcode::kCopyStart:
        return 1;
      default:
        return -1;
    }
  }

  // The operand into which an asynchronous dynamic-update-slice writes: it lives
  // until the end, so nothing is taken over, and both are one buffer. -1 for
  // everything else.
  static int64_t AsyncUpdateOf(const HloInstruction& start) {
    if (start.opcode() != HloOpcode::kAsyncStart ||
        start.called_computations().empty() ||
        start.shape().tuple_shapes().size() < 2) {
      return -1;
    }
    const HloInstruction& root = start.called_computations()[0]->root();
    if (root.opcode() != HloOpcode::kDynamicUpdateSlice ||
        root.operand(0).opcode() != HloOpcode::kParameter) {
      return -1;
    }
    return root.operand(0).parameter_number();
  }

  // Starts hand their operands on; the rest of the result is theirs.
  void DefineAllBut(const HloInstruction& instruction) {
    const Shape& shape = instruction.shape();
    const int64_t element = ElementOfOperands(instruction);
    if (element < 0 || !shape.IsTuple() ||
        element >= static_cast<int64_t>(shape.tuple_shapes().size())) {
      return DefineAll(instruction, number_);
    }
    Positions known(shape.node_count(), kNoBuffer);
    const int32_t at = shape.ElementOrdinal(element);
    const auto put = [&](int32_t to, const Positions& from) {
      for (size_t i = 0; i < from.size() && to + i < known.size(); ++i) {
        known[to + i] = from[i];
      }
    };
    const Shape& held = *shape.tuple_shapes()[element];
    const bool is_list = instruction.opcode() == HloOpcode::kAsyncStart ||
                         (HasTrait(instruction.opcode(), kCollective) &&
                          instruction.operands().size() > 1);
    if (!is_list) {
      const Positions& from = OperandPositions(instruction, 0);
      // recv-done: element 0 of what recv gave.
      const bool is_inner = instruction.opcode() == HloOpcode::kRecvDone;
      put(at, is_inner
                  ? Positions(from.begin() + std::min<size_t>(1, from.size()),
                              from.end())
                  : from);
      for (int32_t i = at + held.node_count();
           i < static_cast<int32_t>(known.size()); ++i) {
        known[i] = kNoBuffer;
      }
    } else if (held.IsTuple() &&
               held.tuple_shapes().size() <= instruction.operands().size()) {
      for (size_t i = 0; i < held.tuple_shapes().size(); ++i) {
        put(at + held.ElementOrdinal(i), OperandPositions(instruction, i));
      }
    }
    const int64_t updated = AsyncUpdateOf(instruction);
    if (updated >= 0) {
      put(shape.ElementOrdinal(1), OperandPositions(instruction, updated));
    }
    DefineOthers(instruction, [&](int32_t ordinal) { return known[ordinal]; });
  }

  void DefineParameter(const HloInstruction& parameter) {
    DefineAll(parameter, SchedulingBuffer::kAtStart);
    for (int32_t buffer : positions_[number_]) {
      if (buffer == kNoBuffer) continue;
      buffers_[buffer].is_parameter = true;
      buffers_[buffer].lives_out = !OwnsItsParameters(computation_);
    }
    if (computation_.IsEntry()) {
      for (const InputOutputAlias& alias :
           all_.module_.input_output_aliases()) {
        if (alias.parameter_number != parameter.parameter_number()) continue;
        const auto ordinal = parameter.shape().OrdinalOf(alias.parameter_index);
        if (!ordinal.has_value()) continue;
        const int32_t buffer = positions_[number_][*ordinal];
        if (buffer != kNoBuffer) buffers_[buffer].lives_out = false;
      }
    }
  }

  void DefineTuple(const HloInstruction& tuple) {
    positions_[number_].push_back(NewBuffer(tuple.shape(), number_));
    for (size_t i = 0; i < tuple.operands().size(); ++i) {
      const Positions& from = OperandPositions(tuple, i);
      positions_[number_].insert(positions_[number_].end(), from.begin(),
                                 from.end());
    }
  }

  // A slot that the body hands on is the operand's; the others are new, and
  // may take its place.
  void DefineWhile(const HloInstruction& loop) {
    const Positions& initial = OperandPositions(loop, 0);
    const Callee& condition = Called(loop, 0);
    const Callee& body = Called(loop, 1);
    DefineOthers(loop, [&](int32_t ordinal) {
      const bool is_unchanged =
          ordinal < static_cast<int32_t>(body.root.size()) &&
          body.root[ordinal].parameter == 0 &&
          body.root[ordinal].ordinal == ordinal;
      return is_unchanged ? initial[ordinal] : kNoBuffer;
    });
    for (size_t i = 0; i < positions_[number_].size(); ++i) {
      AddTakeover(positions_[number_][i], initial[i]);
    }
    node_->beside_bytes = std::max(condition.needed_bytes, body.needed_bytes);
  }

  void DefineCall(const HloInstruction& call) {
    const Callee& callee = Called(call, 0);
    DefineOthers(call, [&](int32_t ordinal) -> int32_t {
      if (ordinal >= static_cast<int32_t>(callee.root.size())) return kNoBuffer;
      const RootSource& source = callee.root[ordinal];
      if (source.parameter < 0) return kNoBuffer;
      return OperandPositions(call, source.parameter)[source.ordinal];
    });
    node_->instead_bytes = callee.needed_bytes;
  }

  const Callee& Called(const HloInstruction& caller, int64_t role) const {
    return all_.callees_[caller.called_computations()[role]->id()];
  }

  void AddTakeover(int32_t defined, int32_t read) {
    if (defined == kNoBuffer || read == kNoBuffer || defined == read) return;
    if (buffers_[defined].definer != number_) return;
    node_->takeovers.push_back({defined, read});
  }

  void AddTakeovers(const HloInstruction& instruction) {
    ForEachTakeover(instruction, [&](int32_t ordinal, int64_t operand,
                                     int32_t operand_ordinal) {
      AddTakeover(positions_[number_][ordinal],
                  OperandPositions(instruction, operand)[operand_ordinal]);
    });
  }

  // tuple and what only forwards read nothing; get-tuple-element the table.
  void AddReads(const HloInstruction& instruction) {
    std::vector<int32_t>& reads = node_->reads;
    switch (instruction.opcode()) {
      case HloOpcode::kTuple:
      case HloOpcode::kBitcast:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
      case HloOpcode::kOptBarrier:
        return;
      case HloOpcode::kGetTupleElement:
        reads.push_back(OperandPositions(instruction, 0)[0]);
        break;
      default:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          const Positions& positions = OperandPositions(instruction, i);
          reads.insert(reads.end(), positions.begin(), positions.end());
        }
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    if (!reads.empty() && reads.front() == kNoBuffer) {
      reads.erase(reads.begin());
    }
  }

  void Finish() {
    llvm::DenseMap<int32_t, RootSource> parameters;
    for (const HloInstruction* parameter : computation_.parameters()) {
      const Positions& positions = positions_[numbers_.lookup(parameter)];
      for (size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] == kNoBuffer) continue;
        parameters[positions[i]] = {parameter->parameter_number(),
                                    static_cast<int32_t>(i)};
      }
    }
    const Positions& root = positions_[numbers_.lookup(&computation_.root())];
    callee_.root.assign(root.size(), {});
    for (size_t i = 0; i < root.size(); ++i) {
      if (root[i] == kNoBuffer) continue;
      buffers_[root[i]].lives_out = true;
      const auto source = parameters.find(root[i]);
      if (source != parameters.end()) callee_.root[i] = source->second;
    }
  }

  ComputationScheduling& all_;
  const HloComputation& computation_;
  Callee& callee_;
  llvm::DenseMap<const HloInstruction*, int32_t> numbers_;
  std::vector<SchedulingNode> nodes_;
  std::vector<SchedulingBuffer> buffers_;
  std::vector<Positions> positions_;  // by node
  // The instruction that is looked at.
  int32_t number_ = 0;
  SchedulingNode* node_ = nullptr;
};

ComputationScheduling::ComputationScheduling(const HloModule& module,
                                             const MemoryTarget& target,
                                             MemorySpace space)
    : module_(module),
      target_(target),
      space_(space),
      callees_(module.computations().size()) {}

SchedulingProblem ComputationScheduling::Build(
    const HloComputation& computation) {
  return Builder(*this, computation).Run();
}

void ComputationScheduling::set_peak(const HloComputation& computation,
                                     int64_t peak_bytes) {
  Callee& callee = callees_[computation.id()];
  callee.needed_bytes = peak_bytes - callee.start_bytes;
}

// Tables of tuples are in the default memory.
int64_t ComputationScheduling::BytesOf(const Shape& node) {
  const auto [known, is_new] = bytes_.try_emplace(&node, 0);
  if (!is_new) return known->second;
  const bool is_there = node.IsArray()
                            ? node.memory_space() == space_
                            : node.IsTuple() && space_ == MemorySpace::kDefault;
  if (is_there) known->second = GetTiledSize(node, target_).bytes.ToInt64();
  return known->second;
}

}  // namespace ferry
