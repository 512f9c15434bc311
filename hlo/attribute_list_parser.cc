// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The part of ComputationParser that reads what stands behind the operands of
// an instruction: attributes, in any order, each once. AttributeParser reads
// the values that need nothing but their text; the computations and
// instructions that others name are looked up here.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/callee_attributes.h"
#include "ferry/hlo/computation_parser.h"
#include "ferry/hlo/open_frames.h"

namespace ferry {
namespace {

bool TakesRole(HloOpcode opcode, absl::string_view role) {
  const auto roles = CalledComputationRoles(opcode);
  if (std::find(roles.begin(), roles.end(), role) != roles.end()) return true;
  if (opcode == HloOpcode::kConditional) {
    return role == "true_computation" || role == "false_computation";
  }
  return opcode == HloOpcode::kCustomCall && role == "to_apply";
}

}  // namespace

// Behind a comma: name=value.
bool ComputationParser::ParseAttribute(OpenInstruction& open) {
  InstructionDraft& draft = open.draft;
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of an attribute and `=`");
  }
  if (!open.MarkSeen(name)) {
    return reader_.errors.Add(DiagnosticCode::kDuplicateName, offset,
                              {"attribute", std::string(name)});
  }
  if (name == "control-predecessors") return ParseControlPredecessors(draft);
  if (name == "index" && draft.rules() == HloOpcode::kGetTupleElement) {
    return ParseIndex(draft);
  }
  const HloOpcode opcode = draft.rules();
  if (IsCalleeAttributeName(name) && opcode != HloOpcode::kUnknown) {
    const bool is_sugared_end =
        draft.sugar == InstructionDraft::Sugar::kUpdate ||
        draft.sugar == InstructionDraft::Sugar::kDone;
    if (!TakesRole(opcode, name) || is_sugared_end) {
      return UnexpectedAttribute(draft, name, offset);
    }
    open.role = name;
    open.is_list = IsCalleeList(name);
    open.callees_read = 0;
    open.phase = OpenInstruction::Phase::kCallees;
    return !open.is_list || reader_.Expect('{', "to start the computations");
  }
  const auto kind = HloAttributeFromName(name);
  if (!kind.has_value() || IsCalleeAttributeName(name)) {
    return ParseUnknownAttribute(draft, name, offset);
  }
  // What an async-start has beside the attributes of what it wraps.
  const bool is_of_start =
      draft.sugar == InstructionDraft::Sugar::kStart &&
      (*kind == HloAttributeKind::kAsyncExecutionThread ||
       *kind == HloAttributeKind::kOutputToOperandAliasing);
  if (!IsAllowedAttribute(opcode, *kind) && !is_of_start) {
    return UnexpectedAttribute(draft, name, offset);
  }
  return ParseKnownAttribute(open, *kind, offset);
}

bool ComputationParser::ParseKnownAttribute(OpenInstruction& open,
                                            HloAttributeKind kind,
                                            uint64_t offset) {
  InstructionDraft& draft = open.draft;
  absl::string_view text;
  if (!attributes_.Parse(draft.rules(), kind, text)) {
    reader_.errors.AddNote(
        absl::StrCat("in the attribute `", HloAttributeName(kind), "`"),
        offset);
    return false;
  }
  if (!text.empty()) draft.attributes.push_back({kind, text});
  const AttributeParser::Facts& facts = attributes_.facts();
  if (kind == HloAttributeKind::kParameterReplication) {
    draft.replication_leaves = facts.leaf_count;
  } else if (kind == HloAttributeKind::kOperandLayoutConstraints) {
    draft.has_layout_constraints = true;
    draft.layout_constraints.assign(facts.shapes.begin(), facts.shapes.end());
  }
  return true;
}

bool ComputationParser::ParseUnknownAttribute(InstructionDraft& draft,
                                              absl::string_view name,
                                              uint64_t offset) {
  if (!allow_unknown_) {
    return UnexpectedAttribute(draft, name, offset);
  }
  absl::string_view text;
  if (!attributes_.ParseUnknown(offset, text)) return false;
  draft.attributes.push_back({HloAttributeKind::kUnknownAttribute, text});
  if (noted_unknown_.insert(name).second) {
    reader_.errors.AddKeptUnknown("attribute", name, offset,
                                  AllowedAttributeNames(draft.rules()));
  }
  return true;
}

bool ComputationParser::UnexpectedAttribute(const InstructionDraft& draft,
                                            absl::string_view name,
                                            uint64_t offset) {
  reader_.errors.Add(DiagnosticCode::kUnexpectedAttribute, offset,
                     {std::string(draft.opcode_text), std::string(name)});
  const auto allowed = AllowedAttributeNames(draft.rules());
  reader_.errors.Suggest(name, allowed);
  std::string list;
  for (absl::string_view one : allowed) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", one);
  }
  reader_.errors.AddNote(absl::StrCat("allowed attributes: ", list));
  return false;
}

bool ComputationParser::ParseIndex(InstructionDraft& draft) {
  draft.has_index = true;
  return reader_.ReadNumber("an element number", draft.number);
}

// {a, %b}: at least one; named twice counts once.
bool ComputationParser::ParseControlPredecessors(InstructionDraft& draft) {
  if (!reader_.Expect('{', "to start control predecessors")) return false;
  do {
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view name = lexer_.ScanName();
    if (name.empty()) {
      return reader_.errors.Expected(lexer_, "the name of an instruction");
    }
    HloInstruction* found = FindByName(name);
    if (found == nullptr) {
      if (!HasFailed(name)) return UnknownInstruction(name, offset);
      draft.is_poisoned = true;
    } else if (std::find(draft.control_predecessors.begin(),
                         draft.control_predecessors.end(),
                         found) == draft.control_predecessors.end()) {
      draft.control_predecessors.push_back(found);
    }
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of control predecessors");
}

// One computation: a name, or a body in place.
bool ComputationParser::ParseCallee(OpenInstruction& open) {
  const bool ends = open.is_list ? lexer_.Consume('}') : open.callees_read > 0;
  if (ends) {
    open.phase = OpenInstruction::Phase::kAttributes;
    return true;
  }
  if (open.callees_read++ > 0 && !lexer_.Consume(',')) {
    return reader_.errors.Expected(lexer_, "`,` or `}`");
  }
  if (lexer_.Peek() == '{') {
    const uint64_t offset = lexer_.offset();
    lexer_.Consume('{');
    PushComputation("_", offset);
    return true;
  }
  return ResolveCallee(open.draft, open.role);
}

bool ComputationParser::ResolveCallee(InstructionDraft& draft,
                                      absl::string_view role) {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of a computation");
  }
  const auto found = known_.find(name);
  if (found == known_.end()) {
    reader_.errors.Add(DiagnosticCode::kUnknownName, offset,
                       {"computation", std::string(name)});
    // Hash order must not show.
    std::vector<absl::string_view> candidates;
    if (known_.size() <= ParseErrors::kMostCandidates) {
      for (const auto& [candidate, computation] : known_) {
        candidates.push_back(candidate);
      }
    }
    std::sort(candidates.begin(), candidates.end());
    reader_.errors.Suggest(name, candidates);
    return false;
  }
  if (found->second.computation == nullptr) {
    draft.is_poisoned = true;
  } else {
    draft.callees.push_back({role, found->second.computation});
  }
  return true;
}

}  // namespace ferry
