// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that call a computation on elements: reductions, sorts, maps.

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"
#include "ferry/tests/random_hlo/random_window.h"
#include "ferry/tests/random_hlo/scalar_callees.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

Dims DimsOf(const HloInstruction& x) {
  return Dims(x.shape().dimensions().begin(), x.shape().dimensions().end());
}

// `x` and sometimes others of the same sizes.
Operands Parallel(RandomHloBuilder& b, HloInstruction& x) {
  Operands operands = {&x};
  for (int64_t more = b.random().Chance(30) ? b.random().Between(1, 2) : 0;
       more > 0; --more) {
    operands.push_back(&b.ArrayValue(b.SomeType(kAllTypes), DimsOf(x)));
  }
  return operands;
}

std::vector<PrimitiveType> TypesOf(const Operands& operands) {
  std::vector<PrimitiveType> types;
  for (HloInstruction* operand : operands) {
    types.push_back(operand->shape().element_type());
  }
  return types;
}

// The inputs' initial values behind them, and results of `dims` for each.
void EmitReduction(RandomHloBuilder& b, HloOpcode opcode, Operands inputs,
                   const Dims& dims,
                   std::vector<std::pair<Kind, std::string>> attributes) {
  std::vector<const Shape*> results;
  Operands operands = inputs;
  for (PrimitiveType type : TypesOf(inputs)) {
    operands.push_back(&b.ScalarValue(type));
    results.push_back(&b.Array(type, dims));
  }
  b.Add(opcode, results.size() == 1 ? *results[0] : b.Tuple(results), operands,
        {.attributes = std::move(attributes),
         .callees = {&AddCombiner(b, TypesOf(inputs))}});
}

void EmitReduce(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  Dims reduced, dims;
  for (size_t i = 0; i < x.shape().dimensions().size(); ++i) {
    (b.random().Chance(50) ? reduced : dims).push_back(i);
  }
  for (int64_t& dimension : dims) dimension = x.shape().dimensions()[dimension];
  EmitReduction(b, opcode, Parallel(b, x), dims,
                {{Kind::kDimensions, IntegersText(reduced)}});
}

void EmitReduceWindow(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  const RandomWindow window = MakeRandomWindow(b.random(), DimsOf(x));
  EmitReduction(b, opcode, Parallel(b, x), window.result,
                {{Kind::kWindow, window.text}});
}

// Windows that cover the operand, without dilation.
void EmitSelectAndScatter(RandomHloBuilder& b, HloOpcode opcode) {
  const PrimitiveType type = b.SomeType(kIntegerTypes | kFloatTypes);
  Dims dims, source, sizes;
  for (int64_t i = b.random().Between(1, 3); i > 0; --i) {
    sizes.push_back(b.random().Between(1, 3));
    source.push_back(b.random().Between(1, 3));
    dims.push_back(sizes.back() * source.back());
  }
  HloInstruction& x = b.ArrayValue(type, dims);
  HloInstruction& from = b.ArrayValue(type, source);
  HloInstruction& start = b.ScalarValue(type);
  std::string window = absl::StrCat("{size=", absl::StrJoin(sizes, "x"));
  for (int64_t size : sizes) {
    if (size == 1) continue;
    absl::StrAppend(&window, " stride=", absl::StrJoin(sizes, "x"));
    break;
  }
  HloComputation& select = AddComparator(b, {type});
  HloComputation& scatter = AddCombiner(b, {type});
  b.Add(opcode, b.Array(type, dims), {&x, &from, &start},
        {.attributes = {{Kind::kWindow, absl::StrCat(window, "}")}},
         .callees = {&select, &scatter}});
}

void EmitMap(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  const Operands operands = Parallel(b, x);
  std::vector<const Shape*> scalars;
  for (PrimitiveType type : TypesOf(operands)) {
    scalars.push_back(&b.Scalar(type));
  }
  const PrimitiveType type = b.SomeType(kAllTypes);
  b.Begin("mapped", false);
  b.module().set_fusion_body(b.computation());
  b.AddParameters(scalars);
  HloComputation& callee = b.End(b.ScalarValue(type));
  Dims all;
  for (size_t i = 0; i < DimsOf(x).size(); ++i) all.push_back(i);
  b.Add(opcode, b.Array(type, DimsOf(x)), operands,
        {.attributes = {{Kind::kDimensions, IntegersText(all)}},
         .callees = {&callee}});
}

void EmitSort(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kIntegerTypes | kFloatTypes, 1);
  const Operands operands = Parallel(b, x);
  const int64_t along = b.random().Below(DimsOf(x).size());
  Details details{
      .attributes = {{Kind::kDimensions, absl::StrCat("{", along, "}")}},
      .callees = {&AddComparator(b, TypesOf(operands))}};
  if (b.random().Chance(40)) {
    details.attributes.push_back({Kind::kIsStable, "true"});
  }
  b.Add(opcode, b.TupleUnlessOne(operands), operands, std::move(details));
}

// One input, one carry: (slice, carry) -> (output, carry).
void EmitScan(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kNumberTypes, 1);
  const PrimitiveType type = x.shape().element_type();
  const int64_t along = b.random().Below(DimsOf(x).size());
  Dims slice = DimsOf(x);
  slice.erase(slice.begin() + along);
  HloInstruction& start = b.ArrayValue(type, slice);
  b.Begin("scanned", false);
  const Operands parameters = b.AddParameters({&start.shape(), &start.shape()});
  HloInstruction& sum = b.Add(HloOpcode::kAdd, start.shape(), parameters);
  HloComputation& callee = b.End(b.AddTuple({&sum, &sum}));
  Details details{
      .attributes = {{Kind::kDimensions, absl::StrCat("{", along, "}")},
                     {Kind::kNumCarries, "1"},
                     {Kind::kIsAssociative,
                      b.random().Chance(50) ? "true" : "false"}},
      .callees = {&callee}};
  if (b.random().Chance(40)) {
    details.attributes.push_back({Kind::kIsReverse, "true"});
  }
  b.Add(opcode, b.Tuple({&b.Array(type, DimsOf(x)), &start.shape()}),
        {&x, &start}, std::move(details));
}

template <void (*emit)(RandomHloBuilder&, HloOpcode)>
void IfCallable(RandomHloBuilder& b, HloOpcode opcode) {
  if (b.CanCall()) emit(b, opcode);
}

constexpr Emitter kEmitters[] = {
    {HloOpcode::kMap, IfCallable<EmitMap>},
    {HloOpcode::kReduce, IfCallable<EmitReduce>},
    {HloOpcode::kReduceWindow, IfCallable<EmitReduceWindow>},
    {HloOpcode::kScan, IfCallable<EmitScan>},
    {HloOpcode::kSelectAndScatter, IfCallable<EmitSelectAndScatter>},
    {HloOpcode::kSort, IfCallable<EmitSort>},
};

}  // namespace

absl::Span<const Emitter> CalleeEmitters() { return kEmitters; }

}  // namespace ferry
