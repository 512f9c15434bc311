// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Custom calls: with all that they alone may carry, those that make values of
// kinds that nothing else makes, and those that place values into memories.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"
#include "ferry/tests/random_hlo/scalar_callees.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;
using Attributes = std::vector<std::pair<Kind, std::string>>;

// Constraints and callees exclude each other: XLA's reader drops the latter.
void ConstrainOrCall(RandomHloBuilder& b, const Operands& operands,
                     Details& details) {
  if (b.random().Chance(20)) {
    std::vector<std::string> shapes;
    for (HloInstruction* operand : operands) {
      shapes.push_back(operand->shape().ToString());
    }
    details.attributes.push_back(
        {Kind::kOperandLayoutConstraints,
         absl::StrCat("{", absl::StrJoin(shapes, ", "), "}")});
  } else if (b.CanCall() && b.random().Chance(20)) {
    for (int64_t i = b.random().Between(1, 2); i > 0; --i) {
      details.callees.push_back(&AddCombiner(b, {PrimitiveType::kF32}));
    }
  }
}

void EmitAnyCall(RandomHloBuilder& b, HloOpcode opcode) {
  Operands operands;
  for (int64_t i = b.random().Below(7); i > 0; --i) {
    operands.push_back(&b.SomeArray(kAllTypes));
  }
  const Shape& shape = b.Array(b.SomeType(kAllTypes), b.SomeDims(0, 4));
  Details details{.attributes = {{Kind::kCustomCallTarget, "\"my$call\""}}};
  const auto maybe = [&](int percent, Kind kind, std::string text) {
    if (b.random().Chance(percent)) {
      details.attributes.push_back({kind, std::move(text)});
    }
  };
  maybe(20, Kind::kCustomCallHasSideEffect, "true");
  maybe(10, Kind::kSchedule,
        b.random().Chance(50) ? "SCHEDULE_LATEST" : "SCHEDULE_EARLIEST");
  maybe(30, Kind::kApiVersion,
        b.random().Chance(50) ? "API_VERSION_STATUS_RETURNING"
                              : "API_VERSION_TYPED_FFI");
  maybe(10, Kind::kPaddingType, "PADDING_SAME");
  maybe(10, Kind::kOperandPrecision, "{highest,default}");
  if (b.random().Chance(10)) {
    details.attributes.insert(
        details.attributes.end(),
        {{Kind::kWindow, "{size=3x2 stride=2x1 pad=1_1x0_0}"},
         {Kind::kDimLabels, "b01f_01io->b01f"},
         {Kind::kFeatureGroupCount, "2"},
         {Kind::kBatchGroupCount, "3"}});
  }
  if (b.random().Chance(10)) {
    const Shape& held = b.LiteralShape(b.Array(b.SomeType(kAllTypes), {2}));
    details.attributes.push_back(
        {Kind::kLiteral,
         absl::StrCat(held.ToString(), " ", RandomLiteral(b.random(), held))});
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i]->shape() == shape) {
      details.attributes.push_back({Kind::kOutputToOperandAliasing,
                                    absl::StrCat("{{}: (", i, ", {})}")});
      break;
    }
  }
  ConstrainOrCall(b, operands, details);
  b.Add(opcode, shape, operands, std::move(details));
}

// Handles of the runtime's.
void EmitOpaque(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& handle =
      b.Value(b.context().GetShapeWithoutElements(PrimitiveType::kOpaque));
  b.Add(opcode, b.Array(PrimitiveType::kF32, b.SomeDims(0, 2)), {&handle},
        {.attributes = {{Kind::kCustomCallTarget, "\"read\""}}});
}

// Values that stay where they are between two calls.
void EmitPinned(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kNumberTypes, 1);
  HloInstruction& pinned = b.Add(
      opcode, b.context().GetBufferShape(x.shape()), {&x},
      {.attributes = {{Kind::kCustomCallTarget, "\"Pin\""},
                      {Kind::kOutputToOperandAliasing, "{{}: (0, {})}"}}});
  b.Hide(pinned);
  b.Add(opcode, x.shape(), {&pinned},
        {.attributes = {{Kind::kCustomCallTarget, "\"Unpin\""},
                        {Kind::kOutputToOperandAliasing, "{{}: (0, {})}"}}});
}

void EmitSharding(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes, 1);
  b.Add(opcode, x.shape(), {&x},
        {.attributes = {
             {Kind::kCustomCallTarget, "\"Sharding\""},
             {Kind::kSharding, RandomSharding(b.random(), x.shape())}}});
}

