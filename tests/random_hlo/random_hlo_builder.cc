// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/random_hlo_builder.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/tests/random_hlo/random_attributes.h"

namespace ferry {
namespace {

constexpr PrimitiveType kArrayTypes[] = {
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) PrimitiveType::enumerator,
#include "ferry/hlo/primitive_type.def"
};

bool IsNarrow(PrimitiveType type) {
  return BitWidth(type) < 8 ||
         (BitWidth(type) == 8 && TypeSetOf(type) == kFloatTypes);
}

bool HasDims(const Shape& shape, const Dims& dims) {
  return std::equal(shape.dimensions().begin(), shape.dimensions().end(),
                    dims.begin(), dims.end());
}

}  // namespace

RandomHloBuilder::RandomHloBuilder(HloModule& module,
                                   const RandomHloOptions& options)
    : module_(module), options_(options), random_(options.seed) {}

// --- Shapes.

PrimitiveType RandomHloBuilder::SomeType(TypeSet set) {
  // Most values of most programs are of few types.
  static constexpr PrimitiveType kUsual[] = {
      PrimitiveType::kF32, PrimitiveType::kF32,  PrimitiveType::kBF16,
      PrimitiveType::kS32, PrimitiveType::kPred, PrimitiveType::kU32};
  if (random_.Chance(50)) {
    const PrimitiveType type = random_.Pick(kUsual);
    if (TypeSetOf(type) & set) return type;
  }
  while (true) {
    const PrimitiveType type = random_.Pick(kArrayTypes);
    if (!IsArrayType(type) || !(TypeSetOf(type) & set)) continue;
    if (IsNarrow(type) && !options_.narrow_types) continue;
    if (TypeSetOf(type) == kComplexTypes && !options_.complex_types &&
        set != kComplexTypes) {
      continue;
    }
    return type;
  }
}

Dims RandomHloBuilder::SomeDims(int64_t min_rank, int64_t max_rank) {
  max_rank = std::max(min_rank, std::min<int64_t>(max_rank, options_.max_rank));
  Dims dims(random_.Between(min_rank, max_rank));
  for (int64_t& size : dims) {
    size = random_.Chance(3) ? 0 : random_.Between(1, options_.max_dimension);
  }
  return dims;
}

const Layout* RandomHloBuilder::SomeLayout(PrimitiveType type,
                                           const Dims& dims) {
  static constexpr MemorySpace kSpaces[] = {
      MemorySpace::kFast, MemorySpace::kHost, MemorySpace::kContext};
  const int64_t rank = dims.size();
  LayoutFields fields;
  for (int64_t i = rank - 1; i >= 0; --i) fields.minor_to_major.push_back(i);
  if (options_.memory_spaces && random_.Chance(5)) {
    fields.memory_space = random_.Pick(kSpaces);
  }
  if (!options_.layouts) return &context().GetLayout(fields);
  if (random_.Chance(15)) random_.Shuffle(fields.minor_to_major);
  if (BitWidth(type) == 4 && random_.Chance(50)) {
    fields.element_size_in_bits = 4;
  }
  if (random_.Chance(12)) {
    if (rank < 2) {
      fields.tiles.push_back({{128}});
    } else {
      fields.tiles.push_back(random_.Chance(90) ? Tile{{8, 128}}
                                                : Tile{{Tile::kCombined, 16}});
    }
    if (BitWidth(type) == 16) fields.tiles.push_back({{2, 1}});
  }
  if (random_.Chance(2)) fields.tail_padding_alignment_in_elements = 8;
  // The most minor dimension; splits count them as they lie in memory.
  const int64_t minor = rank > 0 ? dims[fields.minor_to_major[0]] : 0;
  if (minor > 1 && random_.Chance(2)) {
    fields.split_configs.push_back({rank - 1, {1}});
    if (minor > 2) fields.split_configs[0].split_indices.push_back(2);
  }
  return &context().GetLayout(fields);
}

const Shape& RandomHloBuilder::Array(PrimitiveType type, const Dims& dims,
                                     absl::Span<const bool> dynamic) {
  return context().GetArrayShape(type, dims, SomeLayout(type, dims), dynamic);
}

const Shape& RandomHloBuilder::Tuple(
    const std::vector<const Shape*>& elements) {
  return context().GetTupleShape(elements);
}

