// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/module_header_parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/module_header_attributes.h"
#include "ferry/hlo/stack_frame_parser.h"

namespace ferry {
namespace {

bool IsKnown(absl::string_view name) {
  return std::find(std::begin(kModuleHeaderAttributes),
                   std::end(kModuleHeaderAttributes),
                   name) != std::end(kModuleHeaderAttributes);
}

ShapeIndex ToShapeIndex(const std::vector<int64_t>& index) {
  return ShapeIndex(index.begin(), index.end());
}

}  // namespace

bool ModuleHeaderParser::Parse() {
  if (!lexer_.ConsumeWord("HloModule")) {
    return reader_.errors.Expected(lexer_, "`HloModule`");
  }
  const uint64_t offset = lexer_.TokenOffset();
  const bool has_percent = lexer_.Consume('%');
  const absl::string_view name = lexer_.ScanWord();
  if (name.empty() || (!has_percent && IsReservedWord(name))) {
    lexer_.set_offset(offset);
    return reader_.errors.Expected(lexer_, "the name of the module");
  }
  module_.set_name(name);
  lexer_.Consume(':');
  while (lexer_.Consume(',')) {
    if (!ParseAttribute()) return false;
  }
  StackFrames frames;
  if (!ParseStackFrames(reader_, frames)) return false;
  module_.set_stack_frames(std::move(frames));
  return true;
}

bool ModuleHeaderParser::ParseAttribute() {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of an attribute and `=`");
  }
  if (!seen_.insert(name).second) {
    return reader_.errors.Add(DiagnosticCode::kDuplicateName, offset,
                              {"attribute", std::string(name)});
  }
  if (!IsKnown(name)) {
    if (!allow_unknown_) {
      reader_.errors.Add(DiagnosticCode::kUnexpectedAttribute, offset,
                         {"HloModule", std::string(name)});
      reader_.errors.Suggest(name, kModuleHeaderAttributes);
      return false;
    }
    reader_.errors.AddKeptUnknown("module attribute", name, offset,
                                  kModuleHeaderAttributes);
  }
  const uint64_t value = lexer_.TokenOffset();
  if (!ParseValue(name, offset)) {
    reader_.errors.AddNote(absl::StrCat("in the attribute `", name, "`"),
                           offset);
    return false;
  }
  const bool has_field = name == "is_scheduled" ||
                         name == "input_output_alias" ||
                         name == "entry_computation_layout";
  if (!has_field) module_.AddHeaderAttribute(name, lexer_.TextSince(value));
  return true;
}

bool ModuleHeaderParser::ParseValue(absl::string_view name, uint64_t offset) {
  int64_t ignored = 0;
  if (name == "is_scheduled") return ParseScheduled();
  if (name == "input_output_alias") return ParseAliases();
  if (name == "buffer_donor") return ParseDonors();
  if (name == "entry_computation_layout") return ParseEntryLayout();
  if (name == "alias_passthrough_params") return attributes_.ParseBool();
  if (name == "replica_count" || name == "num_partitions") {
    return reader_.ReadNumber("an integer", ignored);
  }
  if (name == "frontend_attributes") {
    return attributes_.ParseFrontendAttributes();
  }
  if (name == "origin_recovery_table") {
    return !lexer_.ScanBraces().empty() ||
           reader_.errors.Expected(lexer_, "`{...}`");
  }
  if (IsKnown(name)) return ParseBoolOrBools();
  absl::string_view text;
  return attributes_.ParseUnknown(offset, text);
}

bool ModuleHeaderParser::ParseScheduled() {
  const bool value = lexer_.Peek() == 't';
  module_.set_is_scheduled(value);
  return reader_.ReadBool();
}

bool ModuleHeaderParser::ParseBoolOrBools() {
  return lexer_.Peek() == '{' ? attributes_.ParseBools()
                              : attributes_.ParseBool();
}

