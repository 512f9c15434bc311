// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The part of ComputationParser that reads instructions: names, opcodes and
// operands. Each step reads an operand or an attribute and returns; one that
// meets a nested instruction or an inline computation pushes a frame first.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/computation_parser.h"
#include "ferry/hlo/legal_name.h"
#include "ferry/hlo/open_frames.h"

namespace ferry {
namespace {

absl::Span<const absl::string_view> AllOpcodeNames() {
  static constexpr absl::string_view kNames[] = {
#define FERRY_HLO_OPCODE(enumerator, name, min, max, traits) name,
#include "ferry/hlo/hlo_opcode.def"
  };
  return kNames;
}

}  // namespace

HloInstruction* ComputationParser::FindByName(absl::string_view name) {
  return module_.FindInstruction(*computation().computation, name);
}

bool ComputationParser::HasFailed(absl::string_view name) {
  const auto& failed = computation().failed;
  return !failed.empty() && failed.contains(name);
}

bool ComputationParser::UnknownInstruction(absl::string_view name,
                                           uint64_t offset) {
  reader_.errors.Add(DiagnosticCode::kUnknownName, offset,
                     {"instruction", std::string(name)});
  if (reader_.errors.full()) return false;
  std::vector<absl::string_view> candidates;
  for (const HloInstruction& defined :
       computation().computation->instructions()) {
    if (candidates.size() > ParseErrors::kMostCandidates) return false;
    candidates.push_back(defined.name());
  }
  std::sort(candidates.begin(), candidates.end());
  reader_.errors.Suggest(name, candidates);
  return false;
}

ComputationParser::OpenInstruction& ComputationParser::PushInstruction() {
  if (instruction_count_ == instructions_.size()) {
    instructions_.push_back(std::make_unique<OpenInstruction>());
  }
  OpenInstruction& open = *instructions_[instruction_count_];
  std::destroy_at(&open);
  std::construct_at(&open);
  frames_.push_back({/*is_computation=*/false, instruction_count_++});
  return open;
}

// ROOT? name = shape? opcode(
bool ComputationParser::StartInstruction() {
  OpenInstruction& open = PushInstruction();
  InstructionDraft& draft = open.draft;
  const uint64_t start = lexer_.TokenOffset();
  draft.is_root = lexer_.ConsumeWord("ROOT");
  if (!ParseName(draft)) return false;
  if (draft.is_root && computation().has_root) {
    return reader_.Fail(DiagnosticCode::kSyntaxError, start,
                        "one computation should have only one ROOT");
  }
  computation().has_root |= draft.is_root;
  const HloInstruction* known = FindByName(draft.name);
  if (known != nullptr || HasFailed(draft.name)) {
    reader_.errors.Add(DiagnosticCode::kDuplicateName, draft.offset,
                       {"instruction", std::string(draft.name)});
    if (known != nullptr) {
      reader_.errors.AddNote("instruction previously defined here",
                             known->source_offset());
    }
    return false;
  }
  return ParseShapeAndOpcode(draft);
}

bool ComputationParser::ParseName(InstructionDraft& draft) {
  draft.offset = lexer_.TokenOffset();
  draft.name = lexer_.ScanName();
  if (draft.name.empty()) return NoName();
  if (!IsLegalName(draft.name)) {
    return reader_.BadValue(
        draft.offset,
        absl::StrCat("illegal instruction name: ", draft.name,
                     "; suggest renaming to: ", LegalName(draft.name)));
  }
  return reader_.Expect('=', "behind the name of an instruction");
}

// Says what keeps the next token from being the name of an instruction.
bool ComputationParser::NoName() {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  if (word.empty()) {
    return reader_.errors.Expected(lexer_, "the name of an instruction");
  }
  return reader_.Fail(
      DiagnosticCode::kSyntaxError, offset,
      lexer_.PeekHere() == '='
          ? absl::StrCat("expected white space between `", word, "` and `=`")
          : absl::StrCat("`", word,
                         "` is a keyword; as a name it must be written `%",
                         word, "`"));
}

bool ComputationParser::ParseShapeAndOpcode(InstructionDraft& draft) {
  if (shapes_.IsNext()) {
    draft.shape = shapes_.Parse();
    if (draft.shape == nullptr) return false;
  }
  return ParseOpcode(draft);
}

bool ComputationParser::ParseOpcode(InstructionDraft& draft) {
  draft.opcode_offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  if (word.empty()) return reader_.errors.Expected(lexer_, "an opcode");
  draft.opcode_text = word;
  if (const auto opcode = HloOpcodeFromName(word)) {
    draft.opcode = *opcode;
  } else if (!IsSugar(word, draft)) {
    if (!allow_unknown_ || draft.shape == nullptr || lexer_.Peek() != '(') {
      reader_.errors.Add(DiagnosticCode::kUnknownOpcode, draft.opcode_offset,
                         std::string(word));
      reader_.errors.Suggest(word, AllOpcodeNames());
      return false;
    }
    draft.attributes.push_back({HloAttributeKind::kUnknownOpcode, word});
    if (noted_unknown_.insert(word).second) {
      reader_.errors.AddKeptUnknown("opcode", word, draft.opcode_offset,
                                    AllOpcodeNames());
    }
  }
  return reader_.Expect('(', "behind the opcode");
}

// `negate-start` where the whole word is no opcode and `negate` is one.
bool ComputationParser::IsSugar(absl::string_view word,
                                InstructionDraft& draft) {
  using Sugar = InstructionDraft::Sugar;
  struct Suffix {
    absl::string_view text;
    Sugar sugar;
    HloOpcode opcode;
  };
  static constexpr Suffix kSuffixes[] = {
      {"-start", Sugar::kStart, HloOpcode::kAsyncStart},
      {"-update", Sugar::kUpdate, HloOpcode::kAsyncUpdate},
      {"-done", Sugar::kDone, HloOpcode::kAsyncDone}};
  for (const Suffix& suffix : kSuffixes) {
    absl::string_view wrapped = word;
    if (!absl::ConsumeSuffix(&wrapped, suffix.text)) continue;
    const auto opcode = HloOpcodeFromName(wrapped);
    if (!opcode.has_value() || !HasAsyncSugar(*opcode) ||
        *opcode == HloOpcode::kSend || *opcode == HloOpcode::kRecv) {
      return false;
    }
    draft.sugar = suffix.sugar;
    draft.opcode = suffix.opcode;
    draft.wrapped_opcode = *opcode;
    return true;
  }
  return false;
}

// The one instruction of a text without computations: `name =` may be missing
// if a shape stands there.
bool ComputationParser::StartFreeInstruction() {
  if (!shapes_.IsNext()) return StartInstruction();
  InstructionDraft& draft = PushInstruction().draft;
  draft.offset = lexer_.TokenOffset();
  draft.name = "_";
  return ParseShapeAndOpcode(draft);
}

bool ComputationParser::MakesFreeOperands() const {
  return has_free_operands_ && computation_count_ == 1;
}

// `shape name?` becomes a parameter, once for each name. Null after an error.
HloInstruction* ComputationParser::FindOrMakeFreeOperand(
    absl::string_view name, uint64_t offset, const Shape* declared) {
  OpenComputation& parent = computation();
  InstructionDraft parameter;
  parameter.opcode = HloOpcode::kParameter;
  parameter.opcode_text = "parameter";
  parameter.shape = declared;
  parameter.offset = offset;
  parameter.number = parent.computation->parameters().size();
  if (name.empty()) {
    parameter.name = module_.UniqueNameInScope(
        *parent.computation, absl::StrCat("_", parameter.number));
  } else if (!IsLegalName(name)) {
    parameter.name = module_.SaveText(LegalName(name));
  } else {
    parameter.name = name;
  }
  HloInstruction* known = FindByName(parameter.name);
  if (known != nullptr) return known;
  if (declared == nullptr) {
    reader_.Fail(DiagnosticCode::kSyntaxError, offset,
                 absl::StrCat("expected a shape in front of `", name,
                              "`: operands of a single instruction need "
                              "shapes"));
    return nullptr;
  }
  return builder_.Build(*parent.computation, parameter);
}

bool ComputationParser::StepInstruction() {
  OpenInstruction& open = instruction();
  switch (open.phase) {
    case OpenInstruction::Phase::kOperands:
      return ParseArgument(open);
    case OpenInstruction::Phase::kCallees:
      return ParseCallee(open);
    case OpenInstruction::Phase::kAttributes:
      if (!open.draft.is_nested && lexer_.Consume(',')) {
        return ParseAttribute(open);
      }
      return FinishInstruction();
  }
  return false;
}

// What stands between the parentheses, one operand a step.
bool ComputationParser::ParseArgument(OpenInstruction& open) {
  const HloOpcode opcode = open.draft.rules();
  if (opcode == HloOpcode::kParameter || opcode == HloOpcode::kConstant) {
    const bool ok = opcode == HloOpcode::kParameter
                        ? ParseParameterNumber(open.draft)
                        : ParseConstant(open.draft);
    if (!ok) return false;
    open.phase = OpenInstruction::Phase::kAttributes;
    return reader_.Expect(')', "at the end of the operands");
  }
  while (true) {
    // XLA passes over commas, one or more, wherever they stand.
    bool has_comma = false;
    while (lexer_.Consume(',')) has_comma = true;
    if (lexer_.Consume(')')) {
      open.phase = OpenInstruction::Phase::kAttributes;
      return true;
    }
    if (open.has_operand && !has_comma) {
      return reader_.errors.Expected(lexer_,
                                     "`,` or `)` at the end of operands");
    }
    open.has_operand = true;
    const size_t depth = frames_.size();
    if (!ParseOperand(open)) return false;
    if (frames_.size() != depth) return true;
  }
}

// The number must be new, and small enough to be dense in what the text can
// still hold.
bool ComputationParser::ParseParameterNumber(InstructionDraft& draft) {
  const uint64_t offset = lexer_.TokenOffset();
  if (!reader_.ReadNumber("a parameter number", draft.number)) return false;
  if (draft.number < 0) {
    return reader_.BadValue(offset, "parameter number must be >= 0");
  }
  const auto parameters = computation().computation->parameters();
  const uint64_t number = draft.number;
  if (number < parameters.size()) {
    if (parameters[number] == nullptr) return true;
    reader_.errors.Add(DiagnosticCode::kBadValue, offset,
                       absl::StrCat("Duplicate parameter number ", number));
    reader_.errors.AddNote("the other one is here",
                           parameters[number]->source_offset());
    return false;
  }
  const uint64_t more = number + 1 - parameters.size();
  if (more > parameter_budget_) {
    return reader_.BadValue(
        offset, absl::StrCat("parameter number ", number,
                             " leaves a gap: parameters count from 0 without "
                             "gaps"));
  }
  parameter_budget_ -= more;
  return true;
}

bool ComputationParser::ParseConstant(InstructionDraft& draft) {
  if (draft.shape == nullptr) {
    return reader_.Fail(DiagnosticCode::kSyntaxError, draft.opcode_offset,
                        "expected a shape in front of `constant`");
  }
  absl::string_view text;
  if (!attributes_.ParseLiteral(draft.shape, text)) return false;
  draft.attributes.push_back({HloAttributeKind::kLiteral, text});
  return true;
}

// shape? name, or shape? opcode(operands).
bool ComputationParser::ParseOperand(OpenInstruction& open) {
  InstructionDraft& draft = open.draft;
  const uint64_t start = lexer_.TokenOffset();
  const Shape* declared = nullptr;
  if (lexer_.Peek() != '%' && shapes_.IsNext()) {
    declared = shapes_.Parse();
    if (declared == nullptr) return false;
  }
  const uint64_t offset = lexer_.TokenOffset();
  const bool has_percent = lexer_.Peek() == '%';
  const absl::string_view name = lexer_.ScanName();
  if (name.empty() && (declared == nullptr || !MakesFreeOperands())) {
    return reader_.errors.Expected(lexer_, "an operand");
  }
  const bool is_nested = !name.empty() && !has_percent && lexer_.Peek() == '(';
  if (MakesFreeOperands() && (!is_nested || declared != nullptr)) {
    // In front of a nested instruction too, where nothing uses it: so does
    // XLA, which sees a name before it sees the parenthesis.
    HloInstruction* found = FindOrMakeFreeOperand(name, offset, declared);
    if (found == nullptr) return false;
    if (!is_nested) return AddOperand(draft, *found, offset, declared);
  }
  if (!is_nested) return ResolveOperand(draft, name, offset, declared);
  lexer_.set_offset(offset);
  const bool is_poisoned = draft.is_poisoned;
  InstructionDraft& nested = PushInstruction().draft;
  nested.is_nested = true;
  nested.is_poisoned = is_poisoned;
  nested.offset = start;
  nested.shape = declared;
  return ParseOpcode(nested);
}

bool ComputationParser::ResolveOperand(InstructionDraft& draft,
                                       absl::string_view name, uint64_t offset,
                                       const Shape* declared) {
  HloInstruction* found = FindByName(name);
  if (found == nullptr && HasFailed(name)) {
    draft.is_poisoned = true;
    return true;
  }
  if (found == nullptr) {
    UnknownInstruction(name, offset);
    return false;
  }
  return AddOperand(draft, *found, offset, declared);
}

bool ComputationParser::AddOperand(InstructionDraft& draft,
                                   HloInstruction& found, uint64_t offset,
                                   const Shape* declared) {
  const Shape& actual = found.shape();
  if (declared != nullptr && !declared->IsCompatible(actual)) {
    reader_.Fail(
        DiagnosticCode::kShapeMismatchInText, offset,
        absl::StrCat("The declared operand shape ", declared->ToString(),
                     " is not compatible with the shape of the "
                     "operand instruction ",
                     actual.ToString(), "."));
    reader_.errors.AddNote("it is defined here", found.source_offset());
    return false;
  }
  draft.operands.push_back(&found);
  return true;
}

// Pops the frame, makes the instruction and hands it to whom it is for.
bool ComputationParser::FinishInstruction() {
  OpenInstruction& open = instruction();
  InstructionDraft& draft = open.draft;
  OpenComputation& parent = computation();
  HloInstruction* made = nullptr;
  if (draft.is_nested) {
    draft.name = module_.UniqueNameInScope(
        *parent.computation, absl::StrCat(draft.opcode == HloOpcode::kUnknown
                                              ? draft.opcode_text
                                              : HloOpcodeName(draft.opcode),
                                          ".anon"));
  }
  const HloInstruction* namesake =
      MakesFreeOperands() ? FindByName(draft.name) : nullptr;
  if (namesake != nullptr) {
    reader_.errors.Add(DiagnosticCode::kDuplicateName, draft.offset,
                       {"instruction", std::string(draft.name)});
    reader_.errors.AddNote("instruction previously defined here",
                           namesake->source_offset());
    return false;
  }
  if (!draft.is_poisoned) {
    const size_t before = module_.computations().size();
    made = builder_.Build(*parent.computation, draft);
    if (made == nullptr) return false;
    if (made->opcode() == HloOpcode::kAsyncStart) async_threads_.Enter(*made);
    for (size_t i = before; i < module_.computations().size(); ++i) {
      finished_.push_back(module_.computations()[i]);
    }
  } else {
    parent.has_errors = true;
  }
  frames_.pop_back();
  --instruction_count_;
  if (draft.is_nested) {
    InstructionDraft& user = instruction().draft;
    if (made == nullptr) {
      user.is_poisoned = true;
    } else {
      user.operands.push_back(made);
    }
    return true;
  }
  if (made == nullptr) {
    parent.failed.insert(draft.name);
    return true;
  }
  parent.last = made;
  if (draft.is_root) parent.root = made;
  return true;
}

}  // namespace ferry
