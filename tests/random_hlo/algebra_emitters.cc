// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear algebra, windows that multiply, normalization.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/tests/random_hlo/random_attributes.h"
#include "ferry/tests/random_hlo/random_hlo_builder.h"
#include "ferry/tests/random_hlo/random_window.h"

namespace ferry {
namespace {

using Kind = HloAttributeKind;
using Attributes = std::vector<std::pair<Kind, std::string>>;

// Types that both sides have in common.
PrimitiveType FactorType(RandomHloBuilder& b) {
  return b.SomeType(kNumberTypes);
}

void MaybePrecision(RandomHloBuilder& b, Attributes& attributes) {
  if (!b.random().Chance(25)) return;
  static constexpr absl::string_view kPrecisions[] = {
      "{high,default}", "{highest,highest}", "{default,high}"};
  attributes.push_back(
      {Kind::kOperandPrecision, std::string(b.random().Pick(kPrecisions))});
}

void MaybeAlgorithm(RandomHloBuilder& b, Attributes& attributes) {
  if (!b.random().Chance(10)) return;
  static constexpr absl::string_view kAlgorithms[] = {
      "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum",
      "dot_f16_f16_f32",       "dot_bf16_bf16_f32_x6",
      "dot_tf32_tf32_f32",     "dot_f32_f32_f32"};
  attributes.push_back(
      {Kind::kAlgorithm, std::string(b.random().Pick(kAlgorithms))});
}

// Sizes of both sides, of the result, and which dimensions are which:
// lhs [batch, rows, contracted], rhs [contracted, batch, columns].
struct Product {
  Dims lhs, rhs, result;
  Attributes attributes;
};

Product SomeProduct(RandomHloBuilder& b) {
  Product p;
  const bool batched = b.random().Chance(40);
  const bool contracted = b.random().Chance(90);
  const bool rows = b.random().Chance(80), columns = b.random().Chance(80);
  const auto size = [&] { return b.random().Between(1, 5); };
  std::string lhs_batch = "{", lhs_contracting = "{";
  std::string rhs_batch = "{", rhs_contracting = "{";
  if (batched) {
    p.lhs.push_back(size());
    p.result.push_back(p.lhs[0]);
    absl::StrAppend(&lhs_batch, 0);
  }
  if (rows) {
    p.lhs.push_back(size());
    p.result.push_back(p.lhs.back());
  }
  if (contracted) {
    absl::StrAppend(&lhs_contracting, p.lhs.size());
    absl::StrAppend(&rhs_contracting, 0);
    p.lhs.push_back(size());
    p.rhs.push_back(p.lhs.back());
  }
  if (batched) {
    absl::StrAppend(&rhs_batch, p.rhs.size());
    p.rhs.push_back(p.lhs[0]);
  }
  if (columns) {
    p.rhs.push_back(size());
    p.result.push_back(p.rhs.back());
  }
  if (batched) p.attributes.push_back({Kind::kLhsBatchDims, lhs_batch + "}"});
  p.attributes.push_back({Kind::kLhsContractingDims, lhs_contracting + "}"});
  if (batched) p.attributes.push_back({Kind::kRhsBatchDims, rhs_batch + "}"});
  p.attributes.push_back({Kind::kRhsContractingDims, rhs_contracting + "}"});
  return p;
}

void EmitDot(RandomHloBuilder& b, HloOpcode opcode) {
  Product p = SomeProduct(b);
  const PrimitiveType type = FactorType(b);
  HloInstruction& lhs = b.ArrayValue(type, p.lhs);
  HloInstruction& rhs = b.ArrayValue(type, p.rhs);
  MaybePrecision(b, p.attributes);
  MaybeAlgorithm(b, p.attributes);
  b.Add(opcode, b.Array(type, p.result), {&lhs, &rhs},
        {.attributes = std::move(p.attributes)});
}

// lhs [m, k], rhs [g, k, n], group_sizes [g].
void EmitRaggedDot(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t m = b.random().Between(1, 6), k = b.random().Between(1, 4);
  const int64_t n = b.random().Between(1, 4), g = b.random().Between(1, 3);
  const PrimitiveType type = b.SomeType(kFloatTypes);
  HloInstruction& lhs = b.ArrayValue(type, {m, k});
  HloInstruction& rhs = b.ArrayValue(type, {g, k, n});
  HloInstruction& sizes = b.ArrayValue(PrimitiveType::kS32, {g});
  Attributes attributes = {{Kind::kLhsContractingDims, "{1}"},
                           {Kind::kRhsContractingDims, "{1}"},
                           {Kind::kLhsRaggedDims, "{0}"},
                           {Kind::kRhsGroupDims, "{0}"}};
  MaybePrecision(b, attributes);
  b.Add(opcode, b.Array(type, {m, n}), {&lhs, &rhs, &sizes},
        {.attributes = std::move(attributes)});
}

// lhs [m, 4s], rhs [n, 4t] with one scale for each four of them.
void EmitScaledDot(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t m = b.random().Between(1, 4), n = b.random().Between(1, 4);
  const int64_t k = b.random().Between(1, 2);
  const PrimitiveType type = PrimitiveType::kBF16;
  HloInstruction& lhs = b.ArrayValue(type, {m, 4 * k});
  HloInstruction& rhs = b.ArrayValue(type, {n, 4 * k});
  HloInstruction& lhs_scale = b.ArrayValue(type, {m, k});
  HloInstruction& rhs_scale =
      b.random().Chance(50) ? b.ArrayValue(type, {n, k}) : b.ScalarValue(type);
  Attributes attributes = {{Kind::kLhsContractingDims, "{1}"},
                           {Kind::kRhsContractingDims, "{1}"}};
  MaybePrecision(b, attributes);
  b.Add(opcode, b.Array(type, {m, n}), {&lhs, &rhs, &lhs_scale, &rhs_scale},
        {.attributes = std::move(attributes)});
}

void EmitConvolution(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t spatial = b.random().Between(0, 2);
  const int64_t groups = b.random().Chance(20) ? 2 : 1;
  const bool group_features = b.random().Chance(50);
  const int64_t batch =
      b.random().Between(1, 2) * (group_features ? 1 : groups);
  const int64_t in = b.random().Between(1, 3);
  const int64_t out = b.random().Between(1, 2) * groups;
  Dims base;
  for (int64_t i = 0; i < spatial; ++i)
    base.push_back(b.random().Between(2, 6));
  const RandomWindow window = MakeRandomWindow(b.random(), base);
  Dims lhs = {batch}, rhs, result = {batch / (group_features ? 1 : groups)};
  std::string labels = "b", kernel, output = "b";
  for (int64_t i = 0; i < spatial; ++i) {
    lhs.push_back(base[i]);
    rhs.push_back(window.sizes[i]);
    result.push_back(window.result[i]);
    absl::StrAppend(&labels, i);
    absl::StrAppend(&kernel, i);
    absl::StrAppend(&output, i);
  }
  lhs.push_back(in * (group_features ? groups : 1));
  rhs.push_back(in);
  rhs.push_back(out);
  result.push_back(out);
  const PrimitiveType type = b.SomeType(kFloatTypes | kSignedTypes);
  HloInstruction& x = b.ArrayValue(type, lhs);
  HloInstruction& k = b.ArrayValue(type, rhs);
  Attributes attributes = {
      {Kind::kDimLabels,
       absl::StrCat(labels, "f_", kernel, "io->", output, "f")}};
  if (spatial > 0) attributes.push_back({Kind::kWindow, window.text});
  if (groups > 1) {
    attributes.push_back(
        {group_features ? Kind::kFeatureGroupCount : Kind::kBatchGroupCount,
         absl::StrCat(groups)});
  }
  MaybePrecision(b, attributes);
  if (b.random().Chance(10)) {
    attributes.push_back(
        {Kind::kConvolutionKind, b.random().Chance(50) ? "fprop" : "wgrad"});
  }
  if (b.random().Chance(5)) {
    attributes.push_back(
        {Kind::kSparsityConfig, "{rhs={sparsity=1x2 dimension=1 stride=0}}"});
  }
  b.Add(opcode, b.Array(type, result), {&x, &k},
        {.attributes = std::move(attributes)});
}

void EmitFft(RandomHloBuilder& b, HloOpcode opcode) {
  const bool wide = b.random().Chance(30);
  const PrimitiveType real = wide ? PrimitiveType::kF64 : PrimitiveType::kF32;
  const PrimitiveType complex =
      wide ? PrimitiveType::kC128 : PrimitiveType::kC64;
  Dims whole = b.SomeDims(1, 3);
  for (int64_t& size : whole) size = std::max<int64_t>(size, 1);
  Dims half = whole;
  half.back() = whole.back() / 2 + 1;
  const int64_t transformed = b.random().Between(1, whole.size());
  const Dims length(whole.end() - transformed, whole.end());
  Attributes attributes = {{Kind::kFftLength, IntegersText(length)}};
  const auto add = [&](absl::string_view type, PrimitiveType from,
                       const Dims& from_dims, PrimitiveType to,
                       const Dims& to_dims) {
    attributes.push_back({Kind::kFftType, std::string(type)});
    HloInstruction& x = b.ArrayValue(from, from_dims);
    b.Add(opcode, b.Array(to, to_dims), {&x}, {.attributes = attributes});
  };
  switch (b.random().Below(4)) {
    case 0:
      return add("FFT", complex, whole, complex, whole);
    case 1:
      return add("IFFT", complex, whole, complex, whole);
    case 2:
      return add("RFFT", real, whole, complex, half);
    default:
      return add("IRFFT", complex, half, real, whole);
  }
}

void EmitCholesky(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t n = b.random().Between(1, 4);
  const PrimitiveType type = b.SomeType(
      b.options().complex_types ? kFloatTypes | kComplexTypes : kFloatTypes);
  HloInstruction& x = b.ArrayValue(type, {n, n});
  Details details;
  if (b.random().Chance(50)) details.attributes = {{Kind::kLower, "true"}};
  b.Add(opcode, b.Array(type, {n, n}), {&x}, std::move(details));
}

void EmitTriangularSolve(RandomHloBuilder& b, HloOpcode opcode) {
  const int64_t n = b.random().Between(1, 4), m = b.random().Between(1, 3);
  const bool left = b.random().Chance(50);
  const PrimitiveType type = b.SomeType(kFloatTypes);
  const Dims sides = left ? Dims{n, m} : Dims{m, n};
  HloInstruction& a = b.ArrayValue(type, {n, n});
  HloInstruction& y = b.ArrayValue(type, sides);
  Details details;
  if (left) details.attributes.push_back({Kind::kLeftSide, "true"});
  if (b.random().Chance(50))
    details.attributes.push_back({Kind::kLower, "true"});
  if (b.random().Chance(30)) {
    details.attributes.push_back({Kind::kUnitDiagonal, "true"});
  }
  static constexpr absl::string_view kTransposes[] = {"NO_TRANSPOSE",
                                                      "TRANSPOSE", "ADJOINT"};
  details.attributes.push_back(
      {Kind::kTransposeA, std::string(b.random().Pick(kTransposes))});
  b.Add(opcode, b.Array(type, sides), {&a, &y}, std::move(details));
}

constexpr Emitter kAlgebraEmitters[] = {
    {HloOpcode::kCholesky, EmitCholesky},
    {HloOpcode::kConvolution, EmitConvolution},
    {HloOpcode::kDot, EmitDot},
    {HloOpcode::kFft, EmitFft},
    {HloOpcode::kRaggedDot, EmitRaggedDot},
    {HloOpcode::kScaledDot, EmitScaledDot},
    {HloOpcode::kTriangularSolve, EmitTriangularSolve},
};

// --- Normalization: one scale (offset, mean, ...) for each feature.

void EmitBatchNorm(RandomHloBuilder& b, HloOpcode opcode) {
  const PrimitiveType type = b.SomeType(kFloatTypes);
  Dims dims = b.SomeDims(1, 4);
  const int64_t feature = b.random().Below(dims.size());
  HloInstruction& x = b.ArrayValue(type, dims);
  Operands operands = {&x};
  const int64_t vectors = opcode == HloOpcode::kBatchNormTraining ? 2
                          : opcode == HloOpcode::kBatchNormGrad   ? 3
                                                                  : 4;
  for (int64_t i = 0; i < vectors; ++i) {
    operands.push_back(&b.ArrayValue(type, {dims[feature]}));
  }
  if (opcode == HloOpcode::kBatchNormGrad) {
    operands.push_back(&b.ArrayValue(type, dims));
  }
  const Shape& vector = b.Array(type, {dims[feature]});
  const Shape& result = opcode == HloOpcode::kBatchNormInference
                            ? b.Array(type, dims)
                            : b.Tuple({&b.Array(type, dims), &vector, &vector});
  b.Add(opcode, result, operands,
        {.attributes = {
             {Kind::kEpsilon, b.random().Chance(50) ? "0.001" : "1e-05"},
             {Kind::kFeatureIndex, absl::StrCat(feature)}}});
}

constexpr Emitter kBatchNormEmitters[] = {
    {HloOpcode::kBatchNormGrad, EmitBatchNorm},
    {HloOpcode::kBatchNormInference, EmitBatchNorm},
    {HloOpcode::kBatchNormTraining, EmitBatchNorm},
};

// --- Random numbers.

void EmitRng(RandomHloBuilder& b, HloOpcode opcode) {
  const PrimitiveType type = b.SomeType(kFloatTypes | kIntegerTypes);
  HloInstruction& low = b.ScalarValue(type);
  HloInstruction& high = b.ScalarValue(type);
  const bool is_normal = IsFloatingPoint(type) && b.random().Chance(50);
  b.Add(opcode, b.Array(type, b.SomeDims(0, 3)), {&low, &high},
        {.attributes = {
             {Kind::kDistribution, is_normal ? "rng_normal" : "rng_uniform"}}});
}

void EmitRngBitGenerator(RandomHloBuilder& b, HloOpcode opcode) {
  HloInstruction& state = b.ArrayValue(PrimitiveType::kU64, {2});
  static constexpr absl::string_view kAlgorithms[] = {
      "rng_default", "rng_three_fry", "rng_philox"};
  b.Add(opcode,
        b.Tuple({&state.shape(),
                 &b.Array(b.random().Chance(50) ? PrimitiveType::kU32
                                                : PrimitiveType::kU16,
                          b.SomeDims(0, 3))}),
        {&state},
        {.attributes = {
             {Kind::kAlgorithm, std::string(b.random().Pick(kAlgorithms))}}});
}

void EmitRngState(RandomHloBuilder& b, HloOpcode opcode) {
  b.Add(opcode, b.Array(PrimitiveType::kU64, {2}), {},
        {.attributes = {
             {Kind::kDelta, absl::StrCat(b.random().Between(1, 4096))}}});
}

constexpr Emitter kRandomNumberEmitters[] = {
    {HloOpcode::kRng, EmitRng},
    {HloOpcode::kRngBitGenerator, EmitRngBitGenerator},
    {HloOpcode::kRngGetAndUpdateState, EmitRngState},
};

}  // namespace

absl::Span<const Emitter> AlgebraEmitters() { return kAlgebraEmitters; }
absl::Span<const Emitter> BatchNormEmitters() { return kBatchNormEmitters; }
absl::Span<const Emitter> RandomNumberEmitters() {
  return kRandomNumberEmitters;
}

}  // namespace ferry