const Shape& RandomHloBuilder::TupleUnlessOne(const Operands& operands) {
  if (operands.size() == 1) return operands[0]->shape();
  std::vector<const Shape*> shapes;
  for (HloInstruction* operand : operands) shapes.push_back(&operand->shape());
  return Tuple(shapes);
}

const Shape& RandomHloBuilder::Like(const Shape& shape, PrimitiveType type) {
  const Dims dims(shape.dimensions().begin(), shape.dimensions().end());
  if (!shape.is_dynamic()) return Array(type, dims);
  bool dynamic[16] = {};
  for (size_t i = 0; i < dims.size(); ++i) {
    dynamic[i] = shape.is_dynamic_dimension(i);
  }
  return Array(type, dims, absl::MakeConstSpan(dynamic, dims.size()));
}

const Shape& RandomHloBuilder::Token() {
  return context().GetShapeWithoutElements(PrimitiveType::kToken);
}

// --- Values.

HloInstruction& RandomHloBuilder::Value(const Shape& shape) {
  // From some place on, so that not always the first is taken.
  const size_t count = values().size();
  const size_t start = count == 0 ? 0 : random_.Below(count);
  for (size_t i = 0; i < count; ++i) {
    HloInstruction* value = values()[(start + i) % count];
    if (value->shape() == shape && random_.Chance(70)) return *value;
  }
  return MakeValue(shape);
}

HloInstruction& RandomHloBuilder::ArrayValue(PrimitiveType type,
                                             const Dims& dims) {
  const size_t count = values().size();
  const size_t start = count == 0 ? 0 : random_.Below(count);
  for (size_t i = 0; i < count; ++i) {
    HloInstruction* value = values()[(start + i) % count];
    if (value->shape().element_type() == type && !value->shape().is_dynamic() &&
        HasDims(value->shape(), dims) && random_.Chance(80)) {
      return *value;
    }
  }
  return MakeValue(Array(type, dims));
}

HloInstruction& RandomHloBuilder::SomeArray(TypeSet set, int64_t min_rank,
                                            int64_t max_rank, bool dynamic) {
  for (int tries = 0; tries < 6 && !values().empty(); ++tries) {
    HloInstruction* value = random_.Pick(values());
    const Shape& shape = value->shape();
    const int64_t rank = shape.dimensions().size();
    if (shape.IsArray() && (TypeSetOf(shape.element_type()) & set) &&
        rank >= min_rank && rank <= max_rank &&
        (dynamic || !shape.is_dynamic())) {
      return *value;
    }
  }
  const PrimitiveType type = SomeType(set);
  Dims dims = SomeDims(min_rank, max_rank);
  if (dynamic && options_.dynamic_dimensions && !dims.empty() &&
      random_.Chance(20)) {
    bool flags[16] = {};
    flags[0] = true;
    if (random_.Chance(30)) dims[0] = kUnboundedDimension;
    return MakeValue(
        Array(type, dims, absl::MakeConstSpan(flags, dims.size())));
  }
  return MakeValue(Array(type, dims));
}

HloInstruction& RandomHloBuilder::SomeValue() {
  if (values().empty() || random_.Chance(10)) return SomeArray(kAllTypes);
  return *random_.Pick(values());
}

// XLA takes a constant's layout from its literal, which has no element size,
// alignment or splits: those come with a copy.
const Shape& RandomHloBuilder::LiteralShape(const Shape& shape) {
  return context().MapLeaves(
      shape, [&](int32_t, const Shape& leaf) -> const Shape& {
        LayoutFields fields = leaf.layout()->fields();
        fields.tail_padding_alignment_in_elements = 1;
        fields.element_size_in_bits = 0;
        fields.split_configs.clear();
        return context().WithLayout(leaf, &context().GetLayout(fields));
      });
}

HloInstruction& RandomHloBuilder::Constant(const Shape& shape,
                                           std::string literal) {
  const Shape& held = LiteralShape(shape);
  if (!(held == shape)) {
    HloInstruction& constant = Constant(held, std::move(literal));
    return Add(HloOpcode::kCopy, shape, {&constant});
  }
  return Add(
      HloOpcode::kConstant, shape, {},
      {.attributes = {{HloAttributeKind::kLiteral, std::move(literal)}}});
}

