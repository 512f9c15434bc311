// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Decides which of the three kinds of text it is, and has its parts read: the
// header by ModuleHeaderParser, all else by ComputationParser.

#include "ferry/hlo/hlo_parser.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/attribute_parser.h"
#include "ferry/hlo/computation_parser.h"
#include "ferry/hlo/foreign_text.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/module_header_parser.h"
#include "ferry/hlo/origin_recovery_table.h"
#include "ferry/hlo/parse_errors.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/stack_frame_rebuilder.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {
namespace {

enum class TextKind { kModule, kComputations, kInstruction };

TextKind KindOf(HloLexer& lexer) {
  const uint64_t start = lexer.TokenOffset();
  TextKind kind = TextKind::kInstruction;
  if (lexer.ConsumeWord("HloModule")) {
    kind = TextKind::kModule;
  } else if (lexer.ConsumeWord("ENTRY")) {
    kind = TextKind::kComputations;
  } else {
    lexer.Consume('%');
    if (!lexer.ScanWord().empty() && lexer.Peek() == '{') {
      kind = TextKind::kComputations;
    }
  }
  lexer.set_offset(start);
  return kind;
}

// A module in another one's header. Each level of nesting needs quotes of its
// own, which escaped quotes make twice as long: there are few levels.
absl::StatusOr<std::string> PrintRecoveryModule(
    std::string text, HloContext& context, const HloParserOptions& options) {
  const HloParseResult result =
      ParseHlo(SourceText::FromString(std::move(text), "<recovery module>"),
               context, options);
  if (result.module != nullptr) return RecoveryModuleText(*result.module);
  return StatusOf(result.diagnostics, Judge::kDocumented);
}

// All parts of one reading.
class HloParser {
 public:
  HloParser(HloModule& module, const SourceText& source,
            const HloParserOptions& options,
            std::vector<Diagnostic>& diagnostics)
      : module_(module),
        lexer_(source.text()),
        errors_(source, options.max_errors, diagnostics),
        shapes_(module.context(), lexer_, errors_),
        attributes_({lexer_, errors_}, shapes_, options.allow_unknown,
                    [&module](absl::string_view text) {
                      return module.SaveText(text);
                    }),
        header_(module, {lexer_, errors_}, shapes_, attributes_,
                options.allow_unknown,
                [&module, &options](std::string text) {
                  return PrintRecoveryModule(std::move(text), module.context(),
                                             options);
                }),
        computations_(module, {lexer_, errors_}, shapes_, attributes_,
                      options.allow_unknown) {}

  bool Parse() {
    if (std::string no_text = DescribeNoText(lexer_.text()); !no_text.empty()) {
      return errors_.Add(DiagnosticCode::kSyntaxError, 0, std::move(no_text));
    }
    switch (KindOf(lexer_)) {
      case TextKind::kModule:
        if (!header_.Parse()) return false;
        computations_.ParseAll();
        break;
      case TextKind::kComputations:
        computations_.ParseAll();
        if (errors_.count() == 0) {
          module_.set_name(module_.SaveText(
              absl::StrCat("module_", module_.entry().name())));
        } else if (!absl::StrContains(lexer_.text(), "ENTRY")) {
          errors_.AddNote(HowHloBegins(lexer_.text()));
        }
        break;
      case TextKind::kInstruction:
        module_.set_name("_");
        module_.set_is_scheduled(true);
        computations_.ParseSingleInstruction();
        header_.set_has_descending_entry_layout();
        break;
    }
    if (errors_.count() > 0 || !header_.Finish()) return false;
    Report(RebuildStackFrames(module_));
    return true;
  }

 private:
  void Report(const DroppedStackFrames& dropped) {
    if (dropped.first == nullptr) return;
    errors_.AddWarning(DiagnosticCode::kDroppedStackFrame,
                       dropped.first->source_offset(),
                       {absl::StrCat(dropped.first_id),
                        absl::StrCat(dropped.instruction_count)});
  }

  HloModule& module_;
  HloLexer lexer_;
  ParseErrors errors_;
  ShapeParser shapes_;
  AttributeParser attributes_;
  ModuleHeaderParser header_;
  ComputationParser computations_;
};

}  // namespace

HloParseResult ParseHlo(std::shared_ptr<const SourceText> source,
                        HloContext& context, const HloParserOptions& options) {
  HloParseResult result;
  const SourceText& text = *source;
  auto module = std::make_unique<HloModule>(context, std::move(source));
  if (HloParser(*module, text, options, result.diagnostics).Parse()) {
    result.module = std::move(module);
  }
  return result;
}

absl::StatusOr<std::unique_ptr<HloModule>> ParseHloText(absl::string_view text,
                                                        HloContext& context) {
  HloParseResult result =
      ParseHlo(SourceText::FromString(std::string(text), "<string>"), context);
  if (result.module != nullptr) return std::move(result.module);
  return StatusOf(result.diagnostics, Judge::kDocumented);
}

absl::StatusOr<const Shape*> ParseShape(absl::string_view text,
                                        HloContext& context) {
  const auto source = SourceText::FromString(std::string(text), "<shape>");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, /*max_errors=*/1, diagnostics);
  HloLexer lexer(source->text());
  ShapeParser parser(context, lexer, errors);
  const Shape* shape = parser.Parse();
  if (shape != nullptr && !lexer.AtEnd()) {
    errors.Expected(lexer, "the end of the shape");
  }
  if (errors.count() > 0) return StatusOf(diagnostics, Judge::kDocumented);
  return shape;
}

}  // namespace ferry
