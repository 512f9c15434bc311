// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The part of ComputationParser that goes on after an error. People and
// printers write an instruction a line, so the next line that looks like the
// start of one is where reading is taken up again.

#include "ferry/hlo/computation_parser.h"
#include "ferry/hlo/open_frames.h"

namespace ferry {

void ComputationParser::PoisonDefinition(const InstructionDraft& draft) {
  if (!draft.name.empty()) computation().failed.insert(draft.name);
}

void ComputationParser::Recover() {
  if (reader_.errors.full()) return;
  while (!frames_.empty() && !frames_.back().is_computation) {
    PoisonDefinition(instruction().draft);
    frames_.pop_back();
    --instruction_count_;
  }
  if (frames_.empty()) {
    SkipToNextComputation();
    return;
  }
  computation().has_errors = true;
  if (SkipToNextInstruction()) return;
  // The computation's own end was lost: give up all that is open.
  while (!frames_.empty()) {
    if (frames_.back().is_computation) {
      OpenComputation& open = computation();
      if (frames_.size() == 1) {
        known_.try_emplace(open.name, Known{nullptr, open.offset});
      }
      --computation_count_;
    } else {
      --instruction_count_;
    }
    frames_.pop_back();
  }
}

namespace {

enum class LineStart { kOther, kInstruction, kEnd, kComputation };

// What the next line with a token begins with; leaves the lexer at the token,
// so that empty lines are passed once.
LineStart ClassifyLine(HloLexer& lexer) {
  const uint64_t start = lexer.TokenOffset();
  const bool indented = start > 0 && lexer.text()[start - 1] != '\n';
  LineStart result = LineStart::kOther;
  if (lexer.Peek() == '}') {
    result = LineStart::kEnd;
  } else {
    const bool entry = lexer.ConsumeWord("ENTRY");
    const bool root = !entry && lexer.ConsumeWord("ROOT");
    lexer.Consume('%');
    const bool named = !lexer.ScanWord().empty();
    const bool glued = lexer.PeekHere() == '=';
    const char next = lexer.Peek();
    if (entry || (named && !indented && (next == '(' || next == '{'))) {
      result = LineStart::kComputation;
    } else if (root || (named && next == '=' && !glued)) {
      result = LineStart::kInstruction;
    }
  }
  lexer.set_offset(start);
  return result;
}

// To the start of the next line; false at the end of the text.
bool NextLine(HloLexer& lexer) {
  const absl::string_view text = lexer.text();
  const size_t end = text.find('\n', lexer.offset());
  if (end == absl::string_view::npos) {
    lexer.set_offset(text.size());
    return false;
  }
  lexer.set_offset(end + 1);
  return true;
}

}  // namespace

// False if the computation ends unseen: at the next one's header or at the end
// of the text.
bool ComputationParser::SkipToNextInstruction() {
  while (NextLine(lexer_)) {
    switch (ClassifyLine(lexer_)) {
      case LineStart::kInstruction:
      case LineStart::kEnd:
        return true;
      case LineStart::kComputation:
        return false;
      case LineStart::kOther:
        break;
    }
  }
  return false;
}

void ComputationParser::SkipToNextComputation() {
  while (NextLine(lexer_)) {
    if (ClassifyLine(lexer_) == LineStart::kComputation) return;
  }
}

}  // namespace ferry
