// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that take places at run time, or give some: slices, gathers.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"
#include "ferry/tests/random_hlo/scalar_callees.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

// A part of `x` in each dimension, at least one element where there is one.
Dims PartOf(RandomHloBuilder& b, const HloInstruction& x) {
  Dims dims;
  for (int64_t size : x.shape().dimensions()) {
    dims.push_back(size == 0 ? 0 : b.random().Between(1, size));
  }
  return dims;
}

// One scalar for each dimension.
void AppendStarts(RandomHloBuilder& b, size_t rank, Operands& operands) {
  const PrimitiveType type =
      b.random().Chance(80) ? PrimitiveType::kS32 : PrimitiveType::kU32;
  for (size_t i = 0; i < rank; ++i) operands.push_back(&b.ScalarValue(type));
}

void EmitDynamicSlice(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  const Dims dims = PartOf(b, x);
  Operands operands = {&x};
  AppendStarts(b, dims.size(), operands);
  // Slices do not go to the host by themselves, nor leave fast memory.
  const bool is_fast = x.shape().memory_space() == MemorySpace::kFast;
  const Shape& part = b.context().WithMemorySpace(
      b.Array(x.shape().element_type(), dims),
      is_fast ? MemorySpace::kFast : MemorySpace::kDefault);
  b.Add(opcode, part, operands,
        {.attributes = {{Kind::kDynamicSliceSizes, IntegersText(dims)}}});
}

void EmitDynamicUpdateSlice(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  const Dims dims = PartOf(b, x);
  HloInstruction& update = b.ArrayValue(x.shape().element_type(), dims);
  if (update.shape().memory_space() == MemorySpace::kFast &&
      x.shape().memory_space() != MemorySpace::kFast) {
    return;
  }
  Operands operands = {&x, &update};
  AppendStarts(b, dims.size(), operands);
  b.Add(opcode, x.shape(), operands);
}

void EmitTopk(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kIntegerTypes | kFloatTypes, 1);
  Dims dims(x.shape().dimensions().begin(), x.shape().dimensions().end());
  if (dims.back() == 0) return;
  dims.back() = b.random().Between(1, dims.back());
  b.Add(opcode,
        b.Tuple({&b.Array(x.shape().element_type(), dims),
                 &b.Array(PrimitiveType::kS32, dims)}),
        {&x},
        {.attributes = {
             {Kind::kK, absl::StrCat(dims.back())},
             {Kind::kLargest, b.random().Chance(70) ? "true" : "false"}}});
}

// Rows of x[n, ...] by one number each: indices s32[m] or s32[g, m] where the
// first dimension of both is a batch.
struct Rows {
  bool batched;
  HloInstruction* x;
  Dims window;   // sizes of a slice of x
  Dims indices;  // sizes of the indices
  Dims result;   // sizes of what is gathered or scattered
  Dims offsets;  // dimensions of the result that come from the slice
};

Rows SomeRows(RandomHloBuilder& b) {
  Rows rows;
  rows.batched = b.random().Chance(30);
  const int64_t first = rows.batched ? 1 : 0;
  rows.x = &b.SomeArray(kAllTypes, first + 1);
  Dims dims(rows.x->shape().dimensions().begin(),
            rows.x->shape().dimensions().end());
  while (dims[first] == 0) {
    rows.x = &b.ArrayValue(PrimitiveType::kF32, {2, 3, 2});
    dims = {2, 3, 2};
  }
  rows.window = dims;
  rows.window[first] = 1;
  if (rows.batched) {
    rows.window[0] = std::min<int64_t>(dims[0], 1);
    rows.indices.push_back(dims[0]);
  }
  rows.indices.push_back(b.random().Between(1, 4));
  rows.result = rows.indices;
  for (size_t i = first + 1; i < dims.size(); ++i) {
    rows.offsets.push_back(rows.result.size());
    rows.result.push_back(dims[i]);
  }
  return rows;
}

void EmitGather(RandomHloBuilder& b, HloOpcode opcode) {
  const Rows rows = SomeRows(b);
  HloInstruction& indices = b.ArrayValue(PrimitiveType::kS32, rows.indices);
  const std::string row = rows.batched ? "{1}" : "{0}";
  Details details{
      .attributes = {{Kind::kOffsetDims, IntegersText(rows.offsets)},
                     {Kind::kCollapsedSliceDims, row},
                     {Kind::kStartIndexMap, row},
                     {Kind::kIndexVectorDim, absl::StrCat(rows.indices.size())},
                     {Kind::kSliceSizes, IntegersText(rows.window)}}};
  if (rows.batched) {
    details.attributes.push_back({Kind::kOperandBatchingDims, "{0}"});
    details.attributes.push_back({Kind::kStartIndicesBatchingDims, "{0}"});
  }
  if (b.random().Chance(20)) {
    details.attributes.push_back({Kind::kIndicesAreSorted, "true"});
  }
  b.Add(opcode, b.Array(rows.x->shape().element_type(), rows.result),
        {rows.x, &indices}, std::move(details));
}

void EmitScatter(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const Rows rows = SomeRows(b);
  const PrimitiveType type = rows.x->shape().element_type();
  Operands inputs = {rows.x};
  if (b.random().Chance(20)) {
    inputs.push_back(&b.Value(rows.x->shape()));
  }
  Operands operands = inputs;
  operands.push_back(&b.ArrayValue(PrimitiveType::kS32, rows.indices));
  for (size_t i = 0; i < inputs.size(); ++i) {
    operands.push_back(&b.ArrayValue(type, rows.result));
  }
  const std::string row = rows.batched ? "{1}" : "{0}";
  Details details{
      .attributes = {{Kind::kUpdateWindowDims, IntegersText(rows.offsets)},
                     {Kind::kInsertedWindowDims, row},
                     {Kind::kScatterDimsToOperandDims, row},
                     {Kind::kIndexVectorDim,
                      absl::StrCat(rows.indices.size())}},
      .callees = {&AddCombiner(b, {inputs.size(), type})}};
  if (rows.batched) {
    details.attributes.push_back({Kind::kInputBatchingDims, "{0}"});
    details.attributes.push_back({Kind::kScatterIndicesBatchingDims, "{0}"});
  }
  if (b.random().Chance(20)) {
    details.attributes.push_back({Kind::kIndicesAreSorted, "true"});
  }
  if (b.random().Chance(20)) {
    details.attributes.push_back({Kind::kUniqueIndices, "true"});
  }
  b.Add(opcode, b.TupleUnlessOne(inputs), operands, std::move(details));
}

constexpr Emitter kEmitters[] = {
    {HloOpcode::kDynamicSlice, EmitDynamicSlice},
    {HloOpcode::kDynamicUpdateSlice, EmitDynamicUpdateSlice},
    {HloOpcode::kGather, EmitGather},
    {HloOpcode::kScatter, EmitScatter},
    {HloOpcode::kTopk, EmitTopk},
};

}  // namespace

absl::Span<const Emitter> IndexEmitters() { return kEmitters; }

}  // namespace ferry
