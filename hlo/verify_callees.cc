// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1102: each called computation takes what its caller gives it, and
// gives what the caller says that it returns.
//
//   call, fusion, async   operands  -> parameters one by one
//   while                 operand 0 -> the one parameter of each computation
//   conditional           operand k + 1 -> the one parameter of branch k
//   sort                  pairs of elements -> that many scalar parameters
//
// Reducers, maps and scans are inferred with their results (F1109).

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kCalleeMismatch;

bool IsScalarPredicate(const Shape& shape) {
  return shape.IsArray() && shape.dimensions().empty() &&
         shape.element_type() == PrimitiveType::kPred;
}

// XLA's "%s must take %d arguments; got %d." for while and conditional, and
// for the rest the like.
bool ExpectParameterCount(const HloInstruction& caller,
                          const HloComputation& callee, absl::string_view what,
                          int64_t expected, HloVerifierFindings& findings) {
  const int64_t actual = callee.parameters().size();
  if (actual == expected) return true;
  findings.Add(kCode, caller,
               absl::StrCat(what, " must take ", expected, " arguments; `",
                            callee.name(), "` takes ", actual));
  return false;
}

// Operands from `first_operand` on against all parameters.
void ExpectParametersFit(const HloInstruction& caller,
                         const HloComputation& callee, absl::string_view what,
                         HloVerifierFindings& findings) {
  if (!ExpectParameterCount(caller, callee, what, caller.operands().size(),
                            findings)) {
    return;
  }
  for (size_t i = 0; i < caller.operands().size(); ++i) {
    const Shape& operand = caller.operand(i).shape();
    const Shape& parameter = callee.parameters()[i]->shape();
    if (Fits(caller, operand, parameter)) continue;
    const ShapeMismatch mismatch = DescribeMismatch(parameter, operand);
    findings.Add(kCode, caller,
                 absl::StrCat("Shape mismatch between parameter number ", i,
                              " and its operand in ", caller.name(), ". (",
                              mismatch.first, " != ", mismatch.second, ")",
                              mismatch.where));
  }
}

// The result of the caller against the root of the callee.
void ExpectRootFits(const HloInstruction& caller, const HloComputation& callee,
                    HloVerifierFindings& findings) {
  ExpectShape(caller, kCode, callee.root().shape(), findings);
}

// `shape`, of which `what` says what it is of, must be that of the init value.
void ExpectLoopShape(const HloInstruction& loop, absl::string_view what,
                     const Shape& shape, HloVerifierFindings& findings) {
  const Shape& init = loop.operand(0).shape();
  if (Fits(loop, shape, init)) return;
  const ShapeMismatch mismatch = DescribeMismatch(shape, init);
  findings.Add(kCode, loop,
               absl::StrCat("The parameter of condition and body, the result "
                            "of the body, and init must all have the same "
                            "shape; got ",
                            what, ": ", mismatch.first,
                            "; init: ", mismatch.second, mismatch.where));
}

void VerifyWhile(const HloInstruction& loop, HloVerifierFindings& findings) {
  const HloComputation& condition = *loop.called_computations()[0];
  const HloComputation& body = *loop.called_computations()[1];
  const bool counts_fit =
      ExpectParameterCount(loop, condition, "Condition", 1, findings) &
      ExpectParameterCount(loop, body, "Body", 1, findings);
  if (!counts_fit) return;
  const Shape& result = condition.root().shape();
  if (!IsScalarPredicate(result)) {
    findings.Add(
        kCode, loop,
        absl::StrCat("Condition must return a boolean; `", condition.name(),
                     "` returns ", ShapeForMessage(result)));
  }
  ExpectLoopShape(loop, "Condition", condition.parameters()[0]->shape(),
                  findings);
  ExpectLoopShape(loop, "body", body.parameters()[0]->shape(), findings);
  ExpectLoopShape(loop, "result of body", body.root().shape(), findings);
  ExpectShape(loop, kCode, loop.operand(0).shape(), findings);
}

