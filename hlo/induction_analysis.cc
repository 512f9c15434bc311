// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Every scalar is brought into the form
//
//   constant            or      slot of a computation's parameter + constant
//
// by walking from it towards what defines it. For a loop this gives the step
// (the body's root is the slot plus the step), the comparison (slot + a against
// slot or constant), and the start (the init value, whose form may lead out
// into the callers). A walk has a budget of steps and of nested questions, so
// no input makes it long or deep; what exceeds it is unknown.

#include "ferry/hlo/induction_analysis.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/literal.h"
#include "ferry/hlo/literal_parser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

constexpr int kMaxSteps = 10000;
constexpr int kMaxNesting = 64;

// A value of the program as the walk meets it: which node of whose result, and
// the fusions and calls that it went into to get there, innermost last.
struct Position {
  const HloInstruction* instruction;
  int32_t ordinal;
  llvm::SmallVector<const HloInstruction*, 4> callers;
};

// `parameter` at `ordinal` plus `offset`, or the constant `offset` if there is
// no parameter.
struct Form {
  const HloInstruction* parameter = nullptr;
  int32_t ordinal = 0;
  int64_t offset = 0;

  bool IsConstant() const { return parameter == nullptr; }
};

bool HasOneElement(const Shape& shape) {
  return shape.IsArray() && !shape.is_dynamic() && shape.ElementCount() == 1;
}

// The numbers that an integer type can hold, cut to int64_t.
struct Range {
  int64_t min = 0;
  int64_t max = -1;
  bool Contains(int64_t number) const { return min <= number && number <= max; }
  bool Contains(const Range& other) const {
    return min <= other.min && other.max <= max;
  }
};

// Nullopt for types that are no integers.
std::optional<Range> RangeOf(PrimitiveType type) {
  const absl::string_view name = PrimitiveTypeName(type);
  const bool is_signed = name[0] == 's';
  int32_t bits = 0;
  if ((!is_signed && name[0] != 'u') ||
      !absl::SimpleAtoi(name.substr(1), &bits)) {
    return std::nullopt;
  }
  if (is_signed) return Range{llvm::minIntN(bits), llvm::maxIntN(bits)};
  return Range{
      0, bits == 64 ? INT64_MAX : static_cast<int64_t>(llvm::maxUIntN(bits))};
}

std::optional<int64_t> ConstantValue(const HloInstruction& constant) {
  if (!HasOneElement(constant.shape()) ||
      !RangeOf(constant.shape().element_type()).has_value()) {
    return std::nullopt;
  }
  const absl::StatusOr<Literal> literal = ParseLiteral(
      constant.shape(), constant.attribute(HloAttributeKind::kLiteral));
  if (!literal.ok() || literal->array().is_elided()) return std::nullopt;
  const int64_t value = literal->array().IntegerAt(0);
  const bool is_above_int64 =
      value < 0 && constant.shape().element_type() == PrimitiveType::kU64;
  if (is_above_int64) return std::nullopt;
  return value;
}

bool IsLoop(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kWhile &&
         instruction.called_computations().size() == 2;
}

