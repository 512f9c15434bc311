// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that move data: tuples, reshapes, broadcasts, pads, ...

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

Dims DimsOf(const HloInstruction& x) {
  return Dims(x.shape().dimensions().begin(), x.shape().dimensions().end());
}

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

// Other sizes with the same product.
Dims Regroup(RandomHloBuilder& b, Dims dims) {
  b.random().Shuffle(dims);
  if (dims.size() >= 2 && b.random().Chance(60)) {
    dims[0] *= dims[1];
    dims.erase(dims.begin() + 1);
  } else if (dims.size() < 6) {
    dims.insert(dims.begin() + b.random().Below(dims.size() + 1), 1);
  }
  return dims;
}

void EmitConstant(RandomHloBuilder& b, HloOpcode) {
  const PrimitiveType type = b.SomeType(kAllTypes);
  Dims dims = b.SomeDims(0, 5);
  while (Product(dims) > 40) dims.pop_back();
  const Shape& shape = b.Array(type, dims);
  if (b.random().Chance(10)) {
    const Shape& tuple = b.Tuple({&shape, &b.Scalar(PrimitiveType::kS32)});
    b.Constant(tuple, RandomLiteral(b.random(), tuple));
    return;
  }
  b.Constant(shape, RandomLiteral(b.random(), shape));
}

void EmitParameter(RandomHloBuilder& b, HloOpcode) {
  if (b.depth() == 1) b.Value(b.Array(b.SomeType(kAllTypes), b.SomeDims(0, 4)));
}

void EmitIota(RandomHloBuilder& b, HloOpcode opcode) {
  const Dims dims = b.SomeDims(1, 4);
  const int64_t dimension = b.random().Below(dims.size());
  b.Add(opcode, b.Array(b.SomeType(kNumberTypes), dims), {},
        {.attributes = {{Kind::kIotaDimension, absl::StrCat(dimension)}}});
}

void EmitTuple(RandomHloBuilder& b, HloOpcode) {
  Operands operands;
  for (int64_t i = b.random().Below(8); i > 0; --i) {
    operands.push_back(&b.SomeValue());
  }
  b.AddTuple(operands);
}

void EmitGetTupleElement(RandomHloBuilder& b, HloOpcode) {
  HloInstruction* tuple = &b.SomeValue();
  if (!tuple->shape().IsTuple() || tuple->shape().tuple_shapes().empty() ||
      tuple->opcode() == HloOpcode::kAsyncStart ||
      tuple->opcode() == HloOpcode::kAsyncUpdate ||
      tuple->opcode() == HloOpcode::kCopyStart) {
    tuple = &b.AddTuple({&b.SomeValue(), &b.SomeArray(kAllTypes)});
  }
  b.AddElement(*tuple, b.random().Below(tuple->shape().tuple_shapes().size()));
}

// The same bytes under another shape: plain layouts on both sides.
void EmitBitcast(RandomHloBuilder& b, HloOpcode opcode) {
  const PrimitiveType type = b.SomeType(kAllTypes);
  const Dims dims = b.SomeDims(1, 4);
  const Dims other = Regroup(b, dims);
  const auto plain = [&](const Dims& sizes) -> const Shape& {
    return b.context().GetArrayShape(
        type, sizes, &b.context().GetDefaultLayout(sizes.size()));
  };
  HloInstruction& x = b.Value(plain(dims));
  b.Add(opcode, plain(other), {&x});
}

void EmitReshape(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  const Dims dims = Regroup(b, DimsOf(x));
  Details details;
  if (!dims.empty() && b.options().dynamic_dimensions && b.random().Chance(8)) {
    details.attributes.push_back({Kind::kInferredDimension,
                                  absl::StrCat(b.random().Below(dims.size()))});
  }
  b.Add(opcode, b.Array(x.shape().element_type(), dims), {&x},
        std::move(details));
}

