// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that enter other computations: loops, branches, calls, fusions,
// and what runs beside the rest of the program.

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;

int InnerOperations(RandomHloBuilder& b) {
  return b.random().Below(1 + b.options().operations / 3);
}

Operands SomeOperands(RandomHloBuilder& b, int64_t min, int64_t max) {
  Operands operands;
  for (int64_t i = b.random().Between(min, max); i > 0; --i) {
    operands.push_back(&b.SomeArray(kAllTypes, 0, 9, true));
  }
  return operands;
}

std::vector<const Shape*> ShapesOf(const Operands& operands) {
  std::vector<const Shape*> shapes;
  for (HloInstruction* operand : operands) shapes.push_back(&operand->shape());
  return shapes;
}

void EmitCall(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const Operands operands = SomeOperands(b, 0, 4);
  HloComputation& callee =
      b.Body("called", ShapesOf(operands), nullptr, InnerOperations(b));
  HloInstruction& call =
      b.Add(opcode, callee.root().shape(), operands, {.callees = {&callee}});
  if (b.options().annotations && b.random().Chance(20)) {
    b.module().SetAttribute(call, Kind::kIsComposite, "true");
    b.module().SetAttribute(
        call, Kind::kFrontendAttributes,
        "{composite.attributes={n = 1 : i64},composite.name=\"f.g\","
        "composite.version=\"1\"}");
  }
}

// (counter, limit, values...): runs up to three times.
void EmitWhile(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const PrimitiveType counter = PrimitiveType::kS32;
  const Shape& number = b.Scalar(counter);
  Operands state = {&b.Constant(number, "0")};
  for (HloInstruction* value : SomeOperands(b, 0, 5)) state.push_back(value);
  HloInstruction& init = b.AddTuple(state);
  const Shape& shape = init.shape();

  b.Begin("condition", false);
  HloInstruction* carried = b.AddParameters({&shape})[0];
  HloInstruction& limit = b.Integer(counter, b.random().Between(0, 3));
  HloComputation& condition =
      b.End(b.Add(HloOpcode::kCompare, b.Scalar(PrimitiveType::kPred),
                  {&b.AddElement(*carried, 0), &limit},
                  {.attributes = {{Kind::kDirection, "LT"}}}));

  b.Begin("body", false);
  carried = b.AddParameters({&shape})[0];
  HloInstruction& count = b.AddElement(*carried, 0);
  HloInstruction& next =
      b.Add(HloOpcode::kAdd, number, {&count, &b.Integer(counter, 1)});
  for (size_t i = 1; i < state.size(); ++i) b.AddElement(*carried, i);
  b.AddOperations(InnerOperations(b));
  Operands results = {&next};
  for (size_t i = 1; i < state.size(); ++i) {
    results.push_back(&b.Value(*shape.tuple_shapes()[i]));
  }
  HloComputation& body = b.End(b.Add(HloOpcode::kTuple, shape, results));

  b.Add(opcode, shape, {&init}, {.callees = {&condition, &body}});
}

void EmitConditional(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const bool two = b.random().Chance(50);
  const int64_t branches = two ? 2 : b.random().Between(1, 4);
  Operands operands = {
      &b.ScalarValue(two ? PrimitiveType::kPred : PrimitiveType::kS32)};
  const Shape& result = b.SomeArray(kAllTypes).shape();
  Details details;
  for (int64_t i = 0; i < branches; ++i) {
    operands.push_back(b.random().Chance(50)
                           ? &b.SomeArray(kAllTypes)
                           : &b.AddTuple(SomeOperands(b, 0, 3)));
    details.callees.push_back(&b.Body("branch", {&operands.back()->shape()},
                                      &result, InnerOperations(b)));
  }
  b.Add(opcode, result, operands, std::move(details));
}

constexpr Emitter kControlEmitters[] = {
    {HloOpcode::kCall, EmitCall},
    {HloOpcode::kConditional, EmitConditional},
    {HloOpcode::kWhile, EmitWhile},
};

void EmitFusion(RandomHloBuilder& b, HloOpcode opcode) {
  if (!b.CanCall()) return;
  const Operands operands = SomeOperands(b, 0, 3);
  b.Begin("fused", false);
  b.module().set_fusion_body(b.computation());
  b.AddParameters(ShapesOf(operands));
  HloInstruction* root = nullptr;
  // Only plain operations: what stands in a fusion calls nothing else.
  for (int64_t i = b.random().Between(1, 4); i > 0; --i) {
    const Emitter& emitter = b.random().Pick(ElementwiseEmitters());
    emitter.emit(b, emitter.opcode);
  }
  HloInstruction& last = b.SomeArray(kAllTypes);
  root = b.random().Chance(70) ? &last
                               : &b.AddTuple({&last, &b.SomeArray(kAllTypes)});
  HloComputation& callee = b.End(*root);
  static constexpr absl::string_view kKinds[] = {"kLoop", "kInput", "kOutput",
                                                 "kCustom"};
  Details details{
      .attributes = {{Kind::kKind, std::string(b.random().Pick(kKinds))}},
      .callees = {&callee}};
  const Shape& shape = callee.root().shape();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i]->shape() == shape && b.random().Chance(50)) {
      details.attributes.push_back({Kind::kOutputToOperandAliasing,
                                    absl::StrCat("{{}: (", i, ", {})}")});
      break;
    }
  }
  b.Add(opcode, shape, operands, std::move(details));
}

constexpr Emitter kFusionEmitters[] = {{HloOpcode::kFusion, EmitFusion}};