class Walker {
 public:
  // Stays in the computation of `position`, but goes into what is called.
  std::optional<Form> FormOf(Position position) {
    int64_t offset = 0;
    while (Spend()) {
      const HloInstruction& instruction = *position.instruction;
      switch (instruction.opcode()) {
        case HloOpcode::kParameter:
          if (position.callers.empty()) {
            return Form{&instruction, position.ordinal, offset};
          }
          if (!LeaveCallee(position)) return std::nullopt;
          break;
        case HloOpcode::kConstant:
          return Plus(ConstantForm(position), offset);
        case HloOpcode::kAdd:
        case HloOpcode::kSubtract:
          return Plus(SumForm(position), offset);
        default:
          if (!StepBack(position)) return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // Also leaves computations for their one caller, as long as the value is the
  // same in every iteration of every loop on the way.
  std::optional<int64_t> ValueOf(Position position) {
    int64_t offset = 0;
    while (Spend()) {
      const std::optional<Form> form = Plus(FormOf(position), offset);
      if (!form.has_value()) return std::nullopt;
      offset = form->offset;
      if (form->IsConstant()) return offset;
      if (!LeaveToCaller(*form, position)) return std::nullopt;
    }
    return std::nullopt;
  }

  bool IsUnchanged(const HloInstruction& loop, int32_t ordinal) {
    const std::optional<int64_t> step = StepOf(loop, ordinal);
    return step.has_value() && *step == 0;
  }

  // What one iteration adds to a slot.
  std::optional<int64_t> StepOf(const HloInstruction& loop, int32_t ordinal) {
    const HloComputation& body = *loop.called_computations()[1];
    const std::optional<Form> form = FormOf({&body.root(), ordinal, {}});
    if (!form.has_value() || form->parameter != body.parameters()[0] ||
        form->ordinal != ordinal) {
      return std::nullopt;
    }
    return form->offset;
  }

  // The instruction that makes a value, behind all that only passes it on.
  std::optional<Position> FindDefinition(Position position) {
    while (Spend()) {
      const bool is_parameter =
          position.instruction->opcode() == HloOpcode::kParameter;
      if (is_parameter ? !LeaveCallee(position) : !StepBack(position)) {
        return position;
      }
    }
    return std::nullopt;
  }

 private:
  bool Spend() { return steps_-- > 0; }

  static std::optional<Form> Plus(std::optional<Form> form, int64_t offset) {
    if (!form.has_value() ||
        llvm::AddOverflow(form->offset, offset, form->offset)) {
      return std::nullopt;
    }
    return form;
  }

  static std::optional<Form> ConstantForm(const Position& position) {
    const std::optional<int64_t> value = ConstantValue(*position.instruction);
    if (!value.has_value()) return std::nullopt;
    return Form{nullptr, 0, *value};
  }

  // add and subtract, of which one side at least is a constant. Wrapping needs
  // no thought here: (x + a) + b is x + (a + b) modulo any power of two.
  std::optional<Form> SumForm(const Position& position) {
    const HloInstruction& sum = *position.instruction;
    if (!HasOneElement(sum.shape()) || nesting_ == kMaxNesting) {
      return std::nullopt;
    }
    ++nesting_;
    std::optional<Form> left = FormOf({&sum.operand(0), 0, position.callers});
    std::optional<Form> right = FormOf({&sum.operand(1), 0, position.callers});
    --nesting_;
    if (!left.has_value() || !right.has_value()) return std::nullopt;
    if (sum.opcode() == HloOpcode::kSubtract) {
      if (!right->IsConstant() ||
          llvm::SubOverflow(int64_t{0}, right->offset, right->offset)) {
        return std::nullopt;
      }
    }
    if (!left->IsConstant() && !right->IsConstant()) return std::nullopt;
    return left->IsConstant() ? Plus(right, left->offset)
                              : Plus(left, right->offset);
  }

  // From a callee's parameter to the operand of the innermost caller.
  static bool LeaveCallee(Position& position) {
    if (position.callers.empty()) return false;
    const HloInstruction& caller = *position.callers.pop_back_val();
    const int64_t number = position.instruction->parameter_number();
    if (number >= static_cast<int64_t>(caller.operands().size())) return false;
    position.instruction = &caller.operand(number);
    return true;
  }

  // One step towards the definition of a value that `position` only passes on.
  // False where it makes a new one.
  bool StepBack(Position& position) {
    const HloInstruction& instruction = *position.instruction;
    switch (instruction.opcode()) {
      case HloOpcode::kTuple: {
        const ShapeIndex index = instruction.shape().IndexAt(position.ordinal);
        if (index.empty()) return false;
        position.ordinal -= instruction.shape().ElementOrdinal(index[0]);
        return MoveTo(position, index[0]);
      }
      case HloOpcode::kGetTupleElement: {
        const Shape& tuple = instruction.operand(0).shape();
        const int64_t index = instruction.tuple_index();
        if (index < 0 ||
            index >= static_cast<int64_t>(tuple.tuple_shapes().size())) {
          return false;
        }
        position.ordinal += tuple.ElementOrdinal(index);
        return MoveTo(position, 0);
      }
      case HloOpcode::kCopy:
      case HloOpcode::kOptBarrier:
      case HloOpcode::kAddDependency:
        return MoveTo(position, 0);
      case HloOpcode::kCopyDone: {
        const HloInstruction& start = instruction.operand(0);
        if (start.opcode() != HloOpcode::kCopyStart) return false;
        position.instruction = &start.operand(0);
        return true;
      }
      case HloOpcode::kBitcast:
      case HloOpcode::kConvert:
      case HloOpcode::kReshape:
        return KeepsNumber(instruction) && MoveTo(position, 0);
      case HloOpcode::kFusion:
      case HloOpcode::kCall:
        if (instruction.called_computations().size() != 1) return false;
        position.callers.push_back(&instruction);
        position.instruction = &instruction.called_computations()[0]->root();
        return true;
      case HloOpcode::kWhile:
        return StepOverLoop(position);
      default:
        return false;
    }
  }

  static bool MoveTo(Position& position, int64_t operand) {
    if (operand >=
        static_cast<int64_t>(position.instruction->operands().size())) {
      return false;
    }
    position.instruction = &position.instruction->operand(operand);
    return true;
  }

  // A value that the loop does not change is what it was before the loop.
  bool StepOverLoop(Position& position) {
    if (nesting_ == kMaxNesting) return false;
    ++nesting_;
    const bool is_unchanged =
        IsUnchanged(*position.instruction, position.ordinal);
    --nesting_;
    return is_unchanged && MoveTo(position, 0);
  }

  // Whether the one number of the operand is the result, whatever it is.
  static bool KeepsNumber(const HloInstruction& instruction) {
    const Shape& from = instruction.operand(0).shape();
    const Shape& to = instruction.shape();
    if (!HasOneElement(from) || !HasOneElement(to)) return false;
    if (from.element_type() == to.element_type()) return true;
    if (instruction.opcode() != HloOpcode::kConvert) return false;
    const std::optional<Range> from_range = RangeOf(from.element_type());
    const std::optional<Range> to_range = RangeOf(to.element_type());
    return from_range.has_value() && to_range.has_value() &&
           to_range->Contains(*from_range);
  }

  // From a parameter to what its computation's only caller gives it.
  bool LeaveToCaller(const Form& form, Position& position) {
    const HloComputation& callee = form.parameter->parent();
    if (callee.callers().size() != 1) return false;
    const HloInstruction& caller = *callee.callers()[0];
    const int64_t number = form.parameter->parameter_number();
    position = {&caller, form.ordinal, {}};
    switch (caller.opcode()) {
      case HloOpcode::kWhile:
        return IsUnchanged(caller, form.ordinal) && MoveTo(position, 0);
      case HloOpcode::kCall:
      case HloOpcode::kFusion:
      case HloOpcode::kAsyncStart:
        return MoveTo(position, number);
      case HloOpcode::kConditional: {
        // The same computation may be several branches.
        int64_t branch = -1;
        for (size_t i = 0; i < caller.called_computations().size(); ++i) {
          if (caller.called_computations()[i] != &callee) continue;
          if (branch >= 0) return false;
          branch = i;
        }
        return MoveTo(position, branch + 1);
      }
      default:
        return false;
    }
  }

  int steps_ = kMaxSteps;
  int nesting_ = 0;
};

enum class Direction {
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual
};

std::optional<Direction> DirectionOf(const HloInstruction& compare) {
  const absl::string_view text =
      compare.attribute(HloAttributeKind::kDirection);
  if (text == "LT") return Direction::kLess;
  if (text == "LE") return Direction::kLessEqual;
  if (text == "GT") return Direction::kGreater;
  if (text == "GE") return Direction::kGreaterEqual;
  if (text == "EQ") return Direction::kEqual;
  if (text == "NE") return Direction::kNotEqual;
  return std::nullopt;
}

// What the direction is with the operands exchanged.
Direction Mirror(Direction direction) {
  switch (direction) {
    case Direction::kLess:
      return Direction::kGreater;
    case Direction::kLessEqual:
      return Direction::kGreaterEqual;
    case Direction::kGreater:
      return Direction::kLess;
    case Direction::kGreaterEqual:
      return Direction::kLessEqual;
    case Direction::kEqual:
    case Direction::kNotEqual:
      return direction;
  }
  return direction;
}

// A loop that counts: it runs as long as `variable + offset` compares with
// `bound` as `direction` says.
struct CountedLoop {
  InductionVariable variable;
  int64_t offset = 0;
  int64_t bound = 0;
  Direction direction = Direction::kLess;
  Range range;  // of the type of the variable and of the comparison
};

// Numbers of iterations, in a type that holds all differences of int64_t.
using Wide = __int128;

// The least k >= 0 for which `first + k * step` is not below `bound`, that is,
// the iterations of a loop that counts up.
std::optional<Wide> CountUp(Wide first, Wide step, Wide bound) {
  if (first >= bound) return 0;
  if (step <= 0) return std::nullopt;
  return (bound - first + step - 1) / step;
}

std::optional<Wide> Iterations(const CountedLoop& loop) {
  const Wide first = Wide{loop.variable.start} + loop.offset;
  const Wide step = loop.variable.step;
  const Wide bound = loop.bound;
  switch (loop.direction) {
    case Direction::kLess:
      return CountUp(first, step, bound);
    case Direction::kLessEqual:
      return CountUp(first, step, bound + 1);
    case Direction::kGreater:
      return CountUp(-first, -step, -bound);
    case Direction::kGreaterEqual:
      return CountUp(-first, -step, -bound + 1);
    case Direction::kEqual:
      if (first != bound) return 0;
      if (step == 0) return std::nullopt;
      return 1;
    case Direction::kNotEqual:
      if (first == bound) return 0;
      if (step == 0 || (bound - first) % step != 0 ||
          (bound - first) / step < 0) {
        return std::nullopt;
      }
      return (bound - first) / step;
  }
  return std::nullopt;
}

// Nullopt if the variable would leave its type before the loop ends.
std::optional<int64_t> TripCount(const CountedLoop& loop) {
  const std::optional<Wide> count = Iterations(loop);
  if (!count.has_value() || *count > INT64_MAX) return std::nullopt;
  const Wide last = loop.variable.start + *count * loop.variable.step;
  for (Wide value : {Wide{loop.variable.start}, last}) {
    for (Wide offset : {Wide{0}, Wide{loop.offset}}) {
      if (value + offset < loop.range.min || value + offset > loop.range.max) {
        return std::nullopt;
      }
    }
  }
  return static_cast<int64_t>(*count);
}

// One side of the comparison in terms of the loop: a number, or a slot that
// changes by a constant.
struct Side {
  bool is_constant = false;
  int64_t constant = 0;
  InductionVariable variable;
  int64_t offset = 0;
};

std::optional<Side> SideOf(const HloInstruction& loop, const Form& form,
                           Walker& walker) {
  Side side;
  if (form.IsConstant()) {
    side.is_constant = true;
    side.constant = form.offset;
    return side;
  }
  const std::optional<int64_t> start =
      walker.ValueOf({&loop.operand(0), form.ordinal, {}});
  const std::optional<int64_t> step = walker.StepOf(loop, form.ordinal);
  if (!start.has_value() || !step.has_value()) return std::nullopt;
  if (*step == 0) {
    side.is_constant = true;
    if (llvm::AddOverflow(*start, form.offset, side.constant)) {
      return std::nullopt;
    }
    return side;
  }
  side.variable = {form.ordinal, *start, *step};
  side.offset = form.offset;
  return side;
}

std::optional<CountedLoop> ReadLoop(const HloInstruction& loop) {
  if (!IsLoop(loop)) return std::nullopt;
  Walker walker;
  const HloComputation& condition = *loop.called_computations()[0];
  const std::optional<Position> compare =
      walker.FindDefinition({&condition.root(), 0, {}});
  if (!compare.has_value() ||
      compare->instruction->opcode() != HloOpcode::kCompare) {
    return std::nullopt;
  }
  const std::optional<Direction> direction = DirectionOf(*compare->instruction);
  const Shape& compared = compare->instruction->operand(0).shape();
  const std::optional<Range> range = RangeOf(compared.element_type());
  if (!direction.has_value() || !range.has_value() ||
      !HasOneElement(compared)) {
    return std::nullopt;
  }
  std::optional<Side> sides[2];
  for (int i = 0; i < 2; ++i) {
    const std::optional<Form> form =
        walker.FormOf({&compare->instruction->operand(i), 0, compare->callers});
    if (!form.has_value()) return std::nullopt;
    sides[i] = SideOf(loop, *form, walker);
    if (!sides[i].has_value()) return std::nullopt;
  }
  if (sides[0]->is_constant == sides[1]->is_constant) return std::nullopt;
  const bool mirrored = sides[0]->is_constant;
  const Side& counter = *sides[mirrored ? 1 : 0];
  const Side& bound = *sides[mirrored ? 0 : 1];
  // The variable may be of a narrower type than the comparison.
  const std::optional<Range> slot_range =
      RangeOf(loop.shape().NodeAt(counter.variable.ordinal).element_type());
  if (!slot_range.has_value()) return std::nullopt;
  CountedLoop counted;
  counted.variable = counter.variable;
  counted.offset = counter.offset;
  counted.bound = bound.constant;
  counted.direction = mirrored ? Mirror(*direction) : *direction;
  counted.range = {std::max(range->min, slot_range->min),
                   std::min(range->max, slot_range->max)};
  return counted;
}

// Whether the condition is the constant `false`.
bool NeverRuns(const HloInstruction& loop) {
  if (!IsLoop(loop)) return false;
  const HloComputation& condition = *loop.called_computations()[0];
  const std::optional<Position> value =
      Walker().FindDefinition({&condition.root(), 0, {}});
  return value.has_value() &&
         value->instruction->opcode() == HloOpcode::kConstant &&
         value->instruction->attribute(HloAttributeKind::kLiteral) == "false";
}

// Takes `token` and the space in front of it off the front of `text`.
bool Consume(absl::string_view& text, absl::string_view token) {
  text = absl::StripLeadingAsciiWhitespace(text);
  if (text.substr(0, token.size()) != token) return false;
  text.remove_prefix(token.size());
  return true;
}

// "known_trip_count":{"n":"10"}, wherever it stands in the configuration.
std::optional<int64_t> KnownTripCount(const HloInstruction& loop) {
  const std::string config =
      ReadString(loop.attribute(HloAttributeKind::kBackendConfig));
  constexpr absl::string_view kKey = "\"known_trip_count\"";
  absl::string_view text = config;
  const size_t key = text.find(kKey);
  if (key == absl::string_view::npos) return std::nullopt;
  text.remove_prefix(key + kKey.size());
  if (!Consume(text, ":") || !Consume(text, "{") || !Consume(text, "\"n\"") ||
      !Consume(text, ":")) {
    return std::nullopt;
  }
  Consume(text, "\"");
  size_t digits = 0;
  while (digits < text.size() && absl::ascii_isdigit(text[digits])) ++digits;
  int64_t count = 0;
  if (!absl::SimpleAtoi(text.substr(0, digits), &count)) return std::nullopt;
  return count;
}

}  // namespace

std::optional<InductionVariable> FindInductionVariable(
    const HloInstruction& loop) {
  const std::optional<CountedLoop> counted = ReadLoop(loop);
  if (!counted.has_value()) return std::nullopt;
  return counted->variable;
}

std::optional<int64_t> FindTripCount(const HloInstruction& loop) {
  if (const auto known = KnownTripCount(loop)) return known;
  if (NeverRuns(loop)) return 0;
  const std::optional<CountedLoop> counted = ReadLoop(loop);
  if (!counted.has_value()) return std::nullopt;
  return TripCount(*counted);
}

}  // namespace ferry