void EmitDynamicReshape(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.options().dynamic_dimensions) return;
  HloInstruction& x = b.SomeArray(kAllTypes, 1, 3);
  const Dims dims = Regroup(b, DimsOf(x));
  Operands operands = {&x};
  for (size_t i = 0; i < dims.size(); ++i) {
    operands.push_back(&b.ScalarValue(PrimitiveType::kS32));
  }
  bool dynamic[16] = {};
  for (size_t i = 0; i < dims.size(); ++i) dynamic[i] = b.random().Chance(60);
  b.Add(opcode,
        b.Array(x.shape().element_type(), dims,
                absl::MakeConstSpan(dynamic, dims.size())),
        operands);
}

void EmitBroadcast(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 0, 3);
  Dims dims = DimsOf(x);
  Dims places(dims.size());
  std::iota(places.begin(), places.end(), 0);
  for (int64_t more = b.random().Between(dims.empty(), 2); more > 0; --more) {
    const int64_t at = b.random().Below(dims.size() + 1);
    dims.insert(dims.begin() + at, b.random().Between(1, 4));
    for (int64_t& place : places) place += place >= at;
  }
  b.Add(opcode, b.Array(x.shape().element_type(), dims), {&x},
        {.attributes = {{Kind::kDimensions, IntegersText(places)}}});
}

void EmitTranspose(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  const Dims from = DimsOf(x);
  Dims order(from.size());
  std::iota(order.begin(), order.end(), 0);
  b.random().Shuffle(order);
  Dims dims;
  for (int64_t dimension : order) dims.push_back(from[dimension]);
  b.Add(opcode, b.Array(x.shape().element_type(), dims), {&x},
        {.attributes = {{Kind::kDimensions, IntegersText(order)}}});
}

void EmitReverse(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  Dims chosen;
  for (size_t i = 0; i < x.shape().dimensions().size(); ++i) {
    if (b.random().Chance(50)) chosen.push_back(i);
  }
  b.Add(opcode, b.Like(x.shape(), x.shape().element_type()), {&x},
        {.attributes = {{Kind::kDimensions, IntegersText(chosen)}}});
}

void EmitConcatenate(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  Dims dims = DimsOf(x);
  const int64_t along = b.random().Below(dims.size());
  Operands operands = {&x};
  int64_t sum = dims[along];
  for (int64_t more = b.random().Below(6); more > 0; --more) {
    dims[along] = b.random().Between(1, 3);
    sum += dims[along];
    operands.push_back(&b.ArrayValue(x.shape().element_type(), dims));
  }
  dims[along] = sum;
  b.Add(opcode, b.Array(x.shape().element_type(), dims), operands,
        {.attributes = {{Kind::kDimensions, absl::StrCat("{", along, "}")}}});
}

void EmitSlice(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  const bool strided = b.random().Chance(40);
  std::vector<std::string> parts;
  Dims dims;
  bool all_one = true;
  std::vector<int64_t> starts, limits, strides;
  for (int64_t size : x.shape().dimensions()) {
    starts.push_back(b.random().Between(0, size));
    limits.push_back(b.random().Between(starts.back(), size));
    strides.push_back(strided ? b.random().Between(1, 3) : 1);
    all_one &= strides.back() == 1;
    dims.push_back((limits.back() - starts.back() + strides.back() - 1) /
                   strides.back());
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    parts.push_back(absl::StrCat("[", starts[i], ":", limits[i],
                                 all_one ? "" : absl::StrCat(":", strides[i]),
                                 "]"));
  }
  b.Add(opcode, b.Array(x.shape().element_type(), dims), {&x},
        {.attributes = {{Kind::kSlice,
                         absl::StrCat("{", absl::StrJoin(parts, ", "), "}")}}});
}

void EmitPad(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  HloInstruction& fill = b.ScalarValue(x.shape().element_type());
  const bool interior = b.random().Chance(40);
  std::vector<int64_t> low, high, between;
  Dims dims;
  bool all_zero = true;
  for (int64_t size : x.shape().dimensions()) {
    between.push_back(interior ? b.random().Between(0, 2) : 0);
    low.push_back(b.random().Between(size > 0 ? -1 : 0, 2));
    high.push_back(b.random().Between(0, 2));
    all_zero &= between.back() == 0;
    dims.push_back(low.back() + high.back() + size +
                   std::max<int64_t>(size - 1, 0) * between.back());
  }
  std::vector<std::string> parts;
  for (size_t i = 0; i < low.size(); ++i) {
    parts.push_back(absl::StrCat(
        low[i], "_", high[i], all_zero ? "" : absl::StrCat("_", between[i])));
  }
  b.Add(opcode, b.Array(x.shape().element_type(), dims), {&x, &fill},
        {.attributes = {{Kind::kPadding, absl::StrJoin(parts, "x")}}});
}

