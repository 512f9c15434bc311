// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/scalar_callees.h"

namespace ferry {
namespace {

HloOpcode SomeCombination(RandomHloBuilder& b, PrimitiveType type) {
  static constexpr HloOpcode kOrdered[] = {HloOpcode::kAdd, HloOpcode::kMaximum,
                                           HloOpcode::kMinimum,
                                           HloOpcode::kMultiply};
  if (TypeSetOf(type) == kComplexTypes) return HloOpcode::kAdd;
  return b.random().Pick(kOrdered);
}

}  // namespace

HloComputation& AddCombiner(RandomHloBuilder& b,
                            const std::vector<PrimitiveType>& types) {
  HloComputation& computation = b.Begin("combine", false);
  b.module().set_fusion_body(computation);
  std::vector<const Shape*> shapes;
  for (int side = 0; side < 2; ++side) {
    for (PrimitiveType type : types) shapes.push_back(&b.Scalar(type));
  }
  const Operands parameters = b.AddParameters(shapes);
  Operands results;
  for (size_t i = 0; i < types.size(); ++i) {
    results.push_back(&b.Add(SomeCombination(b, types[i]), b.Scalar(types[i]),
                             {parameters[i], parameters[types.size() + i]}));
  }
  return b.End(results.size() == 1 ? *results[0] : b.AddTuple(results));
}

HloComputation& AddComparator(RandomHloBuilder& b,
                              const std::vector<PrimitiveType>& types) {
  HloComputation& computation = b.Begin("compare", false);
  b.module().set_fusion_body(computation);
  std::vector<const Shape*> shapes;
  for (PrimitiveType type : types) {
    shapes.push_back(&b.Scalar(type));
    shapes.push_back(&b.Scalar(type));
  }
  const Operands parameters = b.AddParameters(shapes);
  return b.End(
      b.Add(HloOpcode::kCompare, b.Scalar(PrimitiveType::kPred),
            {parameters[0], parameters[1]},
            {.attributes = {{HloAttributeKind::kDirection,
                             TypeSetOf(types[0]) == kComplexTypes ? "EQ"
                             : b.random().Chance(50)              ? "LT"
                                                                  : "GT"}}}));
}

}  // namespace ferry
