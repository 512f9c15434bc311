// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/content_flow.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/computation_storage.h"

namespace ferry {
namespace {

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
}  // namespace

bool IsSamePlace(const AssignedValue& a, const AssignedValue& b) {
  return a.allocation == b.allocation && a.offset_bytes == b.offset_bytes;
}

int32_t TupleElementOrdinal(const Shape& shape, int64_t element) {
  if (!shape.IsTuple() || element < 0 ||
      element >= static_cast<int64_t>(shape.tuple_shapes().size())) {
    return -1;
  }
  return shape.ElementOrdinal(element);
}

bool IsConcatBitcast(const HloInstruction& instruction) {
  return instruction.IsCustomCall("ConcatBitcast") &&
         !instruction.shape().IsTuple();
}

ContentProgram::ContentProgram(const BufferAssignment& assignment,
                               absl::Span<const AssignedValue> slices)
    : assignment(assignment),
      slices(slices),
      roots(assignment.module().computations().size()),
      first(assignment.module().id_limit()),
      steps(assignment.module().id_limit()) {
  const auto parameters = assignment.module().entry().parameters();
  for (const InputOutputAlias& alias :
       assignment.module().input_output_aliases()) {
    if (alias.parameter_number < 0 ||
        alias.parameter_number >= static_cast<int64_t>(parameters.size())) {
      continue;
    }
    const HloInstruction& parameter = *parameters[alias.parameter_number];
    const auto node = parameter.shape().OrdinalOf(alias.parameter_index);
    if (node.has_value()) given_away.insert({parameter.id(), *node});
  }
}

bool ContentProgram::RunsCallees(const HloInstruction& instruction) const {
  return HasTrait(instruction.opcode(), kRunsCallee) &&
         !instruction.called_computations().empty() &&
         assignment.dataflow().StorageOf(
             *instruction.called_computations()[0]) ==
             ComputationStorage::kGlobal;
}

ContentFlow::ContentFlow(ContentProgram& program,
                         const HloComputation& computation)
    : program_(program), computation_(&computation) {
  FindContents();
  FindLastReads();
  DescribeRoot();
}

void ContentFlow::FindContents() {
  size_t count = 0;
  for (const HloInstruction& instruction : computation_->instructions()) {
    program_.first[instruction.id()] = static_cast<uint32_t>(count);
    program_.steps[instruction.id()] = static_cast<ContentStep>(order_.size());
    order_.push_back(&instruction);
    count += instruction.shape().node_count();
  }
  contents_of_.resize(count);
  for (const HloInstruction* instruction : order_) {
    Define(*instruction);
  }
}

void ContentFlow::Write(const HloInstruction& instruction, int32_t ordinal) {
  At(instruction, ordinal) = static_cast<ContentId>(contents_.size());
  Content content;
  content.at = {&instruction, ordinal};
  content.slice = program_.SliceOf(instruction, ordinal);
  content.is_constant = instruction.opcode() == HloOpcode::kConstant;
  content.is_parameter = instruction.opcode() == HloOpcode::kParameter;
  contents_.push_back(std::move(content));
}

void ContentFlow::WriteNodes(const HloInstruction& instruction, int32_t from,
                             int32_t to) {
  for (int32_t i = from; i < to; ++i) Write(instruction, i);
}

void ContentFlow::WriteAll(const HloInstruction& instruction) {
  WriteNodes(instruction, 0, instruction.shape().node_count());
}

void ContentFlow::Forward(const HloInstruction& instruction, int32_t to,
                          int32_t count, const HloInstruction& source,
                          int32_t from) {
  if (from < 0 || from + count > source.shape().node_count()) {
    return WriteNodes(instruction, to, to + count);
  }
  for (int32_t i = 0; i < count; ++i) {
    At(instruction, to + i) = At(source, from + i);
  }
}

void ContentFlow::ForwardAll(const HloInstruction& instruction) {
  const HloInstruction& source = instruction.operand(0);
  Forward(
      instruction, 0, instruction.shape().node_count(), source,
      source.shape().node_count() == instruction.shape().node_count() ? 0 : -1);
}

void ContentFlow::ForwardElement(const HloInstruction& instruction,
                                 int64_t element) {
  const HloInstruction& source = instruction.operand(0);
  Forward(instruction, 0, instruction.shape().node_count(), source,
          TupleElementOrdinal(source.shape(), element));
}

void ContentFlow::ForwardOperands(const HloInstruction& instruction,
                                  int32_t ordinal, const Shape& shape) {
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

void ContentFlow::DefineStart(const HloInstruction& instruction,
                              size_t forwarded) {
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

void ContentFlow::Define(const HloInstruction& instruction) {
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
      const int32_t data = TupleElementOrdinal(instruction.shape(), 0);
      if (data < 0) return;
      return Forward(instruction, data,
                     instruction.shape().tuple_shapes()[0]->node_count(),
                     instruction.operand(0),
                     TupleElementOrdinal(instruction.operand(0).shape(), 0));
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

void ContentFlow::WriteTables(const HloInstruction& instruction) {
  for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
    if (walk.node().IsTuple()) Write(instruction, walk.ordinal());
  }
}

void ContentFlow::JoinParts(const HloInstruction& concat) {
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

void ContentFlow::DefineResults(const HloInstruction& caller) {
  if (!program_.RunsCallees(caller)) return;
  const bool is_async = caller.opcode() == HloOpcode::kAsyncStart;
  const int32_t result = is_async ? TupleElementOrdinal(caller.shape(), 1) : 0;
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

std::optional<ContentId> ContentFlow::ResultOf(const HloInstruction& caller,
                                               int32_t ordinal) {
  const auto callees = caller.called_computations();
  if (caller.opcode() == HloOpcode::kWhile) {
    const ContentOrigin origin = OriginOf(*callees.back(), ordinal);
    if (origin.kind != ContentOrigin::kParameter || origin.ordinal != ordinal) {
      return std::nullopt;
    }
    return At(caller.operand(0), ordinal);
  }
  std::optional<ContentId> common;
  for (size_t i = 0; i < callees.size(); ++i) {
    const ContentOrigin origin = OriginOf(*callees[i], ordinal);
    if (origin.kind == ContentOrigin::kConstant && callees.size() == 1) {
      contents_[At(caller, ordinal)].is_constant = true;
      return std::nullopt;
    }
    const size_t operand = caller.opcode() == HloOpcode::kConditional
                               ? i + 1
                               : static_cast<size_t>(origin.parameter);
    if (origin.kind != ContentOrigin::kParameter ||
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

ContentOrigin ContentFlow::OriginOf(const HloComputation& callee,
                                    int32_t ordinal) const {
  const std::vector<ContentOrigin>& root = program_.roots[callee.id()];
  if (ordinal >= static_cast<int32_t>(root.size())) return {};
  return root[ordinal];
}

void ContentFlow::Read(ContentId content, ContentStep step,
                       const HloInstruction* reader) {
  Content& c = contents_[content];
  if (step < c.last_read) return;
  c.last_read = step;
  c.reader = reader;
}

void ContentFlow::ReadAll(const HloInstruction& operand, ContentStep step,
                          const HloInstruction* reader) {
  for (int32_t i = 0; i < operand.shape().node_count(); ++i) {
    Read(At(operand, i), step, reader);
  }
}

void ContentFlow::FindLastReads() {
  for (size_t step = 0; step < order_.size(); ++step) {
    ReadOperands(*order_[step], static_cast<ContentStep>(step));
  }
  ReadAll(computation_->root(), kAfterAllSteps, nullptr);
  const bool is_condition = IsCondition();
  for (Content& content : contents_) {
    if (content.is_parameter && IsKept(content.at, is_condition)) {
      content.last_read = kAfterAllSteps;
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

bool ContentFlow::IsKept(const HloPosition& at, bool is_condition) const {
  if (!computation_->IsEntry()) return is_condition;
  return !program_.given_away.contains({at.instruction->id(), at.ordinal});
}

bool ContentFlow::IsCondition() const {
  for (const HloInstruction* caller : computation_->callers()) {
    if (caller->opcode() == HloOpcode::kWhile &&
        caller->called_computations()[0] == computation_) {
      return true;
    }
  }
  return false;
}

void ContentFlow::ReadOperands(const HloInstruction& instruction,
                               ContentStep step) {
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

void ContentFlow::ReadStarted(const HloInstruction& done, ContentStep step) {
  const HloInstruction& start = done.operand(0);
  const int32_t operands = TupleElementOrdinal(start.shape(), 0);
  const int32_t results = TupleElementOrdinal(start.shape(), 1);
  for (int32_t i = 0; i < start.shape().node_count(); ++i) {
    if (operands >= 0 && results >= 0 && i >= operands && i < results &&
        IsReplaced(start, i, results)) {
      continue;
    }
    Read(At(start, i), step, &done);
  }
}

bool ContentFlow::IsReplaced(const HloInstruction& start, int32_t operand,
                             int32_t results) {
  const Content& content = ContentAt(start, operand);
  if (content.at.instruction == &start) return false;
  const int32_t end = results + start.shape().tuple_shapes()[1]->node_count();
  for (int32_t i = results; i < end; ++i) {
    if (At(start, i) != At(start, operand) &&
        IsSamePlace(ContentAt(start, i).slice, content.slice)) {
      return true;
    }
  }
  return false;
}

void ContentFlow::DescribeRoot() {
  const HloInstruction& root = computation_->root();
  for (int32_t i = 0; i < root.shape().node_count(); ++i) {
    const Content& content = ContentAt(root, i);
    ContentOrigin origin;
    if (content.is_constant) {
      origin.kind = ContentOrigin::kConstant;
    } else if (content.is_parameter) {
      origin.kind = ContentOrigin::kParameter;
      origin.parameter =
          static_cast<int32_t>(content.at.instruction->parameter_number());
      origin.ordinal = content.at.ordinal;
    }
    program_.roots[computation_->id()].push_back(origin);
  }
}

}  // namespace ferry
