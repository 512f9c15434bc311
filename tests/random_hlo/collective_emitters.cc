// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations between devices, and between a device and its host.

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"
#include "ferry/tests/random_hlo/scalar_callees.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;
using Attributes = std::vector<std::pair<Kind, std::string>>;

Dims DimsOf(const HloInstruction& x) {
  return Dims(x.shape().dimensions().begin(), x.shape().dimensions().end());
}

const Shape& Flag(RandomHloBuilder& b) {
  return b.context().GetArrayShape(PrimitiveType::kU32, {},
                                   &b.context().GetDefaultLayout(0));
}

// Groups of `size` devices; with a channel, sometimes of flattened ids.
Attributes Groups(RandomHloBuilder& b, HloOpcode opcode, int64_t size) {
  Attributes attributes = {
      {Kind::kReplicaGroups,
       RandomReplicaGroups(b.random(), b.random().Between(1, 3), size)}};
  if (b.random().Chance(60)) {
    attributes.push_back({Kind::kChannelId, absl::StrCat(b.NextChannel())});
    if (b.random().Chance(50) &&
        IsAllowedAttribute(opcode, Kind::kUseGlobalDeviceIds)) {
      attributes.push_back({Kind::kUseGlobalDeviceIds, "true"});
    }
  }
  if (b.random().Chance(8) &&
      IsAllowedAttribute(opcode, Kind::kConstrainLayout)) {
    attributes.push_back({Kind::kConstrainLayout, "true"});
  }
  return attributes;
}

void Finish(RandomHloBuilder& b, HloInstruction& start, HloOpcode done,
            const Shape& shape) {
  b.Hide(start);
  b.AddOperations(b.random().Below(3));
  b.Add(done, shape, {&start});
}

void EmitAllGather(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  Dims dims = DimsOf(x);
  const int64_t along = b.random().Below(dims.size());
  const int64_t size = b.random().Between(1, 4);
  dims[along] *= size;
  const Shape& result = b.Array(x.shape().element_type(), dims);
  Attributes attributes = Groups(b, opcode, size);
  attributes.push_back({Kind::kDimensions, absl::StrCat("{", along, "}")});
  if (opcode == HloOpcode::kAllGather) {
    b.Add(opcode, result, {&x}, {.attributes = std::move(attributes)});
    return;
  }
  HloInstruction& start = b.Add(opcode, b.Tuple({&x.shape(), &result}), {&x},
                                {.attributes = std::move(attributes)});
  Finish(b, start, HloOpcode::kAllGatherDone, result);
}

void EmitAllReduce(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  HloInstruction& x = b.SomeArray(kNumberTypes);
  const PrimitiveType type = x.shape().element_type();
  Operands operands = {&x};
  if (b.random().Chance(30)) {
    operands.push_back(&b.ArrayValue(type, b.SomeDims(0, 3)));
  }
  Attributes attributes = b.random().Chance(30)
                              ? Attributes{{Kind::kReplicaGroups, "{}"}}
                              : Groups(b, opcode, b.random().Between(1, 4));
  HloComputation& combiner = AddCombiner(b, {type});
  const Shape& shape = b.TupleUnlessOne(operands);
  HloInstruction& reduced =
      b.Add(opcode, shape, operands,
            {.attributes = std::move(attributes), .callees = {&combiner}});
  if (opcode == HloOpcode::kAllReduceStart) {
    Finish(b, reduced, HloOpcode::kAllReduceDone, shape);
  }
}

void EmitReduceScatter(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const PrimitiveType type = b.SomeType(kNumberTypes);
  Dims dims = b.SomeDims(1, 3);
  const Shape& result = b.Array(type, dims);
  const int64_t along = b.random().Below(dims.size());
  const int64_t size = b.random().Between(1, 4);
  dims[along] *= size;
  HloInstruction& x = b.ArrayValue(type, dims);
  Attributes attributes = Groups(b, opcode, size);
  attributes.push_back({Kind::kDimensions, absl::StrCat("{", along, "}")});
  b.Add(opcode, result, {&x},
        {.attributes = std::move(attributes),
         .callees = {&AddCombiner(b, {type})}});
}

void EmitAllToAll(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t size = b.random().Between(1, 3);
  const PrimitiveType type = b.SomeType(kAllTypes);
  Attributes attributes = Groups(b, opcode, size);
  Dims dims = b.SomeDims(1, 3);
  if (b.random().Chance(50)) {
    Operands operands;
    for (int64_t i = 0; i < size; ++i) {
      operands.push_back(&b.ArrayValue(type, dims));
    }
    std::vector<const Shape*> shapes;
    for (HloInstruction* operand : operands) {
      shapes.push_back(&operand->shape());
    }
    b.Add(opcode, b.Tuple(shapes), operands,
          {.attributes = std::move(attributes)});
    return;
  }
  const int64_t along = b.random().Below(dims.size());
  dims[along] *= size;
  attributes.push_back({Kind::kDimensions, absl::StrCat("{", along, "}")});
  HloInstruction& x = b.ArrayValue(type, dims);
  b.Add(opcode, b.Array(type, dims), {&x},
        {.attributes = std::move(attributes)});
}

void EmitRaggedAllToAll(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  const int64_t size = b.random().Between(1, 4);
  Operands operands = {&x, &b.Value(x.shape())};
  for (int i = 0; i < 4; ++i) {
    operands.push_back(&b.ArrayValue(PrimitiveType::kS32, {size}));
  }
  b.Add(opcode, x.shape(), operands, {.attributes = Groups(b, opcode, size)});
}

