// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1111 across instructions: a channel belongs to one kind of operation.
//
//   send and recv of one channel are the ends of one transfer
//   collectives that share a channel are of one opcode and may be one

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

bool IsTransferStart(HloOpcode opcode) {
  return opcode == HloOpcode::kSend || opcode == HloOpcode::kRecv;
}

bool IsTransferDone(HloOpcode opcode) {
  return opcode == HloOpcode::kSendDone || opcode == HloOpcode::kRecvDone;
}

}  // namespace

void ChannelRule::Check(const HloInstruction& instruction,
                        HloVerifierFindings& findings) {
  const HloOpcode opcode = instruction.opcode();
  // A done repeats the channel of its start.
  if (IsTransferDone(opcode) ||
      (!IsTransferStart(opcode) && !HasTrait(opcode, kCollective))) {
    return;
  }
  const int64_t channel =
      ReadInteger(instruction.attribute(HloAttributeKind::kChannelId))
          .value_or(0);
  if (channel <= 0) return;
  const auto [first, is_new] = first_.try_emplace(channel, &instruction);
  if (is_new) return;
  const HloInstruction& other = *first->second;
  if (IsTransferStart(opcode) == IsTransferStart(other.opcode())) return;
  findings.Add(DiagnosticCode::kBadCollective, instruction,
               absl::StrCat("channel ", channel, " is used by ",
                            HloOpcodeName(other.opcode()), " `", other.name(),
                            "` and by ", HloOpcodeName(opcode), " `",
                            instruction.name(), "`"));
}

}  // namespace ferry