void VerifyConditional(const HloInstruction& conditional,
                       HloVerifierFindings& findings) {
  const auto branches = conditional.called_computations();
  if (conditional.operands().size() != branches.size() + 1) {
    findings.Add(
        kCode, conditional,
        absl::StrCat("a conditional with ", branches.size(), " branches needs ",
                     branches.size() + 1, " operands, but has ",
                     conditional.operands().size()));
    return;
  }
  const Shape& selector = conditional.operand(0).shape();
  const bool is_bool = selector.element_type() == PrimitiveType::kPred;
  if (!selector.IsArray() || !selector.dimensions().empty() ||
      (!is_bool && selector.element_type() != PrimitiveType::kS32)) {
    findings.Add(kCode, conditional,
                 absl::StrCat("branch_index must be bool[] or s32[]; got ",
                              ShapeForMessage(selector)));
  } else if (is_bool && branches.size() != 2) {
    findings.Add(kCode, conditional,
                 absl::StrCat("a bool[] selects one of 2 branches, but there "
                              "are ",
                              branches.size()));
  }
  for (size_t i = 0; i < branches.size(); ++i) {
    const std::string what = absl::StrCat("branch computation ", i);
    if (!ExpectParameterCount(conditional, *branches[i], what, 1, findings)) {
      continue;
    }
    const Shape& operand = conditional.operand(i + 1).shape();
    const Shape& parameter = branches[i]->parameters()[0]->shape();
    if (!Fits(conditional, operand, parameter)) {
      const ShapeMismatch mismatch = DescribeMismatch(operand, parameter);
      findings.Add(
          kCode, conditional,
          absl::StrCat("branch operand ", i,
                       " must match the shape of the only parameter of branch "
                       "computation ",
                       i, ": got operand: ", mismatch.first,
                       "; computation: ", mismatch.second, mismatch.where));
    }
    ExpectRootFits(conditional, *branches[i], findings);
  }
}

// Where precisions may not be mixed, a window's reducer takes what is in it.
void VerifyWindowReducer(const HloInstruction& window,
                         HloVerifierFindings& findings) {
  if (IsAfterLayoutAssignment(window)) return;
  const HloComputation& reducer = *window.called_computations()[0];
  const size_t count =
      std::min(reducer.parameters().size(), window.operands().size());
  for (size_t i = 0; i < count; ++i) {
    const Shape& operand = window.operand(i).shape();
    const Shape& parameter = reducer.parameters()[i]->shape();
    if (operand.element_type() == parameter.element_type()) continue;
    findings.Add(
        DiagnosticCode::kOperandsDoNotFit, window,
        absl::StrCat("Shape mismatch between to_apply computation "
                     "parameter and operand ",
                     i, " in ", window.name(), ": ", ShapeForMessage(parameter),
                     " and ", ShapeForMessage(operand)));
    return;
  }
}

// The order of a sort: pairs of elements, one pair an operand, to a boolean.
void VerifyOrder(const HloInstruction& sort, HloVerifierFindings& findings) {
  const HloComputation& order = *sort.called_computations()[0];
  const int64_t operands = sort.operands().size();
  const Shape& result = order.root().shape();
  if (!IsScalarPredicate(result)) {
    findings.Add(kCode, sort,
                 absl::StrCat("The Sort compare computation shape does not "
                              "lead to a scalar predicate shape: ",
                              ShapeForMessage(result)));
  }
  if (!ExpectParameterCount(sort, order, "the computation of this instruction",
                            2 * operands, findings)) {
    return;
  }
  for (int64_t i = 0; i < 2 * operands; ++i) {
    const Shape& parameter = order.parameters()[i]->shape();
    const Shape& operand = sort.operand(i / 2).shape();
    const PrimitiveType type = operand.element_type();
    if (parameter.IsArray() && parameter.dimensions().empty() &&
        (IsAfterLayoutAssignment(sort)
             ? IsSameTypeIgnoringPrecision(parameter.element_type(), type)
             : parameter.element_type() == type)) {
      continue;
    }
    findings.Add(kCode, sort,
                 absl::StrCat("Expected the ", i,
                              "-th parameter of the compare computation of "
                              "sort to be ",
                              PrimitiveTypeName(type), "[], but got ",
                              ShapeForMessage(parameter)));
  }
  const auto dimensions =
      ReadIntegers(sort.attribute(HloAttributeKind::kDimensions));
  const Shape& keys = sort.operand(0).shape();
  const int64_t rank = keys.dimensions().size();
  if (!dimensions.has_value() || dimensions->size() != 1 ||
      ((*dimensions)[0] >= 0 && (*dimensions)[0] < rank)) {
    return;
  }
  findings.Add(kCode, sort,
               absl::StrCat("Sort dimension ", (*dimensions)[0],
                            " is out of bounds for ", ShapeForMessage(keys)));
}