// --- Beside the rest.

// ((operands), result, u32[]), updates, done.
void EmitChain(RandomHloBuilder& b, const Operands& operands,
               HloComputation& callee, absl::string_view thread) {
  const Shape& shape =
      b.Tuple({&b.Tuple(ShapesOf(operands)), &callee.root().shape(),
               &b.context().GetArrayShape(PrimitiveType::kU32, {},
                                          &b.context().GetDefaultLayout(0))});
  Details details{.callees = {&callee}};
  if (thread != "main") {
    b.module().set_execution_thread(callee, thread);
    details.attributes.push_back(
        {Kind::kAsyncExecutionThread, absl::StrCat("\"", thread, "\"")});
  }
  // What any of the chain carries, XLA gives to the wrapped operation as well:
  // the short form of a start prints that, other forms do not.
  HloInstruction* at =
      &b.Add(HloOpcode::kAsyncStart, shape, operands, std::move(details));
  b.Hide(*at);
  b.SetPlain(true);
  for (int64_t updates = b.random().Below(3); updates > 0; --updates) {
    at = &b.Add(HloOpcode::kAsyncUpdate, shape, {at});
    b.Hide(*at);
  }
  b.SetPlain(false);
  b.AddOperations(b.random().Below(3));
  b.SetPlain(true);
  b.Add(HloOpcode::kAsyncDone, callee.root().shape(), {at});
  b.SetPlain(false);
}

absl::string_view SomeThread(RandomHloBuilder& b) {
  static constexpr absl::string_view kThreads[] = {"main", "sparsecore",
                                                   "host"};
  return b.random().Pick(kThreads);
}

// One operation on the parameters, as XLA's verifier wants it; it prints in the
// short form.
void EmitShortAsync(RandomHloBuilder& b, HloOpcode) {
  if (!b.CanCall()) return;
  HloInstruction& x = b.SomeArray(kFloatTypes, 1);
  const Operands operands = {&x};
  const Dims dims(x.shape().dimensions().begin(), x.shape().dimensions().end());
  HloComputation* inner = nullptr;
  const int64_t form = b.random().Below(5);
  if (form == 0 || form == 1) {
    b.Begin("inner", false);
    if (form == 1) b.module().set_fusion_body(b.computation());
    HloInstruction* p = b.AddParameters({&x.shape()})[0];
    HloInstruction& y = b.Add(HloOpcode::kExponential, x.shape(), {p});
    inner = &b.End(b.Add(HloOpcode::kNegate, x.shape(), {&y}));
  }
  b.Begin("wrapped", false);
  b.SetPlain(true);
  HloInstruction* p = b.AddParameters({&x.shape()})[0];
  HloInstruction* root = nullptr;
  if (form == 0) {
    root = &b.Add(HloOpcode::kCall, x.shape(), {p}, {.callees = {inner}});
  } else if (form == 1) {
    root = &b.Add(HloOpcode::kFusion, x.shape(), {p},
                  {.attributes = {{Kind::kKind, "kLoop"}}, .callees = {inner}});
  } else if (form == 2) {
    root = &b.Add(HloOpcode::kCustomCall, x.shape(), {p},
                  {.attributes = {{Kind::kCustomCallTarget, "\"there\""}}});
  } else if (form == 3) {
    std::string slices;
    for (int64_t size : dims) {
      absl::StrAppend(&slices, slices.empty() ? "" : ", ", "[0:", size, "]");
    }
    root = &b.Add(
        HloOpcode::kSlice, b.Array(x.shape().element_type(), dims), {p},
        {.attributes = {{Kind::kSlice, absl::StrCat("{", slices, "}")}}});
  } else {
    root = &b.Add(HloOpcode::kNegate, x.shape(), {p});
  }
  b.SetPlain(false);
  const absl::string_view thread = SomeThread(b);
  // What a thread runs calls only what it runs too.
  if (inner != nullptr) b.module().set_execution_thread(*inner, thread);
  EmitChain(b, operands, b.End(*root), thread);
}

void EmitCopyStart(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& x = b.SomeArray(kAllTypes);
  const Shape& to = b.context().WithMemorySpace(
      x.shape(), x.shape().memory_space() == MemorySpace::kDefault &&
                         b.options().memory_spaces
                     ? MemorySpace::kHost
                     : MemorySpace::kDefault);
  const Shape& flag = b.context().GetArrayShape(
      PrimitiveType::kU32, {}, &b.context().GetDefaultLayout(0));
  Details details;
  if (b.options().annotations && b.random().Chance(20)) {
    details.attributes.push_back({Kind::kCrossProgramPrefetchIndex, "0"});
  }
  HloInstruction& start = b.Add(opcode, b.Tuple({&to, &x.shape(), &flag}), {&x},
                                std::move(details));
  b.Hide(start);
  b.AddOperations(b.random().Below(3));
  b.Add(HloOpcode::kCopyDone, to, {&start});
}

constexpr Emitter kAsyncEmitters[] = {
    {HloOpcode::kAsyncStart, EmitShortAsync},
    {HloOpcode::kAsyncStart, EmitShortAsync},
    {HloOpcode::kCopyStart, EmitCopyStart},
    {HloOpcode::kCopyStart, EmitCopyStart},
};

}  // namespace

absl::Span<const Emitter> ControlEmitters() { return kControlEmitters; }
absl::Span<const Emitter> FusionEmitters() { return kFusionEmitters; }
absl::Span<const Emitter> AsyncEmitters() { return kAsyncEmitters; }

}  // namespace ferry
