// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_COMPUTATION_PARSER_H_
#define FERRY_HLO_COMPUTATION_PARSER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/async_threads.h"
#include "ferry/hlo/attribute_parser.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/instruction_builder.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads computations: all that stands behind the module's header.
//
// Operands may be whole instructions and attributes whole computations, nested
// as deep as the text likes. So there is no recursion, but a stack of what is
// open, whose top goes on when what stood above it is done:
//
//   ENTRY e { r = f32[] reduce(negate(x), z), to_apply={ p = ...
//   | computation e | instruction r | computation _ | instruction p |
//
// After an error the stack is cut back to a computation and reading goes on at
// the next line that starts an instruction. Names whose definition failed stay
// known: uses of them are no errors of their own.
// Tested by hlo_parser_test.cc and hlo_parser_errors_test.cc.
class ComputationParser {
 public:
  // References must outlive this.
  ComputationParser(HloModule& module, TextReader reader, ShapeParser& shapes,
                    AttributeParser& attributes, bool allow_unknown);
  ~ComputationParser();

  // Reads computations to the end of the text; whether all went well is what
  // the errors say.
  void ParseAll();
  // Reads one instruction without a computation around it, to the end of the
  // text: operands need shapes and become parameters.
  void ParseSingleInstruction();

 private:
  struct OpenComputation;
  struct OpenInstruction;
  // One level of what is open: an index into one of the two pools.
  struct Frame {
    bool is_computation;
    size_t index;
  };

  // --- Computations.
  bool ParseHeader();
  bool ParseSignature(OpenComputation& open);
  OpenComputation& PushComputation(absl::string_view name, uint64_t offset);
  void Run();
  bool StepComputation();
  bool FinishComputation();
  bool FinishRoot(OpenComputation& open);
  bool CheckParameters(const OpenComputation& open);
  bool CheckSignature(const OpenComputation& open);
  void RegisterComputation(const OpenComputation& open);
  void FinishModule();

  // --- Instructions.
  bool StartInstruction();
  bool StartFreeInstruction();
  bool ParseName(InstructionDraft& draft);
  bool NoName();
  bool ParseShapeAndOpcode(InstructionDraft& draft);
  bool ParseOpcode(InstructionDraft& draft);
  bool IsSugar(absl::string_view word, InstructionDraft& draft);
  OpenInstruction& PushInstruction();
  bool StepInstruction();
  bool ParseArgument(OpenInstruction& open);
  bool ParseParameterNumber(InstructionDraft& draft);
  bool ParseConstant(InstructionDraft& draft);
  bool ParseOperand(OpenInstruction& open);
  bool MakesFreeOperands() const;
  bool ResolveOperand(InstructionDraft& draft, absl::string_view name,
                      uint64_t offset, const Shape* declared);
  HloInstruction* FindOrMakeFreeOperand(absl::string_view name, uint64_t offset,
                                        const Shape* declared);
  bool AddOperand(InstructionDraft& draft, HloInstruction& found,
                  uint64_t offset, const Shape* declared);
  bool ParseAttribute(OpenInstruction& open);
  bool ParseKnownAttribute(OpenInstruction& open, HloAttributeKind kind,
                           uint64_t offset);
  bool ParseUnknownAttribute(InstructionDraft& draft, absl::string_view name,
                             uint64_t offset);
  bool ParseIndex(InstructionDraft& draft);
  bool ParseControlPredecessors(InstructionDraft& draft);
  bool ParseCallee(OpenInstruction& open);
  bool ResolveCallee(InstructionDraft& draft, absl::string_view role);
  bool FinishInstruction();
  // In the computation that is being read.
  HloInstruction* FindByName(absl::string_view name);
  bool HasFailed(absl::string_view name);
  bool UnknownInstruction(absl::string_view name, uint64_t offset);
  bool UnexpectedAttribute(const InstructionDraft& draft,
                           absl::string_view name, uint64_t offset);

  // --- After errors.
  void Recover();
  bool SkipToNextInstruction();
  void SkipToNextComputation();
  void PoisonDefinition(const InstructionDraft& draft);

  OpenComputation& computation();
  OpenInstruction& instruction();

  HloModule& module_;
  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
  AttributeParser& attributes_;
  const bool allow_unknown_;
  ComputationNames computation_names_;
  InstructionBuilder builder_;
  AsyncThreads async_threads_;

  std::vector<Frame> frames_;
  // Pools, used as stacks: what is closed keeps its memory for the next one.
  std::vector<std::unique_ptr<OpenComputation>> computations_;
  size_t computation_count_ = 0;
  std::vector<std::unique_ptr<OpenInstruction>> instructions_;
  size_t instruction_count_ = 0;

  // Finished computations by their name in the text; null after errors.
  struct Known {
    HloComputation* computation;
    uint64_t offset;
  };
  absl::flat_hash_map<absl::string_view, Known> known_;
  // In the order in which they were finished: callees first.
  std::vector<HloComputation*> finished_;
  HloComputation* entry_ = nullptr;
  bool has_entry_ = false;
  uint64_t parameter_budget_;
  absl::flat_hash_set<absl::string_view> noted_unknown_;
  // Operands are declared where they are used: a single instruction.
  bool has_free_operands_ = false;
};

}  // namespace ferry

#endif  // FERRY_HLO_COMPUTATION_PARSER_H_