HloInstruction& RandomHloBuilder::Integer(PrimitiveType type, int64_t value) {
  return Constant(Scalar(type), absl::StrCat(value));
}

HloInstruction& RandomHloBuilder::MakeValue(const Shape& shape) {
  if (shape.IsTuple()) {
    Operands elements;
    for (const Shape* element : shape.tuple_shapes()) {
      elements.push_back(&Value(*element));
    }
    return Add(HloOpcode::kTuple, shape, elements);
  }
  if (shape.element_type() == PrimitiveType::kToken) {
    return Add(HloOpcode::kAfterAll, shape, {});
  }
  if (bodies_.back().may_add_parameters && random_.Chance(50)) {
    const int64_t number = computation().parameters().size();
    return Add(HloOpcode::kParameter, shape, {}, {.number = number});
  }
  if (!shape.IsArray() || shape.is_dynamic()) {
    // Only a custom call makes anything at all.
    return Add(HloOpcode::kCustomCall, shape, {},
               {.attributes = {{HloAttributeKind::kCustomCallTarget,
                                "\"AllocateBuffer\""}}});
  }
  const int64_t count = *shape.ElementCount();
  if (options_.elided_constants && count > 10 && random_.Chance(20)) {
    return Constant(shape, "{...}");
  }
  if (count <= (shape.dimensions().empty() || random_.Chance(60) ? 24 : 0)) {
    return Constant(shape, RandomLiteral(random_, shape));
  }
  if (TypeSetOf(shape.element_type()) != kPredType && random_.Chance(20)) {
    return Add(HloOpcode::kIota, shape, {},
               {.attributes = {
                    {HloAttributeKind::kIotaDimension,
                     absl::StrCat(random_.Below(shape.dimensions().size()))}}});
  }
  HloInstruction& scalar = ScalarValue(shape.element_type());
  return Add(HloOpcode::kBroadcast, shape, {&scalar},
             {.attributes = {{HloAttributeKind::kDimensions, "{}"}}});
}

// --- Instructions.

// The reader names what asynchronous operations wrap by opcode, `add`, `add.1`;
// names with a dot are for modules without them.
absl::string_view RandomHloBuilder::NewName(HloOpcode opcode) {
  const absl::string_view name = HloOpcodeName(opcode);
  return module_.UniqueName(options_.async
                                ? absl::StrCat(name, "_", module_.id_limit())
                                : std::string(name));
}

std::vector<std::pair<HloAttributeKind, std::string>>
RandomHloBuilder::CommonAttributes(HloOpcode opcode, const Shape& shape) {
  std::vector<std::pair<HloAttributeKind, std::string>> result;
  if (!options_.annotations || is_plain_) return result;
  const auto maybe = [&](int percent, HloAttributeKind kind, auto make) {
    if (random_.Chance(percent)) result.push_back({kind, make()});
  };
  // XLA gives the wrapped operation what the short form of a start carries:
  // statistics then print twice, and origins do not fit its shape.
  const bool is_start = opcode == HloOpcode::kAsyncStart;
  maybe(8, HloAttributeKind::kSharding,
        [&] { return RandomSharding(random_, shape); });
  maybe(5, HloAttributeKind::kFrontendAttributes,
        [&] { return RandomFrontendAttributes(random_); });
  if (!is_start) {
    maybe(2, HloAttributeKind::kStatistics,
          [&] { return RandomStatistics(random_); });
    maybe(3, HloAttributeKind::kOrigin,
          [&] { return RandomOrigin(random_, shape); });
  }
  maybe(20, HloAttributeKind::kMetadata, [&] {
    // The leaf: the reader drops frames that nothing leads to.
    const int64_t frames = module_.stack_frames().frames.size();
    const bool has_frame = frames > 0 && random_.Chance(50);
    uses_frames_ |= has_frame;
    return RandomMetadata(random_, has_frame ? frames : 0);
  });
  maybe(5, HloAttributeKind::kBackendConfig,
        [&] { return RandomBackendConfig(random_); });
  if (opcode == HloOpcode::kParameter) {
    maybe(5, HloAttributeKind::kParameterReplication, [&] {
      std::string text = "{";
      for (int32_t leaf = 0; leaf < shape.leaf_count(); ++leaf) {
        absl::StrAppend(&text, leaf > 0 ? "," : "",
                        random_.Chance(50) ? "true" : "false");
      }
      return absl::StrCat(text, "}");
    });
  }
  return result;
}