void EmitGetDimensionSize(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1, 9, true);
  const int64_t along = b.random().Below(x.shape().dimensions().size());
  b.Add(opcode, b.Scalar(PrimitiveType::kS32), {&x},
        {.attributes = {{Kind::kDimensions, absl::StrCat("{", along, "}")}}});
}

void EmitSetDimensionSize(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.options().dynamic_dimensions) return;
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  HloInstruction& size = b.ScalarValue(PrimitiveType::kS32);
  const Dims dims = DimsOf(x);
  const int64_t along = b.random().Below(dims.size());
  bool dynamic[16] = {};
  dynamic[along] = true;
  b.Add(opcode,
        b.context().GetArrayShape(x.shape().element_type(), dims,
                                  x.shape().layout(),
                                  absl::MakeConstSpan(dynamic, dims.size())),
        {&x, &size},
        {.attributes = {{Kind::kDimensions, absl::StrCat("{", along, "}")}}});
}

void EmitAfterAll(RandomHloBuilder& b, HloOpcode opcode) {
  Operands tokens;
  for (int64_t i = b.random().Below(4); i > 0; --i) {
    tokens.push_back(&b.Value(b.Token()));
  }
  b.Add(opcode, b.Token(), tokens);
}

void EmitAddDependency(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  HloInstruction& token = b.Value(b.Token());
  b.Add(opcode, x.shape(), {&x, &token});
}

void EmitOptBarrier(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 0, 9, true);
  HloInstruction& y = b.SomeArray(kAllTypes);
  HloInstruction& held = b.random().Chance(70) ? b.AddTuple({&x, &y}) : x;
  b.Add(opcode, held.shape(), {&held});
}

void EmitDomain(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.options().annotations) return;
  HloInstruction& x = b.SomeArray(kAllTypes);
  b.Add(opcode, x.shape(), {&x},
        {.attributes = {
             {Kind::kDomain,
              absl::StrCat(
                  "{kind=\"sharding\", entry=",
                  RandomSharding(b.random(), x.shape(), false), ", exit=",
                  RandomSharding(b.random(), x.shape(), false), "}")}}});
}

constexpr Emitter kEmitters[] = {
    {HloOpcode::kAddDependency, EmitAddDependency},
    {HloOpcode::kAfterAll, EmitAfterAll},
    {HloOpcode::kBitcast, EmitBitcast},
    {HloOpcode::kBroadcast, EmitBroadcast},
    {HloOpcode::kConcatenate, EmitConcatenate},
    {HloOpcode::kConstant, EmitConstant},
    {HloOpcode::kDomain, EmitDomain},
    {HloOpcode::kDynamicReshape, EmitDynamicReshape},
    {HloOpcode::kGetDimensionSize, EmitGetDimensionSize},
    {HloOpcode::kGetTupleElement, EmitGetTupleElement},
    {HloOpcode::kIota, EmitIota},
    {HloOpcode::kOptBarrier, EmitOptBarrier},
    {HloOpcode::kPad, EmitPad},
    {HloOpcode::kParameter, EmitParameter},
    {HloOpcode::kReshape, EmitReshape},
    {HloOpcode::kReverse, EmitReverse},
    {HloOpcode::kSetDimensionSize, EmitSetDimensionSize},
    {HloOpcode::kSlice, EmitSlice},
    {HloOpcode::kTranspose, EmitTranspose},
    {HloOpcode::kTuple, EmitTuple},
};

}  // namespace

absl::Span<const Emitter> DataEmitters() { return kEmitters; }

}  // namespace ferry