// A fusion has its body for itself, and the body has nothing to spare.
void VerifyFusion(const HloInstruction& fusion, HloVerifierFindings& findings) {
  const HloComputation& body = *fusion.called_computations()[0];
  ExpectParametersFit(fusion, body, "Fused computation", findings);
  const Shape& root = body.root().shape();
  if (!Fits(fusion, root, fusion.shape())) {
    const ShapeMismatch mismatch = DescribeMismatch(root, fusion.shape());
    findings.Add(kCode, fusion,
                 absl::StrCat("Fused computation shape (", mismatch.first,
                              ") is not equal to the fusion shape (",
                              mismatch.second, ")", mismatch.where));
  }
  for (const HloInstruction* caller : body.callers()) {
    if (caller->opcode() != HloOpcode::kFusion || caller == &fusion) continue;
    findings.Add(kCode, fusion,
                 absl::StrCat("Instruction of fused computation does not match "
                              "expected instruction: `",
                              body.name(), "` is the body of `", caller->name(),
                              "` too"));
    return;
  }
}

// Whether `text` is an integer that is not negative.
bool IsVersion(absl::string_view text) {
  return ReadInteger(text).value_or(-1) >= 0;
}

void VerifyComposite(const HloInstruction& call,
                     HloVerifierFindings& findings) {
  if (call.attribute(HloAttributeKind::kIsComposite) != "true") return;
  if (call.frontend_attribute("composite.name").empty()) {
    findings.Add(kCode, call,
                 "A composite call op must have frontend attributes with key "
                 "composite.name whose value is non-empty");
  }
  const absl::string_view version =
      call.frontend_attribute("composite.version");
  if (version.empty() || IsVersion(version)) return;
  findings.Add(kCode, call,
               absl::StrCat("A composite call op must have frontend attributes "
                            "with a composite.version whose value is a "
                            "non-negative integer but got: ",
                            version));
}

// What runs as part of its caller runs on its thread.
void VerifyThread(const HloInstruction& caller, HloVerifierFindings& findings) {
  const absl::string_view thread = caller.parent().execution_thread();
  for (const HloComputation* callee : caller.called_computations()) {
    if (callee->execution_thread() == thread) continue;
    findings.Add(
        kCode, caller,
        absl::StrCat("Callable instruction ", caller.name(),
                     " expects parent computation thread name same as "
                     "called computation's thread name (",
                     thread, " vs ", callee->execution_thread(), ")."));
  }
}

}  // namespace

void VerifyCallees(const HloInstruction& instruction,
                   HloVerifierFindings& findings) {
  const auto callees = instruction.called_computations();
  if (callees.empty()) return;
  switch (instruction.opcode()) {
    case HloOpcode::kWhile:
      if (callees.size() == 2) VerifyWhile(instruction, findings);
      return;
    case HloOpcode::kConditional:
      return VerifyConditional(instruction, findings);
    case HloOpcode::kCall:
      VerifyComposite(instruction, findings);
      ExpectParametersFit(instruction, *callees[0], "Called computation",
                          findings);
      return ExpectRootFits(instruction, *callees[0], findings);
    case HloOpcode::kFusion:
      VerifyThread(instruction, findings);
      return VerifyFusion(instruction, findings);
    case HloOpcode::kSort:
      return VerifyOrder(instruction, findings);
    case HloOpcode::kReduceWindow:
      return VerifyWindowReducer(instruction, findings);
    default:
      return;
  }
}

}  // namespace ferry
