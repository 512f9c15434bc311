// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1105: what starts in one instruction ends in another, of the right
// kind, exactly once. The wordings are XLA's, odd ones included.
//
//   copy-start ----------------------------> copy-done
//   async-start -> async-update -> ... ----> async-done
//   all-reduce-start ----------------------> all-reduce-done      and so on

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kBadAsyncPair;

struct StartDone {
  HloOpcode start;
  HloOpcode done;
};

// Pairs without instructions between them. send and recv are no such pair:
// tuples and loops may stand between their halves.
constexpr StartDone kPairs[] = {
    {HloOpcode::kCopyStart, HloOpcode::kCopyDone},
    {HloOpcode::kAllGatherStart, HloOpcode::kAllGatherDone},
    {HloOpcode::kAllReduceStart, HloOpcode::kAllReduceDone},
    {HloOpcode::kCollectivePermuteStart, HloOpcode::kCollectivePermuteDone},
};

bool IsAsyncOpen(HloOpcode opcode) {
  return opcode == HloOpcode::kAsyncStart || opcode == HloOpcode::kAsyncUpdate;
}

// The chain goes on with exactly one instruction, of one of `next`.
void ExpectOneConsumer(const HloInstruction& start,
                       std::initializer_list<HloOpcode> next,
                       HloVerifierFindings& findings) {
  const absl::string_view opcode = HloOpcodeName(start.opcode());
  if (start.users().size() != 1) {
    findings.Add(kCode, start,
                 absl::StrCat("The ", opcode,
                              " instruction requires one consumer, found ",
                              start.users().size()));
    return;
  }
  const HloOpcode user = start.users()[0]->opcode();
  for (HloOpcode allowed : next) {
    if (user == allowed) return;
  }
  findings.Add(
      kCode, start,
      absl::StrCat("The consumer of a ", opcode,
                   " instruction needs to be one of (",
                   absl::StrJoin(next, ", ",
                                 [](std::string* out, HloOpcode allowed) {
                                   absl::StrAppend(out, HloOpcodeName(allowed));
                                 }),
                   "), found ", HloOpcodeName(user)));
}

// send and recv: a tuple may take what they give through a loop.
constexpr StartDone kTransfers[] = {
    {HloOpcode::kSend, HloOpcode::kSendDone},
    {HloOpcode::kRecv, HloOpcode::kRecvDone},
};

void VerifyTransferPairs(const HloInstruction& instruction,
                         HloVerifierFindings& findings) {
  for (const StartDone& pair : kTransfers) {
    if (instruction.opcode() == pair.start) {
      if (instruction.IsRoot() && instruction.users().empty()) continue;
      ExpectOneConsumer(instruction, {HloOpcode::kTuple, pair.done}, findings);
    }
    if (instruction.opcode() != pair.done) continue;
    const HloOpcode operand = instruction.operand(0).opcode();
    if (operand == pair.start || operand == HloOpcode::kGetTupleElement) {
      continue;
    }
    findings.Add(
        kCode, instruction,
        absl::StrCat("The operand of a ", HloOpcodeName(pair.done),
                     " instruction needs to be one of (",
                     HloOpcodeName(pair.start), ", get-tuple-element), found ",
                     HloOpcodeName(operand)));
  }
}

// What async-start wraps is one operation: its operands are the parameters.
void VerifyWrapped(const HloInstruction& start, HloVerifierFindings& findings) {
  if (start.called_computations().empty()) return;
  const HloComputation& callee = *start.called_computations()[0];
  if (callee.root().opcode() == HloOpcode::kCall) return;
  for (const HloInstruction& instruction : callee.instructions()) {
    if (instruction.IsRoot() || instruction.opcode() == HloOpcode::kParameter) {
      continue;
    }
    findings.Add(DiagnosticCode::kWrapsManyOperations, start,
                 absl::StrCat("Asynchronous computation ", callee.name(),
                              " expected to contain only the root and "
                              "parameter instructions, but has `",
                              instruction.name(), "`"));
    return;
  }
}

void VerifyPairs(const HloInstruction& instruction,
                 HloVerifierFindings& findings) {
  for (const StartDone& pair : kPairs) {
    if (instruction.opcode() == pair.start) {
      ExpectOneConsumer(instruction, {pair.done}, findings);
    }
    if (instruction.opcode() == pair.done &&
        instruction.operand(0).opcode() != pair.start) {
      findings.Add(
          kCode, instruction,
          absl::StrCat("The operand of a ", HloOpcodeName(pair.done),
                       " instruction needs to be ", HloOpcodeName(pair.start),
                       ", found ",
                       HloOpcodeName(instruction.operand(0).opcode())));
    }
  }
}