// { {0}: (1, {}, must-alias), ... }
bool ModuleHeaderParser::ParseAliases() {
  std::vector<InputOutputAlias> aliases;
  std::vector<int64_t> index;
  alias_offset_ = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start aliases")) return false;
  while (!lexer_.Consume('}')) {
    if (!aliases.empty() && !reader_.Expect(',', "between aliases")) {
      return false;
    }
    InputOutputAlias& alias = aliases.emplace_back();
    if (!attributes_.ParseShapeIndex(index)) return false;
    alias.output_index = ToShapeIndex(index);
    if (!reader_.Expect(':', "behind the output index") ||
        !reader_.Expect('(', "in front of the parameter") ||
        !reader_.ReadNumber("a parameter number", alias.parameter_number) ||
        !reader_.Expect(',', "behind the parameter number") ||
        !attributes_.ParseShapeIndex(index)) {
      return false;
    }
    alias.parameter_index = ToShapeIndex(index);
    if (lexer_.Consume(',')) {
      alias.must_alias = lexer_.ConsumeWord("must-alias");
      if (!alias.must_alias && !lexer_.ConsumeWord("may-alias")) {
        return reader_.errors.Expected(lexer_, "`may-alias` or `must-alias`");
      }
    }
    if (!reader_.Expect(')', "at the end of an alias")) return false;
  }
  module_.set_input_output_aliases(std::move(aliases));
  return true;
}

// { (0, {}), (1, {0}) }
bool ModuleHeaderParser::ParseDonors() {
  std::vector<int64_t> index;
  bool first = true;
  if (!reader_.Expect('{', "to start donors")) return false;
  while (!lexer_.Consume('}')) {
    int64_t number = 0;
    if (!first && !reader_.Expect(',', "between donors")) return false;
    first = false;
    if (!reader_.Expect('(', "in front of a donor: (parameter, index)") ||
        !reader_.ReadNumber("a parameter number", number) ||
        !reader_.Expect(',', "behind the parameter number") ||
        !attributes_.ParseShapeIndex(index) ||
        !reader_.Expect(')', "behind a donor")) {
      return false;
    }
  }
  return true;
}

// {(shape, ...)->shape}
bool ModuleHeaderParser::ParseEntryLayout() {
  EntryLayout layout;
  if (!reader_.Expect('{', "to start the entry layout") ||
      !reader_.Expect('(', "in front of the parameters")) {
    return false;
  }
  // A comma may stand behind the last one.
  while (lexer_.Peek() != ')') {
    layout.parameters.push_back(shapes_.Parse());
    if (layout.parameters.back() == nullptr) return false;
    if (!lexer_.Consume(',')) break;
  }
  if (!reader_.Expect(')', "behind the parameters")) return false;
  if (!lexer_.Consume("->")) return reader_.errors.Expected(lexer_, "`->`");
  layout.result = shapes_.Parse();
  if (layout.result == nullptr) return false;
  module_.set_entry_layout(std::move(layout));
  return reader_.Expect('}', "at the end of the entry layout");
}

bool ModuleHeaderParser::Finish() {
  if (module_.entry_layout().result == nullptr) {
    EntryLayout layout;
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      layout.parameters.push_back(&parameter->shape());
    }
    layout.result = &module_.entry().root().shape();
    module_.set_entry_layout(std::move(layout));
  }
  return std::all_of(
      module_.input_output_aliases().begin(),
      module_.input_output_aliases().end(),
      [&](const InputOutputAlias& alias) { return CheckAlias(alias); });
}

bool ModuleHeaderParser::CheckAlias(const InputOutputAlias& alias) {
  const Shape& result = module_.entry().root().shape();
  if (!result.OrdinalOf(alias.output_index).has_value()) {
    return reader_.BadValue(
        alias_offset_,
        absl::StrCat("alias at ", ShapeIndexToString(alias.output_index),
                     " which is an invalid index for shape ",
                     result.ToString(/*with_layout=*/false)));
  }
  const auto parameters = module_.entry().parameters();
  if (alias.parameter_number < 0 ||
      alias.parameter_number >= static_cast<int64_t>(parameters.size())) {
    return reader_.BadValue(
        alias_offset_,
        absl::StrCat("alias with parameter ", alias.parameter_number, " of ",
                     parameters.size()));
  }
  const Shape& parameter = parameters[alias.parameter_number]->shape();
  return parameter.OrdinalOf(alias.parameter_index).has_value() ||
         reader_.BadValue(
             alias_offset_,
             absl::StrCat("alias with parameter ", alias.parameter_number,
                          " at ", ShapeIndexToString(alias.parameter_index),
                          " which is an invalid index for shape ",
                          parameter.ToString(/*with_layout=*/false)));
}

}  // namespace ferry