HloInstruction& RandomHloBuilder::Add(HloOpcode opcode, const Shape& shape,
                                      const Operands& operands,
                                      Details details) {
  Operands predecessors;
  if (options_.annotations && !is_plain_ && random_.Chance(4) &&
      !values().empty()) {
    predecessors.push_back(random_.Pick(values()));
  }
  for (auto& [kind, text] : CommonAttributes(opcode, shape)) {
    const bool is_given = std::any_of(
        details.attributes.begin(), details.attributes.end(),
        [kind = kind](const auto& given) { return given.first == kind; });
    if (!is_given) details.attributes.push_back({kind, std::move(text)});
  }
  // The target of a custom call is looked up when the call is made.
  std::vector<HloAttribute> first;
  for (const auto& [kind, text] : details.attributes) {
    if (kind != HloAttributeKind::kCustomCallTarget) continue;
    first.push_back({kind, module_.SaveText(text)});
  }
  HloInstruction& instruction = module_.AddInstruction(
      computation(), {.opcode = opcode,
                      .name = NewName(opcode),
                      .shape = &shape,
                      .operands = operands,
                      .called_computations = details.callees,
                      .control_predecessors = predecessors,
                      .attributes = first,
                      .number = details.number});
  for (const auto& [kind, text] : details.attributes) {
    module_.SetAttribute(instruction, kind, module_.SaveText(text));
  }
  values().push_back(&instruction);
  return instruction;
}

HloInstruction& RandomHloBuilder::AddElement(HloInstruction& tuple,
                                             int64_t index) {
  HloInstruction& element =
      Add(HloOpcode::kGetTupleElement, *tuple.shape().tuple_shapes()[index],
          {&tuple}, {.number = index});
  // XLA sees through a tuple here.
  constexpr auto kOrigin = HloAttributeKind::kOrigin;
  if (tuple.opcode() == HloOpcode::kTuple && !element.HasAttribute(kOrigin) &&
      tuple.operand(index).HasAttribute(kOrigin)) {
    module_.SetAttribute(element, kOrigin,
                         tuple.operand(index).attribute(kOrigin));
  }
  return element;
}

HloInstruction& RandomHloBuilder::AddTuple(const Operands& operands) {
  std::vector<const Shape*> shapes;
  for (HloInstruction* operand : operands) shapes.push_back(&operand->shape());
  return Add(HloOpcode::kTuple, Tuple(shapes), operands);
}

void RandomHloBuilder::Hide(const HloInstruction& instruction) {
  const auto place = std::find(values().begin(), values().end(), &instruction);
  if (place != values().end()) values().erase(place);
}

// --- Computations.

HloComputation& RandomHloBuilder::Begin(absl::string_view name,
                                        bool may_add_parameters) {
  HloComputation& computation = module_.AddComputation(
      module_.SaveText(absl::StrCat(name, ".", module_.computations().size())),
      HloInstruction::kNoSource);
  bodies_.push_back({&computation, {}, may_add_parameters});
  return computation;
}

HloComputation& RandomHloBuilder::End(HloInstruction& root) {
  HloComputation& done = computation();
  module_.set_root(done, root);
  bodies_.pop_back();
  finished_.push_back(&done);
  return done;
}

Operands RandomHloBuilder::AddParameters(
    absl::Span<const Shape* const> shapes) {
  Operands parameters;
  for (const Shape* shape : shapes) {
    const int64_t number = parameters.size();
    parameters.push_back(
        &Add(HloOpcode::kParameter, *shape, {}, {.number = number}));
  }
  return parameters;
}

HloComputation& RandomHloBuilder::Body(
    absl::string_view name, absl::Span<const Shape* const> parameters,
    const Shape* result, int operations) {
  Begin(name, /*may_add_parameters=*/false);
  AddParameters(parameters);
  AddOperations(operations);
  return End(result == nullptr ? SomeValue() : Value(*result));
}

}  // namespace ferry