// async-start: ((operands), result, contexts...), against operands and callee.
void VerifyAsyncStartShape(const HloInstruction& start,
                           HloVerifierFindings& findings) {
  const auto elements = start.shape().tuple_shapes();
  const absl::string_view opcode = HloOpcodeName(start.opcode());
  if (!start.shape().IsTuple() || elements.size() < 2 ||
      !elements[0]->IsTuple()) {
    findings.Add(kCode, start,
                 absl::StrCat("The ", opcode,
                              " expects the async shape to be a tuple of at "
                              "least two elements, found ",
                              ShapeForMessage(start.shape())));
    return;
  }
  const auto inputs = elements[0]->tuple_shapes();
  const auto operands = start.operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i < inputs.size() && Fits(start, operands[i]->shape(), *inputs[i]))
      continue;
    findings.Add(kCode, start,
                 absl::StrCat("The ", opcode, " expects the shape of operand ",
                              i, " to match the async shape at index {0} (",
                              ShapeForMessage(operands[i]->shape()), " vs ",
                              ShapeForMessage(*elements[0]), ")"));
  }
  if (start.called_computations().empty()) return;
  const HloComputation& callee = *start.called_computations()[0];
  bool parameters_fit = callee.parameters().size() == inputs.size();
  for (size_t i = 0; parameters_fit && i < inputs.size(); ++i) {
    parameters_fit = Fits(start, callee.parameters()[i]->shape(), *inputs[i]);
  }
  if (!parameters_fit) {
    const auto shape_of = [](std::string* out,
                             const HloInstruction* parameter) {
      absl::StrAppend(out, ShapeForMessage(parameter->shape()));
    };
    findings.Add(
        kCode, start,
        absl::StrCat("The ", opcode,
                     " expects the async shape at index {0} to match async "
                     "computation parameter shape (",
                     ShapeForMessage(*elements[0]), " vs (",
                     absl::StrJoin(callee.parameters(), ", ", shape_of), "))"));
  }
  if (!Fits(start, callee.root().shape(), *elements[1])) {
    findings.Add(kCode, start,
                 absl::StrCat("The ", opcode,
                              " expects the async shape at index {1} to match "
                              "the async computation root shape (",
                              ShapeForMessage(*elements[1]), " vs ",
                              ShapeForMessage(callee.root().shape()), ")"));
  }
}

void VerifyAsyncThread(const HloInstruction& start,
                       HloVerifierFindings& findings) {
  if (start.called_computations().empty()) return;
  const HloComputation& callee = *start.called_computations()[0];
  std::string thread =
      ReadString(start.attribute(HloAttributeKind::kAsyncExecutionThread));
  if (thread.empty()) thread = "main";
  if (thread == callee.execution_thread()) return;
  findings.Add(kCode, start,
               absl::StrCat(HloOpcodeName(start.opcode()),
                            " expects same async thread name as wrapped "
                            "computation's thread name (",
                            thread, " vs ", callee.execution_thread(), ")"));
}

// async-update and async-done continue a chain.
void VerifyAsyncContinues(const HloInstruction& instruction,
                          HloVerifierFindings& findings) {
  const HloInstruction& before = instruction.operand(0);
  const absl::string_view opcode = HloOpcodeName(instruction.opcode());
  if (!IsAsyncOpen(before.opcode())) {
    findings.Add(kCode, instruction,
                 absl::StrCat(opcode,
                              " expects operand to be async-update or "
                              "async-done, found ",
                              HloOpcodeName(before.opcode())));
    return;
  }
  if (instruction.opcode() == HloOpcode::kAsyncUpdate) {
    return ExpectShape(instruction, kCode, before.shape(), findings);
  }
  const auto elements = before.shape().tuple_shapes();
  if (elements.size() < 2 ||
      Fits(instruction, instruction.shape(), *elements[1]))
    return;
  findings.Add(kCode, instruction,
               absl::StrCat("The ", opcode,
                            " expects the shape of output to match the async "
                            "shape at index {1} (",
                            ShapeForMessage(instruction.shape()), " vs ",
                            ShapeForMessage(*elements[1]), ")"));
}

}  // namespace

void VerifyAsync(const HloInstruction& instruction,
                 HloVerifierFindings& findings) {
  switch (instruction.opcode()) {
    case HloOpcode::kAsyncStart:
      VerifyAsyncStartShape(instruction, findings);
      VerifyAsyncThread(instruction, findings);
      VerifyWrapped(instruction, findings);
      break;
    case HloOpcode::kAsyncUpdate:
      VerifyAsyncContinues(instruction, findings);
      break;
    case HloOpcode::kAsyncDone:
      return VerifyAsyncContinues(instruction, findings);
    default:
      VerifyTransferPairs(instruction, findings);
      return VerifyPairs(instruction, findings);
  }
  ExpectOneConsumer(instruction,
                    {HloOpcode::kAsyncUpdate, HloOpcode::kAsyncDone}, findings);
}

}  // namespace ferry
