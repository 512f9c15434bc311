// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What goes in and out of the program while it runs, and the tokens that order
// it: send, recv, infeed, outfeed, add-dependency. Their results are tuples of data and tokens (F1101); a done must
// say of the transfer what its start says (F1105).

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kShapeNotAsInferred;

bool IsToken(const Shape& shape) {
  return shape.element_type() == PrimitiveType::kToken;
}

bool ExpectToken(const HloInstruction& instruction, int64_t number,
                 HloVerifierFindings& findings) {
  const Shape& shape = instruction.operand(number).shape();
  if (IsToken(shape)) return true;
  findings.Add(kCode, instruction,
               absl::StrCat("Expected operand ", number,
                            " to be token-shaped, actual shape is ",
                            ShapeForMessage(shape)));
  return false;
}

const Shape& Token(HloContext& context) {
  return context.GetShapeWithoutElements(PrimitiveType::kToken);
}

const Shape& Context(HloContext& context) {
  return context.GetArrayShape(PrimitiveType::kU32, {}, nullptr);
}

// The end of a transfer is of its start: XLA compares channel and kind.
void ExpectSameTransfer(const HloInstruction& done, HloOpcode start_opcode,
                        HloVerifierFindings& findings) {
  const HloInstruction& start = done.operand(0);
  // Tuples and loops may stand between the two.
  if (start.opcode() != start_opcode) return;
  const auto same = [&](HloAttributeKind kind, absl::string_view otherwise) {
    const absl::string_view a = start.attribute(kind);
    const absl::string_view b = done.attribute(kind);
    return (a.empty() ? otherwise : a) == (b.empty() ? otherwise : b);
  };
  if (!same(HloAttributeKind::kIsHostTransfer, "false")) {
    findings.Add(DiagnosticCode::kBadAsyncPair, done,
                 absl::StrCat("Expected instructions to have the same "
                              "is-host-transfer property: `",
                              start.name(), "`, `", done.name(), "`"));
  }
  if (!same(HloAttributeKind::kChannelId, "0")) {
    findings.Add(
        DiagnosticCode::kBadAsyncPair, done,
        absl::StrCat("Expected to have the same channel id, actual "
                     "channel ids are: `",
                     start.name(), "` (",
                     start.attribute(HloAttributeKind::kChannelId), "), `",
                     done.name(), "` (",
                     done.attribute(HloAttributeKind::kChannelId), ")"));
  }
}

void VerifySend(const HloInstruction& send, HloVerifierFindings& findings) {
  if (!ExpectToken(send, 1, findings)) return;
  HloContext& context = send.parent().module().context();
  ExpectShape(send, kCode,
              context.GetTupleShape({&send.operand(0).shape(),
                                     &Context(context), &Token(context)}),
              findings);
}

void VerifyRecv(const HloInstruction& recv, HloVerifierFindings& findings) {
  if (!ExpectToken(recv, 0, findings)) return;
  HloContext& context = recv.parent().module().context();
  const auto elements = recv.shape().tuple_shapes();
  const Shape& data =
      recv.shape().IsTuple() && !elements.empty() ? *elements[0] : recv.shape();
  ExpectShape(
      recv, kCode,
      context.GetTupleShape({&data, &Context(context), &Token(context)}),
      findings);
}

void VerifyRecvDone(const HloInstruction& done, HloVerifierFindings& findings) {
  ExpectSameTransfer(done, HloOpcode::kRecv, findings);
  const Shape& recv = done.operand(0).shape();
  if (!recv.IsTuple() || recv.tuple_shapes().size() != 3) return;
  HloContext& context = done.parent().module().context();
  ExpectShape(
      done, kCode,
      context.GetTupleShape({recv.tuple_shapes()[0], recv.tuple_shapes()[2]}),
      findings);
}

void VerifyInfeed(const HloInstruction& infeed, HloVerifierFindings& findings) {
  if (!ExpectToken(infeed, 0, findings)) return;
  const auto elements = infeed.shape().tuple_shapes();
  if (infeed.shape().IsTuple() && elements.size() == 2 &&
      IsToken(*elements[1])) {
    return;
  }
  findings.Add(kCode, infeed,
               absl::StrCat("infeed gives (data, token[]), but the result is ",
                            ShapeForMessage(infeed.shape())));
}

// A shape's text less its layouts and comments.
std::string WithoutLayouts(absl::string_view text) {
  std::string out;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::StartsWith(text.substr(i), "/*")) {
      const size_t end = text.find("*/", i);
      if (end == absl::string_view::npos) break;
      i = end + 1;
      continue;
    }
    if (text[i] == '{') ++depth;
    if (depth == 0) out += text[i];
    if (text[i] == '}') --depth;
  }
  return out;
}

void VerifyOutfeed(const HloInstruction& outfeed,
                   HloVerifierFindings& findings) {
  if (!ExpectToken(outfeed, 1, findings)) return;
  const absl::string_view declared =
      outfeed.attribute(HloAttributeKind::kOutfeedShape);
  const std::string data =
      WithoutLayouts(outfeed.operand(0).shape().ToString(false));
  if (!declared.empty() && WithoutLayouts(declared) != data) {
    findings.Add(kCode, outfeed,
                 absl::StrCat("Expected outfeed shape to be equal to operand's "
                              "shape ",
                              data, ", actual shape is ", declared));
  }
  ExpectShape(outfeed, kCode, Token(outfeed.parent().module().context()),
              findings);
}

}  // namespace

void VerifyTransfer(const HloInstruction& instruction,
                    HloVerifierFindings& findings) {
  switch (instruction.opcode()) {
    case HloOpcode::kSend:
      return VerifySend(instruction, findings);
    case HloOpcode::kRecv:
      return VerifyRecv(instruction, findings);
    case HloOpcode::kSendDone:
      ExpectSameTransfer(instruction, HloOpcode::kSend, findings);
      return ExpectShape(instruction, kCode,
                         Token(instruction.parent().module().context()),
                         findings);
    case HloOpcode::kRecvDone:
      return VerifyRecvDone(instruction, findings);
    case HloOpcode::kInfeed:
      return VerifyInfeed(instruction, findings);
    case HloOpcode::kOutfeed:
      return VerifyOutfeed(instruction, findings);
    case HloOpcode::kAddDependency:
      ExpectToken(instruction, 1, findings);
      return;
    default:
      return;
  }
}

}  // namespace ferry