constexpr Emitter kEmitters[] = {
    {HloOpcode::kCustomCall, EmitAnyCall},
    {HloOpcode::kCustomCall, EmitAnyCall},
    {HloOpcode::kCustomCall, EmitAnyCall},
    {HloOpcode::kCustomCall, EmitOpaque},
    {HloOpcode::kCustomCall, EmitPinned},
    {HloOpcode::kCustomCall, EmitSharding},
};

// --- Placement.

HloInstruction& Annotate(RandomHloBuilder& b, HloInstruction& x, bool to_host) {
  Attributes attributes;
  if (b.random().Chance(25)) {
    attributes = {{Kind::kCustomCallTarget, "\"annotate_device_placement\""},
                  {Kind::kCustomCallHasSideEffect, "true"},
                  {Kind::kFrontendAttributes,
                   absl::StrCat("{_xla_buffer_placement=\"",
                                to_host ? "pinned_host" : "device", "\"}")}};
  } else {
    attributes = {{Kind::kCustomCallTarget,
                   to_host ? "\"MoveToHost\"" : "\"MoveToDevice\""}};
  }
  return b.Add(HloOpcode::kCustomCall, x.shape(), {&x},
               {.attributes = std::move(attributes)});
}

// To the host and back, with something that moves no values in between.
void EmitRoundTrip(RandomHloBuilder& b, HloOpcode) {
  HloInstruction& x = b.SomeArray(kNumberTypes, 1);
  HloInstruction* at = &Annotate(b, x, true);
  b.Hide(*at);
  switch (b.random().Below(4)) {
    case 0:
      at = &b.Add(HloOpcode::kCopy, at->shape(), {at});
      b.Hide(*at);
      break;
    case 1: {
      HloInstruction& tuple = b.AddTuple({at});
      b.Hide(tuple);
      at = &b.AddElement(tuple, 0);
      b.Hide(*at);
      break;
    }
    case 2: {
      HloInstruction& both = b.AddTuple({at, &b.SomeArray(kAllTypes)});
      b.Hide(both);
      HloInstruction& held =
          b.Add(HloOpcode::kOptBarrier, both.shape(), {&both});
      b.Hide(held);
      at = &b.AddElement(held, 0);
      b.Hide(*at);
      break;
    }
  }
  Annotate(b, *at, false);
}

// An update of a host buffer, and a slice of it that comes back.
void EmitHostUpdate(RandomHloBuilder& b, HloOpcode) {
  HloInstruction& update = b.SomeArray(kNumberTypes, 1);
  Dims dims(update.shape().dimensions().begin(),
            update.shape().dimensions().end());
  const Dims part = dims;
  dims[0] *= 2;
  const PrimitiveType type = update.shape().element_type();
  HloInstruction& buffer = b.ArrayValue(type, dims);
  // Slices do not leave fast memory.
  const bool is_fast = buffer.shape().memory_space() == MemorySpace::kFast;
  if (update.shape().memory_space() == MemorySpace::kFast && !is_fast) return;
  HloInstruction& there = Annotate(b, update, true);
  b.Hide(there);
  Operands operands = {&buffer, &there};
  Operands starts;
  for (size_t i = 0; i < dims.size(); ++i) {
    starts.push_back(&b.ScalarValue(PrimitiveType::kS32));
  }
  operands.insert(operands.end(), starts.begin(), starts.end());
  HloInstruction& updated =
      b.Add(HloOpcode::kDynamicUpdateSlice, buffer.shape(), operands);
  b.Hide(updated);
  Operands from = {&updated};
  from.insert(from.end(), starts.begin(), starts.end());
  HloInstruction& slice = b.Add(
      HloOpcode::kDynamicSlice,
      b.context().WithMemorySpace(
          b.Array(type, part),
          is_fast ? MemorySpace::kFast : MemorySpace::kDefault),
      from, {.attributes = {{Kind::kDynamicSliceSizes, IntegersText(part)}}});
  b.Hide(slice);
  Annotate(b, slice, false);
}

constexpr Emitter kHostOffloadEmitters[] = {
    {HloOpcode::kCustomCall, EmitRoundTrip},
    {HloOpcode::kCustomCall, EmitRoundTrip},
    {HloOpcode::kCustomCall, EmitHostUpdate},
};

}  // namespace

absl::Span<const Emitter> CustomCallEmitters() { return kEmitters; }
absl::Span<const Emitter> HostOffloadEmitters() { return kHostOffloadEmitters; }

}  // namespace ferry
