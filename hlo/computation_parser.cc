// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Computations and what is common to both kinds of frames; the steps of an
// instruction are in instruction_parser.cc, recovery in parse_recovery.cc.

#include "ferry/hlo/computation_parser.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/foreign_text.h"
#include "ferry/hlo/fusion_bodies.h"
#include "ferry/hlo/legal_name.h"
#include "ferry/hlo/open_frames.h"

namespace ferry {

ComputationParser::ComputationParser(HloModule& module, TextReader reader,
                                     ShapeParser& shapes,
                                     AttributeParser& attributes,
                                     bool allow_unknown)
    : module_(module),
      reader_(reader),
      lexer_(reader.lexer),
      shapes_(shapes),
      attributes_(attributes),
      allow_unknown_(allow_unknown),
      computation_names_(module),
      builder_(module, reader, computation_names_),
      async_threads_(module),
      parameter_budget_(reader.lexer.text().size()) {}

ComputationParser::~ComputationParser() = default;

ComputationParser::OpenComputation& ComputationParser::computation() {
  return *computations_[computation_count_ - 1];
}

ComputationParser::OpenInstruction& ComputationParser::instruction() {
  return *instructions_[instruction_count_ - 1];
}

void ComputationParser::ParseAll() {
  if (lexer_.AtEnd()) {
    reader_.errors.Expected(lexer_, "a computation");
    return;
  }
  while (!lexer_.AtEnd() && !reader_.errors.full()) {
    if (ParseHeader()) {
      Run();
    } else {
      Recover();
    }
  }
  if (reader_.errors.count() == 0) FinishModule();
}

void ComputationParser::Run() {
  while (!frames_.empty() && !reader_.errors.full()) {
    const bool ok =
        frames_.back().is_computation ? StepComputation() : StepInstruction();
    if (!ok) Recover();
  }
}

void ComputationParser::ParseSingleInstruction() {
  has_free_operands_ = true;
  OpenComputation& entry = PushComputation("_", lexer_.TokenOffset());
  entry.is_entry = true;
  // XLA adds it to the module before the bodies in it, which are `_` too.
  computation_names_.Add(*entry.computation);
  bool ok = StartFreeInstruction();
  while (ok && frames_.size() > 1) {
    ok = frames_.back().is_computation ? StepComputation() : StepInstruction();
  }
  if (!ok) {
    reader_.errors.AddNote(HowHloBegins(lexer_.text()));
    return;
  }
  if (!lexer_.AtEnd()) {
    reader_.errors.Expected(lexer_,
                            "the end of the text behind a single instruction");
    reader_.errors.AddNote(
        "did you mean to write a module and forget the "
        "\"HloModule\" header?");
    return;
  }
  if (!FinishRoot(computation())) return;
  RegisterComputation(computation());
  FinishModule();
}

// ENTRY? NAME (signature)? {
bool ComputationParser::ParseHeader() {
  const uint64_t start = lexer_.TokenOffset();
  const bool is_entry = lexer_.ConsumeWord("ENTRY");
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of a computation");
  }
  OpenComputation& open = PushComputation(name, offset);
  open.is_entry = is_entry;
  if (is_entry && has_entry_) {
    return reader_.Fail(DiagnosticCode::kSyntaxError, start,
                        "expected only one ENTRY, but saw a second one");
  }
  has_entry_ |= is_entry;
  const auto known = known_.find(name);
  if (known != known_.end()) {
    reader_.errors.Add(DiagnosticCode::kDuplicateName, offset,
                       {"computation", std::string(name)});
    reader_.errors.AddNote("computation previously defined here",
                           known->second.offset);
    return false;
  }
  if (lexer_.Peek() == '(' && !ParseSignature(open)) return false;
  return reader_.Expect('{', "at the beginning of instruction list");
}

// (name: shape, ...) -> shape. Only the result counts; the colon belongs to a
// name without `%`, so that `%p: f32[]` is none.
bool ComputationParser::ParseSignature(OpenComputation& open) {
  if (!reader_.Expect('(')) return false;
  if (!lexer_.Consume(')')) {
    do {
      if (lexer_.ScanName().empty()) {
        return reader_.errors.Expected(lexer_, "the name of a parameter");
      }
      if (shapes_.Parse() == nullptr) return false;
    } while (lexer_.Consume(','));
    if (!reader_.Expect(')', "at the end of the parameters")) return false;
  }
  if (!lexer_.Consume("->")) return reader_.errors.Expected(lexer_, "`->`");
  open.result_offset = lexer_.TokenOffset();
  open.declared_result = shapes_.Parse();
  return open.declared_result != nullptr;
}

