// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1102: each called computation takes what its caller gives it, and
// gives what the caller says that it returns.
//
//   call, fusion, async   operands  -> parameters one by one
//   while                 operand 0 -> the one parameter of each computation
//   conditional           operand k + 1 -> the one parameter of branch k
//   reduce, sort, ...     pairs of elements -> that many scalar parameters

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kCalleeMismatch;

bool Fits(const Shape& a, const Shape& b) {
  return a.IsCompatibleIgnoringPrecision(b);
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
    if (Fits(operand, parameter)) continue;
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
  if (Fits(shape, init)) return;
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
  if (!result.IsArray() || !result.dimensions().empty() ||
      result.element_type() != PrimitiveType::kPred) {
    findings.Add(
        kCode, loop,
        absl::StrCat("Condition must return a boolean; `", condition.name(),
                     "` returns ", ShapeForMessage(result)));
  }
  ExpectLoopShape(loop, "Condition", condition.parameters()[0]->shape(),
                  findings);
  ExpectLoopShape(loop, "body", body.parameters()[0]->shape(), findings);
  ExpectLoopShape(loop, "result of body", body.root().shape(), findings);
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
    if (!Fits(operand, parameter)) {
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

// How many elements a combining computation takes at once; -1 where any.
int64_t CombinedElements(const HloInstruction& instruction) {
  const int64_t operands = instruction.operands().size();
  switch (instruction.opcode()) {
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return operands;  // n arrays and n initial values
    case HloOpcode::kSort:
      return 2 * operands;
    case HloOpcode::kMap:
      return operands;
    case HloOpcode::kScatter:
      return operands - 1;  // n arrays and n updates, and the indices
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return 2;
    case HloOpcode::kScan:
      return operands;
    default:
      return -1;
  }
}

void VerifyCombiners(const HloInstruction& instruction,
                     HloVerifierFindings& findings) {
  const int64_t elements = CombinedElements(instruction);
  if (elements < 0) return;
  for (const HloComputation* callee : instruction.called_computations()) {
    ExpectParameterCount(instruction, *callee,
                         "the computation of this instruction", elements,
                         findings);
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
      ExpectParametersFit(instruction, *callees[0], "Called computation",
                          findings);
      return ExpectRootFits(instruction, *callees[0], findings);
    case HloOpcode::kFusion:
      ExpectParametersFit(instruction, *callees[0], "Fused computation",
                          findings);
      return ExpectRootFits(instruction, *callees[0], findings);
    default:
      VerifyCombiners(instruction, findings);
  }
}

}  // namespace ferry
