// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The part of InstructionBuilder that looks at the shapes of results and
// operands. Of most instructions XLA's reader believes them, and so do we: the
// verifier compares. But of some it makes the result itself, and of a few it
// dies where the shapes have no such parts as it reads.

#include <algorithm>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/instruction_builder.h"
#include "ferry/hlo/integer_list.h"

namespace ferry {
namespace {

// What XLA takes the dimensions from: an array, or the array in a buffer. Null
// for anything else.
const Shape* ArrayIn(const Shape& shape) {
  if (shape.IsArray()) return &shape;
  return shape.element_type() == PrimitiveType::kBuffer
             ? shape.tuple_shapes()[0]
             : nullptr;
}

// Unbounded dimensions do not count; a product beyond 2^64 wraps.
uint64_t StaticElementCount(const Shape& array) {
  uint64_t count = 1;
  for (int64_t size : array.dimensions()) {
    if (size != kUnboundedDimension) count *= static_cast<uint64_t>(size);
  }
  return count;
}

bool HasUnboundedDimension(const Shape& shape) {
  const auto sizes = shape.dimensions();
  return std::find(sizes.begin(), sizes.end(), kUnboundedDimension) !=
         sizes.end();
}

}  // namespace

// Of a broadcast without a shape, XLA takes `dimensions` for sizes to put in
// front of the operand's.
bool InstructionBuilder::InferBroadcast(InstructionDraft& draft) {
  const Shape& operand = draft.operands[0]->shape();
  absl::InlinedVector<int64_t, 6> sizes =
      ReadIntegers(draft.text(HloAttributeKind::kDimensions))
          .value_or(absl::InlinedVector<int64_t, 6>());
  if (!operand.IsArray() || HasUnboundedDimension(operand) ||
      std::any_of(sizes.begin(), sizes.end(),
                  [](int64_t size) { return size < 0; })) {
    return reader_.Fail(
        DiagnosticCode::kShapeMismatchInText, draft.opcode_offset,
        "failed to infer shape for opcode: broadcast, error: the operand must "
        "be an array without unbounded dimensions, and no size be negative.");
  }
  absl::InlinedVector<bool, 6> dynamic(sizes.size(), false);
  for (size_t i = 0; i < operand.dimensions().size(); ++i) {
    sizes.push_back(operand.dimensions()[i]);
    dynamic.push_back(operand.is_dynamic_dimension(i));
  }
  HloContext& context = module_.context();
  draft.shape =
      &context.GetArrayShape(operand.element_type(), sizes,
                             &context.GetDefaultLayout(sizes.size()), dynamic);
  inferred_nodes_ += sizes.size();  // each may have one more than the last
  return CountInferredNodes(draft);
}

bool InstructionBuilder::RecomputeShape(InstructionDraft& draft) {
  if (draft.sugar == InstructionDraft::Sugar::kStart) {
    draft.wrapped_shape = ResultShape(draft, *draft.shape->tuple_shapes()[1]);
    return draft.wrapped_shape != nullptr;
  }
  draft.shape = ResultShape(draft, *draft.shape);
  return draft.shape != nullptr;
}

// XLA's reader takes little of what the text says of these: the data of recv
// and infeed. Null after an error.
const Shape* InstructionBuilder::ResultShape(const InstructionDraft& draft,
                                             const Shape& declared) {
  HloContext& context = module_.context();
  const auto token = [&]() -> const Shape& {
    return context.GetShapeWithoutElements(PrimitiveType::kToken);
  };
  const auto u32 = [&]() -> const Shape& {
    return context.GetArrayShape(PrimitiveType::kU32, {},
                                 &context.GetDefaultLayout(0));
  };
  const auto first_element = [&](const Shape& shape) -> const Shape* {
    if (shape.IsTuple() && !shape.tuple_shapes().empty()) {
      return shape.tuple_shapes()[0];
    }
    reader_.BadValue(draft.opcode_offset,
                     absl::StrCat(draft.opcode_text,
                                  " must have a non-empty tuple shape, not ",
                                  shape.ToString()));
    return nullptr;
  };
  switch (draft.rules()) {
    case HloOpcode::kSend:
      return &context.GetTupleShape(
          {&draft.operands[0]->shape(), &u32(), &token()});
    case HloOpcode::kRecv: {
      const Shape* data = first_element(declared);
      if (data == nullptr) return nullptr;
      return &context.GetTupleShape({data, &u32(), &token()});
    }
    case HloOpcode::kRecvDone: {
      const Shape* data = first_element(draft.operands[0]->shape());
      if (data == nullptr) return nullptr;
      return &context.GetTupleShape({data, &token()});
    }
    case HloOpcode::kInfeed: {
      const Shape* data = first_element(declared);
      if (data == nullptr) return nullptr;
      return &context.GetTupleShape({data, &token()});
    }
    case HloOpcode::kAfterAll:
    case HloOpcode::kSendDone:
    case HloOpcode::kOutfeed:
      return &token();
    case HloOpcode::kAddDependency:
      return &draft.operands[0]->shape();
    default:
      return &declared;
  }
}

bool InstructionBuilder::CheckShape(const InstructionDraft& draft) {
  const auto refuse = [&](absl::string_view what, const Shape& shape) {
    return reader_.BadValue(
        draft.opcode_offset,
        absl::StrCat(draft.opcode_text, what, ", not ", shape.ToString()));
  };
  const Shape& shape = draft.result();
  const size_t count = draft.operands.size();
  switch (draft.rules()) {
    case HloOpcode::kTuple:
      if (draft.sugar == InstructionDraft::Sugar::kStart ||
          (shape.IsTuple() && shape.tuple_shapes().size() == count)) {
        return true;
      }
      return reader_.errors.Add(
          DiagnosticCode::kOperandCount, draft.opcode_offset,
          {std::string(draft.opcode_text),
           absl::StrCat(shape.IsTuple() ? shape.tuple_shapes().size() : 0),
           absl::StrCat(count)});
    case HloOpcode::kPartitionId:
    case HloOpcode::kReplicaId:
      return (shape.element_type() == PrimitiveType::kU32 &&
              shape.dimensions().empty()) ||
             refuse(" must have the shape u32[]", shape);
    case HloOpcode::kMap:
      return ArrayIn(shape) != nullptr || refuse(" must make an array", shape);
    case HloOpcode::kCompare:
      return ArrayIn(draft.operands[0]->shape()) != nullptr ||
             refuse(" must have arrays", draft.operands[0]->shape());
    case HloOpcode::kCopy:
      return shape.element_type() != PrimitiveType::kOpaque ||
             refuse(" must make a value that has bytes", shape);
    case HloOpcode::kReshape:
    case HloOpcode::kDynamicReshape:
      return CheckReshape(draft);
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kDynamicUpdateSlice:
      return CheckIndices(draft);
    default:
      return true;
  }
}

bool InstructionBuilder::CheckReshape(const InstructionDraft& draft) {
  const Shape& from = draft.operands[0]->shape();
  const Shape* data = ArrayIn(from);
  const Shape* result = ArrayIn(draft.result());
  const bool is_dynamic = draft.rules() == HloOpcode::kDynamicReshape;
  const bool fits = data != nullptr && result != nullptr &&
                    (StaticElementCount(*data) == StaticElementCount(*result) ||
                     (!is_dynamic && HasUnboundedDimension(*data)));
  if (!fits) {
    return reader_.Fail(
        DiagnosticCode::kShapeMismatchInText, draft.opcode_offset,
        absl::StrCat("a ", draft.opcode_text,
                     " keeps the number of elements, but the operand is ",
                     from.ToString(), " and the result ",
                     draft.result().ToString()));
  }
  const size_t sizes = draft.operands.size() - 1;
  if (!is_dynamic || sizes == result->dimensions().size()) return true;
  return reader_.errors.Add(
      DiagnosticCode::kOperandCount, draft.opcode_offset,
      {std::string(draft.opcode_text),
       absl::StrCat(result->dimensions().size() + 1), absl::StrCat(sizes + 1)});
}

// Behind the data of dynamic-slice and dynamic-update-slice: one scalar for
// each dimension, or all of them in one vector.
bool InstructionBuilder::CheckIndices(const InstructionDraft& draft) {
  const size_t data = draft.rules() == HloOpcode::kDynamicSlice ? 1 : 2;
  const size_t count = draft.operands.size();
  const auto array = [&](size_t operand) {
    const Shape* shape = ArrayIn(draft.operands[operand]->shape());
    if (shape == nullptr) {
      reader_.BadValue(
          draft.opcode_offset,
          absl::StrCat(draft.opcode_text, " must have arrays, not ",
                       draft.operands[operand]->shape().ToString()));
    }
    return shape;
  };
  const Shape* sliced = array(0);
  if (sliced == nullptr) return false;
  if (count == data + 1) {
    const Shape* index = array(data);
    if (index == nullptr) return false;
    if (index->dimensions().size() == 1) return true;
  }
  const size_t needed = data + sliced->dimensions().size();
  if (count == needed) return true;
  return reader_.errors.Add(DiagnosticCode::kOperandCount, draft.opcode_offset,
                            {std::string(draft.opcode_text),
                             absl::StrCat(needed), absl::StrCat(count)});
}

}  // namespace ferry