ComputationParser::OpenComputation& ComputationParser::PushComputation(
    absl::string_view name, uint64_t offset) {
  if (computation_count_ == computations_.size()) {
    computations_.push_back(std::make_unique<OpenComputation>());
  }
  OpenComputation& open = *computations_[computation_count_];
  open.Reset();
  open.name = name;
  open.offset = offset;
  open.computation = &module_.AddComputation(
      IsLegalName(name) ? name : module_.SaveText(LegalName(name)), offset);
  module_.OpenNameScope(*open.computation,
                        /*is_in_place=*/computation_count_ > 0);
  frames_.push_back({/*is_computation=*/true, computation_count_++});
  return open;
}

// One instruction, or the end of the list.
bool ComputationParser::StepComputation() {
  if (!lexer_.Consume('}')) return StartInstruction();
  return FinishComputation();
}

bool ComputationParser::FinishComputation() {
  OpenComputation& open = computation();
  const bool is_inline = frames_.size() > 1;
  if (!is_inline && lexer_.Consume(',')) {
    absl::string_view thread;
    if (lexer_.ScanAttributeName() != "execution_thread") {
      return reader_.errors.Expected(lexer_, "`execution_thread=`");
    }
    if (!reader_.ReadQuoted("the name of a thread", thread)) return false;
    module_.set_execution_thread(*open.computation,
                                 module_.SaveText(ReadString(thread)));
  }
  if (!open.has_errors) open.has_errors = !FinishRoot(open);
  RegisterComputation(open);
  frames_.pop_back();
  --computation_count_;
  if (!is_inline) return true;
  // Hand the inline body to the instruction that calls it.
  InstructionDraft& caller = instruction().draft;
  if (open.has_errors) {
    caller.is_poisoned = true;
  } else {
    caller.callees.push_back({instruction().role, open.computation});
  }
  return true;
}

bool ComputationParser::FinishRoot(OpenComputation& open) {
  if (open.last == nullptr) {
    return reader_.Fail(
        DiagnosticCode::kSyntaxError, open.offset,
        absl::StrCat("computation `", open.name, "` has no instruction"));
  }
  HloInstruction* root = open.root != nullptr ? open.root : open.last;
  module_.set_root(*open.computation, *root);
  return CheckParameters(open) && CheckSignature(open);
}

bool ComputationParser::CheckParameters(const OpenComputation& open) {
  const auto parameters = open.computation->parameters();
  const auto gap = std::find(parameters.begin(), parameters.end(), nullptr);
  if (gap == parameters.end()) return true;
  return reader_.BadValue(
      open.offset,
      absl::StrCat("computation `", open.name, "` has no parameter(",
                   gap - parameters.begin(), "), but has parameter(",
                   parameters.size() - 1, ")"));
}

bool ComputationParser::CheckSignature(const OpenComputation& open) {
  if (open.declared_result == nullptr) return true;
  const HloInstruction& root = open.computation->root();
  if (open.declared_result->IsCompatible(root.shape())) return true;
  reader_.Fail(
      DiagnosticCode::kShapeMismatchInText, open.result_offset,
      absl::StrCat("Shape of computation ", open.name, ", ",
                   open.declared_result->ToString(false),
                   ", is not compatible with that of its root instruction ",
                   root.name(), ", ", root.shape().ToString(false)));
  reader_.errors.AddNote("the root is defined here", root.source_offset());
  return false;
}

void ComputationParser::RegisterComputation(const OpenComputation& open) {
  HloComputation* usable = open.has_errors ? nullptr : open.computation;
  if (frames_.size() == 1) {
    known_.try_emplace(open.name, Known{usable, open.offset});
  }
  module_.CloseNameScope(*open.computation);
  const bool is_named = has_free_operands_ && frames_.size() == 1;
  if (!is_named) computation_names_.Add(*open.computation);
  finished_.push_back(open.computation);
  if (open.is_entry) entry_ = open.computation;
}

void ComputationParser::FinishModule() {
  if (entry_ == nullptr) entry_ = finished_.back();
  module_.set_entry(*entry_);
  module_.SetComputationOrder(finished_);
  MarkFusionBodies(module_);
}

}  // namespace ferry