void EmitCollectiveBroadcast(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  b.Add(opcode, x.shape(), {&x},
        {.attributes = Groups(b, opcode, b.random().Between(1, 4))});
}

void EmitCollectivePermute(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  Attributes attributes = {
      {Kind::kSourceTargetPairs,
       b.random().Chance(50) ? "{{0,1},{1,0}}" : "{{0,1},{1,2},{2,0}}"}};
  if (b.random().Chance(50)) {
    attributes.push_back({Kind::kChannelId, absl::StrCat(b.NextChannel())});
  }
  Operands operands = {&x};
  // In place: input, output, and where in each of them.
  if (b.random().Chance(25)) {
    operands.push_back(&b.Value(x.shape()));
    Operands starts;
    for (size_t i = 0; i < DimsOf(x).size(); ++i) {
      starts.push_back(&b.ScalarValue(PrimitiveType::kS32));
    }
    HloInstruction& where = b.AddTuple(starts);
    operands.insert(operands.end(), {&where, &where});
    attributes.push_back(
        {Kind::kSliceSizes, absl::StrCat("{", IntegersText(DimsOf(x)), "}")});
  }
  if (opcode == HloOpcode::kCollectivePermute) {
    b.Add(opcode, x.shape(), operands, {.attributes = std::move(attributes)});
    return;
  }
  HloInstruction& start =
      b.Add(opcode,
            operands.size() == 1
                ? b.Tuple({&x.shape(), &x.shape(), &Flag(b), &Flag(b)})
                : b.Tuple({&b.TupleUnlessOne(operands), &x.shape(), &Flag(b),
                           &Flag(b)}),
            operands, {.attributes = std::move(attributes)});
  Finish(b, start, HloOpcode::kCollectivePermuteDone, x.shape());
}

// --- Host and device.

Attributes Channel(RandomHloBuilder& b) {
  Attributes attributes = {{Kind::kChannelId, absl::StrCat(b.NextChannel())}};
  if (b.random().Chance(40)) {
    attributes.push_back({Kind::kIsHostTransfer, "true"});
  }
  return attributes;
}

void EmitSend(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  HloInstruction& token = b.Value(b.Token());
  const Attributes attributes = Channel(b);
  HloInstruction& send =
      b.Add(opcode, b.Tuple({&x.shape(), &Flag(b), &b.Token()}), {&x, &token},
            {.attributes = attributes});
  b.Hide(send);
  b.Add(HloOpcode::kSendDone, b.Token(), {&send}, {.attributes = attributes});
}

void EmitRecv(RandomHloBuilder& b, HloOpcode opcode) {
  const Shape& data = b.Array(b.SomeType(kAllTypes), b.SomeDims(0, 3));
  HloInstruction& token = b.Value(b.Token());
  const Attributes attributes = Channel(b);
  HloInstruction& recv = b.Add(opcode, b.Tuple({&data, &Flag(b), &b.Token()}),
                               {&token}, {.attributes = attributes});
  b.Hide(recv);
  b.Add(HloOpcode::kRecvDone, b.Tuple({&data, &b.Token()}), {&recv},
        {.attributes = attributes});
}

void EmitInfeed(RandomHloBuilder& b, HloOpcode opcode) {
  const Shape& data = b.Array(b.SomeType(kAllTypes), b.SomeDims(0, 3));
  HloInstruction& token = b.Value(b.Token());
  Details details;
  if (b.random().Chance(50)) {
    details.attributes = {{Kind::kInfeedConfig, RandomString(b.random())}};
  }
  b.Add(opcode, b.Tuple({&data, &b.Token()}), {&token}, std::move(details));
}

void EmitOutfeed(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  HloInstruction& token = b.Value(b.Token());
  Details details{.attributes = {{Kind::kOutfeedShape, x.shape().ToString()}}};
  if (b.random().Chance(50)) {
    details.attributes.push_back(
        {Kind::kOutfeedConfig, RandomString(b.random())});
  }
  b.Add(opcode, b.Token(), {&x, &token}, std::move(details));
}

void EmitDeviceId(RandomHloBuilder& b, HloOpcode opcode) {
  b.Add(opcode, Flag(b), {});
}

constexpr Emitter kEmitters[] = {
    {HloOpcode::kAllGather, EmitAllGather},
    {HloOpcode::kAllGatherStart, EmitAllGather},
    {HloOpcode::kAllReduce, EmitAllReduce},
    {HloOpcode::kAllReduceStart, EmitAllReduce},
    {HloOpcode::kAllToAll, EmitAllToAll},
    {HloOpcode::kCollectiveBroadcast, EmitCollectiveBroadcast},
    {HloOpcode::kCollectivePermute, EmitCollectivePermute},
    {HloOpcode::kCollectivePermuteStart, EmitCollectivePermute},
    {HloOpcode::kInfeed, EmitInfeed},
    {HloOpcode::kOutfeed, EmitOutfeed},
    {HloOpcode::kPartitionId, EmitDeviceId},
    {HloOpcode::kRaggedAllToAll, EmitRaggedAllToAll},
    {HloOpcode::kRecv, EmitRecv},
    {HloOpcode::kReduceScatter, EmitReduceScatter},
    {HloOpcode::kReplicaId, EmitDeviceId},
    {HloOpcode::kSend, EmitSend},
};

}  // namespace

absl::Span<const Emitter> CollectiveEmitters() { return kEmitters; }

}  // namespace ferry
