// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_CONTENT_FLOW_H_
#define FERRY_MEMORY_CONTENT_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/hlo/shape.h"
#include "ferry/memory/buffer_assignment.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {

// A place in the order of one computation.
using ContentStep = int64_t;
inline constexpr ContentStep kBeforeAllSteps = -1;
inline constexpr ContentStep kAfterAllSteps = INT64_MAX;

using ContentId = uint32_t;

// What some instruction of a computation puts into bytes, and how long it is
// needed there.
struct Content {
  HloPosition at;
  AssignedValue slice;
  bool is_constant = false;
  bool is_parameter = false;
  // The last step that reads it, and who; kAfterAllSteps and null if it must be
  // there when the computation is left.
  ContentStep last_read = kBeforeAllSteps;
  const HloInstruction* reader = nullptr;
  // Made of these without moving a byte; empty if its bytes are its own.
  std::vector<ContentId> parts;
};

// What arrives at a node of a root.
struct ContentOrigin {
  enum Kind : uint8_t { kWritten, kParameter, kConstant } kind = kWritten;
  int32_t parameter = 0;
  int32_t ordinal = 0;
};

// A program whose computations are looked at one after another, callees first.
struct ContentProgram {
  ContentProgram(const BufferAssignment& assignment,
                 absl::Span<const AssignedValue> slices);

  const AssignedValue& SliceOf(const HloInstruction& instruction,
                               int32_t ordinal) const {
    return slices[assignment.dataflow().ValueAt(instruction, ordinal)];
  }
  // Whether the instruction runs computations that were looked at.
  bool RunsCallees(const HloInstruction& instruction) const;

  const BufferAssignment& assignment;
  absl::Span<const AssignedValue> slices;  // by ValueId
  // By ComputationId: what arrives at the nodes of its root.
  std::vector<std::vector<ContentOrigin>> roots;
  std::vector<uint32_t> first;     // by InstructionId: the node {}
  std::vector<ContentStep> steps;  // by InstructionId
  // Nodes of entry parameters.
  llvm::DenseSet<std::pair<InstructionId, int32_t>> given_away;
};

// Which contents are at the nodes of one computation: a new one where bytes are
// written, that of another node where they are only handed on. An own idea of
// HloDataflowAnalysis and HloLiveRange, for what checks them.
//
// Linear in nodes. Tested by overwritten_buffers_test.cc.
class ContentFlow {
 public:
  // Sets `first` and `steps` of the computation's instructions, and `roots`.
  ContentFlow(ContentProgram& program, const HloComputation& computation);

  // The computation in its order.
  absl::Span<const HloInstruction* const> order() const { return order_; }
  // In the order of the instructions that make them.
  std::vector<Content>& contents() { return contents_; }

  ContentId& At(const HloInstruction& instruction, int32_t ordinal = 0) {
    return contents_of_[program_.first[instruction.id()] + ordinal];
  }
  const Content& ContentAt(const HloInstruction& instruction,
                           int32_t ordinal = 0) {
    return contents_[At(instruction, ordinal)];
  }

 private:
  void FindContents();
  void Write(const HloInstruction& instruction, int32_t ordinal);
  void WriteNodes(const HloInstruction& instruction, int32_t from, int32_t to);
  void WriteAll(const HloInstruction& instruction);
  // `count` nodes from `to` on have the contents of those of `source` from
  // `from` on; if there are not so many, they are written.
  void Forward(const HloInstruction& instruction, int32_t to, int32_t count,
               const HloInstruction& source, int32_t from);
  void ForwardAll(const HloInstruction& instruction);
  void ForwardElement(const HloInstruction& instruction, int64_t element);
  // The nodes from `ordinal` on, a table and its elements, hold the operands.
  void ForwardOperands(const HloInstruction& instruction, int32_t ordinal,
                       const Shape& shape);
  // A tuple, of which element `forwarded` is the operand, or all of them.
  void DefineStart(const HloInstruction& instruction, size_t forwarded);
  void Define(const HloInstruction& instruction);
  void WriteTables(const HloInstruction& instruction);
  // Of a result that is what its parts are, if they stand so.
  void JoinParts(const HloInstruction& concat);
  // The results that called computations only hand on.
  void DefineResults(const HloInstruction& caller);
  // The one thing that every callee hands on as node `ordinal`.
  std::optional<ContentId> ResultOf(const HloInstruction& caller,
                                    int32_t ordinal);
  ContentOrigin OriginOf(const HloComputation& callee, int32_t ordinal) const;
  void Read(ContentId content, ContentStep step, const HloInstruction* reader);
  void ReadAll(const HloInstruction& operand, ContentStep step,
               const HloInstruction* reader);
  void FindLastReads();
  // Whether a parameter must be there when the computation is left: it is the
  // caller's, or the state of a loop, which the body wants after the condition.
  bool IsKept(const HloPosition& at, bool is_condition) const;
  bool IsCondition() const;
  void ReadOperands(const HloInstruction& instruction, ContentStep step);
  // What was begun is there until it is done, but for operands over which the
  // results are written.
  void ReadStarted(const HloInstruction& done, ContentStep step);
  bool IsReplaced(const HloInstruction& start, int32_t operand,
                  int32_t results);
  void DescribeRoot();

  ContentProgram& program_;
  const HloComputation* computation_;
  std::vector<const HloInstruction*> order_;
  std::vector<ContentId> contents_of_;  // by node
  std::vector<Content> contents_;
};

// Whether both start at the same byte.
bool IsSamePlace(const AssignedValue& a, const AssignedValue& b);

// The ordinal of a tuple element; -1 if there is none.
int32_t TupleElementOrdinal(const Shape& shape, int64_t element);

// The custom call of the TPU compiler that names neighbouring arrays as one.
bool IsConcatBitcast(const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_MEMORY_CONTENT_FLOW_H_
