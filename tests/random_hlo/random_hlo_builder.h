// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_BUILDER_H_
#define FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/tests/random_hlo/random_hlo_module.h"
#include "ferry/tests/random_hlo/random_source.h"
#include "ferry/tests/random_hlo/type_set.h"

namespace ferry {

using Dims = std::vector<int64_t>;
using Operands = std::vector<HloInstruction*>;

// What an instruction has beside opcode, shape and operands.
struct Details {
  std::vector<std::pair<HloAttributeKind, std::string>> attributes;
  std::vector<HloComputation*> callees;
  int64_t number = -1;  // of a parameter or get-tuple-element
};

// Makes the values that emitters want, in the computation that is being built.
// Tested by random_hlo_module_test.cc.
class RandomHloBuilder {
 public:
  RandomHloBuilder(HloModule& module, const RandomHloOptions& options);

  HloModule& module() { return module_; }
  HloContext& context() { return module_.context(); }
  const RandomHloOptions& options() const { return options_; }
  RandomSource& random() { return random_; }

  // --- Shapes, with a layout as the options allow.
  PrimitiveType SomeType(TypeSet set);
  Dims SomeDims(int64_t min_rank, int64_t max_rank);
  const Shape& Array(PrimitiveType type, const Dims& dims,
                     absl::Span<const bool> dynamic = {});
  const Shape& Scalar(PrimitiveType type) { return Array(type, {}); }
  const Shape& Tuple(const std::vector<const Shape*>& elements);
  // A tuple of the operands' shapes; the shape itself if there is one operand.
  const Shape& TupleUnlessOne(const Operands& operands);
  // With a layout as literals have it.
  const Shape& LiteralShape(const Shape& shape);
  // The same sizes and dynamic flags with another element type.
  const Shape& Like(const Shape& shape, PrimitiveType type);
  const Shape& Token();

  // --- Values.
  // One of exactly this shape.
  HloInstruction& Value(const Shape& shape);
  // One that has this element type and these sizes, in any layout.
  HloInstruction& ArrayValue(PrimitiveType type, const Dims& dims);
  HloInstruction& ScalarValue(PrimitiveType type) {
    return ArrayValue(type, {});
  }
  // Some array of a type in the set; of known size unless `dynamic`.
  HloInstruction& SomeArray(TypeSet set, int64_t min_rank = 0,
                            int64_t max_rank = 9, bool dynamic = false);
  // Some value at all: tuples and tokens too.
  HloInstruction& SomeValue();
  HloInstruction& Constant(const Shape& shape, std::string literal);
  HloInstruction& Integer(PrimitiveType type, int64_t value);

  // --- Instructions. Common attributes are added by chance.
  HloInstruction& Add(HloOpcode opcode, const Shape& shape,
                      const Operands& operands, Details details = {});
  HloInstruction& AddElement(HloInstruction& tuple, int64_t index);
  HloInstruction& AddTuple(const Operands& operands);

  // No other value may use it: it is half of a pair.
  void Hide(const HloInstruction& instruction);
  // Whether to leave common attributes out.
  void SetPlain(bool plain) { is_plain_ = plain; }

  // --- Computations. One is open at a time; those that it calls are built and
  // closed in between.
  HloComputation& Begin(absl::string_view name, bool may_add_parameters);
  HloComputation& End(HloInstruction& root);
  // One parameter of the open computation for each shape.
  Operands AddParameters(absl::Span<const Shape* const> shapes);
  // What may stand in the open computation.
  int64_t depth() const { return bodies_.size(); }
  bool CanCall() const { return depth() <= options_.call_depth; }
  HloComputation& computation() { return *bodies_.back().computation; }
  // A computation of about `operations` random ones, from parameters of these
  // shapes to a result of this shape, or of some shape if null.
  HloComputation& Body(absl::string_view name,
                       absl::Span<const Shape* const> parameters,
                       const Shape* result, int operations);
  // Emits random operations into the open computation.
  void AddOperations(int count);
  // In the order in which they were closed: callees first.
  const std::vector<HloComputation*>& finished() const { return finished_; }
  // Whether any metadata names a stack frame.
  bool uses_frames() const { return uses_frames_; }
  int64_t NextChannel() { return ++channel_; }

 private:
  struct OpenComputation {
    HloComputation* computation;
    std::vector<HloInstruction*> values;
    bool may_add_parameters;
  };
  std::vector<HloInstruction*>& values() { return bodies_.back().values; }
  const Layout* SomeLayout(PrimitiveType type, const Dims& dims);
  absl::string_view NewName(HloOpcode opcode);
  HloInstruction& MakeValue(const Shape& shape);
  std::vector<std::pair<HloAttributeKind, std::string>> CommonAttributes(
      HloOpcode opcode, const Shape& shape);

  HloModule& module_;
  const RandomHloOptions options_;
  RandomSource random_;
  std::vector<OpenComputation> bodies_;
  std::vector<HloComputation*> finished_;
  int64_t channel_ = 0;
  bool is_plain_ = false;
  bool uses_frames_ = false;
};

// --- The operations, by family: one table entry for each way to make one.
struct Emitter {
  HloOpcode opcode;
  void (*emit)(RandomHloBuilder& builder, HloOpcode opcode);
};
// Each takes what it needs from the builder's open computation.
absl::Span<const Emitter> ElementwiseEmitters();
absl::Span<const Emitter> DataEmitters();
absl::Span<const Emitter> IndexEmitters();
absl::Span<const Emitter> CalleeEmitters();
absl::Span<const Emitter> ControlEmitters();
absl::Span<const Emitter> FusionEmitters();
absl::Span<const Emitter> AsyncEmitters();
absl::Span<const Emitter> AlgebraEmitters();
absl::Span<const Emitter> BatchNormEmitters();
absl::Span<const Emitter> CollectiveEmitters();
absl::Span<const Emitter> CustomCallEmitters();
absl::Span<const Emitter> RandomNumberEmitters();
absl::Span<const Emitter> HostOffloadEmitters();

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_BUILDER_H_
